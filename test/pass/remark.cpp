#include <tutti/pass/remark.hpp>

#include "support/catch.hpp"

static_assert(to_string(tutti::remark_kind::missed) == "missed");

TEST_CASE("remark: has a word for each kind", "[pass][remark]") {
    CHECK(to_string(tutti::remark_kind::applied) == "applied");
    CHECK(to_string(tutti::remark_kind::note) == "note");
}
