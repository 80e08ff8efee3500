#include <tutti/kernel/dilation2d.hpp>

#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::coords;

namespace {

tensor dilated(const tensor& data, const tensor& weight, const kernel::dilation2d_options& o) {
    return test::made([](auto&... all) { kernel::dilation2d(all...); }, data, weight, o);
}

} // namespace

TEMPLATE_TEST_CASE("dilation2d: agrees with the definition in both layouts", "[kernel][dilation2d]", float, double,
                   std::int32_t) {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(60); round > 0; --round) {
        const bool last = random.integer(0, 1) == 0;
        kernel::dilation2d_options o{.data_layout = last ? "NHWC" : "NCHW", .weight_layout = last ? "HWI" : "IHW"};
        // The smallest image with the smallest padding, 4 + 1, contains the largest window.
        const coords in{random.integer(1, 2), random.integer(1, 3), 1, random.integer(4, 7), random.integer(4, 7)};
        const coords cells{1, 1, 1, random.integer(1, 3), random.integer(1, 3)};
        coords out = in;
        for (std::size_t i = 0; i < 2; ++i) {
            o.strides[i] = random.integer(1, 2);
            o.dilation[i] = random.integer(1, 2);
            o.before[i] = random.integer(0, 2);
            o.after[i] = random.integer(1, 2);
            out[3 + i] =
                (in[3 + i] + o.before[i] + o.after[i] - (cells[3 + i] - 1) * o.dilation[i] - 1) / o.strides[i] + 1;
        }
        const test::placed from = test::data_in(o.data_layout, in);
        const test::placed to = test::data_in(o.data_layout, out);
        const test::shape_t weight_shape =
            last ? test::shape_t{cells[3], cells[4], in[1]} : test::shape_t{in[1], cells[3], cells[4]};
        const tensor data = random.filled<TestType>(from.shape(), -9, 9);
        const tensor weight = random.filled<TestType>(weight_shape, -9, 9);
        std::vector<double> expected(static_cast<std::size_t>(kernel::element_count(to.shape())));
        test::for_each_place(out, [&](const coords& at) {
            double top = -std::numeric_limits<double>::infinity();
            test::for_each_place(cells, [&](const coords& cell) {
                coords place = at;
                bool inside = true;
                for (std::size_t i = 0; i < 2; ++i) {
                    place[3 + i] = at[3 + i] * o.strides[i] + cell[3 + i] * o.dilation[i] - o.before[i];
                    inside = inside && place[3 + i] >= 0 && place[3 + i] < in[3 + i];
                }
                const test::shape_t w =
                    last ? test::shape_t{cell[3], cell[4], at[1]} : test::shape_t{at[1], cell[3], cell[4]};
                top = std::max(top, (inside ? test::values(data)[from.at(place)] : 0) +
                                        test::values(weight)[test::offset(weight_shape, w)]);
            });
            expected[to.at(at)] = top;
        });
        CHECK(test::difference(dilated(data, weight, o), to.shape(), expected, 1e-5) == "");
    }
}

TEST_CASE("dilation2d: invalid operands are an error", "[kernel][dilation2d]") {
    const tensor data(dtype::float32, {1, 2, 3, 4});
    const auto error = [&](const tensor& weight, const kernel::dilation2d_options& o) {
        return test::error_of([&] { dilated(data, weight, o); });
    };
    CHECK(error(tensor(dtype::float32, {3, 1, 1}), {}) ==
          "kernel::dilation2d: data is (1, 2, 3, 4) float32 and weight is (3, 1, 1) float32; expected the same number "
          "of channels in both");
    CHECK(error(tensor(dtype::float32, {2, 1, 1}), {.weight_layout = "OHW"}).find("weights such as IHW") !=
          std::string::npos);
    CHECK(error(tensor(dtype::float64, {2, 1, 1}), {}).find("of one element type") != std::string::npos);
    CHECK(
        error(tensor(dtype::float32, {2, 4, 1}), {}).starts_with("kernel::dilation2d: height: a window that spans 4"));
}
