#include <tutti/instrument/only_changed.hpp>

#include <tutti/instrument/print_ir.hpp>
#include <tutti/instrument/verify.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

namespace instrument = tutti::instrument;

namespace {

struct told {
    std::string text{};
    void run_before_pass(const plan&, const tutti::pass_info&) { text += "before "; }
    void run_after_pass(const plan&, const tutti::pass_info& info, tutti::change what) {
        text.append(info.name).append(what == tutti::changed ? "! " : what == tutti::unchanged ? "- " : "? ");
    }
    void pass_failed(const plan*, const tutti::pass_info& info, const std::exception_ptr&) {
        text.append(info.name).append(" failed ");
    }
};

constexpr auto idle = tutti::make_pass<"Idle">([](plan&) { return tutti::unchanged; });
constexpr auto edits = tutti::make_pass<"Edits">([](plan& p) {
    p.steps.push_back("edit");
    return tutti::changed;
});

} // namespace

TEMPLATE_TEST_CASE("only_changed: forwards the end of passes that may have changed the unit",
                   "[instrument][only_changed]", static_layer, erased_layer) {
    told all;
    instrument::only_changed changed{all};
    auto ctx = TestType::template context<plan>({}, changed);
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential<"One">(idle, edits, tutti::sequential<"Two">(idle)), p);
        scope.run(add_sort, p); // does not report whether it changed the unit
    });
    CHECK(all.text == "Edits! One! AddSort? ");
    CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { scope.run(throw_it, p); }));
    CHECK(all.text == "Edits! One! AddSort? ThrowIt failed ");
}

TEMPLATE_TEST_CASE("only_changed: verifies and prints changed units", "[instrument][only_changed]", static_layer,
                   erased_layer) {
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    instrument::only_changed print{instrument::print_ir{{.after = {"Idle", "Edits"}}, write}};
    instrument::only_changed verify{instrument::verify{}};
    auto ctx = TestType::template context<plan>({}, print, verify);
    plan p{{"broken"}};
    TestType::with(ctx, [&](auto& scope) { scope.run(idle, p); }); // unchanged, so not verified
    text.clear();
    CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { scope.run(edits, p); }));
    CHECK(text.starts_with("// after Edits\nbroken\nedit\n"));
}
