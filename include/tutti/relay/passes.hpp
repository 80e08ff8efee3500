#pragma once

#include <tutti/base/form.hpp>
#include <tutti/instrument/print_pass.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/transforms.hpp>
#include <tutti/relay/unit.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

template <class... P, class... Q>
consteval tutti::passes<P..., Q...> joined(tutti::passes<P...>, tutti::passes<Q...>) {
    return {};
}

} // namespace detail

/// All passes over Relay modules, for pipelines from text. `PrintIR` writes to standard error.
///
/// Example: `constexpr auto p = tutti::pipeline<"InferType,FoldConstant,PrintIR{header=folded}">(relay::passes);`
inline constexpr auto passes = detail::joined(transforms, tutti::passes<print_pass<>>{});

} // namespace tutti::relay::inline TUTTI_FORM
