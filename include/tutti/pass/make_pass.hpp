#pragma once

#include <tutti/pass/class_name.hpp>
#include <tutti/pass/pass.hpp>

#include <utility>

namespace tutti {

namespace detail {

/// The pass made by `make_pass`.
template <fixed_string Name, int Level, class F>
struct made_pass {
    static constexpr pass_info info{.name = Name.view(), .opt_level = Level};
    using properties_from = F;

    [[no_unique_address]] F function;

    template <class... Arguments>
        requires takes<const F, Arguments...>
    constexpr decltype(auto) operator()(Arguments&&... arguments) const {
        return function(std::forward<Arguments>(arguments)...);
    }
    template <class... Arguments>
        requires takes<F, Arguments...>
    constexpr decltype(auto) operator()(Arguments&&... arguments) {
        return function(std::forward<Arguments>(arguments)...);
    }
    // Diagnoses a call without the context that the function requires: compilers show this deleted function.
    template <class Unit>
        requires(!takes<const F, Unit> && !takes<F, Unit>)
    void operator()(Unit&&) const = delete; // write tutti::with(ctx, [&](auto& scope) { scope.run(pass, unit); });
};

struct call_name {
    void operator()();
};
template <class F>
struct call_names : F, call_name {};

// True if an `F` has a call operator, or may have one.
template <class F>
concept has_call = std::is_function_v<std::remove_pointer_t<F>> || std::is_final_v<F> ||
                   (std::is_class_v<F> && !requires { &call_names<F>::operator(); });

// Takes the place of an argument that is not callable.
struct anything {
    constexpr auto operator()(auto unit) const { return unit; }
};

} // namespace detail

/// Makes a pass from a callable and a name. The default level is 0.
///
/// Requires: `f` has the signature of a pass: `Unit(Unit, ctx)`, `void(Unit&, ctx)`, or either without the context.
/// Example:  `constexpr auto twice = tutti::make_pass<"Twice", 1>([](int n) { return 2 * n; });`
template <fixed_string Name, int Level = 0, class F>
constexpr auto make_pass(F f) {
    constexpr bool callable = detail::has_call<F>;
    static_assert(callable, "tutti::make_pass(f): f must be callable; give it a lambda or a function object such as "
                            "[](Unit unit, auto& ctx) { ...; return unit; }");
    if constexpr (callable)
        return detail::made_pass<Name, Level, F>{std::move(f)};
    else
        return detail::made_pass<Name, Level, detail::anything>{}; // prevents further errors
}
/// Makes a pass from a callable, and names it after the class of the callable.
///
/// Requires: the class of `f` has a name; a lambda has none.
/// Example:  `constexpr auto pass = tutti::make_pass(fold_constant{});` // "fold_constant"
template <int Level = 0, class F>
constexpr auto make_pass(F f) {
    constexpr bool named = !class_name<F>.empty();
    static_assert(named, "tutti::make_pass(f): a pass must have a name, which a lambda or a function lacks; write "
                         "make_pass<\"Name\">(f)");
    if constexpr (named)
        return tutti::make_pass<detail::class_name_text<F>, Level>(std::move(f));
    else
        return detail::made_pass<"", Level, detail::anything>{};
}

} // namespace tutti
