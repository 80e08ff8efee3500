#include <tutti/kernel/elementwise.hpp>

#include <tutti/kernel/cast.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
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

// Returns the operand element that broadcasts to element `index` of the result.
double broadcast_element(const std::vector<double>& values, const shape_t& own, const shape_t& index) {
    shape_t at(own.size());
    for (std::size_t d = 0; d < own.size(); ++d) at[d] = own[d] == 1 ? 0 : index[index.size() - own.size() + d];
    return values[test::offset(own, at)];
}

struct operation {
    const char* name;
    void (*kernel)(const tensor&, const tensor&, tensor&);
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

// Returns two shapes that broadcast to each other. They are copies of one shape: one copy may lose leading axes, and
// some axes of either copy have length 1.
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
    CHECK(test::difference(test::made(op.kernel, a, b), shape, expected, tolerance) == "");
}

template <class T>
void check_binary(const operation& op, test::random_source& random, double low, double high, double tolerance) {
    const auto [left, right] = random_shapes(random);
    check_binary(op, random.filled<T>(left, low, high), random.filled<T>(right, low, high), tolerance);
}

constexpr tensor computed(void (*kernel)(const tensor&, const tensor&, tensor&), const tensor& a, const tensor& b) {
    tensor out;
    kernel(a, b, out);
    return out;
}

constexpr bool computes_in_constant_evaluation() {
    const tensor matrix({2, 2}, {1.F, -2.F, 3.F, -4.F});
    const tensor row({2}, {10.F, 20.F});
    const tensor sum = computed(kernel::add, matrix, row);
    const tensor product = computed(kernel::multiply, matrix, tensor::scalar(2.F));
    const tensor smaller = computed(kernel::less, matrix, computed(kernel::minimum, matrix, tensor::scalar(0.F)));
    const tensor wrapped = computed(kernel::add, tensor::scalar(std::int8_t{127}), tensor::scalar(std::int8_t{1}));
    tensor positive;
    kernel::relu(matrix, positive);
    tensor bounded;
    kernel::clip(matrix, -2, 2, bounded);
    tensor finite;
    kernel::isfinite(matrix, finite);
    return sum.elements<float>()[3] == 16 && product.elements<float>()[1] == -4 && positive.elements<float>()[1] == 0 &&
           positive.elements<float>()[2] == 3 && !smaller.elements<bool>()[1] && sum.shape().size() == 2 &&
           wrapped.elements<std::int8_t>()[0] == -128 && bounded.elements<float>()[2] == 2 &&
           finite.elements<bool>()[3];
}

} // namespace

TEST_CASE("elementwise: computes in constant evaluation", "[kernel][elementwise]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEST_CASE("elementwise: arithmetic with broadcasting agrees with an evaluation in double", "[kernel][elementwise]") {
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
            if (op.kernel == kernel::divide) truncated.element = [](double a, double b) { return std::trunc(a / b); };
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
    CHECK(test::made(kernel::equal, tensor::scalar(1), tensor::scalar(1)).type() == dtype::boolean);
}

TEST_CASE("elementwise: logic is over bool alone", "[kernel][elementwise]") {
    const tensor a({2, 2}, {false, false, true, true});
    const tensor b({2}, {false, true});
    CHECK(test::difference(test::made(kernel::logical_and, a, b), {2, 2}, {0, 0, 0, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::logical_or, a, b), {2, 2}, {0, 1, 1, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::logical_not, b), {2}, {1, 0}, 0) == "");
    CHECK(test::error_of([] { test::made(kernel::logical_and, tensor::scalar(1), tensor::scalar(1)); }) ==
          "kernel::logical_and: cannot compute with elements of type int32; expected bool");
    CHECK(test::error_of([] { test::made(kernel::logical_not, tensor::scalar(1)); }) ==
          "kernel::logical_not: cannot compute with elements of type int32; expected bool");
}

