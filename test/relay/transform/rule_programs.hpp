#pragma once

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/broadcast.hpp>
#include <tutti/relay/eval/kernels/compare.hpp>
#include <tutti/relay/eval/kernels/elementwise.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>

#include "../programs.hpp"
#include "fuse_programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::test {

/// The kernels for rules that evaluate constants.
inline constexpr relay::kernel_table kernel_rows(relay::kernels::broadcast_kernels<>, relay::kernels::compare_kernels<>,
                                                 relay::kernels::elementwise_kernels<>);
inline constexpr relay::kernel_set kernels(kernel_rows);

/// Rewrite terms that enable the rewrites of the reference.
inline constexpr relay::rewrite_terms by_reference{.as_reference = true};

/// Returns the text of a `main` with these parameters and lines.
inline std::string with_parameters(std::string_view parameters, std::string_view lines) {
    return "def @main(" + std::string(parameters) + ") {\n" + std::string(lines) + "\n}\n";
}

/// Applies these rules to `main`, and checks that all expressions of the result have types. Returns the printed
/// function without its first line.
template <class... Rules>
std::string rewritten(std::string_view text, const relay::rewrite_terms& terms = {}) {
    constexpr std::array<relay::rewrite_rule, sizeof...(Rules)> rules{relay::rule_of<Rules>...};
    const relay::ir_module m = typed(text);
    relay::function f = relay::apply_rules(*m.find("main"), {rules, &kernels}, terms);
    for (const relay::expr_id e : relay::post_order(f.graph, f.root))
        if (f.graph.kind(e) != relay::expr_kind::op) CHECK(f.graph.type(e) != relay::type_id::none);
    relay::ir_module after(std::move(f));
    relay::infer_types(after);
    const std::string all = bare_text(after);
    return all.substr(all.find('\n') + 1);
}

} // namespace tutti::test
