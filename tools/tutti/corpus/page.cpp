// The pages of `tutti corpus show --html` and `tutti corpus diff --html`.

#include <tutti/report/style.hpp>

#include "page_script.hpp"
#include "page_style.hpp"
#include "row.hpp"
#include "views.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace program::corpus {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_detail = 1 << 16; // bytes of a reproducer on the page
constexpr std::size_t most_details = 5000;   // modules with reproducers

// Returns JSON that can be embedded in HTML.
std::string embedded(const json& data) {
    std::string text;
    for (const char c : data.dump(-1, ' ', false, json::error_handler_t::replace))
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    return text;
}

std::string page_of(std::string_view title, const json& data) {
    std::string out = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>)html";
    out.append(title).append("</title>\n<style>").append(tutti::instrument::report_style).append(page_style);
    out.append("</style>\n</head>\n<body>\n");
    out.append("<header><div class=\"what\"><h1>").append(title).append("</h1><p id=\"facts\"></p></div>");
    out +=
        R"html(<div class="finder"><input id="search" type="search" placeholder="Search modules, outcomes, messages  ( / )" aria-label="Search modules" autocomplete="off" spellcheck="false"><span id="found" role="status"></span></div></header>
<main class="corpus"><div id="tables"></div>
<div id="grid" role="table" aria-label="Modules"><div id="head" role="row"></div><div id="scroll" tabindex="0"><div id="space"><div id="body" role="rowgroup"></div></div></div></div>
<section id="detail" aria-live="polite"></section></main>
<noscript><p class="banner note"><b>This page needs JavaScript</b> to show what is in it. It loads nothing.</p></noscript>
<script type="application/json" id="data">)html";
    out.append(embedded(data)).append("</script>\n<script>\n\"use strict\";\n(() => {").append(page_script);
    return out.append("})();\n</script>\n</body>\n</html>\n");
}

json column(const char* name, const char* kind, const char* width) {
    return {{"name", name}, {"kind", kind}, {"width", width}};
}
json values(const json& rows, std::initializer_list<const char*> keys) {
    json all = json::array();
    for (const json& row : rows) {
        json made = json::array();
        for (const char* key : keys) made.push_back(row[key]);
        all.push_back(std::move(made));
    }
    return all;
}

} // namespace

std::string page_of_run(const database& of) {
    json outcome = column("outcome", "text", "130px");
    outcome["verdict"] = true;
    outcome["words"] = json::array();
    for (const std::string_view each : outcome_names) outcome["words"].push_back(each);
    json rows = json::array(), details = json::object();
    statement each{
        of, "SELECT name, outcome, pass, seconds, operators_before, operators_after, message, reproducer FROM module "
            "ORDER BY outcome IN ('ok', 'unchecked'), name"};
    while (each.next()) {
        const auto* const word = std::ranges::find(outcome_names, each.text(1));
        const auto text = [&](int i) { return each.text(i).empty() ? json{} : json(std::string{each.text(i)}); };
        if (!each.text(7).empty() && each.text(7).size() <= most_detail && details.size() < most_details)
            details[std::to_string(rows.size())] = {text(6), text(7)};
        rows.push_back({text(0), word - std::begin(outcome_names), text(2), each.real(3), each.number(4),
                        each.number(5),
                        each.text(6).empty() ? json{} : json(first_line(std::string{each.text(6)}, 200))});
    }
    const json passes = rows_of(of, "SELECT * FROM profile ORDER BY seconds DESC, name");
    const json counts =
        rows_of(of, "SELECT outcome, count(*) AS modules FROM module GROUP BY outcome ORDER BY 2 DESC, 1");
    const json options = configuration(of);
    json data{
        {"facts", options.value("passes", "") + ", check: " + options.value("check", "")},
        {"columns",
         json::array({column("module", "text", "minmax(180px, 2fr)"), outcome, column("pass", "text", "140px"),
                      column("time", "time", "90px"), column("operators", "number", "110px"),
                      column("after", "number", "70px"), column("message", "text", "minmax(160px, 3fr)")})},
        {"tables",
         json::array({{{"title", "Outcomes"},
                       {"columns", json::array({{"outcome", "text"}, {"modules", "number"}})},
                       {"rows", values(counts, {"outcome", "modules"})}},
                      {{"title", "Passes"},
                       {"columns",
                        json::array({{"pass", "text"}, {"runs", "number"}, {"changed", "number"}, {"time", "time"}})},
                       {"rows", values(passes, {"name", "runs", "changes", "seconds"})}}})},
        {"details", std::move(details)},
        {"rows", std::move(rows)}};
    return page_of("Corpus", data);
}

std::string page_of_diff(const json& all) {
    json rows = json::array();
    for (const char* side : {"only_before", "only_after"})
        for (const json& each : all[side])
            rows.push_back({each["name"], side == std::string_view{"only_before"} ? each["outcome"] : json{},
                            side == std::string_view{"only_after"} ? each["outcome"] : json{}, nullptr, nullptr,
                            side == std::string_view{"only_before"} ? "only in the first" : "only in the second"});
    for (const json& each : all["changed"])
        rows.push_back({each["name"], each["outcome_before"], each["outcome_after"], each["operators_before"],
                        each["operators_after"], change_text(each)});
    json before = column("before", "text", "130px"), after = column("after", "text", "130px");
    before["verdict"] = after["verdict"] = true;
    json data{{"facts", all["modules"].dump() + " modules in both runs, " + std::to_string(all["changed"].size()) +
                            " differ. " + all["statistic"].get<std::string>() + "."},
              {"columns", json::array({column("module", "text", "minmax(180px, 2fr)"), before, after,
                                       column("operators", "number", "110px"), column("after", "number", "70px"),
                                       column("difference", "text", "minmax(160px, 3fr)")})},
              {"tables", json::array({{{"title", "Passes"},
                                       {"columns", json::array({{"pass", "text"},
                                                                {"modules", "number"},
                                                                {"before", "time"},
                                                                {"after", "time"},
                                                                {"ratio", "ratio"},
                                                                {"p", "ratio"},
                                                                {"verdict", "text"}})},
                                       {"rows", values(all["passes"], {"name", "modules", "seconds_before",
                                                                       "seconds_after", "ratio", "p", "verdict"})}}})},
              {"details", json::object()},
              {"rows", std::move(rows)}};
    return page_of("Comparison of two runs", data);
}

} // namespace program::corpus
