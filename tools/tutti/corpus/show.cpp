// tutti corpus show: prints the results of a run.

#include <tutti/base/error.hpp>

#include "../file_ending.hpp"
#include "../json_text.hpp"
#include "../program.hpp"
#include "../text_table.hpp"
#include "row.hpp"
#include "schema.hpp"
#include "views.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include <sqlite3.h>

namespace program::corpus {

namespace {

using json = nlohmann::ordered_json;

std::string shown(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string{} : value.dump();
}

constexpr const char* outcome_query =
    "SELECT outcome, count(*) AS modules FROM module GROUP BY outcome ORDER BY 2 DESC, 1";
constexpr const char* profile_query = "SELECT * FROM profile ORDER BY seconds DESC, name";
constexpr const char* failure_query = "SELECT name, outcome, pass, message, reproducer FROM failure ORDER BY name";

std::string summary_text(const json& all) {
    text_table outcomes{"lr"};
    for (const json& each : all["outcomes"]) outcomes.add({shown(each["outcome"]), shown(each["modules"])});
    text_table passes{"lrrr"};
    if (!all["passes"].empty()) passes.add({"pass", "runs", "changed", "time"});
    for (const json& each : all["passes"])
        passes.add({shown(each["name"]), shown(each["runs"]), shown(each["changes"]), duration(each["seconds"])});
    std::string text = outcomes.text();
    if (!all["passes"].empty()) text += "\n" + passes.text();
    return text;
}

std::string failures_text(const json& all) {
    text_table lines{"llll"};
    for (const json& each : all)
        lines.add(
            {shown(each["name"]), shown(each["outcome"]), shown(each["pass"]), first_line(shown(each["message"]))});
    return lines.text();
}

std::string slowest_text(const json& all) {
    text_table lines{"rll"};
    for (const json& each : all) {
        const std::string pass = shown(each["slowest_pass"]);
        lines.add({duration(each["seconds"]), shown(each["name"]),
                   pass.empty() ? std::string{} : pass + " " + duration(each["slowest_seconds"])});
    }
    return lines.text();
}

std::string module_text(const json& m) {
    std::string text;
    for (const char* key : {"name", "outcome", "pass", "message", "hash", "output"})
        if (const std::string value = shown(m[key]); !value.empty())
            text += "// " + std::string{key} + ": " + first_line(value) + "\n";
    text_table lines{"llrl"};
    for (const json& each : m["passes"])
        lines.add({"//   " + shown(each["name"]), each["changed"] == 1 ? "changed" : "", duration(each["seconds"]),
                   shown(each["operators"])});
    return text + lines.text() + shown(m["reproducer"]);
}

std::string quoted(const std::string& text) {
    std::string made = "'";
    for (const char c : text) made.append(c == '\'' ? "''" : std::string(1, c));
    return made + "'";
}

json module_named(const database& from, const std::string& name) {
    json found = rows_of(
        from, "SELECT name, bytes, outcome, pass, message, hash, output, results, operators AS operators_json, "
              "operators_result AS operators_result_json, seconds, version, reproducer FROM module WHERE name = " +
                  quoted(name));
    if (found.empty()) throw failure{wrong_input, message(program::name_of(from.file()), "has no module " + name)};
    found[0]["passes"] = rows_of(
        from,
        "SELECT p.name, p.seconds, p.changed, p.operators_before, p.operators_after, p.operators AS operators_json, p.counts AS "
        "counts_json, p.remarks AS remarks_json FROM pass p JOIN module m ON m.id = p.module WHERE m.name = " +
            quoted(name) + " ORDER BY p.step");
    return found[0];
}

json slowest_modules(const database& from, std::size_t count) {
    return rows_of(
        from, "SELECT name, seconds, (SELECT name FROM pass WHERE module = id ORDER BY seconds DESC, step LIMIT 1) AS "
              "slowest_pass, (SELECT max(seconds) FROM pass WHERE module = id) AS slowest_seconds FROM module "
              "ORDER BY seconds DESC, name LIMIT " +
                  std::to_string(count));
}

json summary(const database& from) {
    return {{"configuration", configuration(from)},
            {"outcomes", rows_of(from, outcome_query)},
            {"passes", rows_of(from, profile_query)}};
}

} // namespace

std::string first_line(std::string text, std::size_t most) {
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.size() <= most) return text;
    while (most != 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most; // not within a character
    return text.substr(0, most) + "...";
}

std::string duration(double seconds) {
    char text[32];
    if (seconds < 1e-3)
        std::snprintf(text, sizeof text, "%.1f us", seconds * 1e6);
    else if (seconds < 1)
        std::snprintf(text, sizeof text, "%.2f ms", seconds * 1e3);
    else
        std::snprintf(text, sizeof text, "%.2f s", seconds);
    return text;
}

void check_schema(const database& of) {
    statement find{of, "SELECT value FROM run WHERE key = 'schema'"};
    const std::string number{find.next() ? find.text(0) : std::string_view{}};
    find.reset();
    if (number != schema_number)
        throw failure{wrong_input,
                      message(program::name_of(of.file()), "has schema `" + number + "`; expected " + schema_number)};
}

json configuration(const database& of, const char* table) {
    json all = json::object();
    for (statement each{of, std::string{"SELECT key, value FROM "} + table + " ORDER BY key"}; each.next();)
        all[std::string{each.text(0)}] = std::string{each.text(1)};
    return all;
}

json rows_of(const database& of, const std::string& query) {
    constexpr std::string_view parsed = "_json";
    json all = json::array();
    for (statement each{of, query}; each.next();) {
        json row = json::object();
        for (int i = 0; i < each.columns(); ++i) {
            std::string name{each.name(i)};
            const std::string text{each.text(i)};
            if (name.ends_with(parsed)) {
                name.resize(name.size() - parsed.size());
                row[name] = text.empty() ? json{} : json::parse(text, nullptr, false);
                continue;
            }
            switch (each.type(i)) {
            case SQLITE_INTEGER:
                row[name] = each.number(i);
                break;
            case SQLITE_FLOAT:
                row[name] = each.real(i);
                break;
            case SQLITE_NULL:
                row[name] = nullptr;
                break;
            default:
                row[name] = text;
            }
        }
        all.push_back(std::move(row));
    }
    return all;
}

void show(const show_options& options) {
    check_output("tutti corpus show", "--html", options.page, content::page);
    refuse_input_as_output("tutti corpus show", "--html", options.page, {options.file});
    const database from{options.file, database::mode::read};
    check_schema(from);
    if (!options.page.empty()) return write_text(options.page, page_of_run(from));
    json all;
    std::string text;
    if (!options.module.empty()) {
        all = module_named(from, options.module);
        text = module_text(all);
    } else if (options.failures) {
        all = rows_of(from, failure_query);
        text = failures_text(all);
    } else if (options.slowest != 0) {
        all = slowest_modules(from, options.slowest);
        text = slowest_text(all);
    } else {
        all = summary(from);
        text = summary_text(all);
    }
    write_text("-", options.json ? json_text(all) : text);
}

} // namespace program::corpus