TEST_CASE("elementwise: bool is computed with as an integer of one bit", "[kernel][elementwise]") {
    const tensor a({2, 2}, {false, false, true, true});
    const tensor b({2}, {false, true});
    const auto is = [](const tensor& t, const std::vector<double>& expected) {
        return t.type() == dtype::boolean && test::difference(t, {2, 2}, expected, 0).empty();
    };
    CHECK(is(test::made(kernel::add, a, b), {0, 1, 1, 0}));
    CHECK(is(test::made(kernel::subtract, a, b), {0, 1, 1, 0}));
    CHECK(is(test::made(kernel::multiply, a, b), {0, 0, 0, 1}));
    CHECK(is(test::made(kernel::divide, a, b), {0, 0, 0, 1}));
    CHECK(is(test::made(kernel::maximum, a, b), {0, 1, 1, 1}));
    CHECK(is(test::made(kernel::minimum, a, b), {0, 0, 0, 1}));
    for (const auto unary : {kernel::negative, kernel::abs, kernel::relu})
        CHECK(is(test::made(unary, a), {0, 0, 1, 1}));
    CHECK(is(test::made(kernel::leaky_relu, a, 0.5), {0, 0, 1, 1}));
}

TEST_CASE("elementwise: functions of one operand agree with an evaluation in double", "[kernel][elementwise]") {
    struct function {
        const char* name;
        void (*kernel)(const tensor&, tensor&);
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
        {"log2", kernel::log2, [](double x) { return std::log2(x); }},
        {"log10", kernel::log10, [](double x) { return std::log10(x); }},
        {"sin", kernel::sin, [](double x) { return std::sin(x); }},
        {"cos", kernel::cos, [](double x) { return std::cos(x); }},
        {"tan", kernel::tan, [](double x) { return std::tan(x); }},
        {"asin", kernel::asin, [](double x) { return std::asin(x); }},
        {"acos", kernel::acos, [](double x) { return std::acos(x); }},
        {"atan", kernel::atan, [](double x) { return std::atan(x); }},
        {"sinh", kernel::sinh, [](double x) { return std::sinh(x); }},
        {"cosh", kernel::cosh, [](double x) { return std::cosh(x); }},
        {"asinh", kernel::asinh, [](double x) { return std::asinh(x); }},
        {"acosh", kernel::acosh, [](double x) { return std::acosh(x); }},
        {"atanh", kernel::atanh, [](double x) { return std::atanh(x); }},
        {"sign", kernel::sign, [](double x) { return x > 0   ? 1.0
                                                     : x < 0 ? -1.0
                                                             : 0.0; }},
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
            CHECK(test::difference(test::made(f.kernel, t), {t.shape().begin(), t.shape().end()}, expected,
                                   t.type() == dtype::float16 ? 1e-3 : 1e-6) == "");
        }
    const tensor seven = tensor::scalar(7);
    CHECK(test::made(kernel::floor, seven).same_elements(seven));
}

