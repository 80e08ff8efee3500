#include <tutti/kernel/elementwise.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

shape_t common_shape(const shape_t& a, const shape_t& b) {
    shape_t shape(std::max(a.size(), b.size()), 1);
    for (const shape_t& s : {a, b})
        for (std::size_t i = 1; i <= s.size(); ++i)
            if (s[s.size() - i] != 1) shape[shape.size() - i] = s[s.size() - i];
    return shape;
}

// The element of an operand that goes with an index of the result.
double broadcast_element(const std::vector<double>& values, const shape_t& own, const shape_t& index) {
    shape_t at(own.size());
    for (std::size_t d = 0; d < own.size(); ++d)
        at[d] = own[d] == 1 ? 0 : index[index.size() - own.size() + d];
    return values[test::offset(own, at)];
}

struct operation {
    const char* name;
    tensor (*kernel)(const tensor&, const tensor&);
    double (*element)(double, double);
};

const operation arithmetic[] = {
    {"add", kernel::add, [](double a, double b) { return a + b; }},
    {"subtract", kernel::subtract, [](double a, double b) { return a - b; }},
    {"multiply", kernel::multiply, [](double a, double b) { return a * b; }},
    {"divide", kernel::divide, [](double a, double b) { return a / b; }},
    {"maximum", kernel::maximum, [](double a, double b) { return std::fmax(a, b); }},
    {"minimum", kernel::minimum, [](double a, double b) { return std::fmin(a, b); }},
    {"power", kernel::power, [](double a, double b) { return std::pow(a, b); }},
};

