#include <tutti/base/decimal.hpp>

#include "support/catch.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace {

template <class T>
struct outcome {
    std::size_t size;
    std::errc error;
    T value;
};

template <class T>
outcome<T> read(std::string_view text) {
    T value = 42;
    const auto [end, error] = tutti::detail::floating_from_chars(text.data(), text.data() + text.size(), value);
    return {static_cast<std::size_t>(end - text.data()), error, value};
}

template <class T>
bool same(T a, T b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// Compares with the standard library, if its from_chars supports floating-point numbers.
template <class T>
void check_against_standard(std::string_view text) {
    T value = 42;
    if constexpr (requires { std::from_chars(text.data(), text.data(), value); }) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const outcome<T> ours = read<T>(text);
        INFO(text.substr(0, 100));
        CHECK(ours.size == static_cast<std::size_t>(end - text.data()));
        CHECK(ours.error == error);
        CHECK(same(ours.value, value));
    }
}

} // namespace

TEST_CASE("decimal: reads the standard's syntax", "[root][decimal]") {
    CHECK(read<double>("1.5").value == 1.5);
    CHECK(read<double>("-.5e+1x").value == -5);
    CHECK(read<double>("-.5e+1x").size == 6);
    CHECK(read<double>("2e").size == 1);
    CHECK(read<float>("1e39").error == std::errc::result_out_of_range);
    CHECK(read<float>("1e39").value == 42);
    CHECK(read<float>("").error == std::errc::invalid_argument);
    CHECK(read<float>("+1").error == std::errc::invalid_argument);
    CHECK(read<float>(" 1").error == std::errc::invalid_argument);
    CHECK(read<double>("0x1p3").size == 1);
    CHECK(std::isinf(read<double>("-Infinity").value));
    CHECK(std::isnan(read<float>("nan(12)").value));
    double value = 0;
    const std::string_view word = "0.1";
    CHECK(tutti::internal::decimal_from_chars(word.data(), word.data() + 3, value).ptr == word.data() + 3);
    CHECK(value == 0.1);
}

TEST_CASE("decimal: the fallback reads as std::from_chars does", "[root][decimal]") {
    const std::string zeros(2000, '0');
    // The midpoint of 1 and the next double. Some of the texts add a nonzero digit far to the right.
    const std::string halfway = "1.00000000000000011102230246251565404236316680908203125";
    for (const std::string& text : {std::string("0"),
                                    std::string("-0.0e5"),
                                    std::string("."),
                                    std::string("-"),
                                    std::string("1."),
                                    std::string("1.e5"),
                                    std::string("1e-"),
                                    std::string("1e+5"),
                                    std::string("1e99999999999999999999"),
                                    std::string("0e99999999999999999999"),
                                    std::string("1e-99999999999999999999"),
                                    std::string("4.9e-324"),
                                    std::string("2.4e-324"),
                                    std::string("1e-45"),
                                    std::string("1.7976931348623159e308"),
                                    std::string("3.4028236e38"),
                                    std::string("inf"),
                                    std::string("nan(_1"),
                                    std::string("nan()"),
                                    std::string("infinit"),
                                    halfway,
                                    halfway + zeros + "1",
                                    halfway + zeros,
                                    "0." + zeros + "1e2001",
                                    "1" + zeros + "e-2000",
                                    zeros + "1." + zeros,
                                    std::string(2000, '9') + "e-1995"}) {
        check_against_standard<float>(text);
        check_against_standard<double>(text);
        check_against_standard<long double>(text);
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
        char text[64];
        const auto d = std::bit_cast<double>(static_cast<std::uint64_t>(random()));
        const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        check_against_standard<double>({text, std::to_chars(text, text + sizeof text, d).ptr});
        check_against_standard<float>({text, std::to_chars(text, text + sizeof text, f).ptr});
    }
}
