// tutti bisect: finds the first pass after which a check fails, the rewrite, the functions, or the passes that are needed.

#include <tutti/search/bisect.hpp>

#include <tutti/instrument/support/files.hpp>
#include <tutti/instrument/support/line_diff.hpp>
#include <tutti/search/bisect_rewrites.hpp>
#include <tutti/search/failing_set.hpp>
#include <tutti/search/repeated_check.hpp>
#include <tutti/search/shorter_pipeline.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "trial.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace instrument = tutti::instrument;
using instrument::edit_set;
using instrument::named_rewrite;
using instrument::named_run;

struct bisect_options {
    std::string file = "-";
    pass_options passes;
    check_options check;
    std::string reproducer;
    std::string by = "pass";
    bool rewrites = false;
    std::size_t repeat = 1;
};

// Tries passes and rewrites of one program, and shows the progress.
class bisecting {
public:
    bisecting(failing_case& given, const check_options& check, std::size_t repeat)
        : given_(given), tries_(check, given.passes, stop_.flag()), repeat_(repeat) {
        tries_.keep(given.from.module);
    }

    /// Runs a try as often as requested. Fails if any of the runs fails.
    outcome run(const chosen_run& chosen, const std::string& what) {
        shown_.tell("tutti bisect: try " + std::to_string(++count_) + ": " + what);
        outcome result, wrong;
        const instrument::failure_rate rate = repeat_([&] {
            result = tries_.run(given_.from.module, given_.passes.pipeline, chosen);
            if (result.what == outcome::interrupted) throw failure{wrong_input, message("tutti bisect", "interrupted")};
            if (result.is_failure()) wrong = result;
            return !result.is_failure();
        });
        if (rate.contradicts_itself() && where_.empty()) where_ = what + ": " + to_text(rate);
        rate_ = rate;
        return rate.failed != 0 ? wrong : result;
    }
    /// True if a try fails like the failure that is searched.
    bool fails_alike(const chosen_run& chosen, const outcome& wanted, const std::string& what) {
        const outcome result = run(chosen, what);
        return result.is_failure() && result.is_like(wanted);
    }

    const instrument::failure_rate& latest_rate() const { return rate_; }
    /// Describes the first try that contradicted itself; empty if none did.
    const std::string& contradiction() const { return where_; }
    trial& tries() { return tries_; }

private:
    const interruption stop_{};
    failing_case& given_;
    trial tries_;
    instrument::repeated_check repeat_;
    instrument::failure_rate rate_{};
    progress shown_;
    std::size_t count_ = 0;
    std::string where_{};
};

std::string first_of(std::size_t n, const std::string& what) {
    return "the first " + (n == chosen_run::all ? std::string{"of all"} : std::to_string(n)) + " " + what;
}
[[noreturn]] void nothing_to_find(const failing_case& given, const outcome& latest, std::size_t passes) {
    throw failure{wrong_input,
                  message(given.from.name, with_hint(latest.what == outcome::not_judged
                                                         ? with_switches(given.from, latest.text())
                                                         : "the check does not fail after " + counted(passes, "pass"),
                                                     "expected a program and passes for which --check fails"))};
}
[[noreturn]] void wrong_before(const failing_case& given, const outcome& wrong) {
    throw failure{wrong_input, message(given.from.name, "the check fails before any pass has run: " + wrong.text())};
}

// Confirms both ends, if tries are repeated. Returns lines for the output.
std::string confirmed(bisecting& tries, const chosen_run& right, const chosen_run& wrong, std::size_t repeat) {
    std::string text;
    if (repeat > 1) {
        tries.run(wrong, "with it again");
        text += "with it: " + to_text(tries.latest_rate()) + "\n";
        tries.run(right, "without it again");
        text += "without it: " + to_text(tries.latest_rate()) + "\n";
    }
    if (!tries.contradiction().empty()) text += "the check contradicts itself: " + tries.contradiction() + "\n";
    return text;
}

