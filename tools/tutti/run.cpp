// tutti run: evaluates a program.

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/error.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/relay/debug/computed_values.hpp>
#include <tutti/relay/debug/value_summary.hpp>
#include <tutti/relay/eval/value_parts.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/report/report.hpp>

#include "expected_results.hpp"
#include "file_ending.hpp"
#include "inputs.hpp"
#include "kernels.hpp"
#include "model_file.hpp"
#include "npz_writer.hpp"
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
using relay::tensor;

struct run_options {
    std::string file = "-";
    pass_options passes;
    std::string print = "summary";
    std::optional<std::string> trace;
    bool stop_at_nan = false;
    bool print_plan = false;
    std::string output = "-";
    expected_results expected;
    limit_options limits;
};

std::string digits(double value) {
    if (std::isnan(value)) return "nan"; // the sign of a NaN depends on the processor
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

// Returns the line that precedes a tensor's values, for example `# 1,10 float32`.
std::string heading(const tensor& t) {
    std::string text = "# ";
    for (std::size_t i = 0; i < t.rank(); ++i) text += (i == 0 ? "" : ",") + std::to_string(t.shape()[i]);
    return text + ' ' + std::string(tutti::kernel::name(t.type())) + '\n';
}

// Returns all values as text, one per line. Integers have all their digits.
std::string values_text(const tensor& given) {
    const tensor t = tutti::kernel::widened(given);
    std::string text = heading(given);
    tutti::kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        for (const T x : t.elements<T>()) {
            if constexpr (std::is_integral_v<T>)
                text += std::to_string(x);
            else
                text += digits(
                    static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(x)));
            text += '\n';
        }
    });
    return text;
}

std::string range(const relay::value_summary& all) {
    std::string text;
    if (all.nans != 0) text += "nan    " + std::to_string(all.nans) + " values\n";
    if (all.infinities != 0) text += "inf    " + std::to_string(all.infinities) + " values\n";
    if (all.finite() == 0) return text;
    return text + "min    " + digits(all.least) + "\nmax    " + digits(all.greatest) + "\nmean   " + digits(all.mean) +
           '\n';
}

// Finds the greatest values and their indices, in descending order. Equal values are in the order of their indices.
class greatest_values {
    static constexpr std::size_t most = 5;
    struct entry {
        double value = 0;
        std::size_t index = 0;
    };
    std::size_t count_ = 0;
    entry top_[most];

public:
    void add(double x) {
        std::size_t at = std::min(count_, most);
        for (; at > 0 && x > top_[at - 1].value; --at)
            if (at < most) top_[at] = top_[at - 1];
        if (at < most) top_[at] = {x, count_};
        ++count_;
    }

    std::string text() const {
        if (count_ <= most) return {};
        std::string text = "top " + std::to_string(most) + ' ';
        for (const entry& each : top_) text += ' ' + std::to_string(each.index) + ':' + digits(each.value);
        return text + '\n';
    }
};

std::string summary(const tensor& given) {
    if (given.size() == 0) return heading(given) + "no values\n";
    const tensor t = tutti::kernel::widened(given);
    const relay::value_summary all = relay::summary_of(t);
    const bool is_vector = std::ranges::count_if(t.shape(), [](std::int64_t d) { return d != 1; }) == 1;
    const bool ranks = is_vector && all.nans == 0;
    greatest_values top;
    std::string first = "first ";
    tutti::kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        std::size_t shown = 0;
        for (const T x : t.elements<T>()) {
            const auto value = static_cast<double>(static_cast<tutti::kernel::compute_type<T>>(x));
            if (shown++ < 8)
                first += ' ' + digits(value);
            else if (!ranks)
                break;
            if (ranks) top.add(value);
        }
    });
    first += t.size() > 8 ? " ...\n" : "\n";
    return heading(given) + range(all) + first + top.text();
}

// Returns, for example, `Cons(1, Cons(#1, Nil))`. Scalars appear in place. Other tensors appear as `#N`, and are
// printed after the value.
std::string general_text(std::span<const relay::value_part> parts, std::span<const tensor> results, bool all) {
    std::string text, tensors;
    std::size_t others = 0;
    relay::append_value(text, parts, [&](std::string& to, std::size_t n) {
        const tensor& t = results[n];
        if (relay::text::has_literal(t)) {
            relay::text::append_literal(to, t);
        } else {
            to += '#' + std::to_string(++others);
            tensors += all ? values_text(t) : summary(t);
        }
    });
    return text + '\n' + tensors;
}

bool is_general(std::span<const relay::value_part> parts) {
    return std::ranges::any_of(parts, [](const relay::value_part& p) {
        return p.what == relay::value_part::kind::constructor || p.what == relay::value_part::kind::reference;
    });
}

