#include <tutti/instrument/run_totals.hpp>

#include "json_text.hpp"
#include "profile_file.hpp"
#include "program.hpp"
#include "rank_sum.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace profiles {

namespace {

using json = nlohmann::ordered_json;
using tutti::instrument::run_totals;
using tutti::instrument::time_histogram;

std::string microseconds(double nanoseconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", nanoseconds < 100'000 ? 1 : 0, nanoseconds / 1000);
    return text;
}
std::string percent(double share) {
    char text[40];
    std::snprintf(text, sizeof text, "%+.1f %%", 100 * share);
    return text;
}
double per_run(double sum, std::uint64_t runs) { return runs == 0 ? 0 : sum / static_cast<double>(runs); }
std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

struct merge_options {
    std::vector<std::string> files;
    std::string output = "-";
};
struct show_options {
    std::string file;
    bool json = false;
};
struct diff_options {
    std::string before, after;
    double slower = 5;
    bool json = false;
};

void merge(const merge_options& options) {
    run_totals all;
    for (const std::string& file : options.files) all.merge(read(file));
    write_text(options.output, to_json(all));
}

void show(const show_options& options) {
    const run_totals all = read(options.file);
    if (options.json) return write_text("-", to_json(all));
    std::vector<run_totals::pass_entry> passes = all.passes();
    std::ranges::stable_sort(passes, {}, [](const auto& each) { return -each.self.sum(); });
    std::string text = counted(all.runs(), "run") + "\n";
    text_table table("lrrrrr");
    table.add({"pass", "calls", "self us", "per run us", "median us", "90 % us"});
    for (const auto& each : passes)
        table.add({each.pass, std::to_string(each.calls), microseconds(static_cast<double>(each.self.sum())),
                   microseconds(each.self.mean()), microseconds(static_cast<double>(each.self.quantile(0.5))),
                   microseconds(static_cast<double>(each.self.quantile(0.9)))});
    if (!passes.empty()) text += "\n" + table.text();
    text_table counts("lr");
    for (const auto& each : all.counts()) counts.add({each.pass + ": " + each.name, std::to_string(each.count)});
    if (!all.counts().empty()) text += "\n" + counts.text();
    text_table remarks("lr");
    for (const auto& each : all.remarks())
        remarks.add(
            {each.pass + ": " + std::string{to_string(each.kind)} + ": " + each.text, std::to_string(each.count)});
    if (!all.remarks().empty()) text += "\n" + remarks.text();
    write_text("-", text);
}

// A pass in two profiles.
struct pass_change {
    std::string pass;
    time_histogram before{}, after{};
    double p = 1;

