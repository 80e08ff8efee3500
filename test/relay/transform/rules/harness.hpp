#pragma once

#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include "row.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::test {

/// A rule of a pass, or a pass that has no rules.
struct known_rule {
    std::string_view pass;
    std::string_view name{};
    const relay::rewrite_rule* pattern = nullptr;
    const relay::kernel_set* kernels = nullptr;
    const relay::call_rule* call = nullptr;

    std::string id() const { return std::string(pass) + (name.empty() ? "" : ": ") + std::string(name); }
};

/// Returns the rules of each pass as listed by its `rules()`, and an entry for each pass that has no rules.
template <class... P>
std::vector<known_rule> rules_of(tutti::passes<P...>) {
    std::vector<known_rule> all;
    const auto add = [&]<class Pass>(std::type_identity<Pass>) {
        if constexpr (requires { Pass::rules().kernels; })
            for (const relay::rewrite_rule& r : Pass::rules().rules)
                all.push_back(
                    {.pass = Pass::info.name, .name = r.name, .pattern = &r, .kernels = Pass::rules().kernels});
        else if constexpr (requires { Pass::rules(); })
            for (const relay::call_rule& r : Pass::rules())
                all.push_back({.pass = Pass::info.name, .name = r.name(), .call = &r});
        else
            all.push_back({.pass = Pass::info.name});
    };
    (add(std::type_identity<P>{}), ...);
    return all;
}

known_rule rule_of_row(const rule_row& row);

/// Returns the mismatches between rules and rows: rules without a row, rows without a rule, and rules with the same
/// name.
std::vector<std::string> mismatches(std::span<const known_rule> rules, std::span<const rule_row> rows);

/// The outcome of trying the rows of a rule.
struct rule_tally {
    std::set<std::string> types; ///< element types of the evaluated programs
    std::size_t programs = 0;
    std::size_t values = 0;
    std::size_t differences = 0;
    std::vector<std::string> complaints; ///< about differences, and unexpected or missing rewrites

    void add(const rule_tally& other);
};

/// A pass or a rule, as run by the harness.
using module_change = std::function<void(relay::ir_module&)>;

/// Tries one row. `alone` applies only the rule, and `pass` the whole pass. The module has types.
rule_tally try_row(const rule_row& row, const module_change& alone, const module_change& pass);
/// Tries one row with the rule that it names.
rule_tally try_row(const rule_row& row, std::span<const known_rule> rules);

/// Returns a table of all rules with their outcomes, and the sums in the last line.
std::string table(const std::map<std::string, rule_tally>& tallies);

} // namespace tutti::test
