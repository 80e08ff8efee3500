#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/fixed_string.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/small_vector.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boost/hana/unpack.hpp>

namespace tutti::relay::inline TUTTI_FORM {

// A pattern describes expressions. It is a constant whose only state is values to compare with:
//
//     using namespace relay::patterns;
//     constexpr auto scaled = call<op::multiply>(_x, scalar(_c));
//     if (const auto m = match(scaled, g, e)) use(m[_x], m[_c]);
//
//     _                         any expression
//     _x, _y, _a, _b, _c, …     any expression, captured; a second use must be the same expression
//     _x(p)                     an expression that matches p, captured
//     constant(p), scalar(p)    a constant, or one of rank 0, that matches p
//     call<Op>(p…)              a call of this operator; for add and multiply, the arguments match in either order
//     call<Op>(p…).where<"axis">(value)   the same, with this value of the attribute
//     call_any<Ops…>(p…)        a call of one of these operators
//     call_if(f, p…)            a call of an operator for which f(const op_def&) is true; f has no state
//     chain<Op>(p)              one or more calls of a unary operator, down to an expression that matches p
//     p | q                     p or else q
//
// The first match of a part is final: there is no backtracking if a later part fails. Cost: at most one visit of each
// part of the pattern; below a call with arguments in either order, at most two. No allocation for up to six calls.

/// A match of any pattern.
class pattern_match {
public:
    static constexpr std::size_t max_captures = 12;

    /// Returns the matched calls, users before operands.
    constexpr std::span<const expr_id> calls() const { return {calls_.begin(), calls_.size()}; }
    /// Returns the expressions at which the pattern ends.
    constexpr std::span<const expr_id> inputs() const { return {inputs_.begin(), inputs_.size()}; }
    /// Returns the capture in this slot, or none.
    constexpr expr_id captured(std::size_t slot) const { return captured_[slot]; }

    // Called by patterns while they match.

    constexpr void add_call(expr_id e) { calls_.push_back(e); }
    constexpr void add_input(expr_id e) { inputs_.push_back(e); }
    /// Captures an expression. False if the slot holds a different expression.
    constexpr bool capture(std::size_t slot, expr_id e) {
        if (captured_[slot] == expr_id::none) captured_[slot] = e;
        return captured_[slot] == e;
    }

    struct state {
        std::array<expr_id, max_captures> captured;
        std::size_t calls;
        std::size_t inputs;
    };
    constexpr state save() const { return {captured_, calls_.size(), inputs_.size()}; }
    constexpr void restore(const state& s) {
        captured_ = s.captured;
        while (calls_.size() > s.calls) calls_.pop_back();
        while (inputs_.size() > s.inputs) inputs_.pop_back();
    }

private:
    static constexpr std::array<expr_id, max_captures> nothing() {
        std::array<expr_id, max_captures> all{};
        all.fill(expr_id::none);
        return all;
    }

    std::array<expr_id, max_captures> captured_ = nothing();
    small_vector<expr_id, 6> calls_;
    small_vector<expr_id, 6> inputs_;
};

/// A pattern. `captures` has one bit for each slot that the pattern may capture. `match(g, e, m)` returns true if `e`
/// matches, and records the match in `m`.
template <class P>
concept expression_pattern = requires(const P& p, const graph& g, expr_id e, pattern_match& m) {
    { P::captures } -> std::convertible_to<std::uint32_t>;
    { p.match(g, e, m) } -> std::same_as<bool>;
};

/// True if call patterns of `Op` match the two arguments in either order. Source: the reference's matcher.
template <class Op>
inline constexpr bool either_way_round = std::is_same_v<Op, op::add> || std::is_same_v<Op, op::multiply>;

namespace detail {

struct any_pattern {
    static constexpr std::uint32_t captures = 0;
    constexpr bool match(const graph&, expr_id e, pattern_match& m) const {
        m.add_input(e);
        return true;
    }
};

template <std::size_t Slot, class P>
struct named_pattern {
    static constexpr std::uint32_t captures = P::captures | std::uint32_t{1} << Slot;
    P pattern;
    constexpr bool match(const graph& g, expr_id e, pattern_match& m) const {
        return pattern.match(g, e, m) && m.capture(Slot, e);
    }
};

template <bool Scalar, class P>
struct constant_pattern {
    static constexpr std::uint32_t captures = P::captures;
    P pattern;
    constexpr bool match(const graph& g, expr_id e, pattern_match& m) const {
        if (g.kind(e) != expr_kind::constant || (Scalar && g.constant_value(e).rank() != 0)) return false;
        return pattern.match(g, e, m);
    }
};

template <class P, class Q>
struct either_pattern {
    static constexpr std::uint32_t captures = P::captures | Q::captures;
    P first;
    Q second;
    constexpr bool match(const graph& g, expr_id e, pattern_match& m) const {
        const pattern_match::state before = m.save();
        if (first.match(g, e, m)) return true;
        m.restore(before);
        return second.match(g, e, m);
    }
};

// The operators that a call pattern accepts.
template <class... Ops>
struct these_ops {
    static constexpr bool reversible = (sizeof...(Ops) == 1) && (either_way_round<Ops> && ...);
    static constexpr bool accept(const op_def& op) { return ((&op == &definition<Ops>) || ...); }
};
template <class F>
struct ops_that {
    static constexpr bool reversible = false;
    static constexpr bool accept(const op_def& op) { return F{}(op); }
};

// The patterns of the arguments in sequence.
template <class... P>
struct pattern_list {
    static constexpr std::uint32_t captures = 0;
    constexpr bool match(const graph&, std::span<const expr_id>, pattern_match&) const { return true; }
};
template <class P, class... Rest>
struct pattern_list<P, Rest...> {
    static constexpr std::uint32_t captures = P::captures | pattern_list<Rest...>::captures;
    P first;
    pattern_list<Rest...> rest;

