#include <tutti/relay/eval/onednn_kernels/nan_watch.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>

using tutti::relay::kernels::detail::nan_watch;

TEST_CASE("onednn: a thread's flag tells whether it met a NaN", "[relay][eval][nan]") {
    nan_watch::clear();
    CHECK_FALSE(nan_watch::is_set());
    if (!nan_watch::available) return;
    volatile float infinity = std::numeric_limits<float>::infinity();
    const volatile float none = infinity - infinity;
    CHECK(std::isnan(none));
    CHECK(nan_watch::is_set());
    nan_watch::clear();
    const volatile float more = infinity + 1;
    CHECK(more == infinity);
    CHECK_FALSE(nan_watch::is_set());
    const volatile bool greater = none > 1.F; // a comparison, like that of a maximum
    CHECK_FALSE(greater);
    CHECK(nan_watch::is_set());
    nan_watch::clear();
    nan_watch::set();
    CHECK(nan_watch::is_set());
}
