#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Folds nn.pad into following convolutions and poolings.
///
/// Padding along spatial axes is folded if its value is the one that the operator pads with: zero for convolutions and
/// averages, the least value of the type for maxima (minus infinity for floating point), the zero point for qnn.conv2d.
/// An average that excluded padding then includes it. Such an average is skipped if it already has padding, or if a
/// window extends past the end of the data. An nn.pad with other users stays.
///
/// Requires: inferred types; finite weights, because 0 times infinity is NaN.
/// Cost:     see `apply_rules`.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct fold_explicit_padding {
    static constexpr pass_info info{.name = "FoldExplicitPadding", .opt_level = 0};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    /// Returns the rules of the pass, so that each can be tested.
    static TUTTI_CONSTEXPR pattern_rules rules();

    bool as_reference = false; ///< fold everything that the reference folds; docs/differences.md lists the effects

    static constexpr option_list<&fold_explicit_padding::as_reference> options{"as_reference"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        apply(m, as_module_context<infer_type>(ctx));
    }

private:
    TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/fold_explicit_padding.ipp>
#endif
