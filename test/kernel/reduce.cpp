#include <tutti/kernel/reduce.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::extents;
using kernel::float16;
using kernel::reduction;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr extents list(std::initializer_list<std::int64_t> axes) {
    return extents(std::span(axes.begin(), axes.size()));
}

constexpr bool reduces_in_constant_evaluation() {
    const tensor data({2, 3}, {1, 5, 3, 4, 2, 6});
    tensor columns;
    kernel::sum(data, {.axes = list({0})}, columns);
    tensor whole;
    kernel::mean(data, {}, whole);
    tensor rows;
    kernel::max(data, {.axes = list({-1}), .keepdims = true}, rows);
    tensor place;
    kernel::argmax(data, {.axes = list({0}), .exclude = true}, false, place);
    return columns.elements<int>()[2] == 9 && whole.elements<int>()[0] == 3 && rows.rank() == 2 &&
           rows.elements<int>()[1] == 6 && place.elements<int>()[0] == 1 && place.elements<int>()[1] == 2;
}

// The sets of elements that a reduction combines, found by definition. Sets and their elements are in row-major order.
struct sets_of {
    shape_t left;
    std::vector<std::vector<std::size_t>> sets;

    sets_of(const shape_t& shape, const reduction& r) {
        std::vector<bool> away(shape.size(), !r.axes || r.exclude);
        if (r.axes)
            for (std::int64_t axis : *r.axes) {
                if (axis < 0) axis += static_cast<std::int64_t>(shape.size());
                away[static_cast<std::size_t>(axis)] = !r.exclude;
            }
        shape_t kept;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (!away[d]) kept.push_back(shape[d]);
            if (!away[d] || r.keepdims) left.push_back(away[d] ? 1 : shape[d]);
        }
        sets.resize(static_cast<std::size_t>(kernel::element_count(kept)));
        test::for_each_index(shape, [&](const shape_t& index) {
            shape_t at;
            for (std::size_t d = 0; d < shape.size(); ++d)
                if (!away[d]) at.push_back(index[d]);
            sets[test::offset(kept, at)].push_back(test::offset(shape, index));
        });
    }

    template <class F>
    std::vector<double> each(F f) const {
        std::vector<double> results;
        for (const auto& set : sets) results.push_back(f(set));
        return results;
    }
};

std::vector<reduction> all_reductions(std::size_t rank) {
    std::vector<reduction> all{{}, {.keepdims = true}, {.exclude = true}};
    for (unsigned mask = 0; mask < 1U << rank; ++mask) {
        extents axes;
        for (std::size_t d = 0; d < rank; ++d)
            if ((mask >> d & 1U) != 0)
                axes.push_back(static_cast<std::int64_t>(d) - (mask % 2 == 0 ? static_cast<std::int64_t>(rank) : 0));
        for (const bool keep : {false, true})
            for (const bool exclude : {false, true})
                all.push_back({.axes = axes, .keepdims = keep, .exclude = exclude});
    }
    return all;
}

const shape_t shapes[]{{}, {1}, {7}, {2, 3}, {3, 1, 4}, {2, 0, 3}, {2, 3, 2, 2}, {3, 700}, {700, 3}};

using reducing = void (*)(const tensor&, const reduction&, tensor&);

template <class T, class F>
void check(const char* name, reducing kernel, test::random_source& random, double low, double high, double tolerance,
           F expected) {
    for (const shape_t& shape : shapes) {
        const tensor data = random.filled<T>(shape, low, high);
        const std::vector<double> x = test::values(data);
        for (const reduction& r : all_reductions(shape.size())) {
            const sets_of sets(shape, r);
            const auto of_set = [&](const std::vector<std::size_t>& set) {
                std::vector<double> elements;
                for (const std::size_t i : set) elements.push_back(x[i]);
                return expected(elements);
            };
            INFO(name << " of " << kernel::text(data) << " over " << (r.axes ? kernel::text(*r.axes) : "all")
                      << ", keepdims " << r.keepdims << ", exclude " << r.exclude);
            CHECK(test::difference(test::made(kernel, data, r), sets.left, sets.each(of_set), tolerance) == "");
        }
    }
}

double sum_of(const std::vector<double>& x) {
    double s = 0;
    for (const double v : x) s += v;
    return s;
}

} // namespace

TEST_CASE("reduce: computes in constant evaluation", "[kernel][reduce]") {
    static_assert(reduces_in_constant_evaluation());
    CHECK(reduces_in_constant_evaluation());
}

