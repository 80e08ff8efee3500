// Every pass P may run twice. Over random programs and the golden tables, the pipeline P,P succeeds, InferType accepts
// its result, and the result equals that of P alone, except for the passes listed here with a reason. Environment
// variables set the number of programs:
//
//     TUTTI_PROGRAMS=10000 TUTTI_SEED=1 TUTTI_ALL_GOLDEN=1 build/test/test/test_relay_random "passes run twice*"

#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include "../golden/rows.hpp"
#include "passes.hpp"
#include "pipelines.hpp"
#include "support/catch.hpp"
#include "test_paths.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;

namespace {

/// A pass whose second run may change a program again, the reason, and a program for which it does.
struct changes_again {
    std::string_view pass;
    std::string_view reason;
    std::string_view program;
};

constexpr std::string_view two_factors_behind = R"(
def @main(%x: Tensor[(1, 2, 4, 4), float32], %w: Tensor[(3, 2, 3, 3), float32], %a: Tensor[(3, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=3, kernel_size=[3, 3]);
  %1 = multiply(%0, %a);
  multiply(%1, %a)
})";
constexpr std::string_view two_factors_before = R"(
def @main(%x: Tensor[(1, 2, 4, 4), float32], %w: Tensor[(3, 2, 3, 3), float32], %a: Tensor[(2, 1, 1), float32]) {
  %0 = multiply(%x, %a);
  %1 = multiply(%0, %a);
  nn.conv2d(%1, %w, padding=[0, 0, 0, 0], channels=3, kernel_size=[3, 3])
})";

constexpr changes_again not_idempotent[]{
    {"BackwardFoldScaleAxis",
     "one scale goes into a weight in each run: that of a factor before a factor has to wait, as in the reference",
     two_factors_behind},
    {"EtaExpand{expand_global_var=True}", "the global that an expansion calls is expanded in turn, as in the reference",
     R"(
def @f(%y: Tensor[(2), float32]) { negative(%y) }
def @main(%x: Tensor[(2), float32]) { @f(%x) })"},
    {"FoldScaleAxis", "has the two directions in it", two_factors_before},
    {"ForwardFoldScaleAxis", "one scale goes into a weight in each run, as in the reference", two_factors_before},
    {"ToBasicBlockNormalForm",
     "the first use decides whether an expression gets a variable, and lets reorder the uses, as in the reference",
     R"(
def @main(%d: bool, %x: float32) {
  %0 = exp(%x);
  %1 = greater(%0, 1f);
  if (%1) {
    %2 = if (%d) { abs(%0) } else { %0 };
    negative(%2)
  } else {
    %2
  }
})"},
    {"ToMixedPrecision",
     "the casts to float32 that it inserts before what it leaves there are calls that may follow, as in the reference",
     "def @main(%x: Tensor[(2), float64]) { exp(%x) }"},
};

bool is_idempotent(std::string_view pipeline) {
    for (const changes_again& listed : not_idempotent)
        if (pipeline == listed.pass) return false;
    return true;
}

/// Returns the printed module with all constants.
std::string text_of(const relay::ir_module& m) { return relay::to_text(m, {.metadata = relay::write_metadata}); }

/// Returns the printed module for reports, without types and constants.
std::string short_text(const relay::ir_module& m) {
    return relay::to_text(m, {.type_comments = false, .metadata_note = false});
}

/// Runs a pass twice over a module. Returns the fault; empty if there is none.
std::string fault(const relay::ir_module& m, const std::string& pass, std::set<std::string>& changed) {
    if (pass == "RemoveUnusedFunctions" && m.find("main") == nullptr) return {}; // the pass requires @main
    const char* step = "once";
    try {
        const relay::ir_module once = test::after_passes(m, pass);
        step = "InferType after it";
        test::after_passes(once, "InferType");
        step = "twice";
        relay::ir_module twice = test::after_passes(m, pass + "," + pass);
        step = "InferType after both";
        relay::ir_module typed = test::after_passes(twice, "InferType");
        relay::verify(typed);
        if (const std::string first = text_of(once), second = text_of(twice); first != second) {
            changed.insert(pass);
            if (is_idempotent(pass)) return "changes again:\n" + short_text(once) + "\nbecomes\n" + short_text(twice);
        }
        return {};
    } catch (const std::exception& e) {
        return std::string(step) + ": " + e.what();
    }
}

