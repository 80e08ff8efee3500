// node_tests [--written | --write-to=FOLDER] FOLDER LIST [NAME...]: imports ONNX's own tests, evaluates them as imported,
// as printed and parsed, and after the passes of level 3, and compares with the recorded results. The tolerance is
// 1e-3 relative plus 1e-5 absolute. For bfloat16 it is at least one unit in the last place, as in the reference:
// bfloat16 has eight bits, and the data is truncated rather than rounded.
//
// LIST is a file with the names of tests that do not pass yet, or several files separated by commas. It is an error if
// a test fails and is not listed, or if a listed test passes or does not exist. With NAME arguments, runs only these
// tests and prints their results.
//
// With --written, writes the imported models, imports them again and evaluates them. With --write-to, writes each model
// and its data for onnxruntime.js to its own folder.

#include <tutti/base/error.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "models.hpp"
#include "written_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tutti;
namespace fs = std::filesystem;

constexpr std::string_view level_3 =
    "RemoveUnusedFunctions,InferType,SimplifyInference,EliminateCommonSubexpr,CombineParallelConv2D,CombineParallelDense,"
    "CombineParallelBatchMatmul,FoldConstant,SimplifyExpr,CanonicalizeCast,CanonicalizeOps,FlattenAtrousConv,FoldScaleAxis,"
    "FoldConstant,DynamicToStatic,FuseOps";

double at(const kernel::tensor& t, std::size_t i) { return kernel::number::at(t, static_cast<std::int64_t>(i)).real(); }

std::string type_text(const kernel::tensor& t) {
    std::string text = std::string(kernel::name(t.type())) + "(";
    for (const std::int64_t d : t.shape()) text += std::to_string(d) + ",";
    return text + ")";
}

// Returns the tolerance for an element whose expected value is `wanted`.
double tolerance(const kernel::tensor& t, double wanted) {
    if (!kernel::is_floating(t.type()) || !std::isfinite(wanted)) return 0;
    const double usual = 1e-5 + 1e-3 * std::abs(wanted);
    if (t.type() != kernel::dtype::bfloat16 || wanted == 0) return usual;
    return std::max(usual, std::ldexp(1.0, std::ilogb(wanted) - 7));
}

// Returns the first difference between a result and the expected one; empty if there is none.
std::string difference(const kernel::tensor& result, const kernel::tensor& wanted) {
    if (type_text(result) != type_text(wanted)) return "is " + type_text(result) + ", not " + type_text(wanted);
    for (std::size_t i = 0; i < static_cast<std::size_t>(wanted.size()); ++i) {
        const double a = at(result, i), b = at(wanted, i);
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        if (std::abs(a - b) <= tolerance(wanted, b)) continue;
        std::ostringstream text;
        text << "element " << i << " is " << a << ", not " << b;
        return text.str();
    }
    return {};
}

// Returns the tensors of all inputs or outputs in the evaluator's order.
std::vector<kernel::tensor> read_all(const fs::path& test, const fs::path& set, const std::string& kind) {
    std::vector<kernel::tensor> all;
    for (const std::vector<kernel::tensor>& value :
         test::read_values((test / "model.onnx").string(), set.string(), kind))
        all.insert(all.end(), value.begin(), value.end());
    return all;
}

fs::path data_set(const fs::path& test, std::size_t number) {
    return test / ("test_data_set_" + std::to_string(number));
}

// Reinterprets uint16 as bfloat16 where the model declares bfloat16. NumPy, which wrote the data, lacks this type.
void take_bits(kernel::tensor& t, kernel::dtype declared) {
    if (t.type() != kernel::dtype::uint16 || declared != kernel::dtype::bfloat16) return;
    const kernel::tensor bits = t;
    kernel::reinterpret(bits, declared, t);
}

std::string compare(const relay::ir_module& m, const fs::path& test) {
    relay::evaluator e{relay::ir_module(m)};
    std::size_t sets = 0;
    for (; fs::exists(data_set(test, sets)); ++sets) {
        std::vector<kernel::tensor> inputs = read_all(test, data_set(test, sets), "input");
        std::vector<kernel::tensor> wanted = read_all(test, data_set(test, sets), "output");
        for (std::size_t i = 0; i < std::min(inputs.size(), e.parameters().size()); ++i)
            take_bits(inputs[i], e.types().element(e.parameters()[i].type));
        const auto results = e.run(std::span<const kernel::tensor>(inputs));
        if (results.size() != wanted.size())
            return std::to_string(results.size()) + " results, not " + std::to_string(wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) take_bits(wanted[i], results[i].type());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (const std::string d = difference(results[i], wanted[i]); !d.empty())
                return "output " + std::to_string(i) + " " + d;
    }
    return sets == 0 ? "there is no data" : std::string();
}

// Writes a model and its first data set.
void write_case(const relay::ir_module& m, const fs::path& test, const fs::path& folder) {
    fs::create_directories(folder);
    test::write_to(m, (test / "model.onnx").string(), (folder / "model.onnx").string());
    relay::evaluator e{relay::ir_module(m)};
    std::vector<kernel::tensor> inputs = read_all(test, data_set(test, 0), "input");
    for (std::size_t i = 0; i < std::min(inputs.size(), e.parameters().size()); ++i)
        take_bits(inputs[i], e.types().element(e.parameters()[i].type));
    test::write_data(folder, inputs, read_all(test, data_set(test, 0), "output"));
}

// The form of the imported model that is tested.
enum class form { plain_and_level_3, written, written_to_files };