TEST_CASE("reduce: sum and mean agree with the definition over every set of axes", "[kernel][reduce]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto mean = [](const std::vector<double>& x) { return sum_of(x) / static_cast<double>(x.size()); };
    const auto whole_mean = [&](const std::vector<double>& x) { return x.empty() ? 0 : std::trunc(mean(x)); };
    check<float>("sum", kernel::sum, random, -1, 1, 1e-7, sum_of);
    check<double>("sum", kernel::sum, random, -1, 1, 1e-12, sum_of);
    check<float16>("sum", kernel::sum, random, -1, 1, 5e-4, sum_of);
    check<std::int32_t>("sum", kernel::sum, random, -1000, 1000, 0, sum_of);
    check<std::uint64_t>("sum", kernel::sum, random, 0, 1000, 0, sum_of);
    check<float>("mean", kernel::mean, random, -1, 1, 1e-7, mean);
    check<double>("mean", kernel::mean, random, -1, 1, 1e-15, mean);
    check<float16>("mean", kernel::mean, random, -1, 1, 5e-4, mean);
    check<std::int8_t>("mean", kernel::mean, random, -128, 127, 0, whole_mean);
    check<std::uint64_t>("mean", kernel::mean, random, 0, 1000, 0, whole_mean);
}

TEST_CASE("reduce: products agree with the definition over every set of axes", "[kernel][reduce]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto product = [](const std::vector<double>& x) {
        double p = 1;
        for (const double v : x) p *= v;
        return p;
    };
    check<float>("prod", kernel::prod, random, 0.9, 1.1, 1e-6, product);
    check<double>("prod", kernel::prod, random, -1, 1, 1e-12, product);
    check<std::int8_t>("prod", kernel::prod, random, -1, 1, 0, product);
    tensor out;
    kernel::prod(tensor({9}, {4, 4, 4, 4, 4, 4, 4, 4, 3}), {}, out);
    CHECK(out.elements<int>()[0] == 3 << 16);
    kernel::prod(tensor({3}, {std::uint8_t{200}, std::uint8_t{2}, std::uint8_t{1}}), {}, out);
    CHECK(out.elements<std::uint8_t>()[0] == 400 - 256);
    CHECK(test::error_of([&] { kernel::prod(tensor::scalar(true), {}, out); }) ==
          "kernel::prod: cannot compute with elements of type bool; expected an integer or floating-point type");
}

TEST_CASE("reduce: whether any or all of bool are true, of every set of axes", "[kernel][reduce]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto count = [](const std::vector<double>& x) { return sum_of(x); };
    check<bool>("any", kernel::any, random, -1, 1, 0, [&](const auto& x) { return count(x) > 0 ? 1.0 : 0.0; });
    check<bool>("all", kernel::all, random, -1, 1, 0,
                [&](const auto& x) { return count(x) == static_cast<double>(x.size()) ? 1.0 : 0.0; });
    tensor out;
    CHECK(test::error_of([&] { kernel::any(tensor::scalar(1), {}, out); }) ==
          "kernel::any: cannot compute with elements of type int32; expected bool");
    CHECK(test::error_of([&] { kernel::all(tensor::scalar(1), {}, out); }) ==
          "kernel::all: cannot compute with elements of type int32; expected bool");
}

TEST_CASE("reduce: max and min agree with the definition over every set of axes", "[kernel][reduce]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto greatest = [](double none) {
        return
            [none](const std::vector<double>& x) { return x.empty() ? none : *std::max_element(x.begin(), x.end()); };
    };
    const auto least = [](double none) {
        return
            [none](const std::vector<double>& x) { return x.empty() ? none : *std::min_element(x.begin(), x.end()); };
    };
    const double infinity = std::numeric_limits<double>::infinity();
    check<float>("max", kernel::max, random, -1, 1, 0, greatest(-infinity));
    check<float16>("max", kernel::max, random, -1, 1, 0, greatest(-infinity));
    check<std::int8_t>("max", kernel::max, random, -128, 127, 0, greatest(-128));
    check<std::uint16_t>("max", kernel::max, random, 0, 65535, 0, greatest(0));
    check<bool>("max", kernel::max, random, -1, 1, 0, greatest(0));
    check<double>("min", kernel::min, random, -1, 1, 0, least(infinity));
    check<std::int32_t>("min", kernel::min, random, -1000, 1000, 0, least(std::numeric_limits<std::int32_t>::max()));
    check<std::uint64_t>("min", kernel::min, random, 0, 1000, 0, least(0x1p64));
    check<bool>("min", kernel::min, random, -1, 1, 0, least(1));
}