/// Runs all passes twice over programs, and prints the first program of each fault.
struct twice_runner {
    std::map<std::string, std::size_t> faults; // number of faults, by pass and beginning of the text
    std::set<std::string> changed;
    std::size_t programs = 0;

    void run(const relay::ir_module& m, const std::string& name) {
        ++programs;
        std::vector<std::string> passes{std::begin(test::single_passes), std::end(test::single_passes)};
        passes.insert(passes.end(), std::begin(test::other_results), std::end(test::other_results));
        for (const std::string& pass : passes) {
            const std::string found = fault(m, pass, changed);
            if (found.empty()) continue;
            if (faults[pass + ": " + found.substr(0, found.find_first_of("0123456789\n"))]++ == 0)
                std::printf("%s, %s\n%s: %s\n\n", name.c_str(), pass.c_str(), short_text(m).c_str(), found.c_str());
        }
    }

    void check() const {
        for (const auto& [what, times] : faults) std::printf("%zu: %s\n", times, what.c_str());
        CHECK(programs != 0);
        CHECK(faults.empty());
    }
};

std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
    const char* const said = std::getenv(name);
    return said == nullptr ? otherwise : std::strtoull(said, nullptr, 10);
}

/// Tests every `stride`-th program of the tables in a folder.
void run_golden(twice_runner& all, const std::string& folder, std::size_t stride) {
    std::set<std::string> seen;
    std::size_t number = 0;
    for (const test::golden_row& row : test::golden_rows(folder)) {
        const std::string text = test::read_file(row.before);
        if (!seen.insert(text).second || number++ % stride != 0) continue;
        relay::ir_module m;
        try {
            m = relay::parse(text, {.metadata = relay::read_metadata});
            relay::infer_types(m);
        } catch (const error&) { // an operator that the library lacks
            continue;
        }
        all.run(m, row.id);
    }
}

} // namespace

TEST_CASE("passes run twice: each exception changes the program that shows it again", "[relay][random]") {
    for (const changes_again& listed : not_idempotent) {
        INFO(listed.pass << ": " << listed.reason);
        relay::ir_module m = relay::parse(listed.program);
        relay::infer_types(m);
        std::set<std::string> changed;
        CHECK(fault(m, std::string(listed.pass), changed) == "");
        CHECK(changed.size() == 1);
    }
}

TEST_CASE("passes run twice: over random programs the second run succeeds and changes nothing", "[relay][random]") {
    const std::uint64_t first = environment_number("TUTTI_SEED", 1);
    const std::uint64_t count = environment_number("TUTTI_PROGRAMS", 60);
    twice_runner all;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        relay::testing::random_module made = relay::testing::make_random_module(seed);
        relay::infer_types(made.program);
        all.run(made.program, "seed " + std::to_string(seed));
    }
    all.check();
}

TEST_CASE("passes run twice: over the golden programs the second run succeeds and changes nothing", "[relay][random]") {
    twice_runner all;
    run_golden(all, std::string(test::data_dir) + "/golden", environment_number("TUTTI_ALL_GOLDEN", 0) != 0 ? 1 : 8);
    all.check();
}

TEST_CASE("passes run twice: over the shared golden programs the second run succeeds and changes nothing",
          "[relay][random][shared]") {
    twice_runner all;
    run_golden(all, std::string(test::shared_dir) + "/golden", environment_number("TUTTI_ALL_GOLDEN", 0) != 0 ? 1 : 16);
    all.check();
}
