#include <tutti/runtime/property.hpp>

#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"

#include <string>
#include <string_view>

namespace {

namespace runtime = tutti::runtime;

struct typed {
    static constexpr std::string_view name = "typed";
};
struct sorted {
    static constexpr std::string_view name = "sorted";
};
struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    using gives = tutti::properties<typed>;
    void operator()(module&) const {}
};
struct lower {
    static constexpr tutti::pass_info info{.name = "Lower"};
    using breaks = tutti::properties<typed>;
    void operator()(auto& unit) const
        requires(std::is_same_v<decltype(unit), module&> || std::is_same_v<decltype(unit), function&>)
    {}
};
struct late_lower {
    static constexpr tutti::pass_info info{.name = "LateLower", .opt_level = 3};
    using breaks = tutti::properties<typed, sorted>;
    void operator()(module&) const {}
};
struct late_infer {
    static constexpr tutti::pass_info info{.name = "LateInfer", .opt_level = 2};
    using gives = tutti::properties<typed>;
    using keeps = tutti::properties<sorted>;
    void operator()(module&) const {}
};
struct fuse {
    static constexpr tutti::pass_info info{.name = "Fuse", .opt_level = 1};
    using needs = tutti::properties<typed>;
    void operator()(module& m) const { m.functions.emplace_back(); }
};
struct safe {
    static constexpr tutti::pass_info info{.name = "Safe"};
    using required = tutti::passes<infer>;
    using needs = tutti::properties<typed>;
    using keeps = tutti::properties<>;
    void operator()(module&) const {}
};
struct over_function {
    static constexpr tutti::pass_info info{.name = "OverFunction"};
    using required = tutti::passes<infer>;
    using needs = tutti::properties<typed>;
    void operator()(function&) const {}
};
struct sort {
    static constexpr tutti::pass_info info{.name = "Sort"};
    using gives = tutti::properties<sorted>;
    void operator()(module&) const {}
};
struct search {
    static constexpr tutti::pass_info info{.name = "Search"};
    using needs = tutti::properties<sorted, typed>;
    void operator()(module&) const {}
};
struct needs_sorted {
    static constexpr tutti::pass_info info{.name = "NeedsSorted"};
    using needs = tutti::properties<sorted>;
    void operator()(module&) const {}
};
struct asks {
    static constexpr tutti::pass_info info{.name = "Asks"};
    using required = tutti::passes<needs_sorted>;
    void operator()(module&) const {}
};
struct plain {
    static constexpr tutti::pass_info info{.name = "Plain"};
    void operator()(module&) const {}
};
struct positive {
    static constexpr std::string_view name = "positive";
    bool operator()(const module&) const { return true; }
};

const runtime::registry<module>& known() {
    static const auto all = [] {
        runtime::registry<module> made{
            tutti::passes<infer, lower, late_lower, late_infer, fuse, safe, sort, search,
                          tutti::only_if_adaptor<positive>, tutti::each_adaptor<function>>{}};
        made.template passes<function>();
        return made;
    }();
    return all;
}
runtime::sequential<module> parsed(std::string_view text) { return runtime::parse_pipeline(text, known()); }

// The mistakes of a static pipeline and of the same run-time pipeline, at each level and for two starts, agree.
template <int Level, class P>
void check_both(const P& pipeline, bool& any) {
    using context = decltype(tutti::pass_context{tutti::opt_level<Level>});
    runtime::pass_context<module> ctx{{.opt_level = Level}};
    std::vector<runtime::any_pass<module>> members;
    pipeline.each_member([&](const auto& member) { members.emplace_back(member); });
    const runtime::sequential<module> same{members};
    const auto agree = [&](const tutti::detail::named_mistake& found, const auto& at_run_time) {
        CHECK(found.pass.empty() == !at_run_time);
        any = any || at_run_time;
        if (!at_run_time) return;
        CHECK(found.pass == at_run_time->pass);
        CHECK(found.property == at_run_time->property);
        CHECK(found.broken_by == at_run_time->broken_by);
    };
    agree(tutti::detail::mistake_of<P, context, void>, runtime::find_order_problem(same, ctx));
    agree(tutti::detail::mistake_of<P, context, tutti::properties<typed>>,
          runtime::find_order_problem<tutti::properties<typed>>(same, ctx));
}
template <class P>
bool check_levels(const P& pipeline) {
    bool any = false;
    check_both<0>(pipeline, any);
    check_both<1>(pipeline, any);
    check_both<2>(pipeline, any);
    check_both<3>(pipeline, any);
    return any;
}

} // namespace

TEST_CASE("property: run-time pipelines have the mistakes of static ones", "[runtime][property]") {
    using tutti::each;
    using tutti::fixpoint;
    using tutti::only_if;
    using tutti::sequential;
    CHECK_FALSE(check_levels(sequential(infer{}, fuse{})));
    CHECK(check_levels(sequential(lower{}, fuse{})));
    CHECK(check_levels(sequential(lower{}, late_infer{}, fuse{})));
    CHECK(check_levels(sequential(sort{}, late_lower{}, search{})));
    CHECK(check_levels(sequential(sort{}, late_infer{}, search{}, lower{}, fuse{})));
    CHECK(check_levels(sequential(safe{}, search{})));
    CHECK_FALSE(check_levels(sequential(lower{}, safe{}, safe{})));
    CHECK(check_levels(sequential(tutti::repeat(sequential(fuse{}, infer{}), 2), lower{}, fuse{})));
    CHECK(check_levels(sequential(only_if(positive{}, lower{}), fuse{}, search{})));
    CHECK_FALSE(check_levels(sequential(lower{}, each<function>(over_function{}))));
    CHECK(check_levels(sequential(each<function>(lower{}), fuse{})));
    CHECK_FALSE(check_levels(sequential(lower{}, sequential<"Inner", 1>(infer{}, fuse{}))));
    CHECK(check_levels(sequential(lower{}, sequential<"Inner", 2>(infer{}), fuse{})));
    CHECK_FALSE(check_levels(sequential(lower{}, tutti::requiring<infer>(sequential(fuse{})))));
    CHECK_FALSE(check_levels(sequential(lower{}, tutti::point<"here">{}, infer{}, fuse{})));
}

