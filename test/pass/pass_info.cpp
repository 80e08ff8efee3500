#include <tutti/pass/pass_info.hpp>

#include "support/catch.hpp"

namespace {
constexpr tutti::pass_info fold{.name = "FoldConstant", .opt_level = 2};
static_assert(fold.name == "FoldConstant" && fold.opt_level == 2);
static_assert(tutti::pass_info{.name = "InferType"}.opt_level == 0);
static_assert(to_string(tutti::skip_reason::opt_level) == "opt_level");
} // namespace

TEST_CASE("pass_info: has level 0 unless given", "[pass][pass_info]") {
    CHECK(tutti::pass_info{.name = "InferType"}.opt_level == 0);
    CHECK(fold == tutti::pass_info{"FoldConstant", 2});
    CHECK_FALSE(fold == tutti::pass_info{"FoldConstant", 1});
}

TEST_CASE("skip_reason: has a word for each", "[pass][pass_info]") {
    CHECK(to_string(tutti::skip_reason::disabled) == "disabled");
    CHECK(to_string(tutti::skip_reason::opt_level) == "opt_level");
    CHECK(to_string(tutti::skip_reason::instrument) == "instrument");
}
