#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// A tensor's layout, or nothing if unknown.
using maybe_layout = std::optional<layout>;

/// A call whose layouts a layout rule determines, and the rule's result.
///
/// A rule is called twice: first for the present layouts of arguments and results (`altered` is false), then for the
/// layouts after arguments were changed. The fields of a tuple count as separate arguments.
struct layout_query {
    relay::graph* graph;
    const op_def* op;
    attrs_id attributes;                    ///< the call's attributes; a rule updates them for the new layouts
    std::span<const type_id> arguments;     ///< the original types, one per field of a tuple
    std::span<const maybe_layout> old_in;   ///< the original layouts of the arguments, if known
    std::span<const maybe_layout> new_in{}; ///< the layouts of the arguments after the change, if `altered`
    bool altered = false;

    vector<maybe_layout> in{};  ///< result: the required layouts of the arguments
    vector<maybe_layout> out{}; ///< result: the layouts of the results

    constexpr std::span<const dim> shape(std::size_t argument) const {
        return graph->types().shape(arguments[argument]);
    }
    constexpr std::size_t rank(std::size_t argument) const { return shape(argument).size(); }

    constexpr attribute_edit edit() const { return {*graph, *op, attributes}; }

    /// Sets one layout for every argument and the result. True if the layout is known.
    constexpr bool all_in(const maybe_layout& l) {
        in.assign(arguments.size(), l);
        out.assign(1, l);
        return l.has_value();
    }

    /// Sets this layout for the remaining arguments.
    constexpr void rest_in(const layout& l) { fill(in, arguments.size(), l); }
    /// Sets this layout for the remaining results, up to `results`.
    constexpr void other_results_in(const layout& l, std::size_t results) { fill(out, results, l); }

    /// Returns the present layout of the first argument.
    constexpr const maybe_layout& first() const { return altered ? new_in[0] : old_in[0]; }

private:
    static constexpr void fill(vector<maybe_layout>& layouts, std::size_t count, const layout& l) {
        while (layouts.size() < count) layouts.emplace_back(l);
    }
};

/// A function that returns the layout rule for an operator, or null.
using layout_rule_finder = layout_rule (*)(const op_def&);

/// A type that represents a set of layout rules. `find` returns the rule for an operator, or null. A custom set can
/// delegate to another set, as kernel sets do.
template <class Set>
concept layout_rule_set = requires(const op_def& op) {
    { Set::find(op) } -> std::same_as<layout_rule>;
};

namespace layout_rules {

/// The rules declared by the operators.
///
/// Source: the reference's rule for each operator (FInferCorrectLayout).
struct standard {
    static constexpr layout_rule find(const op_def& op) { return op.layout; }
};

} // namespace layout_rules

namespace detail {

/// Returns the axis at this index (from the end if negative), or nothing.
constexpr std::optional<layout::axis> axis_at(const layout& l, std::int64_t number) {
    const auto rank = static_cast<std::int64_t>(l.rank());
    if (number < 0) number += rank;
    if (number < 0 || number >= rank) return std::nullopt;
    return l.axes()[static_cast<std::size_t>(number)];
}

/// Returns the index in `to` of the axis at index `number` of `from`, or nothing.
constexpr std::optional<std::int64_t> moved_axis(const layout& from, const layout& to, std::int64_t number) {
    const auto axis = axis_at(from, number);
    if (!axis) return std::nullopt;
    const auto at = to.find(axis->letter, axis->block != 0);
    if (!at) return std::nullopt;
    return static_cast<std::int64_t>(*at);
}

/// Returns the block size of an axis, or 0 if it has no blocks.
constexpr std::int64_t factor(const layout& l, char letter) { return l.find(letter, true) ? l.block(letter) : 0; }

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END
