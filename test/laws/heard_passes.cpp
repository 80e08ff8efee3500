// Instruments record the unit between passes correctly, whichever passes they observe. The cases are random pipelines ×
// ways to observe some passes × static and run-time contexts.

#include <tutti/instrument/verify.hpp>
#include <tutti/report/report.hpp>

#include "random_steps.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace instrument = tutti::instrument;

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

TEMPLATE_TEST_CASE("laws: report shows the changes of each pass, whichever passes it observes",
                   "[laws][instrument][heard]", static_layer, erased_layer) {
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
            std::map<int, std::string> versions; // the unit's printed form by version number
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

TEMPLATE_TEST_CASE("laws: verify blames no pass for a unit that was already broken, whichever passes it observes",
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
