#pragma once

#include <tutti/base/fixed_string.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>

namespace tutti {

/// An extension point: a place in a pipeline for passes of others, which `edit::fill` inserts before it.
///
/// It does nothing, and no instrument sees it. Edits keep it, so that several parts of a program can fill it, one after
/// another. In text it is `point(after-simplify)`.
///
/// Example: `tutti::sequential(simplify{}, tutti::point<"after-simplify">{}, fuse_ops{})`
template <fixed_string Name>
struct point {
    static constexpr pass_info info{.name = Name.view()};

    /// For sequentials and adaptors, which do not run points.
    static constexpr bool is_point() { return true; }
    /// For lookups of passes by name, which ignore points.
    constexpr bool each_name(const auto&) const { return false; }
    constexpr change operator()(auto&) const { return unchanged; }
};

namespace internal {

/// Clause: `P` is an extension point, or may be one.
template <class P>
concept maybe_point = requires(const P& pass) { pass.is_point(); };

/// True for the type of an extension point.
template <class P>
inline constexpr bool is_point = false;
template <fixed_string Name>
inline constexpr bool is_point<point<Name>> = true;

} // namespace internal

} // namespace tutti
