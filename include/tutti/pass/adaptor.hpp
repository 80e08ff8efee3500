#pragma once

#include <tutti/pass/pass.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <string_view>

namespace tutti {

/// An adaptor for `name[label]{options}(A,B)` in the text of a pipeline: creates a pass around an inner pass.
///
/// `label` distinguishes adaptors of the same name and may be empty. `make` creates the pass, whose member `adaptor`
/// names the adaptor. The inner pass is the single pass in the brackets, or an unnamed sequential of several passes.
///
/// Example:
/// ```
/// struct twice_adaptor;
/// template <class Inner>
/// struct twice_pass {
///     static constexpr tutti::pass_info info{.name = "twice", .kind = tutti::pass_kind::adaptor};
///     using adaptor = twice_adaptor;
///     using members = tutti::passes<Inner>;
///     Inner inner;
///
///     constexpr void each_member(auto&& f) const { f(inner); }
///     constexpr tutti::change operator()(auto& unit, auto& ctx) const {
///         return ctx.run_member(inner, unit) | ctx.run_member(inner, unit);
///     }
/// };
/// struct twice_adaptor {
///     static constexpr std::string_view name = "twice", label = "";
///     template <class Inner>
///     static constexpr twice_pass<Inner> make(Inner inner) { return {inner}; }
/// };
/// ```
template <class A>
concept adaptor = requires {
    { A::name } -> std::convertible_to<std::string_view>;
    { A::label } -> std::convertible_to<std::string_view>;
};

namespace detail {

// Returns the inner pass of an adaptor: the only pass, or a sequential of several.
template <class P>
constexpr P inner_of(P pass) {
    return pass;
}
template <class... P>
constexpr auto inner_of(P... pass) {
    return tutti::sequential(static_cast<P&&>(pass)...);
}

template <class Unit>
using part_or_none = typename part_type<Unit>::type;

} // namespace detail

} // namespace tutti
