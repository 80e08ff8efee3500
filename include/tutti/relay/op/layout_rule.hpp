#pragma once

#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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

    std::vector<maybe_layout> in{};  ///< the answer: in which layouts the arguments are wanted
    std::vector<maybe_layout> out{}; ///< and in which the results come

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

    /// The layout that the first argument has, or comes in.
    constexpr const maybe_layout& first() const { return altered ? new_in[0] : old_in[0]; }
};

/// Says how the layouts of a call go together; false if it cannot.
///
/// Ensures: if it says true, there is an answer for each argument and result.
using layout_rule = bool (*)(layout_query&);

/// Layout rules for operators, as a type: `find` gives the one for an operator, or null. A program's own set takes what
/// it wants and leaves the rest to another, as kernel sets do.
template <class Set>
concept layout_rule_set = requires(const op_def& op) {
    { Set::find(op) } -> std::same_as<layout_rule>;
};

/// Something for the operator of that name.
template <class T>
struct op_entry {
    std::string_view op;
    T value;
};

/// What is known for operators by their names, sorted.
template <class T, std::size_t N>
class op_table {
public:
    /// Requires: no operator twice.
    template <std::size_t... Sizes>
    constexpr explicit op_table(const std::array<op_entry<T>, Sizes>&... parts) {
        std::array<op_entry<T>, N> given{};
        std::size_t count = 0;
        const auto take = [&](std::span<const op_entry<T>> part) {
            for (const op_entry<T>& e : part) given[count++] = e;
        };
        (take(parts), ...);
        const auto order =
            sorted_places(N, [&](std::uint32_t a, std::uint32_t b) { return given[a].op < given[b].op; });
        for (std::size_t i = 0; i < N; ++i) entries_[i] = given[order[i]];
    }

    /// What there is for the operator of that name, or null. Cost: logarithmic.
    constexpr T find(std::string_view op) const {
        const std::size_t at = first_place(N, [&](std::size_t i) { return entries_[i].op < op; });
        return at != N && entries_[at].op == op ? entries_[at].value : nullptr;
    }

    constexpr auto begin() const { return entries_.begin(); }
    constexpr auto end() const { return entries_.end(); }

private:
    std::array<op_entry<T>, N> entries_{};
};

template <class T, std::size_t... Sizes>
op_table(const std::array<op_entry<T>, Sizes>&...) -> op_table<T, (Sizes + ... + 0)>;

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
