#include <tutti/kernel/pad.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::pad_mode;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

constexpr bool pads_in_constant_evaluation() {
    const tensor t({2}, {1, 2});
    const std::int64_t one[]{1};
    tensor out;
    kernel::pad(t, {one, one}, pad_mode::constant, 9.0, out);
    if (out.elements<int>()[0] != 9 || out.elements<int>()[2] != 2) return false;
    kernel::pad(t, {one, one}, pad_mode::reflect, 9.0, out);
    if (out.elements<int>()[0] != 2 || out.elements<int>()[3] != 1) return false;
    kernel::pad(t, {one, one}, pad_mode::edge, 9.0, out);
    if (out.elements<int>()[0] != 1 || out.elements<int>()[3] != 2) return false;
    kernel::pad(t, {one, one}, pad_mode::symmetric, 9.0, out);
    return out.elements<int>()[0] == 1 && out.elements<int>()[3] == 2;
}

tensor padded(const tensor& t, const shape_t& before, const shape_t& after, pad_mode mode, double value = 0) {
    return test::made(kernel::pad, t, kernel::pad_width{before, after}, mode, kernel::number(value));
}

} // namespace

TEST_CASE("pad: adds elements in constant evaluation", "[kernel][pad]") {
    static_assert(pads_in_constant_evaluation());
    CHECK(pads_in_constant_evaluation());
}

TEST_CASE("pad: pads with a value, the edge, or a reflection", "[kernel][pad]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 400; ++round) {
        const shape_t own = test::any_shape(random, 4);
        const tensor t = test::any_data(random, own);
        const test::elements_of x(t);
        auto mode = static_cast<pad_mode>(random.integer(0, 3));
        if (t.size() == 0) mode = pad_mode::constant;
        shape_t before;
        shape_t after;
        shape_t shape;
        for (const std::int64_t size : own) {
            std::int64_t most = mode == pad_mode::reflect ? size - 1 : mode == pad_mode::symmetric ? size : 4;
            const std::int64_t cut = mode == pad_mode::constant && random.integer(0, 3) == 0 ? size / 2 : 0;
            if (cut != 0) most = 0;
            before.push_back(random.integer(-cut, most));
            after.push_back(random.integer(-cut, most));
            shape.push_back(size + before.back() + after.back());
        }
        INFO(kernel::text(t) << ", " << kernel::text(before) << " before, " << kernel::text(after) << " after, mode "
                             << static_cast<int>(mode));
        CHECK(test::difference_from(padded(t, before, after, mode, 1), t.type(), shape, [&](const shape_t& index) {
                  shape_t at;
                  for (std::size_t d = 0; d < own.size(); ++d) {
                      std::int64_t i = index[d] - before[d];
                      if (i < 0 || i >= own[d]) {
                          if (mode == pad_mode::constant) return 1.0;
                          if (mode == pad_mode::edge) i = i < 0 ? 0 : own[d] - 1;
                          if (mode == pad_mode::reflect) i = i < 0 ? -i : 2 * own[d] - 2 - i;
                          if (mode == pad_mode::symmetric) i = i < 0 ? -1 - i : 2 * own[d] - 1 - i;
                      }
                      at.push_back(i);
                  }
                  return x(at);
              }) == "");
    }
}

TEST_CASE("pad: elements that are cut off", "[kernel][pad]") {
    const tensor t({4}, {1, 2, 3, 4});
    const auto values = [&](std::int64_t before, std::int64_t after, pad_mode mode) {
        return test::values(padded(t, {before}, {after}, mode, 9));
    };
    CHECK(values(-1, -2, pad_mode::constant) == std::vector<double>{2});
    CHECK(values(-1, 2, pad_mode::constant) == std::vector<double>{2, 3, 4, 9, 9});
    CHECK(values(-6, 3, pad_mode::constant) == std::vector<double>{9});
    CHECK(values(3, -6, pad_mode::constant) == std::vector<double>{9});
    CHECK(values(-2, -2, pad_mode::constant).empty());
    CHECK(values(-1, 2, pad_mode::edge) == std::vector<double>{2, 3, 4, 4, 4});
    CHECK(values(1, -1, pad_mode::reflect) == std::vector<double>{2, 1, 2, 3});
    CHECK(values(-3, 0, pad_mode::reflect) == std::vector<double>{4});
    CHECK(test::values(padded(tensor(dtype::int8, {0}), {1}, {1}, pad_mode::constant, 300)) ==
          std::vector<double>{127, 127});
}

