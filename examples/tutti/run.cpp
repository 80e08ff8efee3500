// tutti run: evaluates a program.

#include <tutti/diagnostic.hpp>
#include <tutti/error.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>

#include "npz.hpp"
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
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
    std::string inputs = "synthetic";
    std::string print = "summary";
    std::string output = "-";
    // Less than the library's, so that what somebody tries ends soon.
    relay::evaluate_options limits{.max_bytes = std::uint64_t{1} << 29, .max_work = std::uint64_t{1} << 34};
};

std::string digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

// `# 1,10 float32`, as the values' own file format has it.
std::string heading(const tensor& t) {
    std::string text = "# ";
    for (std::size_t i = 0; i < t.rank(); ++i) text += (i == 0 ? "" : ",") + std::to_string(t.shape()[i]);
    return text + ' ' + std::string(tutti::kernel::name(t.type())) + '\n';
}

// All values, integers with all their digits.
std::string values_text(const tensor& t) {
    std::string text = heading(t);
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

// What the values of a result have in common, found in one go over them.
class statistics {
    static constexpr std::size_t most = 5;
    struct entry {
        double value = 0;
        std::size_t index = 0;
    };
    std::size_t count_ = 0, nans_ = 0;
    double low_ = 0, high_ = 0, sum_ = 0;
    entry top_[most]; // the greatest, in order; of equal ones the first

public:
    void add(double x) {
        const std::size_t index = count_++;
        if (std::isnan(x)) {
            ++nans_;
            return;
        }
        const std::size_t known = index - nans_;
        low_ = known == 0 || x < low_ ? x : low_;
        high_ = known == 0 || x >= high_ ? x : high_;
        sum_ += x;
        std::size_t at = std::min(known, most);
        for (; at > 0 && x > top_[at - 1].value; --at)
            if (at < most) top_[at] = top_[at - 1];
        if (at < most) top_[at] = {x, index};
    }

    std::string range() const {
        std::string text;
        if (nans_ != 0) text += "nan    " + std::to_string(nans_) + " values\n";
        if (nans_ == count_) return text;
        const double mean = sum_ / static_cast<double>(count_ - nans_);
        return text + "min    " + digits(low_) + "\nmax    " + digits(high_) + "\nmean   " + digits(mean) + '\n';
    }

    // Of a vector, where the greatest values are.
    std::string top() const {
        if (count_ <= most || nans_ != 0) return {};
        std::string text = "top " + std::to_string(most) + ' ';
        for (const entry& each : top_) text += ' ' + std::to_string(each.index) + ':' + digits(each.value);
        return text + '\n';
    }
};

std::string summary(const tensor& t) {
    if (t.size() == 0) return heading(t) + "no values\n";
    statistics all;
    std::string first = "first ";
    tutti::kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        std::size_t shown = 0;
        for (const T x : t.elements<T>()) {
            using wide = std::conditional_t<std::is_same_v<T, tutti::kernel::float16>, float, T>;
            const auto value = static_cast<double>(static_cast<wide>(x));
            all.add(value);
            if (shown++ < 8) first += ' ' + digits(value);
        }
    });
    first += t.size() > 8 ? " ...\n" : "\n";
    const bool vector = std::ranges::count_if(t.shape(), [](std::int64_t d) { return d != 1; }) == 1;
    return heading(t) + all.range() + first + (vector ? all.top() : "");
}