// Finds the first pass, and with `rewrites` its rewrite.
std::string by_pass(failing_case& given, bisect_options& options, bisecting& tries) {
    outcome wrong, latest;
    std::size_t right = 0;
    const auto try_first = [&](std::size_t passes, std::size_t rewrites) {
        chosen_run chosen;
        chosen.passes = passes;
        chosen.rewrites = rewrites;
        chosen.counts_rewrites = options.rewrites;
        const bool whole = rewrites == chosen_run::all;
        latest = tries.run(chosen, whole ? first_of(passes, "passes") + "; right up to " + std::to_string(right)
                                         : first_of(rewrites, "rewrites"));
        const bool is_right = !latest.is_failure();
        if (is_right && whole && passes != chosen_run::all) right = passes;
        if (!is_right && (wrong.what == outcome::right || passes != 0)) wrong = latest;
        return instrument::rewrite_try{{is_right, latest.passes, latest.last}, latest.rewrites, latest.rewrite};
    };
    instrument::rewrite_bisection found;
    if (options.rewrites)
        found = instrument::bisect_rewrites_first(try_first);
    else
        static_cast<instrument::bisection&>(found) = instrument::bisect_first(
            [&](std::size_t passes) { return instrument::bisect_try{try_first(passes, chosen_run::all)}; });
    if (!found.failed) nothing_to_find(given, latest, found.passes);
    if (found.number == 0) wrong_before(given, wrong);
    const std::size_t made = found.rewrite == 0 ? trial::all : found.made_before + found.rewrite;
    const pass_at_fault at = tries.tries().look_at(given.from.module, given.passes.pipeline, found.number, made);
    std::string text =
        "pass " + std::to_string(found.number) + " of " + std::to_string(found.passes) + ": " + found.pass + "\n";
    if (found.rewrite != 0)
        text += "rewrite " + std::to_string(found.rewrite) + " of " + std::to_string(found.rewrites) + ": " +
                to_text(found.what) + "\n";
    else if (options.rewrites)
        text += "none of its " + counted(found.rewrites, "rewrite") + ": it is wrong without them\n";
    text += wrong.text() + "\n";
    if (options.repeat > 1) {
        chosen_run with, without;
        with.passes = without.passes = found.number;
        with.counts_rewrites = without.counts_rewrites = options.rewrites;
        if (found.rewrite != 0) {
            with.rewrites = made;
            without.rewrites = made - 1;
        } else {
            --without.passes;
        }
        text += confirmed(tries, without, with, options.repeat);
    }
    const bool has_ended = wrong.what != outcome::died && wrong.what != outcome::hung && !at.after.empty();
    if (has_ended)
        text += instrument::line_diff(at.before, at.after,
                                      {.value_names = tutti::internal::unit_value_names<tutti::relay::ir_module>()});
    if (!options.reproducer.empty()) {
        const std::string first = instrument::pipeline_parts{at.passes}.first();
        write_text(options.reproducer, reproducer_text(given, wrong, found.pass, first, at.program));
        text += "tutti opt " + options.reproducer + " runs it again: " + first + "\n";
    }
    return text;
}

// Runs everything, and lists it. Ends the program if nothing fails.
outcome whole_run(failing_case& given, bisecting& tries, const chosen_run& chosen) {
    chosen_run all = chosen;
    all.lists = true;
    const outcome wrong = tries.run(all, "all passes");
    if (!wrong.is_failure()) nothing_to_find(given, wrong, wrong.passes);
    return wrong;
}

// Appends the chosen items, one per line.
template <class Item>
void list_items(std::string& text, const std::vector<std::size_t>& needed, const std::string& what, std::size_t of,
                Item&& item) {
    text += counted(needed.size(), what) + " of " + std::to_string(of) +
            (needed.size() == 1 ? " is needed:\n" : " are needed together:\n");
    for (const std::size_t i : needed) text += "  " + item(i) + "\n";
}

std::vector<named_rewrite> distinct(const std::vector<named_rewrite>& all) {
    std::vector<named_rewrite> once;
    for (const named_rewrite& each : all)
        if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(each);
    return once;
}