    double time_before() const { return static_cast<double>(before.quantile(0.5)); }
    double time_after() const { return static_cast<double>(after.quantile(0.5)); }
    double ratio() const { return time_before() > 0 ? time_after() / time_before() : 0; }
    const char* verdict(double limit) const {
        if (before.count() == 0) return "new";
        if (after.count() == 0) return "gone";
        if (p >= significance) return "";
        return ratio() > 1 + limit ? "slower" : ratio() < 1 / (1 + limit) ? "faster" : "";
    }
    static constexpr double significance = 0.01;
};
// A count or a remark in two profiles, for each run.
struct number_change {
    double before = 0, after = 0;
};

std::vector<pass_change> changes_of_passes(const run_totals& before, const run_totals& after) {
    std::map<std::string, pass_change> all;
    for (const auto& each : before.passes()) all[each.pass].before = each.self;
    for (const auto& each : after.passes()) all[each.pass].after = each.self;
    std::vector<pass_change> made;
    for (auto& [name, each] : all) {
        each.pass = name;
        each.p = rank_sum_p(each.before, each.after);
        made.push_back(std::move(each));
    }
    std::ranges::stable_sort(made, {},
                             [](const pass_change& each) { return -std::abs(each.time_after() - each.time_before()); });
    return made;
}
std::map<std::string, number_change> changed_numbers(const run_totals& before, const run_totals& after) {
    std::map<std::string, number_change> all;
    const auto take = [&](const run_totals& from, double number_change::* to) {
        for (const auto& each : from.counts())
            all[each.pass + ": " + each.name].*to = per_run(static_cast<double>(each.count), from.runs());
        for (const auto& each : from.remarks())
            all[each.pass + ": " + std::string{to_string(each.kind)} + ": " + each.text].*to =
                per_run(static_cast<double>(each.count), from.runs());
    };
    take(before, &number_change::before);
    take(after, &number_change::after);
    std::erase_if(all, [](const auto& each) {
        const auto& [was, is] = each.second;
        return std::abs(was - is) <= 1e-9 * std::max(std::abs(was), std::abs(is));
    });
    return all;
}

json as_json(const std::vector<pass_change>& passes, const std::map<std::string, number_change>& numbers,
             double limit) {
    json all{{"passes", json::array()}, {"numbers", json::array()}};
    for (const pass_change& each : passes)
        all["passes"].push_back({{"pass", each.pass},
                                 {"runs_before", each.before.count()},
                                 {"runs_after", each.after.count()},
                                 {"before_ns", each.time_before()},
                                 {"after_ns", each.time_after()},
                                 {"p", each.p},
                                 {"verdict", each.verdict(limit)}});
    for (const auto& [name, each] : numbers)
        all["numbers"].push_back({{"name", name}, {"before", each.before}, {"after", each.after}});
    return all;
}

void diff(const diff_options& options) {
    const run_totals before = read(options.before), after = read(options.after);
    const auto passes = changes_of_passes(before, after);
    const auto numbers = changed_numbers(before, after);
    const double limit = options.slower / 100;
    const bool differs = !numbers.empty() || std::ranges::any_of(passes, [&](const pass_change& each) {
        return *each.verdict(limit) != '\0';
    });
    if (options.json) {
        write_text("-", json_text(as_json(passes, numbers, limit)));
    } else {
        std::string text = counted(before.runs(), "run") + " before, " + std::to_string(after.runs()) + " after\n";
        text_table table("lrrrrl");
        table.add({"pass", "before us", "after us", "change", "p", ""});
        for (const pass_change& each : passes) {
            const bool both = each.before.count() != 0 && each.after.count() != 0;
            table.add({each.pass, each.before.count() == 0 ? "-" : microseconds(each.time_before()),
                       each.after.count() == 0 ? "-" : microseconds(each.time_after()),
                       both ? percent(each.ratio() - 1) : "", both ? number(std::round(each.p * 1e4) / 1e4) : "",
                       each.verdict(limit)});
        }
        if (!passes.empty()) text += "\n" + table.text();
        text_table counts("lrr");
        counts.add({"for each run", "before", "after"});
        for (const auto& [name, each] : numbers) counts.add({name, number(each.before), number(each.after)});
        if (!numbers.empty()) text += "\n" + counts.text();
        write_text("-", text);
    }
    if (differs) throw failure{pass_failed, {}};
}

} // namespace

} // namespace profiles

void add_profile(CLI::App& app, action& chosen) {
    CLI::App* const command =
        app.add_subcommand("profile", "Add up and compare the times, counts and remarks of many runs");
    command->require_subcommand(1);
    command->footer(
        R"(`tutti opt --passes=... --add-profile=FILE` adds a run to FILE; many processes may do so at the same time.)");

    CLI::App* const merging = command->add_subcommand("merge", "Add up profiles");
    const auto merged = std::make_shared<profiles::merge_options>();
    merging->add_option("FILE", merged->files, "The profiles")->required();
    merging->add_option("-o,--output", merged->output, "File for the sum; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    add_message_options(*merging);
    merging->footer("The order of the files does not matter.\n\n"
                    "Example: tutti profile merge machine-*.json -o all.json");
    merging->callback([=, &chosen] { chosen = [=] { profiles::merge(*merged); }; });

    CLI::App* const showing = command->add_subcommand("show", "Print a profile");
    const auto shown = std::make_shared<profiles::show_options>();
    showing->add_option("FILE", shown->file, "The profile")->required();
    showing->add_flag("--json", shown->json, "Write JSON");
    add_message_options(*showing);
    showing->footer("Times are without the passes that a pass runs: their sum, and their distribution over the runs.");
    showing->callback([=, &chosen] { chosen = [=] { profiles::show(*shown); }; });

    CLI::App* const comparing = command->add_subcommand("diff", "Compare two profiles");
    const auto compared = std::make_shared<profiles::diff_options>();
    comparing->add_option("BEFORE", compared->before, "The first profile")->required();
    comparing->add_option("AFTER", compared->after, "The second profile")->required();
    comparing->add_option("--slower", compared->slower, "Percent beyond which a pass counts as slower or faster")
        ->type_name("PERCENT")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str();
    comparing->add_flag("--json", compared->json, "Write JSON");
    add_message_options(*comparing);
    comparing->footer(
        R"(Compares the median time of each pass in a run, and the counts and remarks of a run. A pass counts as slower or faster if
the change is beyond --slower and p < 0.01 in the Mann-Whitney test, which needs 8 runs on each side.

Exit codes: 0 no difference; 1 wrong input; 2 wrong usage; 3 passes are slower, faster, new or gone, or counts or remarks
differ.)");
    comparing->callback([=, &chosen] { chosen = [=] { profiles::diff(*compared); }; });
}

} // namespace program