TEST_CASE("reduce: argmax and argmin find the first or the last of the greatest or least", "[kernel][reduce]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const bool last : {false, true}) {
        const auto place = [&](const std::vector<double>& x) {
            if (x.empty()) return -1.0;
            const auto at = last ? x.rend() - std::max_element(x.rbegin(), x.rend()) - 1
                                 : std::max_element(x.begin(), x.end()) - x.begin();
            return static_cast<double>(at);
        };
        const auto place_of_least = [&](const std::vector<double>& x) {
            std::vector<double> negative;
            for (const double v : x) negative.push_back(-v);
            return place(negative);
        };
        const reducing kernel =
            last ? [](const tensor& t, const reduction& r, tensor& out) { kernel::argmax(t, r, true, out); }
                 : [](const tensor& t, const reduction& r, tensor& out) { kernel::argmax(t, r, false, out); };
        check<float>("argmax", kernel, random, -1, 1, 0, place);
        check<std::int16_t>("argmax", kernel, random, -3, 3, 0, place); // with ties
        check<std::uint64_t>("argmax", kernel, random, 0, 3, 0, place);
        check<double>("argmax", kernel, random, 0, 2, 0, place);
        check<bool>("argmax", kernel, random, -1, 1, 0, place);
        const reducing least =
            last ? [](const tensor& t, const reduction& r, tensor& out) { kernel::argmin(t, r, true, out); }
                 : [](const tensor& t, const reduction& r, tensor& out) { kernel::argmin(t, r, false, out); };
        check<float>("argmin", least, random, -1, 1, 0, place_of_least);
        check<std::int16_t>("argmin", least, random, -3, 3, 0, place_of_least);
        check<std::uint64_t>("argmin", least, random, 0, 3, 0, place_of_least);
    }
    const tensor odd({4, 3}, {1.F, NAN, 3.F, NAN, NAN, INFINITY, -INFINITY, -INFINITY, -INFINITY, 0.F, -0.F, -1.F});
    const reduction rows{.axes = extents(shape_t{1})};
    CHECK(test::difference(test::made(kernel::argmax, odd, rows, false), {4}, {1, 0, 0, 0}, 0) == "");
    CHECK(test::difference(test::made(kernel::argmax, odd, rows, true), {4}, {1, 1, 2, 1}, 0) == "");
    CHECK(test::made(kernel::argmax, odd, rows, true).type() == dtype::int32);
    CHECK(test::difference(test::made(kernel::argmin, odd, rows, false), {4}, {1, 0, 0, 2}, 0) == "");
    CHECK(test::difference(test::made(kernel::argmin, odd, rows, true), {4}, {1, 1, 2, 2}, 0) == "");
}

