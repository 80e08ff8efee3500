// What instruments keep of the unit from one pass to the next is right, whichever passes they hear of and whatever hooks do: random
// pipelines × ways to hear of some passes × hooks that run passes, replace instruments or throw × static and run-time contexts.

#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/line_diff.hpp>
#include <tutti/instrument/pass_nesting.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/report.hpp>
#include <tutti/instrument/sample.hpp>
#include <tutti/instrument/verify.hpp>

#include "catch.hpp"
#include "observed.hpp"
#include "plan_unit.hpp"
#include "two_layers.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

namespace instrument = tutti::instrument;
using dice = std::minstd_rand;

std::size_t roll(dice& d, std::size_t sides) { return d() % sides; }

// A pass that is known at run time only: it does something, and runs others.
struct step {
    tutti::pass_info info;
    std::function<void(plan&)> does{};
    std::vector<step> members{};

    void operator()(plan& p, auto& ctx) const {
        if (does) does(p);
        for (const step& each : members) {
            if (info.kind == tutti::pass_kind::pass)
                ctx.run(each, p);
            else
                ctx.run_member(each, p);
        }
        if (does) does(p);
    }
};

constexpr const char* leaves[]{"A", "B", "C", "D", "E"};

step random_leaf(dice& d) {
    step made{.info = {.name = leaves[roll(d, std::size(leaves))]}};
    switch (roll(d, 3)) {
    case 0:
        made.does = [n = std::to_string(d())](plan& p) { p.steps.push_back(n); };
        break;
    case 1:
        made.does = [](plan& p) {
            if (p.steps.size() > 1) p.steps.erase(p.steps.begin());
        };
        break;
    default:
        break;
    }
    return made;
}
// Passes that run others and do something themselves have the name P.
step random_step(dice& d, int depth, bool with_outer_passes = true) {
    if (depth == 0 || roll(d, 3) == 0) return random_leaf(d);
    step made;
    if (with_outer_passes && roll(d, 4) == 0) {
        made = random_leaf(d);
        made.info.name = "P";
    } else if (roll(d, 3) == 0) {
        made.info = {.name = "R", .kind = tutti::pass_kind::adaptor};
    } else {
        made.info = {.name = "S", .kind = tutti::pass_kind::sequential};
    }
    for (std::size_t n = roll(d, 5); n > 0; --n) made.members.push_back(random_step(d, depth - 1, with_outer_passes));
    return made;
}
step random_pipeline(dice& d, bool with_outer_passes = true) {
    step made{.info = {.name = "S", .kind = tutti::pass_kind::sequential}};
    for (int i = 0; i < 4; ++i) made.members.push_back(random_step(d, 3, with_outer_passes));
    return made;
}
// Any pass of a pipeline.
step& random_inner(dice& d, step& in) {
    step* at = &in;
    while (!at->members.empty() && (at == &in || roll(d, 2) == 0)) at = &at->members[roll(d, at->members.size())];
    return *at;
}

// Looks at each begin and end that it hears of, and keeps nothing in between.
struct looks_always {
    struct run {
        std::string name;
        tutti::pass_kind kind;
        std::string before;
        std::optional<std::string> after{};
    };
    std::vector<run> runs{};
    std::vector<std::size_t> open{};
    std::string changes{};      // as print_changed writes those of passes of the kind `pass`
    std::string first_broken{}; // as verify says it

    void look(const char* where, const plan& p, const tutti::pass_info& info) {
        for (const std::string& each : p.steps)
            if (each == "broken" && first_broken.empty()) first_broken = where + (" " + std::string(info.name)) + ": ";
    }
    void run_before_pass(const plan& p, const tutti::pass_info& info) {
        look("before", p, info);
        open.push_back(runs.size());
        runs.push_back({std::string(info.name), info.kind, tutti::unit_traits<plan>::to_text(p)});
    }
    void run_after_pass(const plan& p, const tutti::pass_info& info) {
        look("after", p, info);
        if (open.empty()) return; // it began before this was an instrument
        run& done = runs[open.back()];
        open.pop_back();
        done.after = tutti::unit_traits<plan>::to_text(p);
        if (done.kind == tutti::pass_kind::pass && done.before != *done.after)
            changes += "// after " + done.name + ":\n" + instrument::line_diff(done.before, *done.after, {});
    }
    void pass_failed(const plan*, const tutti::pass_info&, const std::exception_ptr&) {
        if (!open.empty()) open.pop_back();
    }
};

