#include <tutti/instrument/support/pipeline_position.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

using tutti::instrument::pipeline_position;

namespace {

// Writes the position of each running pass.
struct follower {
    pipeline_position at;
    std::string text{};

    void enter_pass_ctx() { at.enter_pass_ctx(); }
    void exit_pass_ctx() { at.exit_pass_ctx(); }
    void run_before_pass(const auto&, const tutti::pass_info& info) {
        at.begin(info);
        if (info.kind != tutti::pass_kind::pass) return;
        text.append(info.name).append(at.at_rest() ? ": " : " in ").append(at.so_far()).append(" | ");
        if (!at.inside().empty()) text.append(at.inside()).append(" | ");
        text.append(at.rest()).append("\n");
    }
    void run_after_pass(const auto&, const tutti::pass_info& info) { at.end(info); }
    void pass_failed(const auto*, const tutti::pass_info& info, const std::exception_ptr&) { at.end(info); }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason) { at.skip(info); }
};

struct needy {
    static constexpr tutti::pass_info info{.name = "Needy"};
    using required = tutti::passes<std::remove_const_t<decltype(add_sort)>>;
    int times = 1;
    static constexpr tutti::option_list<&needy::times> options{"times"};
    void operator()(plan&) const {}
};

template <class Layer>
std::string followed(const auto& pipeline, const setup& how = {}) {
    follower f{pipeline_position{tutti::write_pipeline(pipeline)}};
    auto ctx = Layer::template context<plan>(how, f);
    for (int i = 0; i < 2; ++i) {
        f.text.clear();
        plan p{{"scan", "scan", "scan", "scan"}};
        Layer::with(ctx, [&](auto& scope) { scope.run(pipeline, p); });
    }
    return f.text;
}

} // namespace

TEMPLATE_TEST_CASE("pipeline_position: knows previous and remaining passes", "[instrument][pipeline_position]",
                   static_layer, erased_layer) {
    CHECK(followed<TestType>(tutti::sequential(add_sort, drop_first, add_sort)) ==
          "AddSort: AddSort | AddSort,DropFirst,AddSort\nDropFirst: AddSort,DropFirst | DropFirst,AddSort\n"
          "AddSort: AddSort,DropFirst,AddSort | AddSort\n");
    CHECK(followed<TestType>(add_sort) == "AddSort: AddSort | AddSort\n");
    CHECK(followed<TestType>(tutti::sequential<"Named", 1>(add_sort, drop_first)) ==
          "AddSort: seq[Named,1](AddSort) | seq[Named,1](AddSort,DropFirst)\n"
          "DropFirst: seq[Named,1](AddSort,DropFirst) | seq[Named,1](DropFirst)\n");
    CHECK(followed<TestType>(tutti::sequential(
              drop_first, tutti::sequential(add_sort, tutti::sequential<"X">(drop_first)), add_sort)) ==
          "DropFirst: DropFirst | DropFirst,seq(AddSort,seq[X](DropFirst)),AddSort\n"
          "AddSort: DropFirst,seq(AddSort) | seq(AddSort,seq[X](DropFirst)),AddSort\n"
          "DropFirst: DropFirst,seq(AddSort,seq[X](DropFirst)) | seq(seq[X](DropFirst)),AddSort\n"
          "AddSort: DropFirst,seq(AddSort,seq[X](DropFirst)),AddSort | AddSort\n");
}

TEMPLATE_TEST_CASE("pipeline_position: distinguishes members from their required passes, and ignores skipped ones",
                   "[instrument][pipeline_position]", static_layer, erased_layer) {
    // AddSort runs first as a required pass, later as a member.
    CHECK(followed<TestType>(tutti::sequential(needy{.times = 3}, drop_first, add_sort)) ==
          "AddSort:  | Needy{times=3},DropFirst,AddSort\n"
          "Needy: Needy{times=3} | Needy{times=3},DropFirst,AddSort\n"
          "DropFirst: Needy{times=3},DropFirst | DropFirst,AddSort\n"
          "AddSort: Needy{times=3},DropFirst,AddSort | AddSort\n");
    CHECK(followed<TestType>(tutti::sequential(add_sort, drop_first, add_sort), {.opt_level = 0}) ==
          "DropFirst: AddSort,DropFirst | DropFirst,AddSort\n");
}