TEST_CASE("property: a run-time pipeline is refused before anything runs", "[runtime][property]") {
    const auto pipeline = parsed("Infer,Fuse,Lower,Fuse");
    runtime::pass_context<module> ctx;
    module m;
    try {
        tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
        FAIL("runs");
    } catch (const runtime::order_error& e) {
        CHECK(std::string_view(e.what()) ==
              "pipeline: Fuse needs typed, which Lower breaks; expected a pass that gives "
              "typed between them, or another order");
        CHECK(e.found().pass_at.name == "Fuse");
        CHECK(e.found().pass_at.occurrence == 2);
        CHECK(e.found().broken_at.name == "Lower");
        CHECK(e.found().broken_at.occurrence == 1);
    }
    CHECK(m.functions.empty());
}

TEST_CASE("property: the context's values decide which passes count", "[runtime][property]") {
    const auto problem = [](std::string_view text, runtime::context_options<module> options) {
        runtime::pass_context<module> ctx{std::move(options)};
        const auto found = runtime::find_order_problem(parsed(text), ctx);
        return found ? found->text() : "";
    };
    CHECK(problem("Lower,Fuse", {}) == "Fuse needs typed, which Lower breaks");
    CHECK(problem("Lower,Fuse", {.opt_level = 0}) == "");
    CHECK(problem("Lower,Fuse", {.disabled = {"Lower"}}) == "");
    CHECK(problem("Lower,Fuse", {.opt_level = 0, .required = {"Fuse"}}) == "Fuse needs typed, which Lower breaks");
    CHECK(problem("Sort,LateLower,Search", {}) == "");
    CHECK(problem("Sort,LateLower,Search", {.opt_level = 3}) == "Search needs sorted, which LateLower breaks");
    CHECK(problem("resolved(Safe,Lower,Safe)", {}) == "Safe needs typed, which Lower breaks");
}

TEST_CASE("property: the error shows the pass in the text", "[runtime][property]") {
    runtime::pass_context<module> ctx;
    const auto shown = [&](std::string_view text) {
        const auto found = runtime::find_order_problem(parsed(text), ctx);
        REQUIRE(found);
        return std::string(runtime::order_error_in(text, *found).what());
    };
    CHECK(
        shown("Fuse , point(Fuse), seq[Fuse](Lower,\"Fuse\")") ==
        "pipeline:1:37: error: Fuse needs typed, which Lower breaks; expected a pass that gives typed between them, or "
        "another order\n"
        "Fuse , point(Fuse), seq[Fuse](Lower,\"Fuse\")\n"
        "                                    ^~~~~~\n");
    CHECK(shown("fixpoint{limit=3}(Fuse,Lower)").find("\n                  ^~~~\n") != std::string::npos);
}

TEST_CASE("property: a mistake in a registered pipeline shows the pipeline", "[runtime][property]") {
    runtime::registry<module> names{tutti::passes<lower, fuse>{}};
    names.add(tutti::sequential<"Tail">(fuse{}, fuse{}));
    const auto pipeline = runtime::parse_pipeline("Lower,Tail", names);
    runtime::pass_context<module> ctx;
    const auto found = runtime::find_order_problem(pipeline, ctx);
    REQUIRE(found);
    CHECK(found->pass == "Fuse");
    CHECK(found->pass_at.name == "Tail");
    CHECK(runtime::order_error_in("Lower,Tail", *found).position() == 6);
}

TEST_CASE("property: a requirement is at the place of the pass that requires it", "[runtime][property]") {
    const runtime::sequential<module> pipeline{{late_lower{}, asks{}}};
    runtime::pass_context<module> ctx{{.opt_level = 3}};
    const auto found = runtime::find_order_problem(pipeline, ctx);
    REQUIRE(found);
    CHECK(found->text() == "NeedsSorted needs sorted, which LateLower breaks");
    CHECK(found->pass_at.name == "Asks");
}

TEST_CASE("property: a pipeline in which nothing states properties is not checked", "[runtime][property]") {
    CHECK_FALSE(runtime::sequential<module>{{plain{}, tutti::fixpoint(plain{})}}.states_properties());
    CHECK(
        runtime::sequential<module>{{plain{}, tutti::fixpoint(runtime::any_pass<module>{fuse{}})}}.states_properties());
    CHECK(runtime::any_pass<module>{tutti::sequential(plain{}, fuse{})}.states_properties());
}

TEST_CASE("property: a single pass, and a pass run by a pass, are not checked", "[runtime][property]") {
    const auto nested =
        tutti::make_pass<"Nested">([](module& m, auto& ctx) { ctx.run(tutti::sequential(infer{}, fuse{}), m); });
    runtime::pass_context<module> ctx;
    module m;
    tutti::with(ctx, [&](auto& scope) {
        scope.run(runtime::any_pass<module>{fuse{}}, m);
        scope.run(runtime::sequential<module>{{lower{}, nested}}, m);
    });
    CHECK(m.functions.size() == 2);
}
