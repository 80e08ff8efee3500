#pragma once

#include <tutti/base/folder.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

/// Traits of a unit, for passes over parts and for instruments. Specialise this template for your unit, with the
/// members that you can provide.
///
/// The parts of a unit are the units inside it: the functions of a module, the loops of a function. Parts are
/// independent: a pass over one part neither reads nor changes another. If an instrument needs a missing member, its
/// use fails to compile.
///
/// Example:
/// ```
/// template <>
/// struct tutti::unit_traits<plan> {
///     static constexpr std::string_view name = "plan"; // name of such units in a pipeline's text
///     static constexpr std::string_view extension = "plan"; // of files that contain such units; by default "txt"
///     static constexpr std::string_view comment = "#"; // starts a comment line in such files; by default "//"
///     static constexpr std::string_view value_names = "%"; // precede the numbers of values in texts, such as %12;
///                                                          // several are separated by spaces; by default "%"
///     static std::vector<query>& parts(plan&);         // a range of references to the parts, for `each<query>`
///     static std::string to_text(const plan&);         // the text to print
///     static std::string to_full_text(const plan&);    // with parts that `to_text` omits, such as large constants
///     static std::string to_text(const plan&, std::string_view part); // text of a named part; empty if there is none
///     static tutti::operator_counts count_operators(const plan&);
///     static tutti::unit_graph graph(const plan&);     // the graph to draw
///     static void verify(const plan&);                 // throws a tutti::error for an invalid unit
///     static bool holds(const plan&, sorted);          // true if a plan has the property, for `check_properties`
///     static std::uint64_t fingerprint(const plan&);   // equal for equal units, almost always different for others
///     static std::string to_bytes(const plan&);        // for `cached`: the unit as bytes
///     static bool from_bytes(plan&, std::string_view); // restores it; false for bytes that `to_bytes` did not write
///     static plan_division divide(plan&);              // for `cached`: parts with results of their own; see cached.hpp
///     static void check_structure(const plan&, std::string_view pass); // throws if a pass left a unit that the functions
///                                                                      // above cannot handle; see `checked_after`
/// };
/// ```
template <class Unit>
struct unit_traits {};

/// A list of unit types.
template <class... Unit>
struct units {
    template <class U>
    static constexpr bool contains = (std::same_as<U, Unit> || ...);
};

namespace internal {

/// Clause: units have a text.
template <class Unit>
concept has_text = requires(const Unit& unit) {
    { unit_traits<Unit>::to_text(unit) } -> std::convertible_to<std::string_view>;
};

/// Clause: the text of a part can be requested by name.
template <class Unit>
concept has_part_text = requires(const Unit& unit, std::string_view part) {
    { unit_traits<Unit>::to_text(unit, part) } -> std::convertible_to<std::string_view>;
};

/// True if units have a text. If `part` is not empty, the text of a part must also be available by name.
template <class Unit>
constexpr bool has_unit_text(std::string_view part) {
    return has_text<Unit> && (part.empty() || has_part_text<Unit>);
}

/// Returns the text of a unit if `part` is empty, otherwise the text of its part with this name. The text is empty if
/// there is no such part.
///
/// Requires: `has_unit_text<Unit>(part)`.
template <has_text Unit>
auto unit_text(const Unit& unit, [[maybe_unused]] std::string_view part) {
    if constexpr (has_part_text<Unit>)
        if (!part.empty()) return unit_traits<Unit>::to_text(unit, part);
    return unit_traits<Unit>::to_text(unit);
}

/// Clause: units have a complete text.
template <class Unit>
concept has_full_text = requires(const Unit& unit) {
    { unit_traits<Unit>::to_full_text(unit) } -> std::convertible_to<std::string_view>;
};

/// Clause: units have a fingerprint.
template <class Unit>
concept has_fingerprint = requires(const Unit& unit) {
    { unit_traits<Unit>::fingerprint(unit) } -> std::convertible_to<std::uint64_t>;
};

/// Clause: units have a structure check. The check precedes all other uses of a unit, because a pass may leave a
/// malformed unit.
template <class Unit>
concept has_structure =
    requires(const Unit& unit, std::string_view pass) { unit_traits<Unit>::check_structure(unit, pass); };

/// Clause: the operators of units can be counted.
template <class Unit>
concept has_operators = requires(const Unit& unit) { unit_traits<Unit>::count_operators(unit); };

/// Clause: units can be drawn as a graph.
template <class Unit>
concept has_graph = requires(const Unit& unit) { unit_traits<Unit>::graph(unit); };

} // namespace internal

