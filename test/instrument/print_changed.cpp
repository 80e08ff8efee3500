#include <tutti/instrument/print_changed.hpp>

#include <tutti/instrument/filter.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/stderr_of.hpp"
#include "support/two_layers.hpp"

#include <memory>

using tutti::instrument::changed_form;
using tutti::instrument::changed_options;
using tutti::instrument::print_changed;

namespace {

// The parts of a `book` and a `shelf` are plans. A `book` has a text, but a `shelf` does not.
struct book {
    std::vector<plan> plans{};
    int edition = 1;
};
struct shelf {
    std::vector<plan> plans{};
};
// A move-only unit whose fingerprint covers more than its text.
struct owner {
    std::unique_ptr<int> value = std::make_unique<int>(1);
    int hidden = 0;
};

} // namespace

template <>
struct tutti::unit_traits<book> {
    static std::vector<plan>& parts(book& b) { return b.plans; }
    static std::string to_text(const book& b) {
        std::string text = "edition " + std::to_string(b.edition) + "\n";
        for (const plan& p : b.plans) text += unit_traits<plan>::to_text(p) + "--\n";
        return text;
    }
    static std::string to_text(const book& b, std::string_view part) {
        const auto i = static_cast<std::size_t>(part.empty() ? '0' : part[0]) - '0';
        return i < b.plans.size() ? unit_traits<plan>::to_text(b.plans[i]) : std::string{};
    }
};
template <>
struct tutti::unit_traits<shelf> {
    static std::vector<plan>& parts(shelf& s) { return s.plans; }
};
template <>
struct tutti::unit_traits<owner> {
    static std::string to_text(const owner& o) { return std::to_string(*o.value); }
    static std::uint64_t fingerprint(const owner& o) { return static_cast<std::uint64_t>(*o.value + 1000 * o.hidden); }
};

namespace {

const auto nothing = tutti::make_pass<"Nothing">([](plan&) { return tutti::unchanged; });
const auto lies = tutti::make_pass<"Lies">([](plan& p) {
    p.steps.push_back("lie");
    return tutti::unchanged;
});

// Returns the output for these passes, with "!" where they throw.
template <class Layer, class Unit>
std::string printed(const changed_options& options, const auto& passes, Unit unit, const setup& with = {}) {
    std::string text;
    print_changed print{options, [&](std::string_view part) { text += part; }};
    auto ctx = Layer::template context<Unit>(with, print);
    for (int i = 0; i < 2; ++i) {
        text.clear();
        Unit fresh = unit;
        Layer::with(ctx, [&](auto& scope) {
            try {
                scope.run(passes, fresh);
            } catch (const tutti::error&) {
                text += "!";
            }
        });
    }
    return text;
}

} // namespace

TEMPLATE_TEST_CASE("print_changed: writes the changes of passes, but not again for the passes around them",
                   "[instrument][print_changed]", static_layer, erased_layer) {
    const auto all = tutti::sequential(nothing, tutti::sequential<"Inner">(add_sort, drop_first), nothing);
    const plan p{{"scan"}};
    CHECK(printed<TestType>({}, all, p) ==
          "// after Nothing: no change\n// after AddSort:\n@@ -1 +1,2 @@\n scan\n+sort\n"
          "// after DropFirst:\n@@ -1,2 +1 @@\n-scan\n sort\n// after Nothing: no change\n");
    CHECK(printed<TestType>({.form = changed_form::text}, all, p) ==
          "// after Nothing: no change\n// after AddSort:\nscan\nsort\n// after DropFirst:\nsort\n// after Nothing: no "
          "change\n");
    CHECK(printed<TestType>({.form = changed_form::quiet}, all, p) == "// after AddSort\n// after DropFirst\n");
    CHECK(printed<TestType>({.passes = {"DropFirst"}}, all, p) == "// after DropFirst:\n@@ -1,2 +1 @@\n-scan\n sort\n");
    CHECK(printed<TestType>({.passes = {"Inner"}}, all, p) == "// after Inner:\n@@ -1 +1 @@\n-scan\n+sort\n");
    CHECK(printed<TestType>({.style = {.colour = true}}, tutti::sequential(add_sort), p).find("\x1b[32m+sort") !=
          std::string::npos);
    CHECK(printed<TestType>({}, all, p, {.opt_level = 0}).find("AddSort") == std::string::npos);
}

namespace {
// A unit in whose text each step is a value.
struct numbered_plan {
    std::vector<std::string> steps{};
};
} // namespace

template <>
struct tutti::unit_traits<numbered_plan> {
    static constexpr std::string_view value_names = "v";
    static std::string to_text(const numbered_plan& p) {
        std::string text;
        for (std::size_t i = 0; i < p.steps.size(); ++i)
            text += "v" + std::to_string(i) + " = " + p.steps[i] + (i == 0 ? "" : " v" + std::to_string(i - 1)) + "\n";
        return text;
    }
};