TEST_CASE("elementwise: float32 is float64 within these bounds", "[kernel][elementwise]") {
    // Error bounds relative to the largest result. One rounding costs half a unit in the last place. A C library
    // function or several operations cost a few units.
    constexpr double rounded_once = 0x1p-24;
    constexpr double some_units = 0x1p-22;
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto check = [](const char* name, double bound, const tensor& narrow, const tensor& wide) {
        INFO(name);
        CHECK(test::difference(narrow, {narrow.shape().begin(), narrow.shape().end()}, test::values(wide), bound) ==
              "");
    };
    const tensor x = random.filled<float>({2, 500}, 0.1, 4);
    const tensor y = random.filled<float>({500}, 0.1, 4);
    for (const operation& op : arithmetic)
        check(op.name, op.kernel == kernel::power ? some_units : rounded_once, test::made(op.kernel, x, y),
              test::made(op.kernel, test::converted(x, dtype::float64), test::converted(y, dtype::float64)));
    struct function {
        const char* name;
        void (*kernel)(const tensor&, tensor&);
        double bound;
    };
    const function functions[] = {
        {"negative", kernel::negative, 0},
        {"abs", kernel::abs, 0},
        {"relu", kernel::relu, 0},
        {"floor", kernel::floor, 0},
        {"ceil", kernel::ceil, 0},
        {"round", kernel::round, 0},
        {"trunc", kernel::trunc, 0},
        {"sqrt", kernel::sqrt, rounded_once},
        {"rsqrt", kernel::rsqrt, some_units},
        {"exp", kernel::exp, some_units},
        {"log", kernel::log, some_units},
        {"tanh", kernel::tanh, some_units},
        {"erf", kernel::erf, some_units},
        {"sigmoid", kernel::sigmoid, some_units},
        {"isfinite", kernel::isfinite, 0},
        {"isinf", kernel::isinf, 0},
        {"isnan", kernel::isnan, 0},
        {"sign", kernel::sign, 0},
        {"log2", kernel::log2, some_units},
        {"log10", kernel::log10, some_units},
        {"sin", kernel::sin, some_units},
        {"cos", kernel::cos, some_units},
        {"tan", kernel::tan, some_units},
        {"atan", kernel::atan, some_units},
        {"sinh", kernel::sinh, some_units},
        {"cosh", kernel::cosh, some_units},
        {"asinh", kernel::asinh, some_units},
    };
    for (const function& f : functions)
        check(f.name, f.bound, test::made(f.kernel, x), test::made(f.kernel, test::converted(x, dtype::float64)));
    check("leaky_relu", rounded_once, test::made(kernel::leaky_relu, test::made(kernel::negative, x), 0.25),
          test::made(kernel::leaky_relu, test::made(kernel::negative, test::converted(x, dtype::float64)), 0.25));
    check("clip", 0, test::made(kernel::clip, x, 0.5, 2.0),
          test::made(kernel::clip, test::converted(x, dtype::float64), 0.5, 2.0));
}

TEST_CASE("elementwise: a result may be written over the operand it is as large as", "[kernel][elementwise]") {
    std::vector<float> x{1, 2, 3, 4, 5, 6};
    std::vector<float> y{10, 20, 30};
    const shape_t shape{2, 3};
    const shape_t row{3};
    const kernel::view<float> inout{x.data(), shape};
    kernel::binary<kernel::element::subtract, float>({}, kernel::view<const float>{y.data(), row}, inout, inout);
    CHECK(x == std::vector<float>{9, 18, 27, 6, 15, 24});
    kernel::unary<kernel::element::negative, float>({}, inout, inout);
    CHECK(x == std::vector<float>{-9, -18, -27, -6, -15, -24});
}

TEST_CASE("elementwise: every integer type wraps, and operations undefined in C++ have a result",
          "[kernel][elementwise]") {
    const auto of = [](auto kernel, auto a, auto b) {
        return test::values(test::made(kernel, tensor::scalar(a), tensor::scalar(b)))[0];
    };
    using std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
        std::uint64_t;
    constexpr int64_t least = std::numeric_limits<int64_t>::min();
    CHECK(of(kernel::add, int8_t{127}, int8_t{1}) == -128);
    CHECK(of(kernel::subtract, uint8_t{0}, uint8_t{1}) == 255);
    CHECK(of(kernel::multiply, int16_t{-32768}, int16_t{-1}) == -32768);
    CHECK(of(kernel::multiply, uint16_t{65535}, uint16_t{65535}) == 1);
    CHECK(of(kernel::multiply, int32_t{65536}, int32_t{65536}) == 0);
    CHECK(of(kernel::subtract, uint32_t{0}, uint32_t{1}) == 4294967295.0);
    CHECK(of(kernel::add, std::numeric_limits<int64_t>::max(), int64_t{1}) == -0x1p63);
    CHECK(of(kernel::subtract, uint64_t{0}, uint64_t{1 << 11}) == 0x1p64 - 0x1p11);
    CHECK(of(kernel::divide, int8_t{-128}, int8_t{-1}) == -128);
    CHECK(of(kernel::divide, std::numeric_limits<int32_t>::min(), int32_t{-1}) == -0x1p31);
    CHECK(of(kernel::divide, least, int64_t{-1}) == -0x1p63);
    CHECK(of(kernel::divide, uint64_t{1} << 63, uint64_t{2}) == 0x1p62);
    CHECK(of(kernel::divide, int32_t{-7}, int32_t{2}) == -3);
    for (const int32_t x : {-5, 0, 5}) CHECK(of(kernel::divide, x, int32_t{0}) == 0);
    CHECK(of(kernel::divide, uint64_t{5}, uint64_t{0}) == 0);
    CHECK(test::made(kernel::negative, tensor::scalar(int8_t{-128})).elements<int8_t>()[0] == -128);
    CHECK(test::made(kernel::abs, tensor::scalar(std::numeric_limits<int32_t>::min())).elements<int32_t>()[0] ==
          std::numeric_limits<int32_t>::min());
    CHECK(test::made(kernel::abs, tensor::scalar(least)).elements<int64_t>()[0] == least);
    CHECK(test::made(kernel::negative, tensor::scalar(uint8_t{1})).elements<uint8_t>()[0] == 255);
    CHECK(of(kernel::less, uint64_t{1} << 63, uint64_t{1}) == 0);
    CHECK(of(kernel::less, uint32_t{1} << 31, uint32_t{1}) == 0);
    CHECK(of(kernel::power, int8_t{2}, int8_t{7}) == -128);
}

