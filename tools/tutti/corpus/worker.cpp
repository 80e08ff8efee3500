#include "worker.hpp"

#include <tutti/search/isolated.hpp>

#include "../judging.hpp"
#include "examine.hpp"
#include "reproducer.hpp"

#include <cmath>
#include <csignal>
#include <cstddef>
#include <span>
#include <utility>

#include <sys/time.h>

namespace program::corpus {

namespace {

using tutti::instrument::isolated_end;
using tutti::instrument::isolated_writer;

// Ends this process with SIGALRM after some time.
void limit_time(double seconds) {
    const double whole = std::floor(seconds);
    itimerval at{};
    at.it_value.tv_sec = static_cast<time_t>(whole);
    at.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
    ::setitimer(ITIMER_REAL, &at, nullptr);
}

// The answers of a child process that examined modules in turn.
struct answers {
    std::vector<module_row> rows{}; // one for each finished module
    isolated_end end{};
    std::string pass{}; // running at the end
};

answers examine_in_child(std::span<const task> tasks, const run_settings& settings) {
    const double limit = settings.options.time_limit;
    const auto body = [&](isolated_writer to) {
        std::signal(SIGALRM, SIG_DFL);
        for (const task& each : tasks) {
            limit_time(limit);
            const std::int64_t begin = tutti::internal::steady_clock::now();
            tell(to, 'p', {});
            module_row row = examine(each.name, settings, {[&](std::string_view pass) { tell(to, 'p', pass); }});
            limit_time(0);
            row.index = each.index;
            row.seconds = static_cast<double>(tutti::internal::steady_clock::now() - begin) * 1e-9;
            wire_writer message;
            write(message, row);
            tell(to, 'r', message.take());
        }
    };
    answers made;
    constexpr double slack = 10; // the child ends itself; this ends one that blocks signals
    made.end = tutti::instrument::run_isolated(body, {.seconds = limit * static_cast<double>(tasks.size()) + slack,
                                                      .max_bytes = settings.options.memory_limit << 20});
    each_told(made.end.said, [&](char what, std::string_view text) {
        if (what == 'p') made.pass = text;
        if (what != 'r') return;
        wire_reader message{text};
        made.rows.push_back(read_row(message));
    });
    return made;
}

bool is_late(const isolated_end& end) {
    return end.way == isolated_end::timed_out || (end.way == isolated_end::killed && end.code == SIGALRM);
}

// Returns the row of a module whose process ended before it had a result.
module_row row_of_end(const task& of, const answers& all, double limit) {
    module_row row;
    row.index = of.index;
    row.pass = all.pass;
    row.seconds = all.end.seconds;
    row.outcome = is_late(all.end) ? outcome_kind::timed_out : outcome_kind::crashed;
    std::string seconds = std::to_string(limit);
    seconds.erase(seconds.find_last_not_of('0') + 1);
    if (seconds.ends_with('.')) seconds.pop_back();
    row.message = is_late(all.end)                      ? "did not end in " + seconds + " s"
                  : all.end.way == isolated_end::killed ? tutti::instrument::signal_name(all.end.code)
                                                        : "exit code " + std::to_string(all.end.code);
    return row;
}

// Examines all modules. Adds a row for each.
void examine_all(std::span<const task> tasks, const run_settings& settings, std::vector<module_row>& rows) {
    while (!tasks.empty()) {
        answers all = examine_in_child(tasks, settings);
        // Earlier modules may have left too little memory, or a broken heap. Such a module is examined again, as the
        // first in its process.
        for (std::size_t i = 1; i < all.rows.size(); ++i)
            if (all.rows[i].outcome == outcome_kind::out_of_memory) all.rows.resize(i);
        std::size_t done = all.rows.size();
        for (module_row& each : all.rows) rows.push_back(std::move(each));
        if (done < tasks.size() && (done == 0 || is_late(all.end)))
            rows.push_back(row_of_end(tasks[done++], all, settings.options.time_limit));
        tasks = tasks.subspan(done);
    }
}

} // namespace

std::string to_message(const std::vector<task>& tasks) {
    wire_writer to;
    for (const task& each : tasks) to.number(each.index).text(each.name);
    return to.take();
}

std::vector<task> read_tasks(std::string_view message) {
    wire_reader from{message};
    std::vector<task> tasks;
    while (!from.is_done()) {
        const std::uint64_t index = from.number();
        tasks.push_back({index, std::string{from.text()}});
    }
    return tasks;
}

std::vector<module_row> read_rows(std::string_view message) {
    wire_reader from{message};
    std::vector<module_row> rows;
    while (!from.is_done()) rows.push_back(read_row(from));
    return rows;
}

void work(const run_settings& settings, channel& to) {
    for (std::string message; to.fill();) {
        while (to.take(message)) {
            const std::vector<task> tasks = read_tasks(message);
            std::vector<module_row> rows;
            examine_all(tasks, settings, rows);
            wire_writer answer;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                add_reproducer(rows[i], tasks[i].name, settings);
                write(answer, rows[i]);
            }
            if (!to.send(answer.take())) return;
        }
    }
}

} // namespace program::corpus
