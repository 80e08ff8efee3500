#include "model_writer.hpp"

#include <tutti/base/error.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/standard_rules.hpp>
#include <tutti/relay/onnx/unsupported.hpp>
#include <tutti/relay/onnx/write_model.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "kernels.hpp"
#include "model_file.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

const char* const simplifying_passes =
    "InferType,DynamicToStatic,SimplifyInference{batch_norm_only=True},FoldConstant,EliminateCommonSubexpr,FoldScaleAxis,"
    "FoldConstant,SimplifyExpr,FoldConstant,EliminateCommonSubexpr,DeadCodeElimination";

namespace {

namespace relay = tutti::relay;
namespace onnx = tutti::relay::onnx;
using relay::tensor;
using tutti::file::mapped_file;

// A model in a temporary file that has not been renamed yet, and the file of the model's constants.
class written_model {
    new_file model_;
    std::unique_ptr<new_file> constants_;
    std::string bytes_; // the model, if its file cannot be read back because it is a device

public:
    written_model(const source& from, const std::string& file, const model_file_options& options) : model_(file) {
        const std::string beside = file + ".data";
        const bool readable = !model_.written().empty();
        onnx::write_options how{.opset = options.opset,
                                .constants =
                                    options.beside ? onnx::constant_place::beside : onnx::constant_place::automatic};
        how.like = model_of(from);
        onnx::write_model(from.module,
                          {.model =
                               [&](std::string_view more) {
                                   model_.write(more);
                                   if (!readable) bytes_ += more;
                               },
                           .constants =
                               [&](std::string_view more) {
                                   if (!constants_) constants_ = std::make_unique<new_file>(beside);
                                   constants_->write(more);
                               },
                           .constants_name = beside.substr(beside.rfind('/') + 1)},
                          how);
    }

    onnx::model model() {
        const std::string file = model_.written();
        return file.empty() ? onnx::model_in_memory(bytes_, "the new model")
                            : onnx::model(std::make_shared<const mapped_file>(file), "the new model");
    }
    relay::ir_module imported() {
        return onnx::import_model(model(), {.external = [&](std::string_view) -> onnx::shared_file {
                                      const std::string file = constants_ ? constants_->written() : "";
                                      if (file.empty()) return nullptr;
                                      return std::make_shared<const mapped_file>(file);
                                  }});
    }

    void done() {
        if (constants_) constants_->done();
        model_.done();
    }
};

std::map<std::string, std::size_t> operators_in(const onnx::model& m) {
    std::map<std::string, std::size_t> counts;
    for (const onnx::operator_use& each : onnx::operators_of(m, {}, onnx::standard_rules))
        counts[(each.domain.empty() ? "" : std::string(each.domain) + '.') + std::string(each.op_type)] += each.count;
    return counts;
}

// Returns a table of the operators with their counts before and after.
std::string operator_table(const onnx::model& before, const onnx::model& after) {
    const std::map<std::string, std::size_t> was = operators_in(before), is = operators_in(after);
    std::map<std::string, std::pair<std::size_t, std::size_t>> both;
    std::pair<std::size_t, std::size_t> all{0, 0};
    for (const auto& [name, count] : was) both[name].first = count;
    for (const auto& [name, count] : is) both[name].second = count;
    text_table table("lrr");
    table.add({"operator", "before", "after"});
    for (const auto& [name, n] : both) {
        table.add({name, std::to_string(n.first), std::to_string(n.second)});
        all.first += n.first;
        all.second += n.second;
    }
    table.add({"all", std::to_string(all.first), std::to_string(all.second)});
    return table.text();
}

std::vector<tensor> results_of(const relay::ir_module& m, const std::vector<tensor>& inputs,
                               const relay::evaluate_options& how) {
    evaluator e(m, chosen_kernels(), how);
    const auto results = e.run(std::span<const tensor>(inputs));
    return {results.begin(), results.end()};
}

// Compares the results of the new model and of the program that was read. Returns "", or the reason if they cannot be
// compared. Different results end the program.
std::string check(const source& from, written_model& made) {
    try {
        const relay::ir_module before = read_again(from);
        const relay::ir_module after = made.imported();
        const relay::evaluate_options how = limits_for({}, before, from.constant_bytes);
        evaluator first(before, chosen_kernels(), how);
        const std::vector<tensor> inputs = inputs_of(first, {}, nullptr);
        const std::vector<tensor> was = results_of(before, inputs, how), is = results_of(after, inputs, how);
        if (was.size() != is.size())
            throw failure{pass_failed, message("tutti opt", "--simplify changed the number of results")};
        constexpr double tolerance = 1e-3;
        for (std::size_t i = 0; i < was.size(); ++i)
            if (const auto found = relay::differ(was[i], is[i], tolerance))
                throw failure{pass_failed,
                              message(from.name, "the simplified model computes different results; result " +
                                                     std::to_string(i) + ": " + relay::to_text(*found))};
    } catch (const tutti::error& e) {
        return e.what();
    } catch (const std::bad_alloc&) {
        return "there is not enough memory";
    }
    return {};
}

constexpr const char* group = "Models";

} // namespace

void add_target_options(CLI::App& command, model_file_options& options) {
    command
        .add_option("--opset", options.opset,
                    "For -o FILE.onnx: the version of ONNX's operators; by default the lowest that the operators need, "
                    "but no lower than 17")
        ->type_name("N")
        ->check(whole_number(17, onnx::newest_opset))
        ->group(group);
    command
        .add_flag("--external-data", options.beside,
                  "For -o FILE.onnx: write constants of 1 KiB or more to FILE.onnx.data, as is always done above 2 GiB")
        ->group(group);
}

void add_model_options(CLI::App& command, model_file_options& options) {
    add_target_options(command, options);
    command
        .add_flag(
            "--simplify", options.simplify,
            "Simplify a model: infer shapes, compute constants, fold normalisations, remove equal and unused nodes. "
            "Shows the operators before and after, and checks the result on synthetic inputs")
        ->group(group);
    command.add_flag("--no-check", options.unchecked, "Do not check the result of --simplify")->group(group);
}

void write_model_file(source& from, const std::string& file, const model_file_options& options) {
    try {
        keep_result_names(from);
        doing("writing " + name_of(file));
        written_model made(from, file, options);
        if (options.simplify) {
            if (from.original)
                note("tutti opt", "operators before and after\n" + operator_table(from.original->model, made.model()));
            if (!options.unchecked) {
                doing("checking " + name_of(file));
                const std::string why = check(from, made);
                note("tutti opt", why.empty() ? "checked: the model computes the same results for synthetic inputs"
                                              : "not checked: " + why);
            }
        }
        made.done();
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to write it")};
    }
}

} // namespace program
