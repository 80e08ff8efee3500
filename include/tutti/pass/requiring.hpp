#pragma once

#include <tutti/pass/pass.hpp>

#include <type_traits>

namespace tutti {

namespace detail {

// Concatenates two lists of passes.
template <class... P, class... Q>
passes<P..., Q...> joined(passes<P...>, passes<Q...>);

/// The pass made by `requiring`: a `P` with additional requirements.
template <class P, class... R>
struct requiring_pass : P {
    using required = decltype(detail::joined(internal::required_of<P>{}, passes<R...>{}));
};

} // namespace detail

/// Adds requirements to a pass: a sequential runs these passes just before it, in this order, with default options.
///
/// This is for passes made by a function, which have no class to write `required` in: `sequential`, `make_pass`, an
/// adaptor or a `runtime::sequential`. `resolve` puts the requirements of a sequential before it and leaves its members
/// alone. A pipeline's text cannot express the requirements of a sequential: a registry that contains
/// the sequential (`known.add(tidy)`) writes and reads it by name. Without such a registry, writing it is an error.
///
/// Requires: each `R` is a default-constructible pass over the same units, or over a whole around them.
/// Example:  `constexpr auto tidy = tutti::requiring<infer_type>(tutti::sequential<"Tidy", 1>(cse{}, dce{}));`
template <class... R, class P>
constexpr auto requiring(P pass) {
    constexpr bool open = !std::is_final_v<P>;
    static_assert(open, "tutti::requiring<Required...>(pass): a pass must not be final; write using required = "
                        "tutti::passes<Required...>; in its class");
    if constexpr (open)
        return detail::requiring_pass<P, R...>{static_cast<P&&>(pass)};
    else
        return pass;
}

} // namespace tutti