// Calls `check(around)` for each way to hear of some passes; `around(instrument)` puts it around an instrument.
template <class Check>
void each_way_to_hear(dice& d, Check&& check) {
    check([](auto& it) -> auto& { return it; });
    const std::size_t every = 2 + roll(d, 3);
    check([every](auto& it) { return instrument::sample(every, it); });
    std::vector<std::string> names;
    for (const char* each : {"A", "B", "C", "D", "E", "P", "R", "S"})
        if (roll(d, 2) == 0) names.emplace_back(each);
    check([&](auto& it) { return instrument::filter(names, it); });
    check([&](auto& it) { return instrument::filter(names, instrument::sample(every, it)); });
}

// What print_changed has written of passes of the kind `pass` that changed something.
struct written {
    std::string text{};

    void operator()(std::string_view line) {
        const char name = line[std::string_view("// after ").size()];
        if (name != 'S' && name != 'R' && line.find(": no change") == std::string_view::npos) text += line;
    }
};
auto printing(written& to) {
    return instrument::print_changed({}, [&to](std::string_view line) { to(line); });
}

template <class Layer>
std::string run_in(auto& context, const auto& pipeline) {
    plan p{{"first"}};
    try {
        Layer::with(context, [&](auto& scope) { scope.run(pipeline, p); });
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

} // namespace

TEMPLATE_TEST_CASE("laws: print_changed blames the pass that did it, whichever passes it hears of",
                   "[laws][instrument][heard]", static_layer, erased_layer) {
    dice d{1};
    for (int round = 0; round < 100; ++round) {
        const step pipeline = random_pipeline(d);
        each_way_to_hear(d, [&](const auto& around) {
            looks_always looks;
            written prints;
            auto print = printing(prints);
            auto&& heard = around(looks);
            auto&& printed = around(print);
            auto context = TestType::template context<plan>({}, heard, printed);
            CHECK(run_in<TestType>(context, pipeline).empty());
            CHECK(prints.text == looks.changes);
        });
    }
}

TEMPLATE_TEST_CASE("laws: report shows what each pass did, whichever passes it hears of", "[laws][instrument][heard]",
                   static_layer, erased_layer) {
    dice d{2};
    for (int round = 0; round < 100; ++round) {
        const step pipeline = random_pipeline(d);
        each_way_to_hear(d, [&](const auto& around) {
            looks_always looks;
            instrument::report page;
            auto&& heard = around(looks);
            auto&& reported = around(page);
            auto context = TestType::template context<plan>({}, heard, reported);
            CHECK(run_in<TestType>(context, pipeline).empty());
            const std::string text = page.render();
            const std::string_view head = "<script type=\"application/json\" class=\"data\">";
            std::vector<int> before;
            std::map<int, int> after;
            for (std::size_t at = 0; (at = text.find(head, at)) != std::string::npos;) {
                at += head.size();
                for (auto& each : nlohmann::json::parse(text.substr(at, text.find("</script>", at) - at))) {
                    if (each[0] == "b") before.push_back(each[6]);
                    if (each[0] == "e") after[each[1]] = each[5];
                }
            }
            std::map<int, std::string> versions; // one text each
            const auto is_version = [&](int number, const std::string& shown) {
                return versions.emplace(number, shown).first->second == shown;
            };
            REQUIRE(before.size() == looks.runs.size());
            for (std::size_t i = 0; i < before.size(); ++i) {
                CHECK(is_version(before[i], looks.runs[i].before));
                CHECK(is_version(after.at(static_cast<int>(i)), *looks.runs[i].after));
            }
        });
    }
}

TEMPLATE_TEST_CASE("laws: verify blames no pass for what came broken, whichever passes it hears of",
                   "[laws][instrument][heard]", static_layer, erased_layer) {
    dice d{3};
    for (int round = 0; round < 200; ++round) {
        step pipeline = random_pipeline(d, false);
        step& bad = random_inner(d, pipeline);
        bad.members.push_back({.info = {.name = "Break"}, .does = [](plan& p) { p.steps.push_back("broken"); }});
        bad.info = {.name = "S", .kind = tutti::pass_kind::sequential};
        bad.does = nullptr;
        each_way_to_hear(d, [&](const auto& around) {
            looks_always looks;
            instrument::verify verify;
            auto&& heard = around(looks);
            auto&& verified = around(verify);
            auto context = TestType::template context<plan>({}, heard, verified);
            const std::string what = run_in<TestType>(context, pipeline);
            CHECK(what.starts_with(looks.first_broken));
            CHECK(what.empty() == looks.first_broken.empty());
        });
    }
}
