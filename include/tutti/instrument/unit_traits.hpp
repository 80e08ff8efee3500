#pragma once

#include <concepts>
#include <cstdint>
#include <string>

namespace tutti {

/// What instruments may ask of a unit; specialise it for yours, with those of these parts that you have.
///
/// An instrument that needs a part which is missing says so when it is put to use.
///
/// Example:
/// ```
/// template <>
/// struct tutti::unit_traits<plan> {
///     static std::string to_text(const plan&);         // what printing shows
///     static std::uint64_t fingerprint(const plan&);   // equal if and, but for bad luck, only if the units
///     are equal
/// };
/// ```
template <class Unit>
struct unit_traits {};

/// Clause: units have a text.
template <class Unit>
concept has_text = requires(const Unit& unit) {
    { unit_traits<Unit>::to_text(unit) } -> std::convertible_to<std::string>;
};

/// Clause: units have a fingerprint.
template <class Unit>
concept has_fingerprint = requires(const Unit& unit) {
    { unit_traits<Unit>::fingerprint(unit) } -> std::convertible_to<std::uint64_t>;
};

} // namespace tutti