TEMPLATE_TEST_CASE("pipeline_position: reaches passes in an adaptor through the adaptor",
                   "[instrument][pipeline_position]", static_layer, erased_layer) {
    CHECK(followed<TestType>(tutti::sequential(add_sort, tutti::repeat(drop_first, 2), add_sort)) ==
          "AddSort: AddSort | AddSort,repeat(DropFirst),AddSort\n"
          "DropFirst in AddSort | repeat(DropFirst) | repeat(DropFirst),AddSort\n"
          "DropFirst in AddSort | repeat(DropFirst) | repeat(DropFirst),AddSort\n"
          "AddSort: AddSort,repeat(DropFirst),AddSort | AddSort\n");
    CHECK(followed<TestType>(tutti::repeat(tutti::sequential(add_sort, drop_first), 1)) ==
          "AddSort in  | repeat{times=1}(AddSort,DropFirst) | repeat{times=1}(AddSort,DropFirst)\n"
          "DropFirst in  | repeat{times=1}(AddSort,DropFirst) | repeat{times=1}(AddSort,DropFirst)\n");
}

TEMPLATE_TEST_CASE("pipeline_position: starts anew, and goes on in a body that runs several passes",
                   "[instrument][pipeline_position]", static_layer, erased_layer) {
    follower f{pipeline_position{"AddSort,DropFirst,ThrowIt,AddSort"}};
    auto ctx = TestType::template context<plan>({}, f);
    for (int i = 0; i < 2; ++i) {
        f.text.clear();
        TestType::with(ctx, [&](auto& scope) {
            plan p{{"scan"}};
            scope.run(add_sort, p);
            scope.run(tutti::sequential(drop_first), p);
            CHECK_THROWS_AS(scope.run(throw_it, p), tutti::error);
            scope.run(add_sort, p);
        });
        CHECK(f.text == "AddSort: AddSort | AddSort,DropFirst,ThrowIt,AddSort\n"
                        "DropFirst: AddSort,DropFirst | DropFirst,ThrowIt,AddSort\n"
                        "ThrowIt: AddSort,DropFirst,ThrowIt | ThrowIt,AddSort\n"
                        "AddSort: AddSort,DropFirst,ThrowIt,AddSort | AddSort\n");
    }
}

TEMPLATE_TEST_CASE("pipeline_position: without a text, uses the names of the passes that ran",
                   "[instrument][pipeline_position]", static_layer, erased_layer) {
    follower f{};
    auto ctx = TestType::template context<plan>({}, f);
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort, drop_first), p); });
    CHECK(f.text == "AddSort: AddSort | AddSort\nDropFirst: AddSort,DropFirst | DropFirst\n");
}

TEMPLATE_TEST_CASE("pipeline_position: ignores extension points, which no instrument sees",
                   "[instrument][pipeline_position]", static_layer, erased_layer) {
    constexpr tutti::point<"x"> x{};
    CHECK(followed<TestType>(tutti::sequential(x, add_sort, x, tutti::sequential(add_sort, x), x, needy{})) ==
          followed<TestType>(tutti::sequential(add_sort, tutti::sequential(add_sort), needy{})));
    CHECK(followed<TestType>(tutti::sequential(add_sort, tutti::repeat(tutti::sequential(x, drop_first), 1))) ==
          "AddSort: AddSort | AddSort,repeat{times=1}(DropFirst)\n"
          "DropFirst in AddSort | repeat{times=1}(DropFirst) | repeat{times=1}(DropFirst)\n");
}
