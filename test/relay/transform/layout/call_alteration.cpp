#include <tutti/relay/transform/layout/call_alteration.hpp>

#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/layout/layout_rewriter.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tutti;

namespace {

// Lists the calls that it gets, and alters none.
class lister final : public relay::detail::call_alteration {
public:
    void operator()(relay::layout_change& change, const relay::pass_notes& notes) override {
        seen.emplace_back(change.op->name);
        heard = heard || notes.heard();
    }

    std::vector<std::string> seen;
    bool heard = false;
};

} // namespace

TEST_CASE("call_alteration: is called with each call whose layout is known, operands first", "[relay][layout]") {
    relay::ir_module m = relay::parse(
        "def @main(%x: Tensor[(1, 3, 8, 8), float32]) { nn.relu(nn.conv2d(abs(%x), ones(shape=[4, 3, 1, 1], dtype=\"float32\"))) }");
    relay::infer_types(m);
    lister calls;
    const relay::function& f = *m.find("main");
    relay::rewriter r(f);
    const relay::function made =
        r.rewrite(relay::detail::layout_rewriter(r, &relay::layout_rules::standard::find, calls, {}));
    CHECK(calls.seen == std::vector<std::string>{"nn.conv2d", "nn.relu"});
    CHECK(!calls.heard);
    CHECK(relay::structural_equal(made, f));
}
