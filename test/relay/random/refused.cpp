// Passes whose rewrites are refused at random keep the results of random programs, and a pass whose rewrites are all
// refused changes nothing, except the passes listed here with a reason. Environment variables set the number of
// programs:
//
//     TUTTI_PROGRAMS=10000 TUTTI_SEED=1 build/test/test/test_relay_random "refused rewrites*"

#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/testing/behaviour.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/printer.hpp>

#include "passes.hpp"
#include "pipelines.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;

namespace {

struct reason {
    std::string_view pass, why;
};

/// Passes that change a program although all their rewrites are refused.
constexpr reason change_anyway[]{
    {"InferType", "states types, and rewrites nothing"},
    {"ToMixedPrecision", "calls that stay are computed in float32, also those that were in another type"},
};

/// Passes that need not ask in the programs of this test.
constexpr reason rarely_ask[]{
    {"InferType", "states types, and rewrites nothing"},
    {"CombineParallelBatchMatmul", "two products of one tensor are rare here"},
};

bool is_listed(std::span<const reason> all, std::string_view pass) {
    const std::string_view name = pass.substr(0, pass.find('{'));
    for (const reason& each : all)
        if (each.pass == name) return true;
    return false;
}

std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
    const char* const said = std::getenv(name);
    return said == nullptr ? otherwise : std::strtoull(said, nullptr, 10);
}

std::string short_text(const relay::ir_module& m) {
    return relay::to_text(m, {.type_comments = false, .metadata_note = false});
}

/// The rewrites that passes asked about, by pass and rule.
using rules_asked = std::map<std::string, std::set<std::string>>;

/// Runs a pass, with rewrites refused at random or all refused, and compares the results. Returns the fault; empty if
/// there is none.
std::string fault(const relay::ir_module& m, relay::testing::behaviour& before, const std::string& pass,
                  std::uint64_t seed, rules_asked& asked) {
    std::string refused;
    try {
        for (int round = 0; round < 3; ++round) {
            std::minstd_rand chance(static_cast<unsigned>(seed + static_cast<std::uint64_t>(round)));
            refused.clear();
            const relay::ir_module out = test::after_rewrites(m, pass, [&](const test::asked_rewrite& r) {
                asked[r.pass].insert(r.rule);
                const bool may = round != 0 && chance() % 2 == 0;
                if (!may) refused += "    refused " + r.pass + " " + r.rule + " at " + r.where + "\n";
                return may;
            });
            relay::verify(out);
            if (round == 0 && !is_listed(change_anyway, pass) && !relay::structural_equal(m, out))
                return "changes although all is refused:\n" + refused + short_text(out);
            const std::string found = test::gives_other_results(pass) ? before.failure(out) : before.difference(out);
            if (!found.empty()) return found + "\n" + refused + short_text(out);
        }
    } catch (const std::exception& e) {
        return std::string("thrown: ") + e.what() + "\n" + refused;
    }
    return {};
}

} // namespace

TEST_CASE("refused rewrites: passes keep the results of random programs, whatever is refused", "[relay][random]") {
    const std::uint64_t first = environment_number("TUTTI_SEED", 1);
    const std::uint64_t count = environment_number("TUTTI_PROGRAMS", 60);
    std::vector<std::string> passes{std::begin(test::single_passes), std::end(test::single_passes)};
    passes.insert(passes.end(), std::begin(test::other_results), std::end(test::other_results));
    std::map<std::string, std::size_t> faults;
    rules_asked asked;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        relay::testing::random_module made = relay::testing::make_random_module(seed);
        relay::infer_types(made.program);
        relay::testing::behaviour before(made.program, made.inputs);
        for (const std::string& pass : passes) {
            if (pass == "RemoveUnusedFunctions" && made.program.find("main") == nullptr) continue;
            const std::string found = fault(made.program, before, pass, seed, asked);
            if (found.empty()) continue;
            if (faults[pass + ": " + found.substr(0, found.find_first_of("0123456789\n"))]++ == 0)
                std::printf("seed %llu, %s: %s\n%s\n\n", static_cast<unsigned long long>(seed), pass.c_str(),
                            short_text(made.program).c_str(), found.c_str());
        }
    }
    std::size_t rules = 0;
    for (const auto& [pass, named] : asked) rules += named.size();
    std::printf("%zu rules of %zu passes asked\n", rules, asked.size());
    for (const auto& [what, times] : faults) std::printf("%zu: %s\n", times, what.c_str());
    CHECK(faults.empty());
    if (count >= 200 && first == 1)
        for (const std::string& pass : passes) {
            INFO(pass);
            const std::string name = pass.substr(0, pass.find('{'));
            if (name == "FoldScaleAxis") continue; // asks as the two passes that it consists of
            if (!is_listed(rarely_ask, name)) CHECK(asked.count(name) == 1);
        }
}
