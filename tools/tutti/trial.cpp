// Tries passes and checks the results; see trial.hpp.

#include "trial.hpp"

#include <tutti/base/error.hpp>
#include <tutti/base/steady_clock.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/support/pipeline_position.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/search/bisect_limit.hpp>
#include <tutti/search/isolated.hpp>
#include <tutti/search/reproducer.hpp>

#include "judging.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace program {

namespace {

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;
namespace instrument = tutti::instrument;
using instrument::isolated_end;
using instrument::isolated_writer;
using relay::tensor;

// Writes the number of passes that have begun, a description of the last of them, and the innermost pass that fails.
struct teller {
    isolated_writer to;
    const instrument::bisect_limit<>* limit;
    bool lists = false;
    std::size_t told = 0;
    bool has_failed = false;

    void begins(const tutti::pass_run& run) {
        if (limit->count() == told) return;
        told = limit->count();
        tell(to, 'n', std::to_string(told));
        tell(to, 'l', limit->last());
        if (lists && !is_inside_a_pass(run)) tell(to, 'b', limit->last());
    }
    void run_before_pass(const relay::ir_module&, const tutti::pass_run& run) { begins(run); }
    void run_before_pass(const relay::function&, const tutti::pass_run& run) { begins(run); }
    void pass_failed(const relay::ir_module*, const tutti::pass_info& info, const std::exception_ptr&) { failed(info); }
    void pass_failed(const relay::function*, const tutti::pass_info& info, const std::exception_ptr&) { failed(info); }

private:
    static bool is_inside_a_pass(const tutti::pass_run& run) {
        for (const tutti::pass_run* outer = run.outer; outer != nullptr; outer = outer->outer)
            if (outer->kind == tutti::pass_kind::pass) return true;
        return false;
    }
    void failed(const tutti::pass_info& info) {
        if (!std::exchange(has_failed, true)) tell(to, 'p', info.name);
    }
};

// Refuses rewrites, and writes the others, each before it is made, and their number.
struct rewrite_teller {
    isolated_writer to;
    const chosen_run* chosen;
    instrument::rewrite_limit<> limit{chosen->rewrites};

    rewrite_teller(isolated_writer writer, const chosen_run& run) : to(writer), chosen(&run) {}

    bool should_apply(const tutti::pass_info& info, const tutti::rewrite_site& site) {
        if (chosen->may_apply && !chosen->may_apply({std::string{info.name}, std::string{site.rule},
                                                     std::string{site.where}, std::string{site.part}}))
            return false;
        const bool makes = limit.should_apply(info, site);
        tell(to, 'w', std::to_string(limit.count()));
        if (makes) {
            const instrument::named_rewrite& made = limit.last();
            tell(to, 'x', made.pass + '\n' + made.rule + '\n' + made.part + '\n' + made.where);
        }
        return makes;
    }
};
instrument::named_rewrite told_rewrite(std::string_view text) {
    const auto part = [&] {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string found{text.substr(0, end)};
        text.remove_prefix(std::min(end + 1, text.size()));
        return found;
    };
    instrument::named_rewrite made;
    made.pass = part();
    made.rule = part();
    made.part = part();
    made.where = text;
    return made;
}

std::string full_text(const relay::ir_module& m) { return tutti::unit_traits<relay::ir_module>::to_full_text(m); }

// Writes the part of the pipeline around the pass with this number, and the program that this part would transform.
struct catcher {
    const instrument::bisect_limit<>* limit;
    std::size_t number;
    instrument::pipeline_position position;
    isolated_writer to;
    bool is_done = false;

    catcher(const instrument::bisect_limit<>& counted, std::size_t wanted, std::string_view pipeline,
            isolated_writer writer)
        : limit(&counted), number(wanted), position(pipeline), to(writer) {}

    void enter_pass_ctx() { position.enter_pass_ctx(); }
    void exit_pass_ctx() { position.exit_pass_ctx(); }
    void begins(const relay::ir_module* m, const tutti::pass_info& info) {
        position.begin(info);
        if (is_done) return;
        if (m && position.at_rest()) {
            tell(to, 'r', position.rest());
            tell(to, 'u', full_text(*m));
        }
        is_done = limit->count() == number && info.kind == tutti::pass_kind::pass;
    }
    void run_before_pass(const relay::ir_module& m, const tutti::pass_info& info) { begins(&m, info); }
    void run_before_pass(const relay::function&, const tutti::pass_info& info) { begins(nullptr, info); }
    void run_after_pass(const relay::ir_module&, const tutti::pass_info& info) { position.end(info); }
    void run_after_pass(const relay::function&, const tutti::pass_info& info) { position.end(info); }
    void pass_failed(const relay::ir_module*, const tutti::pass_info& info, const std::exception_ptr&) {
        position.end(info);
    }
    void pass_failed(const relay::function*, const tutti::pass_info& info, const std::exception_ptr&) {
        position.end(info);
    }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason) { position.skip(info); }
};