const operation comparisons[] = {
    {"equal", kernel::equal, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {"not_equal", kernel::not_equal, [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {"less", kernel::less, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {"less_equal", kernel::less_equal, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {"greater", kernel::greater, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {"greater_equal", kernel::greater_equal, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
};

// Two shapes that broadcast: of a common one, each leaves out leading axes and has some of length 1.
std::pair<shape_t, shape_t> random_shapes(test::random_source& random) {
    shape_t whole;
    for (std::int64_t d = random.integer(0, 4); d > 0; --d)
        whole.push_back(random.integer(random.integer(0, 19) == 0 ? 0 : 1, 6));
    std::pair<shape_t, shape_t> both{whole, whole};
    shape_t& less = random.integer(0, 1) == 0 ? both.first : both.second;
    less.erase(less.begin(), less.begin() + random.integer(0, static_cast<std::int64_t>(less.size())));
    for (std::size_t i = 1; i <= whole.size(); ++i) {
        shape_t& other = random.integer(0, 1) == 0 ? both.first : both.second;
        if (i <= other.size() && random.integer(0, 2) == 0) other[other.size() - i] = 1;
    }
    return both;
}

void check_binary(const operation& op, const tensor& a, const tensor& b, double tolerance) {
    const shape_t left(a.shape().begin(), a.shape().end());
    const shape_t right(b.shape().begin(), b.shape().end());
    const std::vector<double> x = test::values(a);
    const std::vector<double> y = test::values(b);
    const shape_t shape = common_shape(left, right);
    std::vector<double> expected;
    test::for_each_index(shape, [&](const shape_t& index) {
        expected.push_back(op.element(broadcast_element(x, left, index), broadcast_element(y, right, index)));
    });
    INFO(op.name << " of " << kernel::text(a) << " and " << kernel::text(b));
    CHECK(test::difference(op.kernel(a, b), shape, expected, tolerance) == "");
}

template <class T>
void check_binary(const operation& op, test::random_source& random, double low, double high,
                  double tolerance) {
    const auto [left, right] = random_shapes(random);
    check_binary(op, random.filled<T>(left, low, high), random.filled<T>(right, low, high), tolerance);
}

constexpr bool computes_in_constant_evaluation() {
    const tensor matrix({2, 2}, {1.F, -2.F, 3.F, -4.F});
    const tensor row({2}, {10.F, 20.F});
    const tensor sum = kernel::add(matrix, row);
    const tensor product = kernel::multiply(matrix, tensor::scalar(2.F));
    const tensor positive = kernel::relu(matrix);
    const tensor smaller = kernel::less(matrix, kernel::minimum(matrix, tensor::scalar(0.F)));
    return sum.elements<float>()[3] == 16 && product.elements<float>()[1] == -4 &&
           positive.elements<float>()[1] == 0 && positive.elements<float>()[2] == 3 &&
           !smaller.elements<bool>()[1] && sum.shape().size() == 2;
}

} // namespace

TEST_CASE("elementwise: computes in constant evaluation", "[kernel][elementwise]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEST_CASE("elementwise: arithmetic with broadcasting agrees with an evaluation in double",
          "[kernel][elementwise]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round)
        for (const operation& op : arithmetic) {
            check_binary<float>(op, random, 0.1, 2, 1e-6);
            check_binary<double>(op, random, 0.1, 2, 1e-15);
            check_binary<float16>(op, random, 0.1, 2, 1e-3);
        }
}

TEST_CASE("elementwise: integer arithmetic with broadcasting is exact", "[kernel][elementwise]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round)
        for (const operation& op : arithmetic) {
            operation truncated = op;
            if (op.kernel == kernel::divide)
                truncated.element = [](double a, double b) { return std::trunc(a / b); };
            check_binary<std::int32_t>(truncated, random, 1, 9, 0);
            check_binary<std::int64_t>(truncated, random, 1, 12, 0);
            check_binary<std::int16_t>(truncated, random, 1, 5, 0);
        }
}

TEST_CASE("elementwise: comparisons give bool, for every kind of element", "[kernel][elementwise]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 50; ++round)
        for (const operation& op : comparisons) {
            check_binary<std::int8_t>(op, random, -2, 2, 0);
            check_binary<float>(op, random, -2, 2, 0);
            check_binary<bool>(op, random, -1, 1, 0);
        }
    CHECK(kernel::equal(tensor::scalar(1), tensor::scalar(1)).type() == dtype::boolean);
}

TEST_CASE("elementwise: logic is over bool alone", "[kernel][elementwise]") {
    const tensor a({2, 2}, {false, false, true, true});
    const tensor b({2}, {false, true});
    CHECK(test::difference(kernel::logical_and(a, b), {2, 2}, {0, 0, 0, 1}, 0) == "");
    CHECK(test::difference(kernel::logical_or(a, b), {2, 2}, {0, 1, 1, 1}, 0) == "");
    CHECK(test::difference(kernel::logical_not(b), {2}, {1, 0}, 0) == "");
    CHECK(test::error_of([] { kernel::logical_and(tensor::scalar(1), tensor::scalar(1)); }) ==
          "kernel::logical_and: cannot compute with elements of type int32; expected bool");
    CHECK(test::error_of([] { kernel::logical_not(tensor::scalar(1)); }) ==
          "kernel::logical_not: cannot compute with elements of type int32; expected bool");
}

TEST_CASE("elementwise: functions of one operand agree with an evaluation in double",
          "[kernel][elementwise]") {
    struct function {
        const char* name;
        tensor (*kernel)(const tensor&);
        double (*element)(double);
    };
    const function functions[] = {
        {"negative", kernel::negative, [](double x) { return -x; }},
        {"abs", kernel::abs, [](double x) { return std::abs(x); }},
        {"relu", kernel::relu, [](double x) { return x > 0 ? x : 0; }},
        {"floor", kernel::floor, [](double x) { return std::floor(x); }},
        {"ceil", kernel::ceil, [](double x) { return std::ceil(x); }},
        {"round", kernel::round, [](double x) { return std::round(x); }},
        {"trunc", kernel::trunc, [](double x) { return std::trunc(x); }},
        {"sqrt", kernel::sqrt, [](double x) { return std::sqrt(x); }},
        {"rsqrt", kernel::rsqrt, [](double x) { return 1 / std::sqrt(x); }},
        {"exp", kernel::exp, [](double x) { return std::exp(x); }},
        {"log", kernel::log, [](double x) { return std::log(x); }},
        {"tanh", kernel::tanh, [](double x) { return std::tanh(x); }},
        {"erf", kernel::erf, [](double x) { return std::erf(x); }},
        {"sigmoid", kernel::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    };
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const function& f : functions)
        for (const tensor& t : {random.filled<float>({3, 50}, -3, 3), random.filled<double>({151}, -3, 3),
                                random.filled<float16>({2, 3}, -3, 3), random.filled<float>({0, 3})}) {
            std::vector<double> expected;
            for (const double x : test::values(t)) expected.push_back(f.element(x));
            INFO(f.name << " of " << kernel::text(t));
            CHECK(test::difference(f.kernel(t), {t.shape().begin(), t.shape().end()}, expected,
                                   t.type() == dtype::float16 ? 1e-3 : 1e-6) == "");
        }
    CHECK(kernel::negative(tensor::scalar(std::int8_t{-128})).elements<std::int8_t>()[0] == -128);
    CHECK(kernel::floor(tensor::scalar(7)).elements<std::int32_t>()[0] == 7);
}

TEST_CASE("elementwise: a result may be written over the operand it is as large as",
          "[kernel][elementwise]") {
    std::vector<float> x{1, 2, 3, 4, 5, 6};
    std::vector<float> y{10, 20, 30};
    const shape_t shape{2, 3};
    const shape_t row{3};
    const kernel::view<float> inout{x.data(), shape};
    kernel::binary<kernel::element::subtract, float>({}, kernel::view<const float>{y.data(), row}, inout,
                                                     inout);
    CHECK(x == std::vector<float>{9, 18, 27, 6, 15, 24});
    kernel::unary<kernel::element::negative, float>({}, inout, inout);
    CHECK(x == std::vector<float>{-9, -18, -27, -6, -15, -24});
}

TEST_CASE("elementwise: operands that do not fit are named with their shapes and types",
          "[kernel][elementwise]") {
    const tensor a(dtype::float32, {2, 3});
    CHECK(test::error_of([&] { kernel::add(a, tensor(dtype::float32, {4})); }) ==
          "kernel::add: lhs is (2, 3) float32 and rhs is (4,) float32; expected shapes that broadcast");
    CHECK(test::error_of([&] { kernel::less(a, tensor(dtype::int8, {3})); }) ==
          "kernel::less: lhs is (2, 3) float32 and rhs is (3,) int8; expected the same element type");
    CHECK(test::error_of([&] {
              kernel::multiply(tensor(dtype::boolean, {1}), tensor(dtype::boolean, {1}));
          }) == "kernel::multiply: cannot compute with elements of type bool; expected an integer or "
                "floating-point type");
    CHECK(test::error_of([&] { kernel::sqrt(tensor(dtype::int8, {1})); }) ==
          "kernel::sqrt: cannot compute with elements of type int8; expected float16, float32 or float64");
    CHECK(
        test::error_of([&] { kernel::add(tensor(), tensor()); }) ==
        "kernel::add: cannot compute with elements of type void; expected an integer or floating-point type");
    const tensor deep(dtype::float32, shape_t(40, 1));
    CHECK(test::error_of([&] { kernel::add(deep, deep); }) ==
          "kernel::add: a tensor of rank 40; expected a rank of at most 32");
    const tensor tall(dtype::int8, {std::int64_t{1} << 25, 1});
    const tensor wide(dtype::int8, {1, std::int64_t{1} << 25});
    CHECK(test::error_of([&] { kernel::add(tall, wide); }) ==
          "kernel::add: a result of shape (33554432, 33554432); expected fewer than 2^48 elements");
}
