#include <tutti/base/form.hpp>

#include "support/catch.hpp"

#include <string_view>

#define TEXT_OF(x) #x
#define EXPANDED(x) TEXT_OF(x)

namespace {

TUTTI_CONSTEXPR int doubled(int n);
TUTTI_INLINE int halved(int n);

TUTTI_CONSTEXPR int doubled(int n) { return 2 * n; }
TUTTI_INLINE int halved(int n) { return n / 2; }

} // namespace

TEST_CASE("form: functions are defined apart from their declarations", "[form]") {
    CHECK(doubled(21) == 42);
    CHECK(halved(42) == 21);
#ifdef TUTTI_COMPILED
    CHECK(std::string_view(EXPANDED(TUTTI_FORM)) == "compiled");
#else
    static_assert(doubled(1) == 2, "functions are constexpr in the header-only form");
    CHECK(std::string_view(EXPANDED(TUTTI_FORM)) == "header_only");
#endif
}
