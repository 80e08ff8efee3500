#include <tutti/pipeline/option_type.hpp>

#include <tutti/pipeline/decimal_options.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>

using tutti::option_type;

namespace {

template <class T>
constexpr std::optional<T> read(std::string_view word) {
    T value{};
    return option_type<T>::read(word, value) ? std::optional{value} : std::nullopt;
}
template <class T>
std::string written(const T& value) {
    std::string text;
    option_type<T>::write(value, text);
    return text;
}
template <class T>
std::string described() {
    std::string text;
    option_type<T>::describe(text);
    return text;
}

constexpr bool reads_integers() {
    using std::int64_t;
    return read<int>("-12") == -12 && read<int>("0") == 0 && !read<int>("") && !read<int>("-") && !read<int>("+1") &&
           !read<int>("1.0") && !read<int>("0x1") && read<int64_t>("9223372036854775807") &&
           !read<int64_t>("9223372036854775808") &&
           read<int64_t>("-9223372036854775808") == std::numeric_limits<int64_t>::min() &&
           !read<int64_t>("-9223372036854775809") && read<std::uint8_t>("255") == 255 && !read<std::uint8_t>("256") &&
           !read<std::uint8_t>("-1") && read<std::uint8_t>("-0") == 0 && read<std::uint64_t>("18446744073709551615") &&
           !read<std::uint64_t>("18446744073709551616");
}
static_assert(reads_integers());

constexpr bool reads_decimals() {
    return read<double>("1.25e-3") == 1.25e-3 && read<double>("-7") == -7.0 && read<double>(".5") == 0.5 &&
           read<double>("0.1") == 0.1 && read<float>("1e2") == 100.0F && !read<double>("") && !read<double>(".") &&
           !read<double>("1e+-5") && !read<double>("1e-+5") && !read<double>("1e++5") && read<double>("1e+5") == 1e5 &&
           read<double>("-INF") == -std::numeric_limits<double>::infinity() &&
           read<double>("nan") != read<double>("nan") && !read<double>("1e") && !read<double>("1.2.3") &&
           !read<double>("x");
}
static_assert(reads_decimals());
// Constant evaluation rejects numbers that it cannot convert exactly.
static_assert(!read<double>("0.1234567890123456") && !read<double>("1e23") && read<double>("123456789012345e22"));

constexpr bool reads_words() {
    return read<bool>("True") == true && read<bool>("False") == false && !read<bool>("true") && !read<bool>("1") &&
           read<rounding>("down") == rounding::down && read<rounding>("\"up\"") == rounding::up &&
           !read<rounding>("Up");
}
static_assert(reads_words());

} // namespace

TEST_CASE("option_type: reads numbers, truths and words at run time as at compile time", "[pass][option_type]") {
    CHECK(reads_integers());
    CHECK(reads_decimals());
    CHECK(reads_words());
    CHECK(read<double>("1e300") == 1e300);
    CHECK(read<double>("0.12345678901234567") == 0.12345678901234567);
    CHECK(!read<double>("1e999"));
}

namespace {
enum class hue : std::uint8_t { red, green, unnamed };
}
template <>
inline constexpr std::array tutti::option_words<hue>{tutti::option_word<hue>{"red", hue::red},
                                                     tutti::option_word<hue>{"green", hue::green}};

TEST_CASE("option_type: a value without a word is written as its number, and read back", "[pass][option_type]") {
    STATIC_REQUIRE(read<hue>("2") == hue::unnamed);
    CHECK(written(hue::unnamed) == "2");
    CHECK(written(hue::green) == "green");
    CHECK(read<hue>("255") == static_cast<hue>(255));
    CHECK(!read<hue>("1")); // an enumerator with the value 1 must be given by its name
    CHECK(!read<hue>("256"));
    CHECK(!read<hue>("-1"));
    CHECK(!read<hue>(""));
}

TEST_CASE("option_type: a literal reads a float as it is read at run time, or not at all", "[pass][option_type]") {
    const auto literal = []<class T>(const std::string& word, T) {
        T value{};
        return !tutti::detail::read_decimal(word, value) || value == read<T>(word);
    };
    CHECK(!tutti::detail::accepts_word<float>(""));
    float value = 0;
    for (const char* word : {"0.1", "16777217", "16777219", "123456.789", "-3.4e5"})
        CHECK(tutti::detail::read_decimal(word, value));
    // A tie between two floats, a number above the largest float, and one below the smallest normal float.
    for (const char* word : {"8388609.5", "4e20", "1e-40"})
        if (tutti::detail::read_decimal(word, value)) CHECK(value == read<float>(word));
    std::mt19937_64 random(1);
    std::size_t wrong = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto digits = random() % (i % 3 == 0 ? 100'000'000U : 1'000'000'000'000'000U);
        const std::string word = std::to_string(digits) + "e" + std::to_string(static_cast<int>(random() % 30) - 20);
        if (!literal(word, 1.0F) || !literal(word, 1.0) || !literal(word, 1.0L)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("option_type: reads texts and lists", "[pass][option_type]") {
    CHECK(read<std::string>("NHWC") == "NHWC");
    CHECK(read<std::string>("12") == "12");
    CHECK(read<std::string>(R"("a \"b\" c")") == R"(a "b" c)");
    CHECK(!read<std::string>("[a]"));
    using words = std::vector<std::string>;
    CHECK(read<words>("[a,\"b, c\" , d]") == words{"a", "b, c", "d"});
    CHECK(read<words>("[]") == words{});
    CHECK(!read<words>("a"));
    CHECK(read<std::vector<int>>("[1,-2]") == std::vector{1, -2});
    CHECK(!read<std::vector<int>>("[1,b]"));
    CHECK(read<std::vector<bool>>("[True,False]") == std::vector{true, false});
}

TEST_CASE("option_type: writes the values that it reads", "[pass][option_type]") {
    CHECK(written(true) == "True");
    CHECK(written(-12) == "-12");
    CHECK(written(std::uint8_t{200}) == "200");
    CHECK(written(0.1) == "0.1");
    CHECK(written(0.1F) == "0.1");
    CHECK(written(1e300) == "1e+300");
    CHECK(written(rounding::down) == "down");
    CHECK(written(std::string{"a b"}) == "\"a b\"");
    CHECK(written(std::vector<std::string>{"a", "", "b]"}) == R"([a,"","b]"])");
    CHECK(read<double>(written(0.1 + 0.2)) == 0.1 + 0.2);
    CHECK(read<double>(written(-std::numeric_limits<double>::infinity())) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("option_type: describes valid values", "[pass][option_type]") {
    CHECK(described<bool>() == "True or False");
    CHECK(described<std::int64_t>() == "an integer");
    CHECK(described<std::int8_t>() == "an integer from -128 to 127");
    CHECK(described<tutti::int_from<1, 9>>() == "an integer from 1 to 9");
    CHECK(written(tutti::int_from<1, 9>{12}) == "9");
    CHECK(written(tutti::int_from<1, 9>{-3}) == "1");
    CHECK(read<tutti::int_from<1, 9>>("9") == 9);
    CHECK(!read<tutti::int_from<1, 9>>("0"));
    CHECK(!read<tutti::int_from<1, 9>>("10"));
    CHECK(described<float>() == "a decimal");
    CHECK(described<std::string>() == "a word");
    CHECK(described<rounding>() == "up or down");
    CHECK(described<std::vector<std::int64_t>>() == "a list [a,b] of each an integer");
}
