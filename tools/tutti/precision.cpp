// tutti precision: computes as much of a program as possible in a lower precision.

#include <tutti/base/error.hpp>
#include <tutti/pass/opt_level.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/relay/debug/find_mixed_precision.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "kernels.hpp"
#include "layer_name.hpp"
#include "model_file.hpp"
#include "model_writer.hpp"
#include "numerics.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
using relay::tensor;

struct precision_command {
    std::string file = "-";
    pass_options passes;
    std::vector<std::string> inputs;
    std::size_t samples = 1;
    double tolerance = 0.01;
    std::string type = "float16";
    std::vector<std::string> keep;
    model_file_options model;
    limit_options limits;
    std::string output = "-";
};

// Returns the inputs of each sample. Each file is a sample. Without files, samples are synthetic.
std::vector<std::vector<tensor>> samples_for(const precision_command& options, evaluator& e, const source& from) {
    std::vector<std::vector<tensor>> samples;
    for (const std::string& file : options.inputs) samples.push_back(inputs_of(e, {.from = file}, model_of(from)));
    if (!samples.empty()) return samples;
    const std::uint64_t seed = options.passes.instruments.inputs.seed;
    for (std::size_t i = 0; i < options.samples; ++i) samples.push_back(inputs_of(e, {.seed = seed + i}, nullptr));
    return samples;
}

// Returns a report of the calls that stay in float32, and of how closely the results agree.
std::string text_of(const relay::mixed_precision& found, const relay::ir_module& given,
                    const relay::to_mixed_precision& pass) {
    std::string text = std::to_string(found.kept.size()) + " of " + counted(found.calls, "call") +
                       " must stay in float32, found by " + counted(found.tries, "evaluation") + " of the samples\n";
    relay::to_mixed_precision same = pass;
    bool all_named = true;
    for (const relay::float32_call& each : found.kept) {
        const std::string name = layer_name(given.find(each.function)->graph, each.call, each.op);
        text += "  " + name + (each.source.empty() ? "" : " (" + each.op + ')') + '\n';
        all_named = all_named && !each.source.empty();
        if (all_named && std::ranges::find(same.keep, each.source) == same.keep.end()) same.keep.push_back(each.source);
    }
    for (std::size_t r = 0; r < found.results.size(); ++r)
        text += "result " + std::to_string(r) + ": " + to_text(found.results[r]) + '\n';
    if (all_named) text += "as passes: InferType," + tutti::write_pipeline(same) + '\n';
    text.pop_back();
    return text;
}

// Folds the casts of constants, so that constants are stored in the type that calls compute in.
void store_in_lower_precision(relay::ir_module& m) {
    tutti::pass_context ctx{tutti::opt_level<2>};
    const relay::fold_constant fold{.max_bytes = ~std::uint64_t{0}};
    tutti::with(ctx, [&](auto& scope) { scope.run(fold, m); });
}

void write_program(source& from, const precision_command& options) {
    if (is_onnx(options.output)) return write_model_file(from, options.output, options.model);
    keep_result_names(from);
    std::string text = relay::to_text(from.module, {.metadata = relay::write_metadata, .executor = executor_for(from)});
    if (!text.ends_with('\n')) text += '\n';
    write_text(options.output, text);
}

