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
/// Use this for passes whose class you do not write, so that you cannot declare `required` there: a `sequential`, a
/// `runtime::sequential`, an adaptor, or the result of `make_pass`. `resolve` inserts the requirements of a sequential
/// before the sequential, and does not resolve its members.
///
/// The text of a pipeline cannot express the requirements of a sequential. A registry that contains the sequential
/// (`known.add(tidy)`) writes and reads it by name. Without such a registry, writing the pipeline is an error.
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
