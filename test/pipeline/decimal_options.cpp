#include <tutti/pipeline/decimal_options.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace {

template <class T>
std::string written(T value) {
    std::string out;
    tutti::option_type<T>::write(value, out);
    return out;
}

template <class T>
void check_round_trip(T value) {
    T read = 0;
    CAPTURE(written(value));
    CHECK(tutti::option_type<T>::read(written(value), read));
    CHECK((read == value || (std::isnan(read) && std::isnan(value))));
}

} // namespace

TEST_CASE("decimal_options: written options are read back", "[pipeline][decimal_options]") {
    for (const double value : {0.0, 0.1, -2.5e-300, 1e300, 5e-324, 1.0 / 3}) check_round_trip(value);
    for (const float value : {0.1f, 1e-45f, 3.4e38f, -7.0f}) check_round_trip(value);
    check_round_trip(std::numeric_limits<double>::infinity());
    check_round_trip(std::numeric_limits<double>::quiet_NaN());
    CHECK(written(0.1f) == "0.1");
}

TEST_CASE("decimal_options: a word with more than a decimal is refused", "[pipeline][decimal_options]") {
    double value = 0;
    CHECK(tutti::option_type<double>::read("1.5", value));
    CHECK_FALSE(tutti::option_type<double>::read("1.5x", value));
    CHECK_FALSE(tutti::option_type<double>::read("", value));
    CHECK_FALSE(tutti::option_type<double>::read("1e+-5", value));
}
