#pragma once

#include <tutti/pass/pass_info.hpp>

// Minimal passes, one for each form of a pass.

struct pass_by_value {
    static constexpr tutti::pass_info info{.name = "ByValue"};
    constexpr auto operator()(auto unit, auto&) const { return unit; }
};
struct pass_in_place {
    static constexpr tutti::pass_info info{.name = "InPlace"};
    constexpr void operator()(auto&, auto&) const {}
};
template <class Unit>
struct pass_without_context {
    static constexpr tutti::pass_info info{.name = "WithoutContext"};
    constexpr Unit operator()(Unit unit) const { return unit; }
};
template <class Unit>
struct pass_in_place_without_context {
    static constexpr tutti::pass_info info{.name = "InPlaceWithoutContext"};
    constexpr void operator()(Unit&) const {}
};
// A pass whose description is only known at run time.
struct pass_described_late {
    tutti::pass_info info{.name = "Late"};
    constexpr void operator()(auto&, auto&) const {}
};