    constexpr explicit pattern_list(P p, Rest... others) : first(p), rest(others...) {}
    constexpr bool match(const graph& g, std::span<const expr_id> arguments, pattern_match& m) const {
        return first.match(g, arguments[0], m) && rest.match(g, arguments.subspan(1), m);
    }
};

template <class Callee, class... P>
struct call_pattern {
    static constexpr std::uint32_t captures = pattern_list<P...>::captures;
    pattern_list<P...> arguments;

    constexpr bool match(const graph& g, expr_id e, pattern_match& m) const {
        const op_def* op = g.called_op(e);
        if (op == nullptr || !Callee::accept(*op) || g.operand_count(e) != 1 + sizeof...(P)) return false;
        m.add_call(e);
        const auto given = g.arguments(e);
        if constexpr (Callee::reversible && sizeof...(P) == 2) {
            const pattern_match::state before = m.save();
            if (arguments.match(g, given, m)) return true;
            m.restore(before);
            const expr_id turned[]{given[1], given[0]};
            return arguments.match(g, turned, m);
        } else {
            return arguments.match(g, given, m);
        }
    }
};

// Returns the index of an attribute in its structure, or an index past the end if there is none.
template <class Attributes>
constexpr std::size_t place_of_attribute(std::string_view name) {
    std::size_t i = 0;
    while (i < attribute_fields<Attributes>.size() && attribute_fields<Attributes>[i].name != name) ++i;
    return i;
}
/// Returns the attribute at index `I`.
template <std::size_t I, class Attributes>
constexpr const auto& nth_attribute(const Attributes& attributes) {
    return tutti::internal::unpack_options<Attributes>(
        [&](const auto&... options) -> const auto& { return std::get<I>(std::tie(options...))(attributes); });
}

/// A call of the operator `Op` whose attribute at index `Place` has this value.
template <class Op, std::size_t Place, class P, class V>
struct where_pattern {
    static constexpr std::uint32_t captures = P::captures;
    P call;
    V value;

    constexpr bool match(const graph& g, expr_id e, pattern_match& m) const {
        return call.match(g, e, m) &&
               nth_attribute<Place>(get_attributes<typename Op::attributes>(g, g.call_attributes(e))) == value;
    }
    template <fixed_string Name, class W>
    constexpr auto where(W other) const {
        return with_attribute<Op, Name>(*this, other);
    }
};

// Adds a condition on an attribute. Reports a mistake once, and then compiles as if the condition were absent.
template <class Op, fixed_string Name, class P, class V>
constexpr auto with_attribute(P call, [[maybe_unused]] V value) {
    using attributes = typename Op::attributes;
    constexpr std::size_t place = place_of_attribute<attributes>(Name.view());
    constexpr bool known = place < attribute_fields<attributes>.size();
    static_assert(known, "tutti::relay::patterns::call<Op>(p...).where<name>(value): a name must be that of "
                         "an attribute of the "
                         "operator; spell it as its attributes structure does");
    if constexpr (known) {
        using of_type = decltype(nth_attribute<place>(std::declval<const attributes&>()));
        constexpr bool comparable = requires(of_type a, const V& v) {
            { a == v } -> std::same_as<bool>;
        };
        static_assert(comparable,
                      "tutti::relay::patterns::call<Op>(p...).where<name>(value): a value must compare with the "
                      "attribute; give one of the attribute's type");
        if constexpr (comparable)
            return where_pattern<Op, place, P, V>{call, value};
        else
            return call;
    } else {
        return call;
    }
}

/// A call of one operator, optionally with attributes.
template <class Op, class... P>
struct op_pattern : call_pattern<these_ops<Op>, P...> {
    template <fixed_string Name, class V>
    constexpr auto where(V value) const {
        return with_attribute<Op, Name>(*this, value);
    }
};

template <class Op, class P>
struct chain_pattern {
    static constexpr std::uint32_t captures = P::captures;
    P end;
    constexpr bool match(const graph& g, expr_id e, pattern_match& m) const {
        if (!calls<Op>(g, e)) return false;
        for (; calls<Op>(g, e) && g.operand_count(e) == 2; e = g.operand(e, 1)) m.add_call(e);
        return end.match(g, e, m);
    }
};

} // namespace detail

/// A capture, stored in slot `Slot` of the match.
template <std::size_t Slot>
struct capture : detail::named_pattern<Slot, detail::any_pattern> {
    static_assert(Slot < pattern_match::max_captures,
                  "tutti::relay::capture<slot>: a slot must be below pattern_match::max_captures; take a smaller one");
    static constexpr std::size_t slot = Slot;