TEMPLATE_TEST_CASE("print_changed: removing one operator of sixty shows the lines that it touches",
                   "[instrument][print_changed]", static_layer, erased_layer) {
    numbered_plan p;
    for (int i = 0; i < 60; ++i) p.steps.push_back(i % 2 == 0 ? "filter" : "sort");
    const auto remove = tutti::make_pass<"Remove">([](numbered_plan& n) { n.steps.erase(n.steps.begin() + 3); });
    CHECK(printed<TestType>({.style = {.context = 0}}, tutti::sequential(remove), p) ==
          "// after Remove:\n@@ renumbered in lines 6-60: v4-v59 to v3-v58 @@\n"
          "@@ -4,2 +4 @@\n-v3 = sort v2\n-v4 = filter v3\n+v3 = filter v2\n");
}

TEMPLATE_TEST_CASE("print_changed: names a pass that says it changed nothing, and did", "[instrument][print_changed]",
                   static_layer, erased_layer) {
    const auto all = tutti::sequential(lies, tutti::sequential(nothing));
    CHECK(printed<TestType>({.form = changed_form::quiet}, all, plan{}) ==
          "// after Lies: it reported no change, but changed the unit\n// after Lies\n");
    CHECK(printed<TestType>({}, tutti::repeat(lies, 2), plan{}) ==
          "// after Lies: it reported no change, but changed the unit\n// after Lies:\n@@ -0,0 +1 @@\n+lie\n"
          "// after Lies: it reported no change, but changed the unit\n// after Lies:\n@@ -1 +1,2 @@\n lie\n+lie\n");
}

TEST_CASE("print_changed: keeps who was the first to say that it changed nothing, and did",
          "[instrument][print_changed]") {
    print_changed print{{.form = changed_form::quiet}, [](std::string_view) {}};
    const auto run = [&](const auto& passes) {
        auto ctx = static_layer::context<plan>({}, print);
        plan unit;
        static_layer::with(ctx, [&](auto& scope) { scope.run(passes, unit); });
    };
    run(tutti::sequential(add_sort, nothing));
    CHECK(print.liar().empty());
    run(tutti::sequential<"Around">(add_sort, tutti::sequential<"Inner">(lies, drop_first)));
    CHECK(print.liar() == "Lies");
}

TEMPLATE_TEST_CASE("print_changed: writes a composite pass's own changes", "[instrument][print_changed]", static_layer,
                   erased_layer) {
    const auto both = tutti::make_pass<"Both">([](plan& p, auto& ctx) {
        p.steps.push_back("own");
        ctx.run(add_sort, p);
    });
    CHECK(printed<TestType>({}, tutti::sequential(both), plan{}) ==
          "// after AddSort:\n@@ -1 +1,2 @@\n own\n+sort\n// after Both:\n@@ -0,0 +1,2 @@\n+own\n+sort\n");
    CHECK(printed<TestType>({.passes = {"AddSort", "repeat"}}, tutti::repeat(tutti::sequential(add_sort, lies), 1),
                            plan{}) ==
          "// after AddSort:\n@@ -0,0 +1 @@\n+sort\n// after repeat:\n@@ -1 +1,2 @@\n sort\n+lie\n");
}

TEMPLATE_TEST_CASE("print_changed: changes of members that it does not observe belong to the composite pass",
                   "[instrument][print_changed]", static_layer, erased_layer) {
    const auto all = tutti::sequential<"All">(add_sort, drop_first, add_sort, lies);
    std::string text;
    print_changed print{{}, [&](std::string_view part) { text += part; }};
    const auto heard = [&](std::vector<std::string> names) {
        text.clear();
        auto some = tutti::instrument::filter(std::move(names), print);
        auto ctx = TestType::template context<plan>({}, some);
        plan p{{"scan"}};
        TestType::with(ctx, [&](auto& scope) { scope.run(all, p); });
        return text;
    };
    CHECK(heard({"AddSort"}) == "// after AddSort:\n@@ -1 +1,2 @@\n scan\n+sort\n"
                                "// after AddSort:\n@@ -1 +1,2 @@\n sort\n+sort\n");
    CHECK(heard({"All"}) == "// after All:\n@@ -1 +1,3 @@\n-scan\n+sort\n+sort\n+lie\n");
    CHECK(heard({"All", "AddSort", "DropFirst"}).ends_with("// after All:\n@@ -1,2 +1,3 @@\n sort\n sort\n+lie\n"));
    CHECK(heard({"All", "AddSort", "Lies"}).ends_with("// after All:\n@@ -1,2 +1,3 @@\n-scan\n sort\n+sort\n+lie\n"));
    CHECK(print.liar() == "Lies");
}

