// tutti opt: runs a pipeline over a program.

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/error.hpp>
#include <tutti/cache/cached.hpp>
#include <tutti/cache/folder_cache.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/params/take_params.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/relay/transform/module_division.hpp>
#include <tutti/runtime/freeze.hpp>
#include <tutti/runtime/sequential.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "model_writer.hpp"
#include "npz_writer.hpp"
#include "program.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;

struct opt_options {
    std::string file = "-";
    pass_options passes;
    model_file_options model;
    std::string params_out;
    std::string freeze;
    std::string reproducer;
    std::string cache;
    std::uint64_t cache_megabytes = 1024;
    bool metadata = false, names = false;
    std::string output = "-";
};

// Prints a note about values and digits omitted from the written text.
void note_omissions(const relay::text_omissions& omitted) {
    if (omitted.constants == 0 && omitted.numbers == 0) return;
    std::string what = "left out: ";
    if (omitted.constants != 0) what += "the values of " + counted(omitted.constants, "constant");
    if (omitted.constants != 0 && omitted.numbers != 0) what += ", and ";
    if (omitted.numbers != 0) what += "digits of " + counted(omitted.numbers, "number");
    note("tutti opt", what + "; -o FILE and --show-meta-data write all");
}

// Writes the constants of `main` to a file, and replaces them with parameters.
void take_params(source& from, npz_writer& to) {
    relay::function* const f = from.module.find("main");
    if (f == nullptr)
        throw failure{wrong_input, message(from.name, relay::not_in_module("@main", from.module, "main").what())};
    const bool typed = f->graph.type(f->root) != relay::type_id::none;
    for (const auto& [name, value] : relay::take_params(*f)) to.add(name, value);
    if (typed) relay::infer_types(from.module);
}

// Writes the pipeline as a C++ header. Its variable is named after the file.
void write_frozen(const std::string& file, const wanted_passes& wanted) {
    std::string name = "pipeline";
    if (file != "-") {
        name = file.substr(file.find_last_of('/') + 1);
        name = name.substr(0, name.find('.'));
    }
    try {
        write_text(file, tutti::runtime::freeze(
                             wanted.pipeline,
                             {.name = name, .passes = "tutti::relay::passes", .headers = {"tutti/relay/passes.hpp"}}));
    } catch (const tutti::input_error& e) {
        throw failure{wrong_usage, message("tutti opt", tutti::input_error{e.said(), "--freeze"}.what())};
    } catch (const tutti::error& e) {
        throw failure{wrong_usage, message("tutti opt", e.what())};
    }
}

// Returns the pipeline with `cached` around its passes. Passes with results that cannot be cached stay outside.
tutti::runtime::sequential<relay::ir_module> with_cache(const tutti::runtime::sequential<relay::ir_module>& pipeline,
                                                        tutti::result_cache& cache) {
    using module_pass = tutti::runtime::any_pass<relay::ir_module>;
    std::vector<module_pass> all, together;
    const auto close = [&] {
        if (!together.empty())
            all.push_back(tutti::cached(cache, module_pass{tutti::runtime::sequential<relay::ir_module>(together)}));
        together.clear();
    };
    for (const module_pass& pass : pipeline.passes()) {
        if (tutti::can_be_cached<relay::ir_module>(pass)) {
            together.push_back(pass);
            continue;
        }
        close();
        all.push_back(pass);
    }
    close();
    return tutti::runtime::sequential<relay::ir_module>(all);
}

// Runs the passes with the cache in the folder that `--cache` names.
void run_cached_passes(source& from, wanted_passes& wanted, const opt_options& options) {
    if (!wanted.context.instruments.empty())
        throw failure{wrong_usage, message("tutti opt", "--cache runs passes only over functions that have changed, so "
                                                        "instruments would not see all; expected no other option for "
                                                        "instruments")};
    std::optional<tutti::folder_cache> cache;
    try {
        cache.emplace(options.cache, options.cache_megabytes << 20);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message("tutti opt", e.what())};
    }
    wanted.pipeline = with_cache(wanted.pipeline, *cache);
    run_passes(from, wanted);
    cache->flush();
    if (const std::uint64_t damaged = cache->counts().damaged; damaged != 0)
        note("tutti opt", options.cache + ": " + counted(damaged, "damaged or foreign result") + " computed again");
    if (const std::string problem = cache->problem(); !problem.empty())
        note("tutti opt", "results are not cached: " + problem);
}

