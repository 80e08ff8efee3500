#include <tutti/pass/slots.hpp>

#include "support/catch.hpp"

#include <string>

static_assert(tutti::detail::slots<int, char>::size == 2);
static_assert(tutti::detail::at<1>(tutti::detail::slots<int, char>{{1}, {'b'}}) == 'b');

TEST_CASE("slots: visits each in order, or all at once", "[pass][slots]") {
    tutti::detail::slots<int, std::string> s{{4}, {"x"}};
    std::string text;
    s.each([&](const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const int&>)
            text += std::to_string(value);
        else
            text += value;
    });
    CHECK(text == "4x");
    tutti::detail::at<0>(s) = 5;
    CHECK(s.apply([](int n, const std::string& t) { return std::to_string(n) + t; }) == "5x");
}