void find_precision(const precision_command& options) {
    const char* const command = "tutti precision";
    const auto refuse = [&](const char* what) { throw failure{wrong_usage, message(command, what)}; };
    wanted_passes wanted = read_pass_options(command, options.passes, options.file);
    if (!is_onnx(options.output) && (options.model.opset != 0 || options.model.beside))
        refuse("--opset and --external-data are for models; expected -o FILE.onnx");
    check_output(command, "--output", options.output, content::program);
    std::vector<std::string> read = options.inputs;
    read.insert(read.end(), {options.file, options.passes.reading.params});
    if (std::ranges::count(read, "-") > 1) refuse("only one of the program and the inputs can be standard input");
    for (const std::string& each : read) refuse_input_as_output(command, "--output", options.output, {each});

    const progress_line shown;
    read_options reading = options.passes.reading;
    if (!options.inputs.empty())
        reading.inputs = options.inputs.front(); // the inputs set the sizes of a model's open dimensions
    source from = read_program(options.file, reading);
    if (options.passes.passes) run_passes(from, wanted);
    refuse_values(from);
    relay::mixed_precision_options how{.tolerance = options.tolerance};
    how.pass.keep = options.keep;
    tutti::option_type<relay::dtype>::read(options.type, how.pass.mixed_precision_type);
    std::optional<relay::mixed_precision> found;
    try {
        evaluation_threads threads{options.passes.threads};
        how.evaluation = limits_for(options.limits, from.module, from.constant_bytes);
        how.evaluation.on = threads.executor();
        std::optional<evaluator> given(std::in_place, from.module, chosen_kernels(), how.evaluation);
        const std::vector<std::vector<tensor>> samples = samples_for(options, *given, from);
        given.reset();
        found = relay::find_mixed_precision(
            from.module, chosen_kernels(), samples, how, [&](std::size_t tries, std::size_t calls) {
                doing("evaluation " + std::to_string(tries + 1) + " for " + counted(calls, "call"));
            });
    } catch (const tutti::error& e) {
        throw failure{wrong_input, with_switches(from, message(from, e))};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to evaluate it")};
    }
    const std::string text = text_of(*found, from.module, how.pass);
    if (!found->is_within)
        throw failure{pass_failed,
                      message(from.name, "the results differ by more than the tolerance even with all these "
                                         "calls in float32\n" +
                                             text)};
    from.module = std::move(found->program);
    store_in_lower_precision(from.module);
    write_program(from, options);
    note(command, text);
}

} // namespace

void add_precision(CLI::App& app, action& chosen) {
    CLI::App* const command =
        app.add_subcommand("precision", "Compute as much of a program in float16 as a tolerance allows");
    const auto options = std::make_shared<precision_command>();
    command->add_option("FILE", options->file, "The program, or an ONNX model; - is standard input")
        ->capture_default_str();
    CLI::Option* const inputs =
        command
            ->add_option("--inputs", options->inputs,
                         "Samples: files or folders with values of the parameters, as for `tutti run`; without it, "
                         "synthetic ones")
            ->type_name("FILE,...")
            ->delimiter(',');
    command->add_option("--samples", options->samples, "The number of synthetic samples")
        ->type_name("N")
        ->check(whole_number(1, 1 << 20))
        ->capture_default_str()
        ->excludes(inputs);
    command->add_option("--seed", options->passes.instruments.inputs.seed, "The seed of the first synthetic sample")
        ->type_name("N")
        ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
        ->capture_default_str()
        ->excludes(inputs);
    command
        ->add_option(
            "--tolerance", options->tolerance,
            "Tolerance for each element of a result, relative to the greater of its magnitude and its tensor's "
            "root mean square")
        ->type_name("TOL")
        ->check(check_number)
        ->capture_default_str();
    command->add_option("--type", options->type, "The type to compute in")
        ->type_name("TYPE")
        ->check(CLI::IsMember({"float16", "bfloat16"}))
        ->capture_default_str();
    command
        ->add_option("--keep", options->keep,
                     "Operators and nodes of a model that stay in float32 in any case: nn.softmax, /layer4/conv2")
        ->type_name("NAME,...")
        ->delimiter(',');
    add_limit_options(*command, options->limits);
    command
        ->add_option(
            "-o,--output", options->output,
            "Where to write the program: FILE.relay or FILE.txt as Relay text, FILE.onnx as an ONNX model; - is "
            "standard output")
        ->type_name("FILE")
        ->capture_default_str();
    add_target_options(*command, options->model);
    add_pass_options(*command, options->passes, "The passes to run first");
    compute_with_threads(*command, options->passes);
    command->footer(
        R"(Runs ToMixedPrecision with all calls, evaluates the samples, and moves calls back to float32 until the results agree. The
results keep their types. A note on standard error lists the calls that need float32, how closely the results agree, and,
if all these calls have names, a pipeline that keeps the same calls (results keep their types with
--config=relay.ToMixedPrecision.keep_orig_output_dtype=True).

More samples make the choice more reliable, and real ones are better than synthetic ones. Simplify a model first
(`tutti opt --simplify`), since fewer calls take fewer evaluations.

Exit codes: 0 a program was found; 1 the program or the inputs are wrong; 2 wrong usage; 3 the results differ even in
float32.

Examples:
  tutti precision net.onnx --inputs=one.npz,two.npz --tolerance=0.001 -o net16.onnx
  tutti precision net.relay --type=bfloat16 --keep=nn.softmax -o net16.relay)");
    command->callback([=, &chosen] { chosen = [=] { find_precision(*options); }; });
}

} // namespace program
