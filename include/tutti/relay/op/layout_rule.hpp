#pragma once

#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/vector.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tutti::relay {

/// A tensor's layout, or nothing if it is not known.
using maybe_layout = std::optional<layout>;

/// What a layout rule is asked about a call, and where it answers.
///
/// It is asked twice: which layouts the arguments and results have as the program stands (`altered` is false), then
/// which they have if the arguments come in other layouts. A tuple's fields count as arguments of their own.
struct layout_query {
    relay::graph* graph;
    const op_def* op;
    attrs_id attributes;                ///< of the call; a rule replaces them by those that fit the layouts
    std::span<const type_id> arguments; ///< types before anything is altered, a tuple's fields each
    std::span<const maybe_layout>
        old_in; ///< the arguments' layouts before anything is altered, as far as they are known
    std::span<const maybe_layout> new_in{}; ///< those in which they come now
    bool altered = false;

    vector<maybe_layout> in{};  ///< the answer: in which layouts the arguments are wanted
    vector<maybe_layout> out{}; ///< and in which the results come

    constexpr std::span<const dim> shape(std::size_t argument) const {
        return graph->types().shape(arguments[argument]);
    }
    constexpr std::size_t rank(std::size_t argument) const { return shape(argument).size(); }

    constexpr attribute_edit edit() const { return {*graph, *op, attributes}; }

    /// Every argument and the result in one layout. Says whether it is known.
    constexpr bool all_in(const maybe_layout& l) {
        in.assign(arguments.size(), l);
        out.assign(1, l);
        return l.has_value();
    }

    /// The arguments that have got no layout yet are wanted in this one.
    constexpr void rest_in(const layout& l) { fill(in, arguments.size(), l); }
    /// The same for results, of which there are so many.
    constexpr void other_results_in(const layout& l, std::size_t results) { fill(out, results, l); }

    /// The layout that the first argument has, or comes in.
    constexpr const maybe_layout& first() const { return altered ? new_in[0] : old_in[0]; }

private:
    static constexpr void fill(vector<maybe_layout>& layouts, std::size_t count, const layout& l) {
        while (layouts.size() < count) layouts.emplace_back(l);
    }
};

/// Layout rules for operators, as a type: `find` gives the one for an operator, or null. A program's own set takes what
/// it wants and leaves the rest to another, as kernel sets do.
template <class Set>
concept layout_rule_set = requires(const op_def& op) {
    { Set::find(op) } -> std::same_as<layout_rule>;
};

namespace layout_rules {

/// The rules that the operators state.
///
/// Source: what the reference does for each of them (its FInferCorrectLayout).
struct standard {
    static constexpr layout_rule find(const op_def& op) { return op.layout; }
};

} // namespace layout_rules

namespace detail {

/// The axis of that number, from the end if negative, or nothing if there is none.
constexpr std::optional<layout::axis> axis_at(const layout& l, std::int64_t number) {
    const auto rank = static_cast<std::int64_t>(l.rank());
    if (number < 0) number += rank;
    if (number < 0 || number >= rank) return std::nullopt;
    return l.axes()[static_cast<std::size_t>(number)];
}

/// Where `to` has the axis that has that number in `from`, or nothing.
constexpr std::optional<std::int64_t> moved_axis(const layout& from, const layout& to, std::int64_t number) {
    const auto axis = axis_at(from, number);
    if (!axis) return std::nullopt;
    const auto at = to.find(axis->letter, axis->block != 0);
    if (!at) return std::nullopt;
    return static_cast<std::int64_t>(*at);
}

/// The size of an axis's block, or 0 if it has none.
constexpr std::int64_t factor(const layout& l, char letter) { return l.find(letter, true) ? l.block(letter) : 0; }

} // namespace detail

} // namespace tutti::relay