// Refuses the rewrites that are not chosen. A rewrite that was not made in the first run may be made.
std::function<bool(const named_rewrite&)> only_these(const std::vector<named_rewrite>& all, const edit_set& chosen) {
    return [&all, &chosen](const named_rewrite& r) {
        const auto at = std::find(all.begin(), all.end(), r);
        return at == all.end() || chosen[static_cast<std::size_t>(at - all.begin())] != 0;
    };
}

// Finds the passes that are needed, and with `rewrites` the rewrites.
std::string by_set(failing_case& given, const bisect_options& options, bisecting& tries) {
    outcome wrong = whole_run(given, tries, {});
    const auto of_set = [](const edit_set& set, const char* what) {
        return counted(static_cast<std::size_t>(std::count(set.begin(), set.end(), 1)), what);
    };
    const std::vector<named_run> passes = wrong.all_passes;
    const auto without = [&](auto&& is_chosen) {
        std::vector<named_run> others;
        for (std::size_t i = 0; i < passes.size(); ++i)
            if (!is_chosen(i)) others.push_back(passes[i]);
        return others;
    };
    const std::vector<std::size_t> needed = instrument::failing_set(passes.size(), [&](const edit_set& chosen) {
        chosen_run run;
        run.left_out = without([&](std::size_t i) { return chosen[i] != 0; });
        return tries.fails_alike(run, wrong, of_set(chosen, "pass"));
    });
    if (needed.empty()) wrong_before(given, wrong);
    chosen_run found;
    found.left_out = without([&](std::size_t i) { return std::binary_search(needed.begin(), needed.end(), i); });
    std::string text;
    list_items(text, needed, "pass", passes.size(),
               [&](std::size_t i) { return "pass " + std::to_string(i + 1) + ": " + passes[i].pass; });
    if (options.rewrites) {
        found.counts_rewrites = true;
        const std::vector<named_rewrite> all = distinct(whole_run(given, tries, found).all_rewrites);
        const std::vector<std::size_t> rewrites = instrument::failing_set(all.size(), [&](const edit_set& chosen) {
            chosen_run run = found;
            run.may_apply = only_these(all, chosen);
            return tries.fails_alike(run, wrong, of_set(chosen, "rewrite"));
        });
        if (rewrites.empty())
            text += "no rewrite is needed: the passes are wrong without them\n";
        else
            list_items(text, rewrites, "rewrite", all.size(), [&](std::size_t i) { return to_text(all[i]); });
    }
    text += wrong.text() + "\n";
    if (!tries.contradiction().empty()) text += "the check contradicts itself: " + tries.contradiction() + "\n";
    return text;
}

// Finds the functions whose rewrites are needed.
std::string by_function(failing_case& given, bisecting& tries) {
    chosen_run all;
    all.counts_rewrites = true;
    const outcome wrong = whole_run(given, tries, all);
    std::vector<std::string> names;
    for (const named_rewrite& each : wrong.all_rewrites)
        if (std::find(names.begin(), names.end(), each.part) == names.end()) names.push_back(each.part);
    const std::vector<std::size_t> needed = instrument::failing_set(names.size(), [&](const edit_set& chosen) {
        chosen_run run;
        run.may_apply = [&](const named_rewrite& r) {
            const auto at = std::find(names.begin(), names.end(), r.part);
            return at == names.end() || chosen[static_cast<std::size_t>(at - names.begin())] != 0;
        };
        return tries.fails_alike(
            run, wrong,
            "rewrites in " +
                counted(static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), 1)), "function"));
    });
    std::string text;
    if (needed.empty())
        text = "no function: the passes are wrong without the rewrites that they ask about\n";
    else
        list_items(text, needed, "function", names.size(), [&](std::size_t i) { return "@" + names[i]; });
    text += wrong.text() + "\n";
    if (!tries.contradiction().empty()) text += "the check contradicts itself: " + tries.contradiction() + "\n";
    return text;
}