TEMPLATE_TEST_CASE("print_changed: goes on after a pass that failed", "[instrument][print_changed]", static_layer,
                   erased_layer) {
    std::string text;
    print_changed print{{}, [&](std::string_view part) { text += part; }};
    auto ctx = TestType::template context<plan>({}, print);
    plan p;
    TestType::with(ctx, [&](auto& scope) {
        CHECK_THROWS_AS(scope.run(tutti::sequential(add_sort, throw_it), p), tutti::error);
        p.steps.clear();
        scope.run(tutti::sequential(add_sort), p);
    });
    CHECK(text == "// after AddSort:\n@@ -0,0 +1 @@\n+sort\n// after AddSort:\n@@ -0,0 +1 @@\n+sort\n");
}

TEMPLATE_TEST_CASE("print_changed: tells of passes over parts, and of one part alone", "[instrument][print_changed]",
                   static_layer, erased_layer) {
    const auto reprint = tutti::make_pass<"Reprint">([](book& b) { ++b.edition; });
    const auto all = tutti::sequential(tutti::each<plan>(add_sort, nothing), reprint);
    const book b{{{{"scan"}}, {}}};
    CHECK(printed<TestType>({}, all, b) ==
          "// after AddSort:\n@@ -1 +1,2 @@\n scan\n+sort\n// after Nothing: no change\n"
          "// after AddSort:\n@@ -0,0 +1 @@\n+sort\n// after Nothing: no change\n"
          "// after Reprint:\n@@ -1,4 +1,4 @@\n-edition 1\n+edition 2\n scan\n sort\n --\n");
    CHECK(printed<TestType>({.part = "1"}, all, b) ==
          "// after each:\n@@ -0,0 +1 @@\n+sort\n// after Reprint: no change in its text\n");
    CHECK(printed<TestType>({.form = changed_form::quiet, .part = "7"}, all, b) ==
          "// 7: no pass ran over a unit with such a part\n");
    // A unit without a text whose parts have texts.
    CHECK(printed<TestType>({.form = changed_form::quiet}, tutti::sequential(tutti::each<plan>(add_sort)),
                            shelf{{{}, {}}}) == "// after AddSort\n// after AddSort\n");
}

TEMPLATE_TEST_CASE("print_changed: needs no copy of the unit, and goes by its fingerprint",
                   "[instrument][print_changed]", static_layer, erased_layer) {
    const auto visible = tutti::make_pass<"Visible">([](owner& o) { ++*o.value; });
    const auto hidden = tutti::make_pass<"Hidden">([](owner& o) { ++o.hidden; });
    const auto by_value = tutti::make_pass<"ByValue">([](owner o) {
        *o.value *= 10;
        return o;
    });
    const auto said = [&](changed_form form) {
        std::string text;
        print_changed print{{.form = form}, [&](std::string_view part) { text += part; }};
        auto ctx = TestType::template context<owner>({}, print);
        TestType::with(ctx, [&](auto& scope) {
            owner o;
            scope.run(tutti::sequential(visible, hidden), o);
            o = scope.run(tutti::sequential(by_value, visible), std::move(o));
            CHECK(*o.value == 21);
        });
        return text;
    };
    CHECK(said(changed_form::quiet) == "// after Visible\n// after Hidden\n// after ByValue\n// after Visible\n");
    CHECK(said(changed_form::diff) ==
          "// after Visible:\n@@ -1 +1 @@\n-1\n+2\n// after Hidden: changed, but not in its text\n"
          "// after ByValue:\n@@ -1 +1 @@\n-2\n+20\n// after Visible:\n@@ -1 +1 @@\n-20\n+21\n");
}

namespace {
// Counts the conversions to text.
struct counted_text {
    int n = 0;
    static inline int made = 0;
};
} // namespace

template <>
struct tutti::unit_traits<counted_text> {
    static std::string to_text(const counted_text& c) {
        ++counted_text::made;
        return std::to_string(c.n);
    }
};

TEMPLATE_TEST_CASE("print_changed: makes one text a pass, and one at first", "[instrument][print_changed]",
                   static_layer, erased_layer) {
    const auto next = tutti::make_pass<"Next">([](counted_text& c) { ++c.n; });
    print_changed print{{.form = changed_form::quiet}, [](std::string_view) {}};
    auto ctx = TestType::template context<counted_text>({}, print);
    counted_text c;
    counted_text::made = 0;
    TestType::with(
        ctx, [&](auto& scope) { scope.run(tutti::sequential(next, tutti::sequential<"Inner">(next, next), next), c); });
    CHECK(counted_text::made == 5);
}

TEST_CASE("print_changed: writes to the standard error by default", "[instrument][print_changed]") {
    const auto said = [](auto print) {
        return written_to_stderr([&] {
            plan p{{"scan"}};
            tutti::with(tutti::pass_context{tutti::instruments(print)}, [&](auto& scope) { scope.run(add_sort, p); });
        });
    };
    CHECK(said(print_changed{changed_options{.form = changed_form::quiet}}) == "// after AddSort\n");
    CHECK(said(print_changed{}) == "// after AddSort:\n@@ -1 +1,2 @@\n scan\n+sort\n");
}