TEST_CASE("elementwise: quotients and remainders, in every element type", "[kernel][elementwise]") {
    struct pairing {
        const char* name;
        void (*kernel)(const tensor&, const tensor&, tensor&);
        double (*element)(double, double);
    };
    const pairing pairings[] = {
        {"trunc_divide", kernel::trunc_divide, [](double a, double b) { return std::trunc(a / b); }},
        {"trunc_mod", kernel::trunc_mod, [](double a, double b) { return a - std::trunc(a / b) * b; }},
        {"mod", kernel::mod, [](double a, double b) { return std::fmod(a, b); }},
        {"floor_divide", kernel::floor_divide, [](double a, double b) { return std::floor(a / b); }},
        {"floor_mod", kernel::floor_mod, [](double a, double b) { return a - std::floor(a / b) * b; }},
    };
    const tensor a({9, 1}, {-7, -6, -3, -1, 0, 1, 3, 6, 7});
    const tensor b({6}, {-4, -3, -1, 1, 3, 4});
    for (const pairing& p : pairings)
        for (const dtype type :
             {dtype::int8, dtype::int16, dtype::int32, dtype::int64, dtype::float16, dtype::float32, dtype::float64}) {
            INFO(p.name << " of " << kernel::name(type));
            std::vector<double> expected;
            for (const double x : test::values(a))
                for (const double y : test::values(b)) expected.push_back(p.element(x, y));
            const tensor made = test::made(p.kernel, test::converted(a, type), test::converted(b, type));
            CHECK(made.type() == type);
            CHECK(test::difference(made, {9, 6}, expected, 0) == "");
        }
    const tensor seven = tensor::scalar(std::uint8_t{207});
    const tensor three = tensor::scalar(std::uint8_t{3});
    CHECK(test::values(test::made(kernel::floor_divide, seven, three))[0] == 69);
    CHECK(test::values(test::made(kernel::floor_mod, seven, three))[0] == 0);
    // These operations are undefined in C++.
    const tensor zero = tensor::scalar(std::int64_t{0});
    const tensor least = tensor::scalar(std::numeric_limits<std::int64_t>::min());
    const tensor minus_one = tensor::scalar(std::int64_t{-1});
    for (const auto divide : {kernel::trunc_divide, kernel::floor_divide}) {
        CHECK(test::made(divide, least, zero).elements<std::int64_t>()[0] == 0);
        CHECK(test::made(divide, least, minus_one).elements<std::int64_t>()[0] ==
              std::numeric_limits<std::int64_t>::min());
    }
    for (const auto leave : {kernel::mod, kernel::trunc_mod, kernel::floor_mod}) {
        CHECK(test::made(leave, least, zero).elements<std::int64_t>()[0] == std::numeric_limits<std::int64_t>::min());
        CHECK(test::made(leave, least, minus_one).elements<std::int64_t>()[0] == 0);
    }
    CHECK(test::error_of([] { test::made(kernel::mod, tensor::scalar(true), tensor::scalar(true)); }) ==
          "kernel::mod: cannot compute with elements of type bool; expected an integer or floating-point type");
}