// Observes the values that operators compute. Depending on the options, prints them, writes them to a file, or stops at
// the first NaN or infinity.
class watcher {
    bool shows_ = false, stops_ = false;
    std::unique_ptr<npz_writer> file_;
    std::size_t count_ = 0;
    const std::string* page_ = nullptr; // the file of --report, which shows the values too
    tutti::instrument::report_data on_page_;

public:
    explicit watcher(const run_options& options) : stops_(options.stop_at_nan) {
        if (!options.trace) return;
        const std::string_view to = *options.trace;
        shows_ = to == "summary";
        page_ = value_of(options.passes.instruments, "--report");
        if (!shows_) file_ = std::make_unique<npz_writer>(std::string{to.substr(to.find(':') + 1)});
        if (shows_) report(relay::trace_heading());
    }

    bool watches() const { return shows_ || stops_ || file_; }
    void operator()(const relay::computed_value& v) {
        ++count_;
        if (shows_) report(trace_line(v));
        if (page_ != nullptr) on_page_.add_value(place_of(v), relay::summary_text(*v.value));
        if (file_) file_->add(name_in_file(v), *v.value);
        if (stops_) check_finite(v);
    }
    void done() {
        if (file_) file_->done();
        if (page_ == nullptr || has_failed_files()) return;
        tutti::instrument::try_to_write(note_failed_file,
                                        [&] { tutti::instrument::append_to_report(*page_, on_page_); });
    }

private:
    // Returns, for example, "000007-main-3_8-y-exp", which sorts by time and is a valid file name.
    std::string name_in_file(const relay::computed_value& v) const {
        std::string number = std::to_string(count_);
        if (number.size() < 6) number.insert(0, 6 - number.size(), '0');
        std::string name = number + '-' + std::string(v.function);
        if (v.where.line != 0) name += '-' + std::to_string(v.where.line) + '_' + std::to_string(v.where.column);
        if (!v.name.empty()) name.append("-").append(v.name);
        if (!v.source.empty()) name.append("-").append(v.source);
        name.append("-").append(v.op);
        if (v.results != 1) name += '-' + std::to_string(v.result);
        for (char& c : name)
            if (c == '/' || c == '\\' || static_cast<unsigned char>(c) <= ' ') c = '_';
        return name;
    }
};

// Returns the names of the results for a file of arrays.
std::vector<std::string> names_of_results(const source& from, std::size_t count) {
    if (from.results.size() == count) return from.results;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("out_" + std::to_string(i));
    return names;
}

void refuse_general(const evaluator& e, const char* expected) {
    if (is_general(e.parts()))
        throw tutti::error("@main", "returns a value of a data type, or a reference, which an array cannot hold",
                           expected);
}

void run(const run_options& options) {
    wanted_passes wanted = read_pass_options("tutti run", options.passes, options.file); // before the program is read
    const input_options& inputs = options.passes.instruments.inputs;
    if (inputs.from == "-" && options.file == "-")
        throw failure{wrong_usage, message("tutti run", "the program and the inputs cannot both be standard input")};
    if (options.print_plan && is_npz(options.output))
        throw failure{wrong_usage, message("tutti run", "--print-plan writes text, which an .npz file cannot hold")};
    if (options.print_plan && options.expected)
        throw failure{
            wrong_usage,
            message("tutti run", "--print-plan does not run the program; expected either --print-plan or --expect")};
    check_output("tutti run", "--output", options.output, content::results);
    if (options.trace && options.trace->starts_with("npz:"))
        check_output("tutti run", "--trace-values", options.trace->substr(4), content::arrays);
    const std::string& given_params = options.passes.reading.params;
    refuse_input_as_output("tutti run", "--output", options.output,
                           {options.file, inputs.from, given_params, options.expected.from});
    if (options.trace && options.trace->starts_with("npz:"))
        refuse_input_as_output("tutti run", "--trace-values", options.trace->substr(4),
                               {options.file, inputs.from, given_params});
    watcher watch(options); // ends the program if the file cannot be written
    std::optional<npz_writer> results;
    if (is_npz(options.output)) results.emplace(options.output);
    const progress_line shown;
    source from = read_program(options.file, with_sizes(options.passes));
    if (options.passes.passes) run_passes(from, wanted);
    refuse_values(from);
    const bool prints_results = !options.expected || options.output != "-";
    std::string text;
    std::optional<agreement_report> found;
    try {
        evaluation_threads threads{options.passes.threads};
        relay::evaluate_options how = limits_for(options.limits, from.module, from.constant_bytes);
        how.on = threads.executor();
        evaluator e(std::move(from.module), chosen_kernels(), how);
        if (options.print_plan) return write_text(options.output, e.plan());
        const relay::onnx::model* const model = model_of(from);
        const std::vector<tensor> given = inputs_of(e, inputs, model);
        doing("evaluating " + from.name);
        relay::computed_values values{e.module(), [&](const relay::computed_value& v) { watch(v); }};
        const std::span<const tensor> all(given);
        const auto given_back = [&] {
            try {
                return watch.watches() ? e.run(all, values) : e.run(all);
            } catch (const relay::not_finite_error&) {
                throw;
            } catch (const tutti::error& what) {
                throw failure{wrong_input, with_input_hint(e, inputs, with_switches(from, message(from, what)))};
            }
        }();
        const bool whole = options.print == "text";
        const std::vector<std::string> names = names_of_results(from, given_back.size());
        if (results) refuse_general(e, "a file that does not end in .npz");
        if (options.expected) {
            refuse_general(e, "tensors, for --expect");
            found = compare_results(given_back, names, options.expected, model);
        }
        if (results) {
            for (std::size_t i = 0; i < given_back.size(); ++i) results->add(names[i], given_back[i]);
        } else if (prints_results && is_general(e.parts())) {
            text = general_text(e.parts(), given_back, whole);
        } else if (prints_results) {
            for (const tensor& result : given_back) text += whole ? values_text(result) : summary(result);
        }
    } catch (const relay::not_finite_error& e) {
        watch.done(); // keeps the values computed up to the error
        throw failure{pass_failed, message(from, e)};
    } catch (const tutti::error& e) {
        throw failure{wrong_input, with_switches(from, message(from, e))};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to evaluate it")};
    }
    watch.done();
    if (results)
        results->done();
    else if (prints_results)
        write_text(options.output, text);
    if (found) write_text("-", found->text);
    if (found && !found->same) throw failure{pass_failed, ""};
}

} // namespace