namespace detail {

// These functions report mistakes in the traits of a unit when the traits are first used.

template <class Result>
consteval bool check_verify() {
    constexpr bool returns_nothing = std::is_void_v<Result>;
    static_assert(returns_nothing,
                  "tutti::unit_traits<Unit>::verify(unit): a verify must return nothing; declare it static void "
                  "verify(const Unit&), and throw a tutti::error that says what is wrong with the unit");
    return true; // the mistake was reported already
}

template <class Part>
consteval bool check_part() {
    constexpr bool is_reference = std::is_lvalue_reference_v<Part> && !std::is_const_v<std::remove_reference_t<Part>>;
    static_assert(is_reference, "tutti::unit_traits<Unit>::parts(unit): its elements must be references to the parts, "
                                "since passes change them; return the container of the parts, or a view of references");
    return true;
}

struct no_part;

template <class Unit>
struct part_type {
    using type = no_part;
};
template <class Unit>
    requires requires(Unit& unit) { unit_traits<Unit>::parts(unit); }
struct part_type<Unit> {
    // A range-based for loop accepts arrays and ranges with member or free begin and end. It does not need <iterator>.
    template <class Range>
    static auto find(Range&& range) {
        for (auto&& each : range)
            if constexpr (check_part<decltype(each)>())
                return static_cast<std::remove_cvref_t<decltype(each)>*>(nullptr);
        __builtin_unreachable(); // only the return type is used
    }
    using type = std::remove_pointer_t<decltype(find(unit_traits<Unit>::parts(std::declval<Unit&>())))>;
};

template <class Known, class Unit>
struct add_levels {
    using type = Known;
};
template <class... Known, class Unit>
    requires(!std::same_as<Unit, no_part> && !units<Known...>::template contains<Unit>)
struct add_levels<units<Known...>, Unit> {
    using type = typename add_levels<units<Known..., Unit>, typename part_type<Unit>::type>::type;
};

} // namespace detail

namespace internal {

/// Clause: units can be verified.
template <class Unit>
concept is_verified = requires(const Unit& unit) { unit_traits<Unit>::verify(unit); } &&
                      detail::check_verify<decltype(unit_traits<Unit>::verify(std::declval<const Unit&>()))>();

/// Clause: units have parts.
template <class Unit>
concept has_parts = !std::same_as<typename detail::part_type<Unit>::type, detail::no_part>;

/// The type of a unit's parts.
template <has_parts Unit>
using part_of = typename detail::part_type<Unit>::type;

} // namespace internal

/// The types of a unit and of its direct and indirect parts, from the outermost to the innermost. Ends before a type
/// would repeat.
template <class Unit>
using levels_of = typename detail::add_levels<units<>, Unit>::type;

namespace internal {

/// Returns `unit_traits<Unit>::name`, or "" if it does not exist.
template <class Unit>
constexpr std::string_view unit_name() {
    if constexpr (requires { std::string_view{unit_traits<Unit>::name}; })
        return unit_traits<Unit>::name;
    else
        return {};
}

/// Returns the extension of files that contain units as text.
template <class Unit>
constexpr std::string_view unit_extension() {
    if constexpr (requires { std::string_view{unit_traits<Unit>::extension}; })
        return unit_traits<Unit>::extension;
    else
        return "txt";
}

/// Returns the prefix of comment lines in the text of units.
template <class Unit>
constexpr std::string_view unit_comment() {
    if constexpr (requires { std::string_view{unit_traits<Unit>::comment}; })
        return unit_traits<Unit>::comment;
    else
        return "//";
}

/// Returns the prefixes of numbered values in the text of units, separated by spaces.
template <class Unit>
constexpr std::string_view unit_value_names() {
    if constexpr (requires { std::string_view{unit_traits<Unit>::value_names}; })
        return unit_traits<Unit>::value_names;
    else
        return "%";
}

} // namespace internal

} // namespace tutti
