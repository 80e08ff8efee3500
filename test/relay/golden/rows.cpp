// Runs the pipeline of each row over its program, and compares the printed result with that of the reference. Prints a
// table by pass.

#include "rows.hpp"

#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/print/function_printer.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "differences.hpp"
#include "support/catch.hpp"
#include "test_paths.hpp"

#include <cmath>
#include <iostream>
#include <set>

using namespace tutti;

namespace {

enum class outcome { same, differs, known, no_pass, no_operator, no_kernel };

struct result {
    outcome what;
    std::string why{};
};

relay::ir_module read(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return relay::parse(test::read_file(path), {.source = name, .metadata = &relay::read_metadata});
}

/// Returns the constants of a module that are not printed as literals, in the order of their numbers in the printed
/// form.
std::vector<relay::tensor> numbered_constants(const relay::ir_module& m) {
    std::string text;
    relay::text::naming shared;
    for (const auto& [name, f] : m) relay::text::function_printer(f.graph, shared, {}, text).define(name, f.root);
    return shared.constants();
}

template <class T>
double number(T x) {
    if constexpr (kernel::is_half<T>)
        return double(float(x));
    else
        return static_cast<double>(x);
}

/// True if two constants are equal up to rounding errors. Sums may have been computed in different orders.
bool same_values(const relay::tensor& a, const relay::tensor& b) {
    if (a.type() != b.type() || !std::ranges::equal(a.shape(), b.shape())) return false;
    return kernel::with_element_type(a.type(), [&]<class T>(std::type_identity<T>) {
        double largest = 0;
        double difference = 0;
        for (std::size_t i = 0; i < a.elements<T>().size(); ++i) {
            const auto x = number(a.elements<T>()[i]);
            const auto y = number(b.elements<T>()[i]);
            if (std::isnan(x) != std::isnan(y)) return false;
            if (std::isnan(x) || x == y) continue;
            largest = std::max({largest, std::abs(x), std::abs(y)});
            difference = std::max(difference, std::abs(x - y));
        }
        return difference <= 1e-5 * largest;
    });
}

/// Returns the name of a called operator that has no kernel, or an empty name. FoldConstant skips calls of such an
/// operator, which the reference folds.
std::string without_kernel(const relay::ir_module& m) {
    for (const auto& [name, f] : m)
        for (const relay::expr_id e : relay::post_order(f.graph, f.root))
            if (const relay::op_def* op = f.graph.called_op(e);
                op != nullptr && !relay::computes(relay::kernels::reference(), *op))
                return std::string(op->name);
    return {};
}

result run(const test::golden_row& row, const runtime::registry<relay::ir_module>& passes) {
    std::optional<runtime::sequential<relay::ir_module>> pipeline;
    try {
        pipeline.emplace(runtime::parse_pipeline(row.pipeline, passes));
    } catch (const error& e) {
        return {outcome::no_pass, e.problem()};
    }
    relay::ir_module m;
    relay::ir_module expected;
    try {
        m = read(row.before);
        expected = read(row.after);
    } catch (const error& e) {
        return {outcome::no_operator, e.what()};
    }
    const std::string missing =
        row.pipeline.find("FoldConstant") == std::string::npos ? std::string{} : without_kernel(m);
    const auto wrong = [&](std::string why) {
        return missing.empty() ? result{outcome::differs, std::move(why)} : result{outcome::no_kernel, missing};
    };
    try {
        runtime::pass_context<relay::ir_module> ctx{{.opt_level = row.opt_level}};
        tutti::with(ctx, [&](auto& scope) { scope.run(*pipeline, m); });
    } catch (const std::exception& e) {
        return wrong(e.what());
    }
    const std::string printed =
        test::comparable(relay::to_text(m, {.metadata = relay::write_metadata, .six_digits = true}));
    const std::string wanted = test::comparable(test::read_file(row.after));
    if (printed != wanted) return wrong(test::first_difference(wanted, printed));
    const auto ours = numbered_constants(m);
    const auto theirs = numbered_constants(expected);
    if (ours.size() != theirs.size()) return wrong("the number of constants");
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (!same_values(ours[i], theirs[i])) return wrong("constant " + std::to_string(i));
    return {outcome::same};
}

/// Runs all rows of a folder and prints the table. Returns the number of rows per outcome.
std::map<outcome, std::size_t> run_all(const std::filesystem::path& folder) {
    const auto passes = relay::registered_passes();
    std::map<std::string, std::map<outcome, std::size_t>> table; // keyed by the last pass of the pipeline
    std::map<std::string, std::size_t> causes;
    std::map<outcome, std::size_t> total;
    for (const test::golden_row& row : test::golden_rows(folder)) {
        result r = run(row, passes);
        if (const test::unsound_row* unsound = test::unsound_row_of(row.id)) {
            if (r.what == outcome::same) {
                r = {outcome::differs, "is the same, though it is listed among those that are unsound"};
            } else {
                test::golden_row by_reference = row;
                by_reference.pipeline = test::as_reference(row.pipeline, unsound->pass);
                r = run(by_reference, passes);
                if (r.what != outcome::same) r.what = outcome::differs;
                ++causes["as_reference: " + std::string(unsound->cause)];
            }
        }
        if (const std::string_view cause = test::known_cause(row.id); !cause.empty()) {
            if (r.what == outcome::differs)
                r = {outcome::known, std::string(cause)};
            else if (r.what == outcome::same)
                r = {outcome::differs, "is the same, though it is listed among the differences"};
        }
        ++table[row.pipeline][r.what];
        ++total[r.what];
        if (r.what == outcome::no_pass || r.what == outcome::no_kernel)
            ++causes[(r.what == outcome::no_pass ? "pass: " : "kernel: ") + r.why];
        if (r.what == outcome::known) ++causes["listed: " + r.why];
        if (r.what == outcome::no_operator) ++causes["text: " + r.why.substr(r.why.find("error: "), 80)];
        if (r.what == outcome::differs) std::cout << row.id << " (" << row.pipeline << "): " << r.why << '\n';
    }
    std::cout << "same  differs  listed  no pass  no text  no kernel  pipeline\n";
    for (const auto& [pipeline, counts] : table) {
        if (counts.size() == 1 && counts.contains(outcome::no_pass)) continue;
        for (const outcome o : {outcome::same, outcome::differs, outcome::known, outcome::no_pass, outcome::no_operator,
                                outcome::no_kernel}) {
            const auto at = counts.find(o);
            std::cout << (at == counts.end() ? 0 : at->second) << '\t';
        }
        std::cout << pipeline << '\n';
    }
    std::cout << "not there yet:\n";
    for (const auto& [cause, count] : causes) std::cout << "  " << count << "  " << cause << '\n';
    std::cout << total[outcome::same] << " the same, " << total[outcome::differs] << " differ, "
              << total[outcome::known] << " differ as listed, "
              << total[outcome::no_pass] + total[outcome::no_operator] + total[outcome::no_kernel]
              << " not there yet\n";
    return total;
}

} // namespace