void add_run(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("run", "Evaluate a program");
    const auto options = std::make_shared<run_options>();
    command->add_option("FILE", options->file, "The program, or an ONNX model; - is standard input")
        ->capture_default_str();
    add_input_options(*command, options->passes.instruments.inputs);
    command->add_option("--print", options->print, "Print a summary of each result, or text with all values")
        ->type_name("WHAT")
        ->check([](const std::string& given) -> std::string {
            if (given == "summary" || given == "text") return {};
            return tutti::input_error{tutti::internal::unknown_name("way to print", given, {"summary", "text"})}.what();
        })
        ->capture_default_str();
    command
        ->add_flag(
            "--trace-values{summary}", options->trace,
            "Print a line for each value that an operator computes, or write all to a file of NumPy arrays: npz:FILE")
        ->type_name("WHERE")
        ->check([](const std::string& given) -> std::string {
            if (given == "summary" || (given.starts_with("npz:") && given.size() > 4)) return {};
            return tutti::input_error{tutti::internal::unknown_name("way to trace", given, {"summary", "npz:FILE"})}
                .what();
        });
    command->add_flag(
        "--stop-at-nan", options->stop_at_nan,
        "Stop at the first operator that returns a NaN or an infinity for finite inputs, and report where");
    command->add_flag(
        "--print-plan", options->print_plan,
        "Print the plan of the evaluation and do not run it: steps, buffers with their live ranges and places, and bytes");
    add_expect_options(*command, options->expected);
    add_kernels_option(*command);
    add_limit_options(*command, options->limits);
    command
        ->add_option(
            "-o,--output", options->output,
            "Where to write the results: - is standard output, FILE.txt has the same text, FILE.npz has all values as NumPy arrays with the names from the model, else out_0, out_1, …")
        ->type_name("FILE")
        ->capture_default_str();
    add_pass_options(*command, options->passes, "The passes to run first");
    compute_with_threads(*command, options->passes);
    command->footer(
        R"(Each result begins with a line such as "# 1,10 float32", its shape and element type. Each field of a tuple is a result.
Text has one value per line, row by row. A summary has the least, greatest and mean value and the first values, and for a
vector the five greatest with their indices. A value of a data type is one line, such as Cons(1, Cons(#1, Nil)); its scalars
appear in place, and its other tensors, numbered #1, #2 and so on, follow like results. --param sets a parameter of a data type.

Synthetic inputs depend only on the parameters' names and shapes, so they are the same everywhere. Each field of a tuple
parameter is an array: x.0, x.1.

With --expect, a line for each result shows how closely it agrees with the expected values, in place of the results; -o FILE writes
these too. The exit code is 3 if a result differs.

A trace has a line for each result of each operator: the function, the place in the text and the name from a let, if there
are any, the operator, and the least, greatest and mean of the finite values. It goes to standard error, or with
--trace-values=npz:FILE to a file, which needs memory for one value only; with --report, also to the page.
--stop-at-nan ends with exit code 3 if it finds a NaN or an infinity.

`tutti list kernels` lists the operators that each set of kernels computes itself, and the set for the others.

Examples:
  tutti model resnet18 | tutti run
  tutti run net.relay --trace-values --stop-at-nan
  tutti run net.relay --inputs=inputs.npz --print=text -o results.txt
  tutti run net.relay --params=weights.npz --inputs=inputs.npz -o results.npz
  tutti run lists.relay --param xs='Cons(1, Cons(2, Nil))')");
    command->callback([=, &chosen] { chosen = [=] { run(*options); }; });
}

} // namespace program
