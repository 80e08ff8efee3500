#include <tutti/base/form.hpp>

#include <tutti/version.hpp>

#include "support/catch.hpp"

#include <string>

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
#ifndef TUTTI_COMPILED
    static_assert(doubled(1) == 2, "functions are constexpr in the header-only form");
#endif
}

TEST_CASE("form: the inline namespace names the form and the version", "[form]") {
#ifdef TUTTI_COMPILED
    const std::string form = "compiled_v";
#else
    const std::string form = "header_only_v";
#endif
    const auto [major, minor, patch] = tutti::version;
    CHECK(EXPANDED(TUTTI_FORM) == form + std::to_string(major) + (major == 0 ? "_" + std::to_string(minor) : ""));
}