    template <expression_pattern P>
    constexpr detail::named_pattern<Slot, P> operator()(P part) const {
        return {part};
    }
};

/// The result of matching an expression: `m[_x]` is the capture of `_x`, or none if the matched alternative has no
/// `_x`.
template <class P>
class matched {
public:
    constexpr matched(const P& pattern, const graph& g, expr_id e) : matches_(pattern.match(g, e, how_)) {}

    constexpr explicit operator bool() const { return matches_; }
    constexpr const pattern_match& how() const { return how_; }

    template <std::size_t Slot>
    constexpr expr_id operator[](capture<Slot>) const {
        static_assert((P::captures >> Slot & 1U) != 0,
                      "tutti::relay::match(pattern, g, e)[capture]: a capture must be in the pattern; use "
                      "one that it contains");
        return how_.captured(Slot);
    }

private:
    pattern_match how_;
    bool matches_;
};

/// Matches a pattern against an expression.
template <expression_pattern P>
constexpr matched<P> match(const P& pattern, const graph& g, expr_id e) {
    return {pattern, g, e};
}

/// The names to build patterns from. The comment at the top of this file lists them.
namespace patterns {

inline constexpr detail::any_pattern _{};
inline constexpr capture<0> _x{};
inline constexpr capture<1> _y{};
inline constexpr capture<2> _z{};
inline constexpr capture<3> _a{};
inline constexpr capture<4> _b{};
inline constexpr capture<5> _c{};
inline constexpr capture<6> _p{};
inline constexpr capture<7> _q{};

template <expression_pattern P>
constexpr detail::constant_pattern<false, P> constant(P pattern) {
    return {pattern};
}
template <expression_pattern P>
constexpr detail::constant_pattern<true, P> scalar(P pattern) {
    return {pattern};
}

/// Returns a pattern for a call of `Op`. Requires: one pattern per argument of the operator.
template <class Op, expression_pattern... P>
constexpr auto call(P... arguments) {
    constexpr bool fits = sizeof...(P) == Op::arguments.size();
    static_assert(fits, "tutti::relay::patterns::call<Op>(p...): a pattern must have as many arguments as "
                        "the operator takes; "
                        "write _ for those that do not matter");
    if constexpr (fits)
        return detail::op_pattern<Op, P...>{{detail::pattern_list<P...>(arguments...)}};
    else
        return detail::any_pattern{};
}

/// Returns a pattern for a call of one of `Ops`. Requires: one pattern per argument of each of the operators.
template <class... Ops, expression_pattern... P>
constexpr auto call_any(P... arguments) {
    constexpr bool fits = ((sizeof...(P) == Ops::arguments.size()) && ...);
    static_assert(fits, "tutti::relay::patterns::call_any<Ops...>(p...): a pattern must have as many "
                        "arguments as each operator "
                        "takes; write _ for those that do not matter");
    if constexpr (fits)
        return detail::call_pattern<detail::these_ops<Ops...>, P...>{detail::pattern_list<P...>(arguments...)};
    else
        return detail::any_pattern{};
}

/// Returns a pattern for a call of an operator for which `f` is true. Requires: `f(const op_def&)` is a bool; F has no
/// state.
template <class F, expression_pattern... P>
    requires std::is_empty_v<F> && std::predicate<F, const op_def&>
constexpr detail::call_pattern<detail::ops_that<F>, P...> call_if(F, P... arguments) {
    return {detail::pattern_list<P...>(arguments...)};
}

/// Returns a pattern for one or more calls of `Op` in sequence. Requires: the operator takes one argument.
template <class Op, expression_pattern P>
constexpr auto chain(P end) {
    static_assert(Op::arguments.size() == 1,
                  "tutti::relay::patterns::chain<Op>(p): a chain's operator must take one argument; "
                  "use call for others");
    return detail::chain_pattern<Op, P>{end};
}

} // namespace patterns

namespace detail {

// The operator is in the namespace of the patterns, so that argument-dependent lookup finds it.
template <expression_pattern P, expression_pattern Q>
constexpr either_pattern<P, Q> operator|(P first, Q second) {
    return {first, second};
}

} // namespace detail

using detail::operator|;

} // namespace tutti::relay::inline TUTTI_FORM
