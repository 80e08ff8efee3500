#include "forms/forms.hpp"

#include "support/catch.hpp"

#include <string_view>

using Catch::Matchers::Contains;

TEST_CASE("forms: both are in one program, and do the same", "[forms]") {
    constexpr std::string_view text = "def @main(%x: Tensor[(2), float32]) { multiply(%x, add(1f, 2f)) }\n";
    const forms::result a = forms::header_only(text);
    const forms::result b = forms::compiled(text);
    CHECK(a.text == b.text);
    CHECK_THAT(a.text, Contains("Primitive=1") && Contains("3f"));
    CHECK(a.value == 9);
    CHECK(b.value == 9);
    CHECK_THAT(a.type, Contains("header_only"));
    CHECK_THAT(b.type, Contains("compiled"));
}