// Quotes a word for the shell.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
    return text + "'";
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

} // namespace

const char* const check_help =
    R"(--check selects the requirements. crash: the passes run to their end. verify: also, the resulting program is well-formed
and well-typed, and no pass changes the program but reports no change. numerics: also, the program computes the same for
synthetic inputs. Anything else is a shell command. With any check, a pass that throws, ends the process, or exceeds
--timeout is a failure.

A command gets the file of the transformed program in place of {}, or as its last argument; {before} is the file of the
original program. Exit code 0 is a success, 125 means that it cannot judge (as for `git bisect run`), and any other is a
failure. Negate a test whose exit code 0 means "still interesting": --check='! ./interesting.sh {}'.)";

void add_check_options(CLI::App& command, check_options& options) {
    command.add_option("--check", options.check, "The requirements: crash, verify, numerics, or a shell command")
        ->type_name("CHECK")
        ->capture_default_str();
    command.add_option("--message", options.message, "Count only failures whose message contains this")
        ->type_name("TEXT");
    command
        .add_option("--tolerance", options.tolerance,
                    "For numerics: tolerance for results, relative to their magnitude")
        ->type_name("NUMBER")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str();
    command.add_option("--timeout", options.timeout, "Seconds that a try may take; a longer one is a failure")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str()
        ->group("Limits");
}

bool outcome::is_like(const outcome& other) const {
    if (what != other.what || pass != other.pass) return false;
    return what != died || code == other.code;
}

std::string outcome::text() const {
    const std::string by = pass.empty() ? std::string{"a pass"} : "pass " + pass;
    switch (what) {
    case threw:
        return by + " failed: " + message;
    case died:
        return "the process was ended by " + message;
    case hung:
        return "the passes did not end in time";
    case ill_formed:
        return "the program is not valid: " + message;
    case lied:
        return by + " reported no change, but changed the unit";
    case differs:
        return "the program computes different results: " + message;
    case refused:
        return "the command failed with exit code " + std::to_string(code);
    case not_judged:
        return "cannot be judged: " + message;
    case interrupted:
        return "interrupted";
    case right:
        break;
    }
    return "the check passes";
}

