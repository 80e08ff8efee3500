#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tutti {

/// How often a unit uses each of its operators.
using operator_counts = std::map<std::string, std::int64_t, std::less<>>;

/// What instruments may ask of a unit; specialise it for yours, with those of these parts that you have.
///
/// An instrument that needs a part which is missing says so when it is put to use.
///
/// Example:
/// ```
/// template <>
/// struct tutti::unit_traits<plan> {
///     static std::string to_text(const plan&);         // what printing shows
///     static std::string to_full_text(const plan&);    // with what is left out of that, such as large constants
///     static tutti::operator_counts count_operators(const plan&);
///     static void verify(const plan&);                 // throws a tutti::error that says what is wrong
///     static std::uint64_t fingerprint(const plan&);   // equal units have equal ones, others hardly ever
/// };
/// ```
template <class Unit>
struct unit_traits {};

/// Clause: units have a text.
template <class Unit>
concept has_text = requires(const Unit& unit) {
    { unit_traits<Unit>::to_text(unit) } -> std::convertible_to<std::string>;
};

/// Clause: units have a text that leaves nothing out.
template <class Unit>
concept has_full_text = requires(const Unit& unit) {
    { unit_traits<Unit>::to_full_text(unit) } -> std::convertible_to<std::string>;
};

/// Clause: units have a fingerprint.
template <class Unit>
concept has_fingerprint = requires(const Unit& unit) {
    { unit_traits<Unit>::fingerprint(unit) } -> std::convertible_to<std::uint64_t>;
};

/// Clause: the operators of units can be counted.
template <class Unit>
concept has_operators = requires(const Unit& unit) {
    { unit_traits<Unit>::count_operators(unit) } -> std::convertible_to<operator_counts>;
};

/// Clause: units can be verified.
template <class Unit>
concept is_verified = requires(const Unit& unit) { unit_traits<Unit>::verify(unit); };

} // namespace tutti
