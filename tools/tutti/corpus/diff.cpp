// tutti corpus diff: compares the results of two runs.

#include "../file_ending.hpp"
#include "../json_text.hpp"
#include "../program.hpp"
#include "../text_table.hpp"
#include "views.hpp"
#include "wilcoxon.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace program::corpus {

namespace {

using json = nlohmann::ordered_json;

constexpr double significant = 0.001; // divided by the number of passes (Bonferroni)

// Compares `main`, the database before, with the attached one, `after`.
class comparison {
    const database& before_;
    double slower_;

    json query(const std::string& sql) const { return rows_of(before_, sql); }

    json only(const char* here, const char* there) const {
        return query("SELECT name, outcome FROM " + std::string{here} + ".module WHERE name NOT IN (SELECT name FROM " +
                     there + ".module) ORDER BY name");
    }
    json changed() const {
        return query(
            "SELECT b.name, b.outcome AS outcome_before, a.outcome AS outcome_after, a.pass, a.message, "
            "b.operators_after AS operators_before, a.operators_after, b.operators_result AS "
            "counts_before_json, a.operators_result AS counts_after_json, b.output IS NOT a.output OR b.results "
            "IS NOT a.results AS output_changed, b.hash IS NOT a.hash AS module_changed "
            "FROM main.module b JOIN after.module a USING (name) "
            "WHERE b.outcome <> a.outcome OR b.pass IS NOT a.pass OR b.output IS NOT a.output OR b.results IS NOT "
            "a.results OR b.operators_result IS NOT a.operators_result OR b.hash IS NOT a.hash ORDER BY b.name");
    }
    json passes() const {
        std::map<std::string, std::vector<std::pair<double, double>>> times;
        statement each{
            before_,
            "SELECT b.name, b.s, a.s FROM "
            "(SELECT m.name AS module, p.name, sum(p.seconds) AS s FROM main.pass p JOIN main.module m ON m.id = "
            "p.module GROUP BY p.module, p.name) b JOIN "
            "(SELECT m.name AS module, p.name, sum(p.seconds) AS s FROM after.pass p JOIN after.module m ON m.id "
            "= p.module GROUP BY p.module, p.name) a ON a.module = b.module AND a.name = b.name"};
        while (each.next()) times[std::string{each.text(0)}].emplace_back(each.real(1), each.real(2));
        json all = json::array();
        for (const auto& [name, pairs] : times) {
            const paired_test t = compare_times(pairs);
            double before = 0, after = 0;
            for (const auto& [b, a] : pairs) {
                before += b;
                after += a;
            }
            const bool is_beyond_noise = t.p < significant / static_cast<double>(times.size());
            const double least = 1 + slower_ / 100;
            all.push_back({{"name", name},
                           {"modules", t.pairs},
                           {"seconds_before", before},
                           {"seconds_after", after},
                           {"ratio", t.ratio},
                           {"p", t.p},
                           {"verdict", !is_beyond_noise      ? "same"
                                       : t.ratio >= least    ? "slower"
                                       : t.ratio * least < 1 ? "faster"
                                                             : "same"}});
        }
        std::sort(all.begin(), all.end(), [](const json& a, const json& b) {
            return a["ratio"] != b["ratio"] ? a["ratio"] > b["ratio"] : a["name"] < b["name"];
        });
        return all;
    }

public:
    comparison(const database& before, double slower) : before_(before), slower_(slower) {}

