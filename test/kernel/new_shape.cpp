#include <tutti/kernel/new_shape.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::shape_code;
using kernel::tensor;
using kernel::zero_code;
using test::error_of;
using test::made;
using test::shape_of;
using test::shape_t;

namespace {

constexpr bool reads_codes_in_constant_evaluation() {
    const tensor t({2, 3}, {1, 2, 3, 4, 5, 6});
    tensor out;
    const std::int64_t code[]{-4, 1, -1, -2};
    kernel::reshape_by_code(t, code, shape_code::from_left, zero_code::keeps, out);
    return out.rank() == 3 && out.shape()[1] == 2 && out.same_elements(t);
}

tensor by_code(const shape_t& data, const shape_t& code, shape_code direction = shape_code::from_left,
               zero_code zero = zero_code::keeps) {
    return made(kernel::reshape_by_code, tensor(dtype::int8, data), code, direction, zero);
}
shape_t read(const shape_t& data, const shape_t& code) { return shape_of(by_code(data, code)); }
shape_t read_backward(const shape_t& data, const shape_t& code) {
    return shape_of(by_code(data, code, shape_code::from_right));
}

} // namespace

TEST_CASE("new_shape: reads codes in constant evaluation", "[kernel][new_shape]") {
    static_assert(reads_codes_in_constant_evaluation());
    CHECK(reads_codes_in_constant_evaluation());
}

// These examples are from the reference's documentation of reshape and reverse_reshape.
TEST_CASE("new_shape: each code has the reference's meaning", "[kernel][new_shape]") {
    CHECK(read({2, 3, 4}, {4, 0, 2}) == shape_t{4, 3, 2});
    CHECK(read({2, 3, 4}, {2, 0, 0}) == shape_t{2, 3, 4});
    CHECK(read({2, 3, 4}, {6, 1, -1}) == shape_t{6, 1, 4});
    CHECK(read({2, 3, 4}, {3, -1, 8}) == shape_t{3, 1, 8});
    CHECK(read({2, 3, 4}, {-1}) == shape_t{24});
    CHECK(read({2, 3, 4}, {-2}) == shape_t{2, 3, 4});
    CHECK(read({2, 3, 4}, {2, -2}) == shape_t{2, 3, 4});
    CHECK(read({2, 3, 4}, {-2, 1, 1}) == shape_t{2, 3, 4, 1, 1});
    CHECK(read({2, 3, 4}, {-3, 4}) == shape_t{6, 4});
    CHECK(read({2, 3, 4, 5}, {-3, -3}) == shape_t{6, 20});
    CHECK(read({2, 3, 4}, {0, -3}) == shape_t{2, 12});
    CHECK(read({2, 3, 4}, {-3, -2}) == shape_t{6, 4});
    CHECK(read({2, 3, 4}, {-4, 1, 2, -2}) == shape_t{1, 2, 3, 4});
    CHECK(read({2, 3, 4}, {2, -4, -1, 3, -2}) == shape_t{2, 1, 3, 4});
    CHECK(read_backward({8, 7, 5, 40}, {-1, 5, 0}) == shape_t{56, 5, 40});
    CHECK(read_backward({10, 5, 4}, {-1, 0}) == shape_t{50, 4});
    CHECK(read({10, 5, 4}, {-1, 0}) == shape_t{40, 5});
}

TEST_CASE("new_shape: sizes of 0 and rank 0", "[kernel][new_shape]") {
    CHECK(read({}, {}) == shape_t{});
    CHECK(read({}, {1, -1}) == shape_t{1, 1});
    CHECK(read({0, 3}, {0, 0}) == shape_t{0, 3});
    CHECK(read({0, 3}, {-1, 3}) == shape_t{0, 3});
    CHECK(read({0, 4}, {-4, 3, -1, 2, 2}) == shape_t{3, 0, 2, 2});
    CHECK(shape_of(by_code({0, 3}, {5, 0}, shape_code::from_left, zero_code::size)) == shape_t{5, 0});
}

TEST_CASE("new_shape: a code that does not fit is an error", "[kernel][new_shape]") {
    const auto error = [](const shape_t& code) {
        const std::string text = error_of([&] { by_code({2, 3, 4}, code); });
        const std::string begin =
            "kernel::reshape: data is (2, 3, 4) int8 and the new shape is " + kernel::text(code) + "; expected ";
        return text.starts_with(begin) ? text.substr(begin.size()) : text;
    };
    CHECK(error({-1, -1}) == "-1 once");
    CHECK(error({5, -1}) == "sizes that divide the number of elements");
    CHECK(error({2, 3, 4, 0}) == "no more sizes kept than there are");
    CHECK(error({2, 3, -3}) == "no more sizes kept than there are");
    CHECK(error({2, 3, -4, 4}) == "two sizes after -4");
    CHECK(error({-4, -1, -1, -2}) ==
          "two sizes after -4, of which one may be -1, with the size of the axis as their product");
    CHECK(error({-4, -1, 0, -2}) ==
          "two sizes after -4, of which one may be -1, with the size of the axis as their product");
    CHECK(error({-4, -2, -1, -2}) ==
          "two sizes after -4, of which one may be -1, with the size of the axis as their product");
    CHECK(error({-4, 3, -1, -2}) ==
          "two sizes after -4, of which one may be -1, with the size of the axis as their product");
    CHECK(error({-5}) == "sizes, or 0 to -4");
    CHECK(error({2, 3, 5}) == "as many elements");
    CHECK(error(shape_t(33, 1)) == "at most 32 sizes");
    CHECK(
        error_of([&] { by_code({1}, shape_t(33, 1), shape_code::from_right); }).ends_with("expected at most 32 sizes"));
}

TEST_CASE("new_shape: reshape_like takes some of another tensor's axes", "[kernel][new_shape]") {
    const tensor t(dtype::int8, {1, 2, 3, 4});
    const auto like = [&](const kernel::axis_range& own, const shape_t& other, const kernel::axis_range& taken) {
        return made(kernel::reshape_like, t, own, tensor(dtype::boolean, other), taken);
    };
    CHECK(shape_of(like({}, {4, 6}, {})) == shape_t{4, 6});
    CHECK(shape_of(like({1, {}}, {7, 6, 2, 2}, {1, {}})) == shape_t{1, 6, 2, 2});
    CHECK(shape_of(like({1, 3}, {1, 6}, {1, 2})) == shape_t{1, 6, 4});
    CHECK(shape_of(like({-2, {}}, {5, 12, 5}, {1, -1})) == shape_t{1, 2, 12});
    CHECK(like({}, {4, 6}, {}).same_elements(t));
    CHECK(error_of([&] { like({}, {5, 5}, {}); }) ==
          "kernel::reshape: data is (1, 2, 3, 4) int8 and the new shape is (5, 5); expected as many elements");
    CHECK(error_of([&] { like({5, {}}, {24}, {}); }) ==
          "kernel::reshape_like: axes 5 to 4 of (1, 2, 3, 4) int8; expected a range of its axes");
    CHECK(error_of([&] { like({}, {24}, {1, 0}); }) ==
          "kernel::reshape_like: axes 1 to 0 of (24,) bool; expected a range of its axes");
    CHECK(error_of([&] { like({4, 4}, shape_t(30, 1), {}); }).ends_with("expected a result with at most 32 axes"));
}