TEST_CASE("elementwise: bits of integers and of bool", "[kernel][elementwise]") {
    const auto of = [](auto kernel, auto a, auto b) {
        return test::values(test::made(kernel, tensor::scalar(a), tensor::scalar(b)))[0];
    };
    CHECK(of(kernel::bitwise_and, std::uint8_t{0xF0}, std::uint8_t{0x3C}) == 0x30);
    CHECK(of(kernel::bitwise_or, std::uint8_t{0xF0}, std::uint8_t{0x3C}) == 0xFC);
    CHECK(of(kernel::bitwise_xor, std::uint8_t{0xF0}, std::uint8_t{0x3C}) == 0xCC);
    CHECK(of(kernel::bitwise_and, std::int16_t{-2}, std::int16_t{7}) == 6);
    CHECK(of(kernel::bitwise_xor, std::int64_t{-1}, std::int64_t{5}) == -6);
    CHECK(test::values(test::made(kernel::bitwise_not, tensor::scalar(std::uint8_t{0x0F})))[0] == 0xF0);
    CHECK(test::values(test::made(kernel::bitwise_not, tensor::scalar(std::int32_t{5})))[0] == -6);
    const tensor a({2, 2}, {false, false, true, true});
    const tensor b({2}, {false, true});
    CHECK(test::difference(test::made(kernel::bitwise_and, a, b), {2, 2}, {0, 0, 0, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::bitwise_or, a, b), {2, 2}, {0, 1, 1, 1}, 0) == "");
    for (const auto differs : {kernel::bitwise_xor, kernel::logical_xor})
        CHECK(test::difference(test::made(differs, a, b), {2, 2}, {0, 1, 1, 0}, 0) == "");
    CHECK(test::difference(test::made(kernel::bitwise_not, b), {2}, {1, 0}, 0) == "");
    for (const auto shift : {3, 8, 63, 64, 1000}) {
        INFO(shift);
        CHECK(of(kernel::right_shift, std::int64_t{-17}, std::int64_t{shift}) == (shift == 3 ? -3 : -1));
        CHECK(of(kernel::right_shift, std::int16_t{-17}, static_cast<std::int16_t>(shift)) == (shift == 3 ? -3 : -1));
        CHECK(of(kernel::right_shift, std::uint16_t{17}, static_cast<std::uint16_t>(shift)) == (shift == 3 ? 2 : 0));
    }
    CHECK(of(kernel::right_shift, 17, -1) == 0);
    CHECK(test::error_of([] { test::made(kernel::bitwise_or, tensor::scalar(1.F), tensor::scalar(1.F)); }) ==
          "kernel::bitwise_or: cannot compute with elements of type float32; expected bool or an integer type");
    CHECK(test::error_of([] { test::made(kernel::bitwise_not, tensor::scalar(1.F)); }) ==
          "kernel::bitwise_not: cannot compute with elements of type float32; expected bool or an integer type");
    CHECK(test::error_of([] { test::made(kernel::right_shift, tensor::scalar(true), tensor::scalar(true)); }) ==
          "kernel::right_shift: cannot compute with elements of type bool; expected an integer type");
}