TEST_CASE("golden rows: each of our rows with existing passes gives the reference's text", "[relay][golden]") {
    auto total = run_all(std::filesystem::path(test::data_dir) / "golden");
    CHECK(total[outcome::same] > 0);
    CHECK(total[outcome::differs] == 0);
}

TEST_CASE("golden rows: each row with existing passes gives the reference's text", "[relay][golden][shared]") {
    auto total = run_all(std::filesystem::path(test::shared_dir) / "golden");
    CHECK(total[outcome::same] > 0);
    CHECK(total[outcome::differs] == 0);
}

TEST_CASE("golden rows: the reference's operator tests have its types, if the operators exist",
          "[relay][golden][shared]") {
    auto total = run_all(std::filesystem::path(test::shared_dir) / "operators");
    CHECK(total[outcome::same] > 0);
    CHECK(total[outcome::differs] == 0);
}

TEST_CASE("known_cause: returns causes of listed rows only", "[relay][golden]") {
    CHECK_FALSE(test::known_cause(test::known_differences.front().id).empty());
    CHECK(test::known_cause("no such row").empty());
}

TEST_CASE("as_reference: is an option of the intended pass", "[relay][golden]") {
    CHECK(test::as_reference("InferType,SimplifyExpr,FuseOps", "SimplifyExpr") ==
          "InferType,SimplifyExpr{as_reference=True},FuseOps");
    CHECK(test::as_reference("FoldScaleAxis,FuseOps", "FoldScaleAxis") ==
          "BackwardFoldScaleAxis{as_reference=True},ForwardFoldScaleAxis{as_reference=True},FoldConstant,FuseOps");
    CHECK(test::unsound_row_of("no such row") == nullptr);
}

TEST_CASE("comparable: numbers counted variables by appearance and cuts the text's end", "[relay][golden]") {
    CHECK(test::comparable("%x_7 %x_3 %x_7 %x %y_2\n\n#[metadata]\n{}") == "%x_0 %x_1 %x_0 %x %y_2");
    CHECK(test::comparable("%x_7 %x_3") == test::comparable("%x_1 %x_2"));
    CHECK(test::comparable("%x_7 %x_7") != test::comparable("%x_1 %x_2"));
}

TEST_CASE("first_difference: finds the line", "[relay][golden]") {
    CHECK(test::first_difference("a\nb\n", "a\nb\n") == "none");
    CHECK(test::first_difference("a\nb", "a\nc").starts_with("line 2"));
    CHECK(test::first_difference("a", "a\nc") != "none");
}
