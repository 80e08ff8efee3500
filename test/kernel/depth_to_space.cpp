#include <tutti/kernel/depth_to_space.hpp>

#include "moving.hpp"
#include "placed.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::block_order;
using kernel::dtype;
using kernel::tensor;
using test::coords;

namespace {

constexpr bool moves_in_constant_evaluation() {
    tensor out;
    kernel::depth_to_space(tensor({1, 4, 1, 1}, {1, 2, 3, 4}), 2, block_order::outer, "NCHW", out);
    tensor back;
    kernel::space_to_depth(out, 2, "NCHW", back);
    return out.shape()[2] == 2 && out.elements<int>()[2] == 3 && back.elements<int>()[3] == 4;
}

} // namespace

TEST_CASE("depth_to_space: moves in constant evaluation", "[kernel][depth_to_space]") {
    static_assert(moves_in_constant_evaluation());
    CHECK(moves_in_constant_evaluation());
}

TEST_CASE("depth_to_space: and the way back, in every order of the axes", "[kernel][depth_to_space]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        std::string layout = "NCHW";
        for (std::size_t i = 4; i > 1; --i)
            std::swap(layout[i - 1],
                      layout[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
        const std::int64_t b = random.integer(1, 3);
        const std::int64_t channels = random.integer(1, 3);
        const coords deep{random.integer(1, 2), channels * b * b + random.integer(0, b - 1), 1, random.integer(1, 3),
                          random.integer(1, 3)};
        coords wide = deep;
        wide[1] = channels;
        wide[3] *= b;
        wide[4] *= b;
        const test::placed in = test::data_in(layout, deep);
        const test::placed out = test::data_in(layout, wide);
        const tensor data = test::any_data(random, in.shape());
        const std::vector<double> x = test::values(data);
        for (const block_order order : {block_order::outer, block_order::inner}) {
            std::vector<double> expected(static_cast<std::size_t>(kernel::element_count(out.shape())));
            test::for_each_place(wide, [&](const coords& at) {
                const std::int64_t pixel = at[3] % b * b + at[4] % b;
                const std::int64_t c = order == block_order::outer ? pixel * channels + at[1] : at[1] * b * b + pixel;
                expected[out.at(at)] = x[in.at({at[0], c, 0, at[3] / b, at[4] / b})];
            });
            INFO(layout << ", blocks of " << b);
            const tensor spread = test::made(kernel::depth_to_space, data, b, order, std::string_view(layout));
            CHECK(spread.type() == data.type());
            CHECK(test::difference(spread, out.shape(), expected, 0) == "");
            if (order == block_order::outer && deep[1] == channels * b * b)
                CHECK(test::difference(test::made(kernel::space_to_depth, spread, b, std::string_view(layout)),
                                       in.shape(), x, 0) == "");
        }
    }
}

TEST_CASE("depth_to_space: drops incomplete blocks", "[kernel][depth_to_space]") {
    const tensor odd(dtype::int8, {1, 2, 3, 5});
    CHECK(test::shape_of(test::made(kernel::space_to_depth, odd, std::int64_t{2}, std::string_view("NCHW"))) ==
          test::shape_t{1, 8, 1, 2});
    CHECK(test::shape_of(test::made(kernel::depth_to_space, odd, std::int64_t{2}, block_order::outer,
                                    std::string_view("NCHW"))) == test::shape_t{1, 0, 6, 10});
}

TEST_CASE("depth_to_space: invalid operands are an error", "[kernel][depth_to_space]") {
    const tensor data(dtype::int8, {1, 4, 2, 2});
    const auto error = [](const tensor& t, std::int64_t block, std::string_view layout) {
        return test::error_of([&] { test::made(kernel::space_to_depth, t, block, layout); });
    };
    CHECK(error(data, 0, "NCHW") ==
          "kernel::space_to_depth: blocks of 0 by 0; expected 1 or more, and fewer than 2^24");
    CHECK(error(data, std::int64_t{1} << 40, "NCHW").starts_with("kernel::space_to_depth: blocks of 1099511627776"));
    CHECK(error(data, 2, "NCHW4c") ==
          "kernel::space_to_depth: the layout \"NCHW4c\"; expected a layout such as NCHW or NHWC");
    CHECK(error(tensor(dtype::int8, {4, 2, 2}), 2, "NCHW")
              .starts_with("kernel::space_to_depth: data has shape (4, 2, 2)"));
}