TEST_CASE("elementwise: a shift by no number of bits that a type has gives 0", "[kernel][elementwise]") {
    const auto shifted = [](auto x, auto bits) {
        return test::values(test::made(kernel::left_shift, tensor::scalar(x), tensor::scalar(bits)))[0];
    };
    CHECK(shifted(3, 4) == 48);
    CHECK(shifted(-3, 4) == -48);
    CHECK(shifted(1, 31) == -0x1p31);
    CHECK(shifted(std::int8_t{1}, std::int8_t{7}) == -128);
    for (const int bits : {32, 33, 63, 64, 65, 1 << 30, -1, -32, std::numeric_limits<int>::min()})
        CHECK(shifted(-1, bits) == 0);
    CHECK(shifted(std::int8_t{1}, std::int8_t{8}) == 0);
    CHECK(shifted(std::uint64_t{1}, std::uint64_t{63}) == 0x1p63);
    CHECK(shifted(std::uint64_t{1}, std::uint64_t{64}) == 0);
    CHECK(shifted(std::uint64_t{1}, ~std::uint64_t{0}) == 0);
    CHECK(shifted(std::int64_t{1}, std::int64_t{64}) == 0);
    CHECK(test::error_of([] { test::made(kernel::left_shift, tensor::scalar(1.F), tensor::scalar(1.F)); }) ==
          "kernel::left_shift: cannot compute with elements of type float32; expected an integer type");
}

TEST_CASE("elementwise: bounds and slopes are converted to the element type", "[kernel][elementwise]") {
    const tensor x({5}, {-300.5F, -1.F, 0.F, 2.F, 300.5F});
    CHECK(test::difference(test::made(kernel::clip, x, -1.5, 100.0), {5}, {-1.5, -1, 0, 2, 100}, 0) == "");
    CHECK(test::difference(test::made(kernel::leaky_relu, x, 0.5), {5}, {-150.25, -0.5, 0, 2, 300.5}, 0) == "");
    const tensor n({4}, {std::int8_t{-128}, std::int8_t{-3}, std::int8_t{3}, std::int8_t{127}});
    CHECK(test::difference(test::made(kernel::clip, n, -1e30, 100.7), {4}, {-128, -3, 3, 100}, 0) == "");
    CHECK(test::difference(test::made(kernel::clip, n, -1000.0, 1000.0), {4}, {-128, -3, 3, 127}, 0) == "");
    CHECK(test::difference(test::made(kernel::leaky_relu, n, 2.0), {4}, {0, -6, 3, 127}, 0) == "");
    CHECK(test::difference(test::made(kernel::leaky_relu, n, 0.25), {4}, {0, 0, 3, 127}, 0) == "");
    CHECK(test::difference(test::made(kernel::clip, tensor({2}, {std::uint64_t{1}, std::uint64_t{9}}), -5.0, 4.0), {2},
                           {1, 4}, 0) == "");
}

TEST_CASE("elementwise: NaN and infinities go through", "[kernel][elementwise]") {
    const tensor odd({4}, {NAN, INFINITY, -INFINITY, 1.F});
    CHECK(test::difference(test::made(kernel::clip, odd, -2.0, 2.0), {4}, {NAN, 2, -2, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::clip, odd, double{NAN}, 2.0), {4}, {NAN, NAN, NAN, NAN}, 0) == "");
    CHECK(test::difference(test::made(kernel::sign, odd), {4}, {NAN, 1, -1, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::leaky_relu, odd, 0.5), {4}, {NAN, INFINITY, -INFINITY, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::relu, odd), {4}, {NAN, INFINITY, 0, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::exp, odd), {4}, {NAN, INFINITY, 0, std::exp(1.0)}, 1e-6) == "");
    CHECK(test::difference(test::made(kernel::log, odd), {4}, {NAN, INFINITY, NAN, 0}, 0) == "");
    CHECK(test::difference(test::made(kernel::tanh, odd), {4}, {NAN, 1, -1, std::tanh(1.0)}, 1e-6) == "");
    CHECK(test::difference(test::made(kernel::erf, odd), {4}, {NAN, 1, -1, std::erf(1.0)}, 1e-6) == "");
    CHECK(test::difference(test::made(kernel::sigmoid, odd), {4}, {NAN, 1, 0, 1 / (1 + std::exp(-1.0))}, 1e-6) == "");
    CHECK(test::difference(test::made(kernel::maximum, odd, tensor::scalar(0.F)), {4}, {NAN, INFINITY, 0, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::minimum, tensor::scalar(0.F), odd), {4}, {NAN, 0, -INFINITY, 0}, 0) ==
          "");
    CHECK(test::difference(test::made(kernel::divide, odd, tensor::scalar(0.F)), {4},
                           {NAN, INFINITY, -INFINITY, INFINITY}, 0) == "");
    CHECK(test::difference(test::made(kernel::isfinite, odd), {4}, {0, 0, 0, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::isinf, odd), {4}, {0, 1, 1, 0}, 0) == "");
    const tensor wide({4}, {double{NAN}, double{INFINITY}, 1e308, 0.0});
    CHECK(test::difference(test::made(kernel::isfinite, wide), {4}, {0, 0, 1, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::isinf, wide), {4}, {0, 1, 0, 0}, 0) == "");
    const tensor half({3}, {float16(NAN), float16(-INFINITY), float16(65504.F)});
    CHECK(test::difference(test::made(kernel::isfinite, half), {3}, {0, 0, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::isinf, half), {3}, {0, 1, 0}, 0) == "");
    CHECK(test::difference(test::made(kernel::isfinite, tensor({2}, {0, 7})), {2}, {1, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::isinf, tensor({2}, {false, true})), {2}, {0, 0}, 0) == "");
}

