// What the passes state about properties (`needs`, `gives`, `breaks`, `keeps`) is true for random programs: for each pass
// alone, in a normal form, after FuseOps, and in random pipelines. Environment variables set the number of programs:
//
//     TUTTI_PROGRAMS=10000 TUTTI_SEED=1 build/test/test/test_relay_random "properties of passes*"

#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime/property.hpp>

#include "passes.hpp"
#include "pipelines.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;

namespace {

std::uint64_t number(const char* name, std::uint64_t standard) {
    const char* const given = std::getenv(name);
    return given ? std::strtoull(given, nullptr, 10) : standard;
}

// Pipelines before the pass, so that there is something to keep.
constexpr std::string_view starts[]{"", "ToANormalForm,InferType,", "FuseOps,", "ToBasicBlockNormalForm,InferType,",
                                    "ToANormalForm,InferType,DefuseOps,ToANormalForm,InferType,"};

// Returns the wrong statement; empty if there is none.
std::string wrong_statement(const relay::ir_module& m, const std::string& pipeline, bool planted = false) {
    try {
        test::with_checked_properties(m, pipeline, planted);
    } catch (const runtime::order_error& e) {
        return e.what();
    } catch (const error& e) {
        if (e.problem().find("hold") != std::string::npos) return e.what();
    } catch (const std::exception&) { // the pass refuses the program
    }
    return {};
}

void check(const relay::ir_module& m, const std::string& pipeline, std::uint64_t seed) {
    const std::string wrong = wrong_statement(m, pipeline);
    if (wrong.empty()) return;
    FAIL_CHECK("seed " << seed << ", " << pipeline << ": " << wrong << '\n'
                       << relay::to_text(m, {.type_comments = false, .metadata_note = false}));
}

} // namespace

TEST_CASE("properties of passes: what they state is true for random programs", "[relay][random][properties]") {
    const std::uint64_t first = number("TUTTI_SEED", 1), count = number("TUTTI_PROGRAMS", 12);
    for (std::uint64_t seed = first; seed != first + count; ++seed) {
        const tutti::vector<std::uint8_t> bytes = relay::testing::bytes_of_seed(seed);
        relay::testing::choices c(bytes);
        const relay::ir_module m = relay::testing::make_random_module(c).program;
        for (const std::string_view pass : test::single_passes) {
            if (pass == "RemoveUnusedFunctions" && m.find("main") == nullptr) continue;
            check(m, std::string(starts[seed % std::size(starts)]) + std::string(pass), seed);
        }
        for (const std::string_view pass : test::other_results) check(m, std::string(pass), seed);
        for (int i = 0; i < 10; ++i) check(m, test::random_pipeline(c), seed);
    }
}

TEST_CASE("properties of passes: wrong statements are found", "[relay][random][properties]") {
    bool keeps = false, gives = false;
    for (std::uint64_t seed = 1; seed != 20 && !(keeps && gives); ++seed) {
        const relay::ir_module m = relay::testing::make_random_module(seed).program;
        keeps = keeps || wrong_statement(m, "KeepsTypes", true).starts_with("after KeepsTypes: typed no longer holds");
        gives =
            gives || wrong_statement(m, "GivesNormalForm", true).starts_with("after GivesNormalForm: a_normal_form");
    }
    CHECK(keeps);
    CHECK(gives);
}