// Runs a test. Returns the step that failed and the problem; empty if the test passes.
std::string run(const fs::path& test, bool show, form wanted, const fs::path& target) {
    std::string step = "import";
    try {
        relay::ir_module m = test::import_test((test / "model.onnx").string(), data_set(test, 0).string());
        if (show) std::cout << relay::to_text(m);
        if (wanted == form::written_to_files) {
            write_case(m, test, target / test.filename());
            return {};
        }
        if (wanted == form::written) {
            step = "written";
            m = test::written_and_imported(m, (test / "model.onnx").string());
            if (show) std::cout << relay::to_text(m);
            return compare(m, test);
        }
        step = "plain";
        if (std::string bad = compare(m, test); !bad.empty()) return "plain: " + bad;
        step = "text";
        m = relay::parse(relay::to_text(m, {.metadata = relay::write_metadata}), {.metadata = relay::read_metadata});
        if (std::string bad = compare(m, test); !bad.empty()) return "text: " + bad;
        step = "level 3";
        static const auto known = relay::registered_passes();
        static const auto pipeline = runtime::parse_pipeline<relay::ir_module>(level_3, known);
        runtime::pass_context<relay::ir_module> context({.opt_level = 3});
        with(context, [&](auto& scope) { scope.run(pipeline, m); });
        if (show) std::cout << relay::to_text(m);
        if (std::string bad = compare(m, test); !bad.empty()) return "level 3: " + bad;
        return {};
    } catch (const error& e) {
        std::string said = e.what();
        const std::string path = (test / "model.onnx").string();
        if (const std::size_t place = said.find(path); place != std::string::npos) said.erase(place, path.size());
        return step + ": " + said;
    } catch (const std::exception& e) {
        return step + ": " + e.what();
    }
}

// Returns a key that similar failures share: a missing rule or kernel, a step with wrong values, or the message's
// start.
std::string cause_of(const std::string& said) {
    const std::size_t missing = said.find("operators that cannot be imported: ");
    if (missing != std::string::npos) {
        const std::size_t begin = missing + 35;
        return "no rule for " + said.substr(begin, said.find(' ', begin) - begin);
    }
    if (said.find("there is no kernel") != std::string::npos) return said.substr(said.find("there is no kernel"), 60);
    if (said.starts_with("plain: output") || said.starts_with("text: output") || said.starts_with("level 3: output"))
        return said.substr(0, said.find(':')) + ": values differ";
    return said.substr(0, 100);
}

} // namespace

int main(int count, char** arguments) {
    form wanted = form::plain_and_level_3;
    std::string target;
    if (const std::string_view option = count > 1 ? arguments[1] : ""; option.starts_with("--")) {
        constexpr std::string_view to = "--write-to=";
        if (option != "--written" && !option.starts_with(to)) return 2;
        wanted = option == "--written" ? form::written : form::written_to_files;
        if (wanted == form::written_to_files) target = option.substr(to.size());
        --count;
        ++arguments;
    }
    if (count < 3) return 2;
    const fs::path folder = arguments[1];
    if (!fs::is_directory(folder / "node")) {
        std::printf("%s is not there: ONNX's own tests are NOT run\n", folder.string().c_str());
        return 77;
    }
    std::set<std::string> listed;
    std::istringstream lists(arguments[2]);
    for (std::string name; std::getline(lists, name, ',');) {
        std::ifstream list(name);
        for (std::string line; std::getline(list, line);)
            if (!line.empty() && line[0] != '#') listed.insert(line);
    }
    const std::set<std::string> only(arguments + 3, arguments + count);
    std::map<std::string, std::vector<std::string>> causes;
    std::map<std::string, std::pair<int, int>> suites;
    std::vector<std::string> lost, won;
    for (const std::string suite : {"node", "pytorch-converted", "pytorch-operator", "simple"}) {
        if (!fs::is_directory(folder / suite)) continue;
        std::vector<std::string> names;
        for (const auto& test : fs::directory_iterator(folder / suite))
            names.push_back(test.path().filename().string());
        std::sort(names.begin(), names.end());
        for (const std::string& name : names) {
            if (!only.empty() && only.count(name) == 0) continue;
            const std::string said = run(folder / suite / name, !only.empty(), wanted, target);
            const std::string full = suite + "/" + name;
            ++suites[suite].second;
            if (said.empty())
                ++suites[suite].first;
            else
                causes[cause_of(said)].push_back(full + ": " + said);
            const bool is_listed = listed.erase(full) != 0;
            if (said.empty() && is_listed) won.push_back(full);
            if (!said.empty() && !is_listed) lost.push_back(full + ": " + said);
            if (!only.empty()) std::printf("%s: %s\n", full.c_str(), said.empty() ? "passed" : said.c_str());
        }
    }
    if (!only.empty()) return lost.empty() ? 0 : 1;
    std::vector<std::pair<std::size_t, std::string>> order;
    for (const auto& [cause, tests] : causes) order.push_back({tests.size(), cause});
    std::sort(order.rbegin(), order.rend());
    for (const auto& [number, cause] : order)
        std::printf("%4zu  %s (%s)\n", number, cause.c_str(), causes[cause][0].substr(0, 60).c_str());
    for (const std::string& test : won) std::printf("passes, and is listed: %s\n", test.c_str());
    if (!won.empty()) std::printf("%zu pass that are listed: take them out of %s\n", won.size(), arguments[2]);
    for (const std::string& test : lost) std::printf("passed, and does not: %s\n", test.c_str());
    for (const std::string& test : listed) std::printf("is listed, and is no test: %s\n", test.c_str());
    for (const auto& [suite, passed] : suites)
        std::printf("%s: %d of %d passed, %s\n", suite.c_str(), passed.first, passed.second,
                    wanted == form::plain_and_level_3 ? "plain, as text and after level 3"
                    : wanted == form::written         ? "written and imported again"
                                                      : "written");
    return lost.empty() && won.empty() && listed.empty() ? 0 : 1;
}