TEST_CASE("elementwise: rows longer than a block, in every element type", "[kernel][elementwise]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto cast = [](auto&... x) { kernel::cast(x...); };
    for (int type = static_cast<int>(dtype::int8); type <= static_cast<int>(dtype::float64); ++type) {
        const tensor a = test::made(cast, random.filled<double>({3, 1300}, 0, 60), static_cast<dtype>(type));
        const tensor b = test::made(cast, random.filled<double>({3, 1}, 0, 60), static_cast<dtype>(type));
        const dtype t = static_cast<dtype>(type);
        check_binary(arithmetic[0], a, b, t == dtype::bfloat16 ? 0.004 : kernel::is_floating(t) ? 1e-3 : 0);
        check_binary(arithmetic[5], b, a, 0);
        check_binary(comparisons[2], a, b, 0);
    }
}

TEST_CASE("elementwise: operands that do not fit are named with their shapes and types", "[kernel][elementwise]") {
    const tensor a(dtype::float32, {2, 3});
    CHECK(test::error_of([&] { test::made(kernel::add, a, tensor(dtype::float32, {4})); }) ==
          "kernel::add: lhs is (2, 3) float32 and rhs is (4,) float32; expected shapes that broadcast");
    CHECK(test::error_of([&] { test::made(kernel::less, a, tensor(dtype::int8, {3})); }) ==
          "kernel::less: lhs is (2, 3) float32 and rhs is (3,) int8; expected the same element type");
    CHECK(test::error_of([&] {
              test::made(kernel::power, tensor(dtype::boolean, {1}), tensor(dtype::boolean, {1}));
          }) == "kernel::power: cannot compute with elements of type bool; expected an integer or floating-point type");
    CHECK(test::error_of([&] { test::made(kernel::clip, tensor(dtype::boolean, {1}), 0.0, 1.0); }) ==
          "kernel::clip: cannot compute with elements of type bool; expected an integer or floating-point type");
    CHECK(test::error_of([&] { test::made(kernel::sqrt, tensor(dtype::int8, {1})); }) ==
          "kernel::sqrt: cannot compute with elements of type int8; expected float16, bfloat16, float32 or float64");
    CHECK(test::error_of([&] { test::made(kernel::add, tensor(), tensor()); }) ==
          "kernel::add: an empty tensor; expected a tensor with an element type");
    const tensor deep(dtype::float32, shape_t(40, 1));
    CHECK(test::error_of([&] { test::made(kernel::add, deep, deep); }) ==
          "kernel::add: a tensor of rank 40; expected a rank of at most 32");
    const tensor tall(dtype::int8, {std::int64_t{1} << 25, 1});
    const tensor wide(dtype::int8, {1, std::int64_t{1} << 25});
    CHECK(test::error_of([&] { test::made(kernel::add, tall, wide); }) ==
          "kernel::add: a result of shape (33554432, 33554432); expected fewer than 2^48 elements");
}
