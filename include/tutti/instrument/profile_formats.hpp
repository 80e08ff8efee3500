#pragma once

#include <tutti/instrument/profile.hpp>
#include <tutti/instrument/support/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Formats for `timing`'s measurements besides the tree of `profile::render`.

namespace tutti::instrument {

/// All runs of passes with one name.
struct pass_total {
    std::string name;
    std::size_t calls = 0;
    std::int64_t inclusive = 0; ///< nanoseconds; nested runs of the same name are not counted twice
    std::int64_t self = 0;      ///< without the passes that they ran
    double share = 0;           ///< `self` as a percentage of the total time
};

/// Returns one total per pass name, longest own time first.
[[gnu::cold]] inline std::vector<pass_total> totals_of(const profile& measured) {
    std::vector<pass_total> totals;
    std::vector<std::string_view> around; // the passes around the current run
    std::int64_t all = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const profile::entry run = measured[i];
        while (around.size() > run.depth) around.pop_back();
        std::size_t at = 0;
        while (at < totals.size() && totals[at].name != run.name) ++at;
        if (at == totals.size()) totals.push_back({.name = std::string{run.name}});
        bool inside = false;
        for (const std::string_view each : around) inside = inside || each == run.name;
        totals[at].calls += 1;
        totals[at].self += run.self;
        totals[at].inclusive += inside ? 0 : run.inclusive;
        all += run.self;
        around.push_back(run.name);
    }
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (all > 0) totals[i].share = 100 * static_cast<double>(totals[i].self) / static_cast<double>(all);
        for (std::size_t j = i; j > 0 && totals[j - 1].self < totals[j].self; --j) std::swap(totals[j - 1], totals[j]);
    }
    return totals;
}

/// Returns a table with a line per pass name: number of runs, time with and without inner passes, and share. `most`
/// limits the number of names unless it is 0; a last line then sums up the remaining passes.
///
/// Example: `std::cerr << render_list(timing.last(), 10);`
[[gnu::cold]] inline std::string render_list(const profile& measured, std::size_t most = 0) {
    const std::vector<pass_total> totals = totals_of(measured);
    std::string text = "     calls      total       self   share  pass\n";
    char line[96];
    const auto add = [&](const pass_total& each, bool has_total) {
        char total[24] = "";
        if (has_total) std::snprintf(total, sizeof total, "%.0fus", static_cast<double>(each.inclusive) / 1000);
        std::snprintf(line, sizeof line, "%10zu %10s %8.0fus %6.2f%%  ", each.calls, total,
                      static_cast<double>(each.self) / 1000, each.share);
        text.append(line).append(each.name).append("\n");
    };
    pass_total others{.name = "others"};
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (most == 0 || i < most) {
            add(totals[i], true);
            continue;
        }
        others.calls += totals[i].calls;
        others.self += totals[i].self;
        others.share += totals[i].share;
    }
    if (others.calls > 0) add(others, false);
    return text;
}

/// Returns the runs as comma-separated values with a header: `depth,pass,inclusive_ns,self_ns`.
[[gnu::cold]] inline std::string render_csv(const profile& measured) {
    std::string text = "depth,pass,inclusive_ns,self_ns\n";
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const profile::entry run = measured[i];
        text.append(std::to_string(run.depth)).append(",");
        if (run.name.find_first_of(",\"\r\n") == std::string_view::npos) {
            text += run.name;
        } else {
            text += '"';
            for (const char c : run.name) text.append(c == '"' ? 2 : 1, c);
            text += '"';
        }
        text.append(",")
            .append(std::to_string(run.inclusive))
            .append(",")
            .append(std::to_string(run.self))
            .append("\n");
    }
    return text;
}

/// Returns the runs as nested JSON: `{"passes":[{"pass":"A","inclusive_ns":9,"self_ns":4,"passes":[…]}]}`.
[[gnu::cold]] inline std::string render_json(const profile& measured) {
    std::string text = "{\"passes\":[";
    std::size_t open = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const profile::entry run = measured[i];
        const bool first = i == 0 || measured[i - 1].depth < run.depth;
        for (; open > run.depth; --open) text += "]}";
        if (!first) text += ',';
        text += "{\"pass\":";
        tutti::internal::write_json_text(run.name, text);
        text.append(",\"inclusive_ns\":").append(std::to_string(run.inclusive));
        text.append(",\"self_ns\":").append(std::to_string(run.self)).append(",\"passes\":[");
        open = run.depth + 1;
    }
    for (; open > 0; --open) text += "]}";
    return text += "]}\n";
}

/// The format of a profile.
enum class profile_form {
    tree, ///< `profile::render`
    list, ///< `render_list`
    csv,  ///< `render_csv`
    json, ///< `render_json`
};

/// Returns a profile in the format `form`. `most` applies only to `profile_form::list`.
[[gnu::cold]] inline std::string render(const profile& measured, profile_form form, std::size_t most = 0) {
    switch (form) {
    case profile_form::list:
        return render_list(measured, most);
    case profile_form::csv:
        return render_csv(measured);
    case profile_form::json:
        return render_json(measured);
    case profile_form::tree:
        break;
    }
    return measured.render();
}

} // namespace tutti::instrument