TEST_CASE("reduce: collapse_sum is the way back from broadcasting", "[kernel][reduce]") {
    const auto collapsed = [](const tensor& t, const shape_t& shape) {
        return test::made(kernel::collapse_sum, t, shape);
    };
    const tensor data({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    CHECK(test::difference(collapsed(data, {3}), {3}, {22, 26, 30}, 0) == "");
    CHECK(test::difference(collapsed(data, {2, 1}), {2, 1}, {30, 48}, 0) == "");
    CHECK(test::difference(collapsed(data, {2, 1, 1}), {2, 1, 1}, {21, 57}, 0) == "");
    CHECK(test::difference(collapsed(data, {1, 2, 3}), {1, 2, 3}, {8, 10, 12, 14, 16, 18}, 0) == "");
    CHECK(test::difference(collapsed(data, {}), {}, {78}, 0) == "");
    CHECK(test::difference(collapsed(data, {2, 2, 3}), {2, 2, 3}, test::values(data), 0) == "");
    CHECK(test::difference(collapsed(tensor(dtype::float32, {0, 2}), {1, 2}), {1, 2}, {0, 0}, 0) == "");
    for (const shape_t& wrong : {shape_t{2}, shape_t{1, 2, 2, 3}, shape_t{4, 2, 3}})
        CHECK_THROWS_AS(collapsed(data, wrong), tutti::error);
}

TEST_CASE("reduce: variance agrees with the definition, however the mean is broadcast", "[kernel][reduce]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const shape_t& shape : shapes)
        for (const reduction& r : all_reductions(shape.size()))
            for (unsigned broadcast = 0; broadcast < 1U << shape.size(); ++broadcast)
                for (const bool unbiased : {false, true}) {
                    if (kernel::element_count(shape) > 100 && broadcast != 1) continue; // one long case is enough
                    shape_t mean_shape = shape;
                    for (std::size_t d = 0; d < shape.size(); ++d)
                        if ((broadcast >> d & 1U) != 0) mean_shape[d] = 1;
                    const tensor data = random.filled<double>(shape);
                    const tensor mean = random.filled<double>(mean_shape);
                    const std::vector<double> values = test::values(data);
                    const std::vector<double> means = test::values(mean);
                    std::vector<double> squares;
                    test::for_each_index(shape, [&](const shape_t& index) {
                        shape_t at = index;
                        for (std::size_t d = 0; d < shape.size(); ++d)
                            if (mean_shape[d] == 1) at[d] = 0;
                        const double x = values[test::offset(shape, index)];
                        const double m = means[test::offset(mean_shape, at)];
                        squares.push_back((x - m) * (x - m));
                    });
                    const sets_of sets(shape, r);
                    const auto expected = sets.each([&](const std::vector<std::size_t>& set) {
                        double sum = 0;
                        for (const std::size_t i : set) sum += squares[i];
                        return sum / (static_cast<double>(set.size()) - (unbiased ? 1 : 0));
                    });
                    INFO(kernel::text(data) << " about " << kernel::text(mean));
                    CHECK(test::difference(test::made(kernel::variance, data, mean, r, unbiased), sets.left, expected,
                                           1e-13) == "");
                }
    const tensor data = random.filled<float>({4, 100});
    const tensor mean = test::made(kernel::mean, data, reduction{.axes = extents(shape_t{1}), .keepdims = true});
    const reduction rows{.axes = extents(shape_t{1})};
    const tensor wide = test::made(kernel::variance, test::converted(data, dtype::float64),
                                   test::converted(mean, dtype::float64), rows, false);
    CHECK(test::difference(test::made(kernel::variance, data, mean, rows, false), {4}, test::values(wide), 1e-7) == "");
    CHECK(test::difference(test::made(kernel::variance, tensor({1}, {2.F}), tensor({1}, {1.F}), reduction{}, true), {},
                           {INFINITY}, 0) == "");
}

TEST_CASE("reduce: float32 sums of a million elements match float64 sums", "[kernel][reduce]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({1000, 1000}, 0, 1);
    const tensor wide = test::converted(data, dtype::float64);
    for (const reduction& r :
         {reduction{}, reduction{.axes = extents(shape_t{0})}, reduction{.axes = extents(shape_t{1})}}) {
        const tensor sum = test::made(kernel::sum, data, r);
        CHECK(test::difference(sum, {sum.shape().begin(), sum.shape().end()},
                               test::values(test::made(kernel::sum, wide, r)), 1e-7) == "");
    }
}

TEST_CASE("reduce: integers wrap, NaN propagates, and an error names mismatched operands", "[kernel][reduce]") {
    const tensor bytes({3}, {std::int8_t{100}, std::int8_t{100}, std::int8_t{100}});
    CHECK(test::made(kernel::sum, bytes, reduction{}).elements<std::int8_t>()[0] == 44);
    CHECK(test::made(kernel::mean, bytes, reduction{}).elements<std::int8_t>()[0] == 100);
    const tensor large({2}, {std::numeric_limits<std::int64_t>::max(), std::int64_t{1}});
    CHECK(test::made(kernel::sum, large, reduction{}).elements<std::int64_t>()[0] ==
          std::numeric_limits<std::int64_t>::min());
    const tensor odd({2, 3}, {1.F, NAN, 3.F, 1.F, INFINITY, -INFINITY});
    const reduction rows{.axes = extents(shape_t{1})};
    CHECK(test::difference(test::made(kernel::max, odd, rows), {2}, {NAN, INFINITY}, 0) == "");
    CHECK(test::difference(test::made(kernel::min, odd, rows), {2}, {NAN, -INFINITY}, 0) == "");
    CHECK(test::difference(test::made(kernel::sum, odd, rows), {2}, {NAN, NAN}, 0) == "");
    const tensor truths({3, 2}, {false, false, false, true, true, true});
    CHECK(test::difference(test::made(kernel::sum, truths, rows), {3}, {0, 1, 1}, 0) == "");
    CHECK(test::error_of([&] { test::made(kernel::mean, truths, reduction{}); }) ==
          "kernel::mean: cannot compute with elements of type bool; expected an integer or floating-point type");
    CHECK(test::error_of([&] { test::made(kernel::max, odd, reduction{.axes = extents(shape_t{2})}); }) ==
          "kernel::max: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
    CHECK(test::error_of([&] { test::made(kernel::min, tensor(), reduction{}); }) ==
          "kernel::min: an empty tensor; expected a tensor with an element type");
    CHECK(test::error_of([&] { test::made(kernel::variance, odd, tensor({3}, {1.0, 2.0, 3.0}), rows, false); }) ==
          "kernel::variance: data is (2, 3) float32 and mean is (3,) float64; expected a mean of the same element type "
          "that broadcasts "
          "to the data");
    CHECK(test::error_of([&] { test::made(kernel::variance, tensor({1}, {1.F}), odd, rows, false); }) ==
          "kernel::variance: axis 1 of a tensor of rank 1; expected an axis from -1 to 0");
    CHECK(
        test::error_of([&] { test::made(kernel::variance, tensor({1}, {1.F}), odd, reduction{}, false); }) ==
        "kernel::variance: data is (1,) float32 and mean is (2, 3) float32; expected a mean of the same element type that "
        "broadcasts "
        "to the data");
    CHECK(
        test::error_of([&] { test::made(kernel::variance, bytes, bytes, reduction{}, false); }) ==
        "kernel::variance: cannot compute with elements of type int8; expected float16, bfloat16, float32 or float64");
}
