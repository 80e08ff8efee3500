// The results of cached pipelines equal those of uncached ones, byte for byte, over random programs: with an empty
// cache, with all results in the cache, and after a change of one function. `TUTTI_PROGRAMS` and `TUTTI_SEED` select
// programs, as for the other random tests.

#include <tutti/cache/memory_cache.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include "passes.hpp"
#include "pipelines.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tutti;

namespace {

constexpr std::string_view level_3 =
    "InferType,SimplifyInference,EliminateCommonSubexpr,FoldConstant,FoldScaleAxis,SimplifyExpr,CanonicalizeOps,FuseOps";

std::string text_of(const relay::ir_module& m) { return relay::to_text(m, {.metadata = relay::write_metadata}); }

/// Returns the program with the n-th call of an operator replaced by one of another operator; empty if there is none.
std::string changed_text(const std::string& text, std::size_t n) {
    constexpr std::pair<std::string_view, std::string_view> changes[]{
        {"add(", "subtract("}, {"multiply(", "add("}, {"exp(", "negative("}, {"abs(", "negative("}, {"sum(", "max("}};
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const auto& [before, after] : changes)
            if ((text[at == 0 ? 0 : at - 1] == ' ' || text[at == 0 ? 0 : at - 1] == '(') &&
                std::string_view(text).substr(at).starts_with(before) && n-- == 0)
                return text.substr(0, at) + std::string(after) + text.substr(at + before.size());
    return {};
}

std::string result_of(const relay::ir_module& m, const std::string& pipeline) {
    try {
        return text_of(test::after_passes(m, pipeline));
    } catch (const std::exception& e) {
        return e.what();
    }
}
std::string cached_result_of(const relay::ir_module& m, const std::string& pipeline, result_cache& cache,
                             std::string& refused) {
    try {
        return text_of(test::after_cached_passes(m, pipeline, cache, refused));
    } catch (const std::exception& e) {
        return e.what();
    }
}

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
    const char* const said = std::getenv(name);
    return said == nullptr ? otherwise : std::strtoull(said, nullptr, 10);
}

} // namespace

TEST_CASE("cached: over random programs and changes of them, results are those without a cache", "[relay][random]") {
    const std::uint64_t first = number_from("TUTTI_SEED", 1), count = number_from("TUTTI_PROGRAMS", 25);
    memory_cache cache;
    std::set<std::string> refused_passes;
    std::uint64_t runs = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::string text = text_of(relay::testing::make_random_module(seed).program);
        std::vector<std::string> programs{text, text}; // the second run finds all results
        for (std::size_t n = 0; n < 3; ++n)
            if (std::string other = changed_text(text, n * 5 + seed % 3); !other.empty())
                programs.push_back(std::move(other));
        programs.push_back("\n\n" + text); // on other lines
        std::vector<std::string> pipelines{std::string(level_3)};
        if (seed % 5 == 0)
            pipelines.insert(pipelines.end(), std::begin(test::single_passes), std::end(test::single_passes));
        for (const std::string& pipeline : pipelines)
            for (const std::string& program : programs) {
                relay::ir_module m;
                try {
                    m = relay::parse(program, {.metadata = relay::read_metadata});
                } catch (const error&) {
                    continue;
                }
                std::string refused;
                const std::string cached = cached_result_of(m, pipeline, cache, refused);
                if (!refused.empty()) {
                    refused_passes.insert(refused);
                    continue;
                }
                ++runs;
                INFO("seed " << seed << ", " << pipeline);
                CHECK(cached == result_of(m, pipeline));
            }
    }
    CHECK(runs > count * 4);
    CHECK(cache.counts().found > runs / 2);
    if (count >= 5)
        CHECK(refused_passes == std::set<std::string>{"AlterOpLayout", "ConvertLayout", "DeadCodeElimination",
                                                      "DefuseOps", "DynamicToStatic", "EtaExpand", "Inline",
                                                      "LambdaLift", "RemoveUnusedFunctions", "SplitArgs",
                                                      "ToANormalForm", "ToBasicBlockNormalForm"});
}
