#include <tutti/kernel/blocked/float/math.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace blocked = tutti::kernel::blocked;

namespace {

typedef float four __attribute__((vector_size(16))); // the smallest width

// Returns the error of a result, in units in the last place of the exact value.
double distance(float got, double exact) {
    const float nearest = static_cast<float>(exact);
    if (std::isnan(exact)) return std::isnan(got) ? 0 : 1e9;
    if (got == nearest)
        return std::isinf(got)
                   ? 0
                   : std::abs(static_cast<double>(got) - exact) /
                         std::max(0x1p-149, std::ldexp(1.0, std::ilogb(nearest == 0 ? 0x1p-149F : nearest) - 23));
    if (std::isinf(nearest) || std::isinf(got)) return 1e9;
    const double unit = std::max(0x1p-149, std::ldexp(1.0, std::ilogb(exact) - 23));
    return std::abs(static_cast<double>(got) - exact) / unit;
}

// Visits all float32 values if TUTTI_ALL_FLOATS is set, otherwise a sample spread over the range.
template <class F>
void each_float(F f) {
    const bool all = std::getenv("TUTTI_ALL_FLOATS") != nullptr;
    const std::uint64_t step = all ? 1 : 4099;
    float x[16];
    std::uint64_t n = 0;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += step) {
        x[n++] = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        if (n == 16) {
            f(x);
            n = 0;
        }
    }
    for (const float special : {0.F, -0.F, 1.F, -1.F, 0x1p-149F, -0x1p-149F, INFINITY, -INFINITY, NAN, 88.72283F,
                                88.72284F, -103.97208F, -87.33655F, 0.625F, -0.625F})
        x[n++ % 16] = special;
    f(x);
}

// Returns the largest error of `wide(x)` compared with `exact(x)`. Also checks that other widths give the same
// results.
template <class Wide, class Narrow, class Exact>
void check(Wide wide, Narrow narrow, Exact exact, double bound) {
    double worst = 0;
    float at = 0;
    int differences = 0;
    each_float([&](const float* x) {
        float got[16];
        float same[16];
        for (std::int64_t i = 0; i < 16; i += blocked::lanes) blocked::store(wide(blocked::load(x + i)), got + i);
        for (std::int64_t i = 0; i < 16; i += 4) blocked::store(narrow(blocked::load<four>(x + i)), same + i);
        for (int i = 0; i < 16; ++i) {
            const double far = distance(got[i], exact(static_cast<double>(x[i])));
            if (far > worst) {
                worst = far;
                at = x[i];
            }
            const bool both_nan = std::isnan(got[i]) && std::isnan(same[i]);
            differences += !both_nan && std::memcmp(got + i, same + i, sizeof(float)) != 0 ? 1 : 0;
        }
    });
    INFO("at " << at << ", " << worst << " units in the last place");
    CHECK(worst <= bound);
    CHECK(differences == 0);
}

#define TUTTI_CHECK_FUNCTION(name, exact, bound)                                                                       \
    check([](blocked::floats x) { return blocked::name(x); }, [](four x) { return blocked::name(x); },                 \
          [](double x) { return exact; }, bound)

} // namespace

TEST_CASE("blocked/math: exp", "[kernel][blocked]") { TUTTI_CHECK_FUNCTION(exp, std::exp(x), 1.1); }
TEST_CASE("blocked/math: log", "[kernel][blocked]") { TUTTI_CHECK_FUNCTION(log, std::log(x), 1.0); }
TEST_CASE("blocked/math: tanh", "[kernel][blocked]") { TUTTI_CHECK_FUNCTION(tanh, std::tanh(x), 2.0); }
TEST_CASE("blocked/math: sigmoid", "[kernel][blocked]") { TUTTI_CHECK_FUNCTION(sigmoid, 1 / (1 + std::exp(-x)), 3.0); }
TEST_CASE("blocked/math: erf", "[kernel][blocked]") { TUTTI_CHECK_FUNCTION(erf, std::erf(x), 2.0); }

TEST_CASE("blocked/math: zeros keep their signs", "[kernel][blocked]") {
    const blocked::floats zero = -blocked::floats{};
    CHECK(std::signbit(blocked::tanh(zero)[0]));
    CHECK(std::signbit(blocked::erf(zero)[0]));
    CHECK(blocked::exp(zero)[0] == 1);
    CHECK(blocked::sigmoid(zero)[0] == 0.5F);
}
