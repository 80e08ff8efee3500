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

/// A rule of a pass, or a pass that is not made of rules.
struct known_rule {
    std::string_view pass;
    std::string_view name{};
    const relay::rewrite_rule* pattern = nullptr;
    relay::kernel_finder find = nullptr;
    const relay::call_rule* call = nullptr;

    std::string id() const { return std::string(pass) + (name.empty() ? "" : ": ") + std::string(name); }
};

/// The rules of each pass, from its `rules`.
template <class... P>
std::vector<known_rule> rules_of(tutti::passes<P...>) {
    std::vector<known_rule> all;
    const auto add = [&]<class Pass>(std::type_identity<Pass>) {
        if constexpr (requires { Pass::rules.find; })
            for (const relay::rewrite_rule& r : Pass::rules.rules)
                all.push_back({.pass = Pass::info.name, .name = r.name, .pattern = &r, .find = Pass::rules.find});
        else if constexpr (requires { Pass::rules; })
            for (const relay::call_rule& r : Pass::rules)
                all.push_back({.pass = Pass::info.name, .name = r.name(), .call = &r});
        else
            all.push_back({.pass = Pass::info.name});
    };
    (add(std::type_identity<P>{}), ...);
    return all;
}

/// The rule that a row is of.
known_rule rule_of_row(const rule_row& row);

/// What is wrong between rules and rows: a rule without a row, a row of no rule, two rules of one name.
std::vector<std::string> mismatches(std::span<const known_rule> rules, std::span<const rule_row> rows);

/// What trying one rule has come to.
struct rule_tally {
    std::set<std::string> types; ///< of the programs that were evaluated
    std::size_t programs = 0;
    std::size_t values = 0;
    std::size_t differences = 0;
    std::vector<std::string>
        complaints; ///< of differences, and of programs that were rewritten or not as they should be

    void add(const rule_tally& other);
};

/// A pass as the harness runs it.
using module_change = std::function<void(relay::ir_module&)>;

/// Tries one row. `alone` does the rule by itself to a module with types, `pass` the whole pass.
rule_tally try_row(const rule_row& row, const module_change& alone, const module_change& pass);
/// The same for the rule that the row is of.
rule_tally try_row(const rule_row& row, std::span<const known_rule> rules);

/// The table of all rules, and a last line with the sums.
std::string table(const std::map<std::string, rule_tally>& tallies);

} // namespace tutti::test
