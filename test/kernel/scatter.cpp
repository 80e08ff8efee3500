#include <tutti/kernel/scatter.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::scatter_mode;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool scatters_in_constant_evaluation() {
    const tensor t({2}, {1, 2});
    tensor out;
    kernel::scatter(t, tensor({3}, {1, 0, 1}), tensor({3}, {5, 6, 7}), 0, scatter_mode::add, out);
    if (out.elements<int>()[0] != 7 || out.elements<int>()[1] != 14) return false;
    kernel::scatter_nd(t, tensor({1, 1}, {1}), tensor({1}, {9}), scatter_mode::update, out);
    return out.elements<int>()[0] == 1 && out.elements<int>()[1] == 9;
}

std::vector<double> by_definition(const tensor& data, const tensor& indices, const tensor& updates, std::size_t axis,
                                  bool adds) {
    std::vector<double> all = test::values(data);
    const test::elements_of places(indices);
    const test::elements_of values(updates);
    const shape_t own = test::shape_of(data);
    test::for_each_index(test::shape_of(indices), [&](const shape_t& index) {
        shape_t to = index;
        to[axis] = static_cast<std::int64_t>(places(index));
        if (to[axis] < 0) to[axis] += own[axis];
        double& at = all.at(test::offset(own, to));
        at = adds ? at + values(index) : values(index);
    });
    return all;
}

} // namespace

TEST_CASE("scatter: puts elements in constant evaluation", "[kernel][scatter]") {
    static_assert(scatters_in_constant_evaluation());
    CHECK(scatters_in_constant_evaluation());
}

TEST_CASE("scatter: updates go where indices along an axis say, in their order", "[kernel][scatter]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t own = test::any_shape(random, 4, 1);
        const std::int64_t axis = test::any_axis(random, own.size());
        const std::size_t at = test::place(axis, own.size());
        own[at] = std::max<std::int64_t>(own[at], 1);
        shape_t shape;
        shape_t more;
        for (std::size_t d = 0; d < own.size(); ++d) {
            shape.push_back(random.integer(0, d == at ? 6 : own[d]));
            more.push_back(shape.back() + random.integer(0, 1));
        }
        const tensor t = test::any_data(random, dtype::int64, own);
        const tensor updates = test::any_data(random, dtype::int64, more);
        tensor indices(dtype::int16, shape);
        for (auto& i : indices.mutable_elements<std::int16_t>())
            i = static_cast<std::int16_t>(random.integer(-own[at], own[at] - 1));
        INFO(kernel::text(t) << " at " << kernel::text(indices) << ", axis " << axis);
        CHECK(test::difference(made(kernel::scatter, t, indices, updates, axis, scatter_mode::update), own,
                               by_definition(t, indices, updates, at, false), 0) == "");
        CHECK(test::difference(made(kernel::scatter, t, indices, updates, axis, scatter_mode::add), own,
                               by_definition(t, indices, updates, at, true), 0) == "");
    }
}

TEST_CASE("scatter: slices go where the columns of indices say", "[kernel][scatter]") {
    const tensor t({2, 2, 2}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F});
    const tensor rows({1, 2}, {1, 1});
    const tensor slices({2, 2, 2}, {1.F, 1.F, 1.F, 1.F, 2.F, 2.F, 2.F, -9.F});
    const auto put = [&](scatter_mode mode) { return test::values(made(kernel::scatter_nd, t, rows, slices, mode)); };
    using numbers = std::vector<double>;
    CHECK(put(scatter_mode::update) == numbers{1, 2, 3, 4, 2, 2, 2, -9});
    CHECK(put(scatter_mode::add) == numbers{1, 2, 3, 4, 8, 9, 10, 0});
    CHECK(put(scatter_mode::multiply) == numbers{1, 2, 3, 4, 10, 12, 14, -72});
    CHECK(put(scatter_mode::least) == numbers{1, 2, 3, 4, 1, 1, 1, -9});
    CHECK(put(scatter_mode::greatest) == numbers{1, 2, 3, 4, 5, 6, 7, 8});
    const tensor all(dtype::int64, {0});
    CHECK(test::values(made(kernel::scatter_nd, t, all, t, scatter_mode::add)) == numbers{2, 4, 6, 8, 10, 12, 14, 16});
}

TEST_CASE("scatter: mismatched operands are an error", "[kernel][scatter]") {
    const tensor t(dtype::int8, {2, 3});
    const tensor one(dtype::int8, {1, 1});
    const auto put = [&](const tensor& indices, const tensor& updates) {
        return error_of([&] { made(kernel::scatter, t, indices, updates, 1, scatter_mode::add); });
    };
    CHECK(put(tensor({1, 1}, {3}), one) ==
          "kernel::scatter: index 3 along axis 1 of data (2, 3) int8; expected an index within the axis");
    CHECK(put(tensor({1, 1}, {-4}), one).starts_with("kernel::scatter: index -4"));
    CHECK(put(tensor(dtype::int8, {3, 1}), tensor(dtype::int8, {3, 1})).find("except along axis 1") !=
          std::string::npos);
    CHECK(put(tensor(dtype::int8, {1, 2}), one).find("an update for each index") != std::string::npos);
    CHECK(put(tensor({1, 1}, {1.F}), one).ends_with("expected integers"));
    CHECK(put(one, tensor(dtype::int16, {1, 1})).ends_with("expected elements of one type"));
    const auto put_nd = [&](const tensor& indices, const tensor& updates) {
        return error_of([&] { made(kernel::scatter_nd, t, indices, updates, scatter_mode::update); });
    };
    CHECK(put_nd(tensor({2, 1}, {0, 3}), tensor(dtype::int8, {1})) ==
          "kernel::scatter_nd: index 3 along axis 1 of data (2, 3) int8; expected one from 0 to 2");
    CHECK(put_nd(tensor({2, 1}, {0, 3}), one).ends_with("a slice of the data for each column of indices"));
    CHECK(put_nd(tensor({3, 1}, {0, 0, 0}), one).ends_with("a slice of the data for each column of indices"));
}
