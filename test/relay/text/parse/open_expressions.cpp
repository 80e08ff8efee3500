#include <tutti/relay/text/parse/open_expressions.hpp>

#include "support/catch.hpp"

using namespace tutti::relay;

namespace {

struct open_frames : text::open_expressions {
    using open_expressions::frames_;
    using open_expressions::open_expressions;
    using open_expressions::operands;
    using open_expressions::push;
    using open_expressions::values_;
};

} // namespace

TEST_CASE("open_expressions: limits the open expressions and the operands", "[relay][text]") {
    const parse_limits limits{.nesting = 2, .operands = 1};
    text::diagnostic_list found("", 10);
    open_frames s(limits, found);
    s.push({.kind = text::frame_kind::call});
    s.push({.kind = text::frame_kind::call});
    CHECK_THROWS_AS(s.push({.kind = text::frame_kind::call}), text::too_much);
    s.values_.push_back(expr_id{0});
    CHECK(s.operands(s.frames_.back()).size() == 1);
    s.values_.push_back(expr_id{0});
    CHECK_THROWS_AS(s.operands(s.frames_.back()), text::too_much);
    CHECK(!found.empty());
}