void bisect(bisect_options& options) {
    if (options.by == "rewrite") options.rewrites = true;
    const bool names_pass = options.by == "pass" || options.by == "rewrite";
    if (!names_pass && !options.reproducer.empty())
        throw failure{wrong_usage, message("tutti bisect", "--reproducer needs --by=pass or --by=rewrite")};
    if (options.by == "function" && options.rewrites)
        throw failure{wrong_usage, message("tutti bisect", "--rewrites needs --by=pass or --by=set")};
    check_output("tutti bisect", "--reproducer", options.reproducer, content::relay_text);
    refuse_input_as_output("tutti bisect", "--reproducer", options.reproducer,
                           {options.file, options.passes.reading.params});
    failing_case given = read_case("tutti bisect", options.file, options.passes);
    if (!options.reproducer.empty()) keep_result_names(given.from);
    if (given.passes.pipeline.passes().empty())
        throw failure{
            wrong_usage,
            message("tutti bisect", "there are no passes; expected --passes=PIPELINE, or a file that lists them")};
    try {
        if (!options.reproducer.empty()) instrument::check_writable(options.reproducer);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message("tutti bisect", e.what())};
    }
    std::string text;
    {
        bisecting tries(given, options.check, options.repeat);
        text = names_pass            ? by_pass(given, options, tries)
               : options.by == "set" ? by_set(given, options, tries)
                                     : by_function(given, tries);
    }
    write_text("-", text);
}

} // namespace

void add_bisect(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("bisect", "Find the first pass after which a check fails");
    const auto options = std::make_shared<bisect_options>();
    command->add_option("FILE", options->file, "The program, a reproducer, or an ONNX model; - is standard input")
        ->capture_default_str();
    command
        ->add_option("-o,--reproducer", options->reproducer,
                     "Where to write the program before that pass, and the pass: `tutti opt` runs that file")
        ->type_name("FILE");
    command
        ->add_option("--by", options->by,
                     "What to find: the first wrong pass, also its rewrite, the passes that are wrong together, or the "
                     "functions whose rewrites are wrong")
        ->type_name("pass|rewrite|set|function")
        ->check(CLI::IsMember({"pass", "rewrite", "set", "function"}).description(""))
        ->capture_default_str();
    command->add_flag("--rewrites", options->rewrites, "Go on inside the pass, or the passes, and find the rewrites");
    command
        ->add_option("--repeat", options->repeat,
                     "Runs of each try, for a check whose answers vary; one failure is enough")
        ->type_name("N")
        ->check(whole_number(1, 1000000))
        ->capture_default_str();
    add_context_options(*command, options->passes, "The passes to search");
    add_check_options(*command, options->check);
    command->footer(
        std::string{
            R"(Runs the first N passes in a process of their own, for different N, to find the first pass after which the check
fails. A pass counts once for each function and each round of a fixpoint. Prints that pass and its changes.

With --rewrites it then makes only the first N rewrites of that pass, and names the one after which the check fails: the rule
and its place in the source, or the expression. --by=set leaves passes out, and finds those of which none can be left out;
with --rewrites also the rewrites. --by=function refuses all rewrites in some functions.

With --repeat=N each try runs N times, and fails if any run fails. The result is confirmed by N more runs with and without the
pass or rewrite. A check that contradicts itself is reported with its rate of failures.

)"} + check_help +
        R"(

Exit codes: 0 found a pass; 1 the check does not fail, or fails before any pass; 2 wrong usage.

Examples:
  tutti bisect net.relay --passes=InferType,SimplifyExpr,FuseOps --check=numerics --reproducer=wrong.relay
  tutti bisect net.relay --passes=InferType,SimplifyExpr,FuseOps --check=numerics --rewrites
  tutti bisect net.relay --passes=InferType,FuseOps --check='tutti run {} | grep -q "mean   0"')");
    command->callback([=, &chosen] { chosen = [=] { bisect(*options); }; });
}

} // namespace program
