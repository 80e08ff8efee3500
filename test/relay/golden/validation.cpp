// No pass changes the results of a program. The tests run every pass over the reference's programs and over random
// ones, and evaluate each program before and after.

#include "../validation.hpp"

#include <tutti/base/error.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "../nested_programs.hpp"
#include "../random_programs.hpp"
#include "support/catch.hpp"
#include "test_paths.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace tutti;

namespace {

/// Returns the tolerance for results after a pipeline. Passes may reorder sums, and FastMath approximates functions.
double tolerance(std::string_view pipeline) {
    return pipeline.find("FastMath") == std::string_view::npos ? 1e-4 : 1e-2;
}

relay::ir_module read(const std::string& text) { return relay::parse(text, {.metadata = &relay::read_metadata}); }

relay::ir_module after(relay::ir_module m, const std::string& pipeline,
                       const runtime::registry<relay::ir_module>& known) {
    const auto passes = runtime::parse_pipeline("InferType," + pipeline, known);
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    return m;
}

/// True if a pipeline has a pass that changes results on purpose.
bool gives_other_results(std::string_view pipeline) {
    return pipeline.find("ToMixedPrecision") != std::string_view::npos ||
           pipeline.find("FakeQuantizationToInteger") != std::string_view::npos;
}

/// Returns a pipeline for each registered pass. Omits PrintIR, which would only print, and passes that change results.
std::vector<std::string> single_passes(const runtime::registry<relay::ir_module>& known) {
    std::vector<std::string> all;
    for (const auto& each : known.list()) {
        if (gives_other_results(each.name) || each.name == "PrintIR") continue;
        all.push_back(each.name == "EtaExpand" ? "EtaExpand{expand_global_var=True}" : std::string(each.name));
    }
    return all;
}

/// Returns the programs of a folder, each with the pipelines of its rows that can be parsed.
std::map<std::string, std::set<std::string>> programs(const std::filesystem::path& folder) {
    std::map<std::string, std::set<std::string>> all;
    for (const test::golden_row& row : test::golden_rows(folder)) {
        if (row.before.parent_path().filename() != "tests") continue; // other tests cover the networks
        std::set<std::string>& pipelines = all[test::read_file(row.before)];
        if (!gives_other_results(row.pipeline)) pipelines.insert(row.pipeline);
    }
    return all;
}

struct tally {
    std::size_t compared = 0;
    std::size_t rewritten = 0; // programs whose printed form changed
    std::size_t refused = 0;
    std::size_t changed = 0;
    double largest = 0;
};

/// Compares the results of a program before and after a pipeline. Counts the outcome, and prints a difference or an
/// error.
void compare(const std::string& text, const test::computation& before, const relay::ir_module& m,
             const std::string& pipeline, const runtime::registry<relay::ir_module>& known, tally& counts) {
    std::string why;
    try {
        const relay::ir_module out = after(m, pipeline, known);
        const double d = before.distance(out);
        ++counts.compared;
        if (relay::to_text(out, {.type_comments = false}) != relay::to_text(m, {.type_comments = false}))
            ++counts.rewritten;
        if (d <= tolerance(pipeline)) {
            counts.largest = std::max(counts.largest, d);
            return;
        }
        why = std::to_string(d);
        ++counts.changed;
    } catch (const std::exception& e) {
        why = e.what();
        ++counts.refused;
    }
    std::printf("%s: %s\n%s\n", pipeline.c_str(), why.c_str(), text.c_str());
}

/// Runs every pass over every program of a folder whose results are finite numbers. Over a large program, runs only the
/// pipelines of its rows.
void validate(const std::filesystem::path& folder) {
    const auto known = relay::registered_passes();
    const auto all = single_passes(known);
    std::map<std::string, tally> table;
    std::map<std::string, std::size_t> causes;
    std::size_t evaluated = 0;
    for (const auto& [text, own] : programs(folder)) {
        relay::ir_module m;
        std::optional<test::computation> before;
        try {
            m = read(text);
            before.emplace(m);
        } catch (const error& e) {
            ++causes[e.problem().substr(0, 60)];
            continue;
        }
        if (!before->is_finite()) {
            ++causes["its results are not all numbers"];
            continue;
        }
        ++evaluated;
        std::set<std::string> pipelines = own;
        if (before->size() <= 10'000) pipelines.insert(all.begin(), all.end());
        for (const std::string& pipeline : pipelines) compare(text, *before, m, pipeline, known, table[pipeline]);
    }
    std::printf("%zu programs; not these:\n", evaluated);
    for (const auto& [cause, count] : causes) std::printf("  %zu: %s\n", count, cause.c_str());
    for (const auto& [pass, counts] : table) {
        std::printf("%zu compared, %zu rewritten, %zu refused, %zu changed, the largest error %.3g: %s\n",
                    counts.compared, counts.rewritten, counts.refused, counts.changed, counts.largest, pass.c_str());
        INFO(pass);
        CHECK(counts.changed == 0);
        CHECK(counts.refused == 0);
    }
    CHECK(evaluated > 50);
}

/// Runs every pass, and then a random pipeline, over random programs. Fails if fewer than `at_least` programs have
/// finite results.
template <class Program>
tally validate_random(std::uint32_t programs, std::size_t at_least) {
    const auto known = relay::registered_passes();
    const auto all = single_passes(known);
    tally counts;
    std::mt19937 random(1);
    std::size_t finite = 0;
    for (std::uint32_t seed = 0; seed < programs; ++seed) {
        const Program p(seed);
        const relay::ir_module m = after(read(p.text()), "InferType", known);
        const test::computation before(m);
        std::string pipeline;
        for (std::size_t n = 1 + random() % 4; n != 0; --n)
            pipeline += (pipeline.empty() ? "" : ",InferType,") + all[random() % all.size()];
        if (!before.is_finite()) continue;
        ++finite;
        for (const std::string& pass : all) compare(p.text(), before, m, pass, known, counts);
        compare(p.text(), before, m, pipeline, known, counts);
    }
    std::printf("%zu random programs: %zu compared, %zu rewritten, the largest error %.3g\n", finite, counts.compared,
                counts.rewritten, counts.largest);
    CHECK(finite > at_least);
    CHECK(counts.changed == 0);
    CHECK(counts.refused == 0);
    return counts;
}

} // namespace

TEST_CASE("validation: no pass changes the results of our own programs", "[relay][golden]") {
    validate(std::filesystem::path(test::data_dir) / "golden");
}

TEST_CASE("validation: no pass changes the results of the reference's programs", "[relay][golden][shared]") {
    validate(std::filesystem::path(test::shared_dir) / "golden");
}

TEST_CASE("validation: no pass and no pipeline changes the results of random programs", "[relay][golden]") {
    const tally counts = validate_random<test::random_program>(2000, 1500);
    CHECK(counts.rewritten > 10'000);
}

TEST_CASE("validation: no pass and no pipeline changes the results of programs with nested scopes", "[relay][golden]") {
    const tally counts = validate_random<test::nested_program>(500, 450);
    CHECK(counts.rewritten > 5'000);
}

TEST_CASE("validation: detects a pass that changes results", "[relay][golden]") {
    const relay::ir_module m = read("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 2), float32], %y: "
                                    "Tensor[(2, 2), float32]) { add(%x, exp(%y)) }");
    const test::computation before(m);
    const auto rewritten = [&](auto change) {
        relay::ir_module out;
        const relay::function& f = *m.find("main");
        relay::rewriter r(f.graph, f.root);
        const auto root = r.run(change);
        out.set("main", {std::move(r.to()), root});
        return out;
    };
    const auto same = [](relay::rewriter& r, relay::expr_id e) { return r.rebuild(e); };
    CHECK(before.distance(rewritten(same)) == 0);
    const auto broken = [&](relay::rewriter& r, relay::expr_id e) {
        if (!relay::calls<relay::op::add>(m.find("main")->graph, e)) return r.rebuild(e);
        const auto arguments = m.find("main")->graph.arguments(e);
        const relay::expr_id operands[]{r[arguments[0]], r[arguments[1]]};
        return relay::add_call<relay::op::subtract>(r.to(), operands);
    };
    CHECK(before.distance(rewritten(broken)) > 0.1);
    CHECK(before.distance(read("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 2), float32], %y: "
                               "Tensor[(2, 2), float32]) { (%x, %y) }")) > 1);
}

TEST_CASE("passes: results of passes verify, and a second run changes nothing", "[relay][golden]") {
    const auto known = relay::registered_passes();
    std::map<std::string, std::size_t> again;
    std::size_t runs = 0;
    for (const auto& [text, own] : programs(std::filesystem::path(test::data_dir) / "golden")) {
        for (const std::string& pass : single_passes(known)) {
            INFO(pass << "\n" << text);
            const relay::ir_module once = after(read(text), pass, known);
            ++runs;
            CHECK_NOTHROW(relay::verify(once));
            if (!relay::structural_equal(once, after(once, pass, known))) ++again[pass];
        }
    }
    for (const auto& [pass, count] : again) std::printf("%s: %zu programs change again\n", pass.c_str(), count);
    again.erase("ToANormalForm"); // as in the reference, each run adds a let around the body of a let
    CHECK(again.empty());
    CHECK(runs > 2'500);
}

TEST_CASE("passes: a failing pass leaves the module unchanged", "[relay][golden]") {
    const auto known = relay::registered_passes();
    const std::string texts[]{
        // In turn: mismatched addends in the second function, a missing function, and an argument of the wrong type.
        "def @f(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }\n"
        "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 5), float32]) { let %z = add(%x, %y); multiply(%z, %z) }\n",
        "def @main(%x: Tensor[(2, 3), float32]) { @other(add(%x, %x)) }\n",
        "def @main(%x: Tensor[(2, 3), float32]) { let %f = fn (%y: Tensor[(4), float32]) { %y }; %f(%x) }\n",
    };
    std::size_t failed = 0;
    for (const std::string& text : texts)
        for (const std::string& pass : single_passes(known)) {
            const auto passes = runtime::parse_pipeline(pass, known);
            relay::ir_module m = relay::parse("#[version = \"0.0.5\"]\n" + text);
            const std::string before = relay::to_text(m);
            runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
            try {
                tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
            } catch (const error&) {
                ++failed;
                INFO(pass);
                CHECK(relay::to_text(m) == before);
            }
        }
    CHECK(failed > 30);
}
