#pragma once

#include <tutti/pass/pass_info.hpp>

// The smallest passes, one for each way to be one.

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
// one whose description is known at run time only
struct pass_described_late {
    tutti::pass_info info{.name = "Late"};
    constexpr void operator()(auto&, auto&) const {}
};