trial::trial(const check_options& options, const wanted_passes& context, const volatile std::sig_atomic_t& stop)
    : seconds(options.timeout)
    , options_(options)
    , context_(context)
    , stop_(stop)
    , is_command_(options.check != "crash" && options.check != "verify" && options.check != "numerics") {
    if (!is_command_) return;
    std::string name = (std::filesystem::temp_directory_path() / "tutti-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw failure{wrong_input, message(name, "cannot be created as a folder for the command's files")};
    folder_ = name;
}

trial::~trial() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

void trial::keep(const relay::ir_module& m) {
    if (options_.check != "numerics") return;
    try {
        computed_ = compute(m, nullptr);
    } catch (const tutti::error&) { // each try reports it
    }
}

outcome trial::run_child(const relay::ir_module& m, const pipeline& passes, const chosen_run& chosen,
                         std::string& made) {
    const bool verifies = options_.check == "verify" || options_.check == "numerics";
    const auto body = [&](isolated_writer to) {
        relay::ir_module after = m;
        instrument::bisect_limit<> limit{chosen.passes};
        limit.leave_out(chosen.left_out);
        teller tells{to, &limit, chosen.lists};
        rewrite_teller rewrites{to, chosen};
        run_limit few{context_};
        instrument::print_changed changes{{.form = instrument::changed_form::quiet}, [](std::string_view) {}};
        runtime::context_options<relay::ir_module> context = context_.context;
        context.instruments = {limit, tells, few};
        if (chosen.counts_rewrites || chosen.may_apply) context.instruments.push_back(rewrites);
        if (verifies) context.instruments.push_back(changes);
        try {
            runtime::pass_context<relay::ir_module> ctx{std::move(context)};
            tutti::with(ctx, [&](auto& scope) { scope.run(passes, after); });
        } catch (const std::exception& e) {
            tell(to, 'n', std::to_string(limit.count()));
            tell(to, 't', e.what());
            return;
        }
        tell(to, 'n', std::to_string(limit.count()));
        tell(to, 'l', limit.last());
        if (!changes.liar().empty()) return tell(to, 'f', changes.liar());
        if (verifies) {
            try {
                check_in_order(after);
            } catch (const std::exception& e) {
                return tell(to, 'i', e.what());
            }
        }
        if (options_.check == "numerics") {
            std::optional<std::vector<tensor>> before = computed_;
            try {
                if (!before) before = compute(m, nullptr);
                if (!has_numbers(*before)) return tell(to, 'j', "for synthetic inputs no result is a finite number");
            } catch (const std::exception& e) {
                return tell(to, 'j', e.what());
            }
            try {
                const relay::evaluator names(m);
                const std::string differs = difference(*before, compute(after, &names), options_.tolerance);
                if (!differs.empty()) return tell(to, 'd', differs);
            } catch (const std::exception& e) {
                return tell(to, 'd', std::string{"it cannot be evaluated any more: "} + e.what());
            }
        }
        if (is_command_) tell(to, 'm', full_text(after));
        tell(to, 'g', "");
    };
    const isolated_end end = instrument::run_isolated(body, {.seconds = seconds, .stop = &stop_});
    outcome result{.what = outcome::died, .seconds = end.seconds};
    each_told(end.said, [&](char what, std::string_view text) {
        const auto is = [&](outcome::kind kind) {
            result.what = kind;
            result.message = text;
        };
        switch (what) {
        case 'n':
            result.passes = std::strtoull(std::string{text}.c_str(), nullptr, 10);
            break;
        case 'l':
            result.last = text;
            break;
        case 'b':
            result.all_passes.push_back({std::string{text}, 1 + static_cast<std::size_t>(std::count_if(
                                                                    result.all_passes.begin(), result.all_passes.end(),
                                                                    [&](const auto& r) { return r.pass == text; }))});
            break;
        case 'w':
            result.rewrites = std::strtoull(std::string{text}.c_str(), nullptr, 10);
            break;
        case 'x':
            result.rewrite = told_rewrite(text);
            if (chosen.lists) result.all_rewrites.push_back(result.rewrite);
            break;
        case 'p':
            result.pass = text;
            break;
        case 't':
            is(outcome::threw);
            break;
        case 'f':
            result.what = outcome::lied;
            result.pass = text;
            break;
        case 'i':
            is(outcome::ill_formed);
            break;
        case 'j':
            is(outcome::not_judged);
            break;
        case 'd':
            is(outcome::differs);
            break;
        case 'm':
            made = text;
            break;
        case 'g':
            result.what = outcome::right;
            break;
        default:
            break;
        }
    });
    if (end.way == isolated_end::interrupted) result.what = outcome::interrupted;
    if (end.way == isolated_end::timed_out) result.what = outcome::hung;
    if (end.way == isolated_end::killed || end.way == isolated_end::exited) {
        result.what = outcome::died;
        result.code = end.code;
        result.message = end.way == isolated_end::killed ? instrument::signal_name(end.code)
                                                         : "exit code " + std::to_string(end.code);
    }
    return result;
}

void trial::ask_command(const relay::ir_module& m, const std::string& made, outcome& result) {
    const std::string before = folder_ + "/before.relay", after = folder_ + "/program.relay";
    write_text(after, made);
    std::string command = options_.check;
    if (command.find("{before}") != std::string::npos) write_text(before, full_text(m));
    const bool names_it = command.find("{}") != std::string::npos || command.find("{before}") != std::string::npos;
    command = replaced(replaced(std::move(command), "{before}", quoted(before)), "{}", quoted(after));
    if (!names_it) command += " " + quoted(after);
    const isolated_end end = instrument::run_command(command, {.seconds = seconds, .stop = &stop_});
    result.seconds += end.seconds;
    result.code = end.code;
    result.message = "`" + options_.check + "`";
    result.what = end.way == isolated_end::returned      ? outcome::right
                  : end.way == isolated_end::timed_out   ? outcome::hung
                  : end.way == isolated_end::interrupted ? outcome::interrupted
                  : end.code == 125                      ? outcome::not_judged
                                                         : outcome::refused;
    if (end.way == isolated_end::exited && (end.code == 126 || end.code == 127))
        throw failure{wrong_usage,
                      program::message("--check", result.message + ": the shell cannot run it (exit code " +
                                                      std::to_string(end.code) +
                                                      "); expected crash, verify, numerics, or a command that it can")};
}

outcome trial::run(const relay::ir_module& m, const pipeline& passes, std::size_t first) {
    chosen_run chosen;
    chosen.passes = first;
    return run(m, passes, chosen);
}

outcome trial::run(const relay::ir_module& m, const pipeline& passes, const chosen_run& chosen) {
    std::string made;
    outcome result = run_child(m, passes, chosen, made);
    if (is_command_ && result.what == outcome::right) ask_command(m, made, result);
    if (result.is_failure() && result.text().find(options_.message) == std::string::npos) result.what = outcome::right;
    return result;
}

pass_at_fault trial::look_at(const relay::ir_module& m, const pipeline& passes, std::size_t number,
                             std::size_t rewrites) {
    const bool one_rewrite = rewrites != all;
    pass_at_fault found;
    std::string typed_before, typed_after;
    for (const bool with_it : {false, true}) {
        const auto body = [&](isolated_writer to) {
            relay::ir_module after = m;
            instrument::bisect_limit<> limit{with_it || one_rewrite ? number : number - 1};
            instrument::rewrite_limit<> made{!one_rewrite || with_it ? rewrites : rewrites - 1};
            catcher caught{limit, number, tutti::write_pipeline(passes), to};
            runtime::context_options<relay::ir_module> context = context_.context;
            context.instruments = {limit};
            if (one_rewrite) context.instruments.push_back(made);
            if (with_it) context.instruments.push_back(caught);
            runtime::pass_context<relay::ir_module> ctx{std::move(context)};
            tutti::with(ctx, [&](auto& scope) { scope.run(passes, after); });
            tell(to, 'a', relay::to_text(after, {.type_comments = false}));
            tell(to, 't', relay::to_text(after));
        };
        const isolated_end end = instrument::run_isolated(body, {.seconds = seconds, .stop = &stop_});
        each_told(end.said, [&](char what, std::string_view text) {
            if (what == 'r') found.passes = text;
            if (what == 'u') found.program = text;
            if (what == 'a') (with_it ? found.after : found.before) = text;
            if (what == 't') (with_it ? typed_after : typed_before) = text;
        });
    }
    if (found.before == found.after) { // if anything changed, only types did
        found.before = std::move(typed_before);
        found.after = std::move(typed_after);
    }
    return found;
}

std::string options_text(const pass_options& options, int opt_level) {
    std::string text;
    const auto add = [&](const std::string& option) { text.append(text.empty() ? "" : " ").append(option); };
    const auto list = [&](const char* name, const std::vector<std::string>& values) {
        for (const std::string& each : values)
            if (!each.empty()) add(std::string{name} + each);
    };
    constexpr int usual = 2;
    if (opt_level != usual) add("--opt-level=" + std::to_string(opt_level));
    list("--disabled-pass=", options.disabled);
    list("--required-pass=", options.required);
    list("--config=", options.config);
    if (options.max_passes) add("--max-passes=" + std::to_string(*options.max_passes));
    return text;
}

namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void on_interrupt(int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

} // namespace

failing_case read_case(std::string_view command, const std::string& file, pass_options& options) {
    if (options.passes) read_pass_options(command, options, file); // reports errors before the program is read
    failing_case made{read_program(file, options.reading), {}, {}};
    take_reproducer(command, made.from, options);
    made.passes = read_pass_options(command, options, file);
    made.options = options_text(options, made.passes.context.opt_level);
    return made;
}

std::string reproducer_text(const failing_case& of, const outcome& failure, const std::string& pass,
                            const std::string& passes, const std::string& program) {
    instrument::reproducer r;
    r.pass = pass;
    r.passes = passes;
    r.options = of.options;
    r.failure = failure.text();
    r.unit = program;
    return instrument::to_text(r);
}

interruption::interruption() {
    interrupted = 0;
    for (const int signal : {SIGHUP, SIGINT, SIGTERM})
        if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN); // stays ignored (nohup)
}
interruption::~interruption() {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM})
        if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}
const volatile std::sig_atomic_t& interruption::flag() const { return interrupted; }

} // namespace program