// They are taken from what the evaluator may take.
std::vector<tensor> inputs_of(relay::evaluator<>& e, const run_options& options) {
    const tutti::kernel::allowance::use here(e.allowance());
    std::vector<tensor> inputs;
    if (options.inputs == "synthetic") {
        for (const relay::parameter& p : e.parameters())
            inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type));
        return inputs;
    }
    const std::string bytes = read_text(options.inputs);
    const auto refuse = [&](const std::string& what) {
        throw failure{wrong_input, message(name_of(options.inputs), what)};
    };
    try {
        const std::vector<npz_entry> arrays = read_npz(bytes);
        const auto array_for = [&](const relay::parameter& p) {
            return std::ranges::find(arrays, p.name, &npz_entry::name);
        };
        for (const relay::parameter& p : e.parameters())
            if (array_for(p) == arrays.end())
                refuse("there is no array for the parameter %" + p.name + " of type " +
                       relay::to_text(e.types(), p.type));
        for (const npz_entry& each : arrays)
            if (std::ranges::find(e.parameters(), each.name, &relay::parameter::name) == e.parameters().end())
                refuse("array " + each.name + ": there is no such parameter");
        for (const relay::parameter& p : e.parameters()) {
            const auto at = array_for(p);
            // Not unpacked if it is larger than what is wanted.
            constexpr std::uint64_t most_header = 12 + 65536;
            const auto shape = e.types().shape(p.type);
            const auto count = relay::element_count(shape);
            const auto wanted =
                static_cast<std::uint64_t>(count.value_or(0)) * tutti::kernel::bytes(e.types().element(p.type));
            if (relay::is_static(shape) && at->size > wanted + most_header)
                throw tutti::error("array " + p.name, "has " + std::to_string(at->size) + " bytes",
                                   relay::to_text(e.types(), p.type));
            inputs.push_back(read_array(*at));
            try {
                e.check(inputs.size() - 1, inputs.back());
            } catch (const tutti::error& what) {
                throw tutti::error("array " + p.name, what.problem(), what.expected());
            }
        }
    } catch (const tutti::error& error) {
        refuse(error.what());
    }
    return inputs;
}

void run(const run_options& options) {
    wanted_passes wanted = read_pass_options("tutti run", options.passes, options.file); // before anything is read
    if (options.inputs == "-" && options.file == "-")
        throw failure{wrong_usage, message("tutti run", "the program and the inputs cannot both be standard input")};
    source from = read_module(options.file);
    if (options.passes.passes) run_passes(from, wanted);
    std::string text;
    try {
        relay::evaluator<> e(std::move(from.module), options.limits);
        const std::vector<tensor> inputs = inputs_of(e, options);
        for (const tensor& result : e.run(std::span<const tensor>(inputs)))
            text += options.print == "text" ? values_text(result) : summary(result);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to evaluate it")};
    }
    write_text(options.output, text);
}

} // namespace

void add_run(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("run", "Evaluate a program");
    const auto options = std::make_shared<run_options>();
    command->add_option("FILE", options->file, "The program; - is standard input")->capture_default_str();
    command
        ->add_option("--inputs", options->inputs,
                     "Where the values of the parameters of @main come from: synthetic, or a file of NumPy "
                     "arrays by the "
                     "parameters' names (.npz)")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("--print", options->print, "What to print of each result: a summary, or text with all values")
        ->type_name("WHAT")
        ->check([](const std::string& given) -> std::string {
            if (given == "summary" || given == "text") return {};
            return tutti::input_error{tutti::unknown_name("way to print", given, {"summary", "text"})}.what();
        })
        ->capture_default_str();
    const auto limit = [&](const char* name, auto& value, const char* help) {
        command->add_option(name, value, help)
            ->type_name("N")
            ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
            ->capture_default_str()
            ->group("Limits");
    };
    limit("--max-bytes", options->limits.max_bytes, "Bytes of inputs and other tensors at the same time");
    limit("--max-work", options->limits.max_work,
          "Steps: products, cells of windows, 16 for an element read or written, 4096 for a call");
    limit("--max-depth", options->limits.max_depth, "Calls of functions that are open at the same time");
    command->add_option("-o,--output", options->output, "Where to write the results; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    add_pass_options(*command, options->passes, "The passes to run over it first");
    command->footer(
        R"(Each result begins with a line "# 1,10 float32", its shape and element type; fields of tuples are results of their own.
The text has then one value a line, row by row; the summary least, greatest and mean value, the first ones, and of a vector
the five greatest with their indices.

Synthetic inputs follow from the parameters' names and shapes, so they are the same everywhere. Fields of a parameter that is a
tuple are arrays of their own: x.0, x.1.

Examples:
  tutti model resnet18 | tutti run
  tutti run net.relay --inputs=inputs.npz --print=text -o results.txt)");
    command->callback([=, &chosen] { chosen = [=] { run(*options); }; });
}

} // namespace program