    json run() const {
        json options = json::array();
        const json is = configuration(before_, "after.run"), was = configuration(before_);
        for (const auto& [key, value] : is.items())
            if (!was.contains(key) || was[key] != value)
                options.push_back({{"key", key}, {"before", was.value(key, "none")}, {"after", value}});
        char statistic[400];
        std::snprintf(
            statistic, sizeof statistic,
            "Wilcoxon signed-rank test of the logarithms of each module's time ratio, two-sided; a pass is slower or "
            "faster if p < %g divided by the number of passes, and the geometric mean of the ratios is beyond %g %%",
            significant, slower_);
        return {{"configuration", options},
                {"modules", query("SELECT count(*) AS n FROM main.module JOIN after.module USING (name)")[0]["n"]},
                {"only_before", only("main", "after")},
                {"only_after", only("after", "main")},
                {"changed", changed()},
                {"passes", passes()},
                {"statistic", statistic}};
    }
};

std::string operators_text(const json& before, const json& after) {
    std::string text;
    const auto add = [&](const std::string& op, std::int64_t by) {
        if (by != 0)
            text += (text.empty() ? "" : ", ") + std::string{by > 0 ? "+" : ""} + std::to_string(by) + " " + op;
    };
    const auto uses = [](const json& counts, const std::string& op) {
        return counts.is_object() && counts.contains(op) ? counts[op].get<std::int64_t>() : 0;
    };
    if (before.is_object())
        for (const auto& [op, n] : before.items()) add(op, uses(after, op) - n.get<std::int64_t>());
    if (after.is_object())
        for (const auto& [op, n] : after.items())
            if (uses(before, op) == 0) add(op, n.get<std::int64_t>());
    return text;
}

} // namespace

std::string change_text(const nlohmann::ordered_json& each) {
    const std::string was = each["outcome_before"], is = each["outcome_after"];
    const auto text_in = [&](const char* key) {
        return each[key].is_string() ? each[key].get<std::string>() : std::string{};
    };
    std::string text;
    if (was != is) text = was + " -> " + is;
    if (was != is && !text_in("pass").empty()) text += " in " + text_in("pass");
    if (was != is && !text_in("message").empty()) text += ": " + first_line(text_in("message"));
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    if (each["module_changed"] == 1) add("another module");
    if (const std::string counts = operators_text(each["counts_before"], each["counts_after"]);
        was == is && !counts.empty())
        add("operators " + counts);
    else if (each["output_changed"] == 1 && was == is)
        add("another output");
    if (text.empty()) text = is + " in " + text_in("pass");
    return text;
}

namespace {

std::string text_of(const json& all) {
    std::string text;
    for (const json& each : all["configuration"])
        text += each["key"].get<std::string>() + ": " + each["before"].get<std::string>() + " -> " +
                each["after"].get<std::string>() + "\n";
    const std::size_t one_sided = all["only_before"].size() + all["only_after"].size();
    text += all["modules"].dump() + " modules in both: ";
    text += all["changed"].empty() ? std::string{"equal"} : std::to_string(all["changed"].size()) + " differ";
    if (one_sided != 0) text += "; " + std::to_string(one_sided) + " in only one of them";
    text += "\n";
    text_table lines{"ll"};
    for (const json& each : all["only_before"]) lines.add({each["name"], "only in the first"});
    for (const json& each : all["only_after"]) lines.add({each["name"], "only in the second"});
    for (const json& each : all["changed"]) lines.add({each["name"], change_text(each)});
    text += lines.text();
    text_table passes{"lrrrrrl"};
    passes.add({"pass", "modules", "before", "after", "ratio", "p", ""});
    bool has_any = false;
    for (const json& each : all["passes"]) {
        char ratio[32], p[32];
        std::snprintf(ratio, sizeof ratio, "%.3f", each["ratio"].get<double>());
        std::snprintf(p, sizeof p, "%.2g", each["p"].get<double>());
        has_any = true;
        passes.add({each["name"], each["modules"].dump(), duration(each["seconds_before"]),
                    duration(each["seconds_after"]), ratio, p,
                    each["verdict"] == "same" ? std::string{} : each["verdict"].get<std::string>()});
    }
    if (has_any) text += "\n" + passes.text() + all["statistic"].get<std::string>() + ".\n";
    return text;
}

} // namespace

void diff(const diff_options& options) {
    check_output("tutti corpus diff", "--html", options.page, content::page);
    refuse_input_as_output("tutti corpus diff", "--html", options.page, {options.before, options.after});
    const database before{options.before, database::mode::read};
    check_schema(before);
    check_schema(database{options.after, database::mode::read});
    statement{before, "ATTACH ? AS after"}.bind(std::string_view{options.after}).run();
    const json all = comparison{before, options.slower}.run();
    if (!options.page.empty())
        write_text(options.page, page_of_diff(all));
    else
        write_text("-", options.json ? json_text(all) : text_of(all));
    if (!all["changed"].empty() || !all["only_before"].empty() || !all["only_after"].empty())
        throw failure{pass_failed, {}};
}

} // namespace program::corpus