TEST_CASE("pad: widths that do not fit are errors", "[kernel][pad]") {
    const tensor t(dtype::int8, {2, 3});
    const auto error = [&](const shape_t& before, const shape_t& after, pad_mode mode) {
        return error_of([&] { padded(t, before, after, mode); });
    };
    CHECK(
        error({1}, {1, 1}, pad_mode::constant) ==
        "kernel::pad: data is (2, 3) int8 and there are 1 numbers before, 2 after; expected one of each for each axis");
    CHECK(error({0, -2}, {0, -2}, pad_mode::constant) ==
          "kernel::pad: -2 elements before and -2 after axis 1 of data (2, 3) "
          "int8; expected at most as many cropped elements as the axis has");
    CHECK(error({0, 3}, {0, 0}, pad_mode::reflect) ==
          "kernel::pad: 3 elements before and 0 after axis 1 of data (2, 3) int8; "
          "expected fewer elements than the axis has");
    CHECK(error({0, 0}, {2, 0}, pad_mode::reflect).ends_with("expected fewer elements than the axis has"));
    CHECK(error({0, 0}, {3, 0}, pad_mode::symmetric).ends_with("expected at most as many elements as the axis has"));
    CHECK(error({0, 1}, {0, -3}, pad_mode::edge).ends_with("expected at least one element to repeat"));
    constexpr std::int64_t large = std::int64_t{1} << 60;
    CHECK(error({large, 0}, {0, 0}, pad_mode::constant).ends_with("expected fewer than 2^48"));
    CHECK(error({0, 0}, {0, -large}, pad_mode::edge).ends_with("expected fewer than 2^48"));
    CHECK(error({1 << 30, 1 << 30}, {0, 0}, pad_mode::constant).ends_with("expected fewer than 2^48 elements"));
    CHECK(error_of([] {
              padded(tensor(dtype::int8, {0}), {1}, {1}, pad_mode::edge);
          }).ends_with("expected at least one element to repeat"));
}

TEST_CASE("pad: dilate puts elements apart", "[kernel][pad]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round) {
        const test::shape_t from = test::any_shape(random, 4);
        const kernel::tensor t = test::any_data(random, from);
        const test::elements_of x(t);
        test::shape_t strides, shape;
        for (const std::int64_t d : from) {
            strides.push_back(random.integer(1, 3));
            shape.push_back(d == 0 ? 0 : (d - 1) * strides.back() + 1);
        }
        CHECK(test::difference_from(test::made(kernel::dilate, t, strides, 1.0), t.type(), shape,
                                    [&](test::shape_t index) {
                                        for (std::size_t d = 0; d < index.size(); ++d) {
                                            if (index[d] % strides[d] != 0) return 1.0;
                                            index[d] /= strides[d];
                                        }
                                        return x(index);
                                    }) == "");
    }
    const kernel::tensor t(kernel::dtype::int8, {2, 2});
    const auto said = [&](const test::shape_t& strides) {
        return test::error_of([&] { test::made(kernel::dilate, t, strides, 0.0); });
    };
    CHECK(said({1}) ==
          "kernel::dilate: strides (1,) for data (2, 2) int8; expected a stride of 1 or more for each axis");
    CHECK(said({1, 0}).ends_with("a stride of 1 or more for each axis"));
    CHECK(said({1, std::int64_t{1} << 62}).ends_with("fewer than 2^48 elements"));
}