void optimise(opt_options& options) {
    const progress_line shown;
    wanted_passes wanted;
    const bool as_model = is_onnx(options.output);
    const auto refuse = [](const char* what) { throw failure{wrong_usage, message("tutti opt", what)}; };
    if (options.model.simplify) {
        if (options.passes.passes) refuse("both --simplify and --passes are given; expected one of them");
        options.passes.passes = simplifying_passes;
        if (!options.passes.opt_level) options.passes.opt_level = 3;
    }
    if (!as_model && (options.model.opset != 0 || options.model.beside))
        refuse("--opset and --external-data are for models; expected -o FILE.onnx");
    if (as_model && !options.params_out.empty()) refuse("--params-out is for Relay text; expected --external-data");
    const bool given = options.passes.passes.has_value();
    if (given) wanted = read_pass_options("tutti opt", options.passes, options.file); // before the program is read
    if (given && !options.freeze.empty()) return write_frozen(options.freeze, wanted);
    if (options.passes.instruments.inputs.from == "-" && options.file == "-")
        throw failure{wrong_usage, message("tutti opt", "the program and the inputs cannot both be standard input")};
    check_output("tutti opt", "--output", options.output, content::program);
    if (as_model) refuse_input_as_output("tutti opt", "--output", options.output, {options.file});
    check_output("tutti opt", "--params-out", options.params_out, content::arrays);
    refuse_input_as_output("tutti opt", "--params-out", options.params_out,
                           {options.file, options.passes.reading.params, options.passes.instruments.inputs.from});
    check_output("tutti opt", "--reproducer", options.reproducer, content::relay_text);
    refuse_input_as_output("tutti opt", "--reproducer", options.reproducer,
                           {options.file, options.passes.reading.params, options.passes.instruments.inputs.from});
    std::optional<npz_writer> params;
    if (!options.params_out.empty()) params.emplace(options.params_out); // fails early if the file cannot be written
    source from = read_program(options.file, options.passes.reading);
    take_reproducer("tutti opt", from, options.passes);
    if (!given) wanted = read_pass_options("tutti opt", options.passes, options.file);
    if (!options.freeze.empty()) return write_frozen(options.freeze, wanted);
    const bool whole = options.metadata || options.output != "-";
    if (!options.reproducer.empty()) {
        if (!options.passes.passes) refuse("--reproducer requires --passes");
        if (whole) keep_result_names(from); // as the run writes them
        write_text(options.reproducer, reproducer_of(from, wanted, options.passes));
    }
    if (options.passes.passes && !options.cache.empty())
        run_cached_passes(from, wanted, options);
    else if (options.passes.passes)
        run_passes(from, wanted);
    if (as_model) return write_model_file(from, options.output, options.model);
    if (params) take_params(from, *params);
    if (whole) keep_result_names(from);
    relay::text_omissions omitted;
    std::string text;
    try {
        text = relay::to_text(from.module, {.source_names = options.names,
                                            .metadata = whole ? relay::write_metadata : nullptr,
                                            .executor = executor_for(from),
                                            .omitted = &omitted});
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    }
    if (!text.ends_with('\n')) text += '\n';
    write_text(options.output, text);
    if (params) params->done();
    note_omissions(omitted);
}

} // namespace

void add_opt(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("opt", "Run passes over a program and write it");
    const auto options = std::make_shared<opt_options>();
    command->add_option("FILE", options->file, "The program, a reproducer, or an ONNX model; - is standard input")
        ->capture_default_str();
    command
        ->add_option(
            "-o,--output", options->output,
            "Where to write the program: FILE.relay or FILE.txt as Relay text, FILE.onnx as an ONNX model; - is standard "
            "output")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_flag("--show-meta-data", options->metadata,
                      "Write tensor constants too, and scalars with all their digits, as -o FILE does");
    command->add_flag("--show-source-names", options->names,
                      "Write comments with the names of the model's nodes that expressions come from");
    command
        ->add_option(
            "--params-out", options->params_out,
            "Write the tensor constants of @main to a file of NumPy arrays (.npz). They become parameters of the written "
            "program, which --params=FILE binds again")
        ->type_name("FILE");
    options->passes.need_passes.push_back(
        command
            ->add_option(
                "--freeze", options->freeze,
                "Run nothing: write the pipeline, with its edits, as a C++ header that defines it as a constant named "
                "after the file; - is standard output")
            ->type_name("FILE.hpp")
            ->group("Context"));
    command
        ->add_option("--reproducer", options->reproducer,
                     "Write a file that repeats this run: the program, the passes and their options. `tutti opt FILE` "
                     "writes the same bytes")
        ->type_name("FILE");
    options->passes.need_passes.push_back(
        command
            ->add_option("--cache", options->cache,
                         "Keep the passes' results for each function in this folder, and take those of unchanged "
                         "functions from it; the written program is the same")
            ->type_name("FOLDER")
            ->group("Context"));
    options->passes.need_passes.push_back(
        command->add_option("--cache-size", options->cache_megabytes, "How large the folder of --cache may become")
            ->type_name("MB")
            ->check(whole_number(1, 1 << 30))
            ->needs(command->get_option("--cache"))
            ->capture_default_str()
            ->group("Limits"));
    add_model_options(*command, options->model);
    add_pass_options(*command, options->passes, "The passes to run; without it, the program is only read and written");
    add_input_options(*command, options->passes.instruments.inputs);
    CLI::Option* const verify = command->get_option("--verify-numerics");
    for (const char* name : {"--inputs", "--seed"})
        command->get_option(name)->needs(verify)->group(verify->get_group());
    command->footer(
        R"(A PIPELINE is Name, Name{key=value,key=[a,b]}, joined by commas; seq(A,B) nests, seq[name](A,B) names it;
repeat{times=2}(A,B) and fixpoint{limit=10}(A,B) run them several times.
The passes run as one sequential: passes that are disabled or above the opt level are skipped, and the
passes that a pass requires run before it. `tutti list passes` lists names, levels and options.
PrintIR{header=TEXT} in the pipeline writes the program at that point to standard error.

Standard output omits tensor constants and shows six digits of each number, as the reference does;
a note on standard error counts the omissions. A file has all constants and digits.

If a pass fails, nothing is written. A file is replaced as a whole or stays unchanged.

A reproducer is a file written by --reproducer, or by --crash-reproducer if a pass fails: `tutti opt FILE` runs its passes, with its options, over its program.
Options of the command line override its own; with --passes, it is an ordinary program.)");
    command->callback([=, &chosen] { chosen = [=] { optimise(*options); }; });
}

} // namespace program
