// Random programs compute the same results after they are written as ONNX models and imported again. The seed also sets
// the version of ONNX's operators. Environment variables set the number of programs, the seed, and the number of
// failures that are shown for each cause:
//
// TUTTI_WRITTEN_PROGRAMS=100000 TUTTI_SEED=1 TUTTI_FAILURES=3 build/test/test/test_relay_random "written*"
//
// TUTTI_REASONS=1 shows why programs cannot be written. TUTTI_WRITTEN_TO=FOLDER also writes the models, inputs and
// results for test/onnx/onnxruntime.js.

#include <tutti/base/error.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/write_model.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/testing/behaviour.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/printer.hpp>

#include "onnx/written_data.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace tutti;
namespace fs = std::filesystem;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const said = std::getenv(name);
    return said == nullptr ? otherwise : std::strtoull(said, nullptr, 10);
}

relay::onnx::model model_of(std::string bytes) {
    using file::mapped_file;
    return relay::onnx::model(std::make_shared<const mapped_file>(mapped_file::read_bytes{std::move(bytes)}), "m.onnx");
}

struct outcome {
    std::string refused{}, failed{}, program{};
};

// Writes a model and its data for onnxruntime.js.
void write_case(const fs::path& folder, const std::string& model, std::span<const kernel::tensor> inputs,
                std::span<const kernel::tensor> results) {
    fs::create_directories(folder);
    std::ofstream(folder / "model.onnx", std::ios::binary) << model;
    test::write_data(folder, inputs, results);
}

// Returns the bytes of a model in one version of ONNX's operators, or in the least possible version if that is later.
std::string written(const relay::ir_module& program, std::int64_t opset) {
    try {
        return relay::onnx::model_bytes(program, {.opset = opset});
    } catch (const error& e) {
        if (!e.problem().starts_with("needs version ")) throw;
        return relay::onnx::model_bytes(program);
    }
}

outcome written_again(std::span<const std::uint8_t> bytes, std::int64_t opset, const std::string& folder = {}) {
    outcome found;
    try {
        relay::testing::choices c(bytes);
        relay::testing::random_module made = relay::testing::make_random_module(c);
        relay::infer_types(made.program);
        found.program = relay::to_text(made.program, {.type_comments = false, .metadata_note = false});
        std::string model;
        try {
            model = written(made.program, opset);
        } catch (const error& e) {
            found.refused = e.problem();
            return found;
        }
        if (!folder.empty())
            write_case(folder, model, made.inputs, relay::testing::evaluated(made.program, made.inputs));
        relay::testing::behaviour before(made.program, std::move(made.inputs));
        relay::ir_module after;
        try {
            after = relay::onnx::import_model(model_of(std::move(model)));
        } catch (const error& e) {
            // The importer needs to know some sizes that the writer does not.
            if (e.expected() != "a known size") throw;
            found.refused = "imported: " + std::string(e.problem());
            return found;
        }
        // ONNX rounds ties to even where Relay's quantised operators round them up, and does not define integer powers
        // that overflow.
        const bool may_differ =
            found.program.find("qnn.") != std::string::npos || found.program.find("power(") != std::string::npos;
        found.failed = may_differ ? before.failure(after) : before.difference(after);
    } catch (const std::exception& e) {
        found.failed = e.what();
    }
    return found;
}

// Returns a key that failures with the same cause share.
std::string kind(const std::string& what) { return what.substr(0, what.find_first_of("0123456789")); }

} // namespace

TEST_CASE("written: random programs compute the same as models that are imported again", "[relay][random][onnx]") {
    const std::uint64_t first = from_environment("TUTTI_SEED", 1);
    const std::uint64_t count = from_environment("TUTTI_WRITTEN_PROGRAMS", 1000);
    const std::uint64_t most_shown = from_environment("TUTTI_FAILURES", 1);
    std::uint64_t failed = 0, refused = 0;
    std::map<std::string, std::uint64_t> causes, reasons;
    const char* const to = std::getenv("TUTTI_WRITTEN_TO");
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const auto bytes = relay::testing::bytes_of_seed(seed);
        const std::int64_t opset = 17 + static_cast<std::int64_t>(seed % (relay::onnx::newest_opset - 16));
        const outcome found = written_again(bytes, opset, to == nullptr ? "" : to + ("/" + std::to_string(seed)));
        if (!found.refused.empty()) {
            ++refused;
            ++reasons[found.refused.substr(0, 100)];
        }
        if (found.failed.empty()) continue;
        ++failed;
        if (causes[kind(found.failed)]++ >= most_shown) continue;
        const auto reduced = relay::testing::reduced(
            bytes, [&](const auto& fewer) { return kind(written_again(fewer, opset).failed) == kind(found.failed); });
        const outcome least = written_again(reduced, opset);
        std::printf("seed %llu, version %lld: %s\n%s\n", static_cast<unsigned long long>(seed),
                    static_cast<long long>(opset), least.failed.c_str(), least.program.c_str());
    }
    for (const auto& [cause, times] : causes)
        std::printf("%llu: %s\n", static_cast<unsigned long long>(times), cause.c_str());
    if (from_environment("TUTTI_REASONS", 0) != 0)
        for (const auto& [reason, times] : reasons)
            std::printf("%llu refused: %s\n", static_cast<unsigned long long>(times), reason.c_str());
    std::printf("%llu programs, %llu cannot be written\n", static_cast<unsigned long long>(count),
                static_cast<unsigned long long>(refused));
    CHECK(failed == 0);
    CHECK(refused < count / 2);
}
