#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule.hpp>

namespace tutti::relay::inline TUTTI_FORM::layout_rules {

/// Requires the layouts that a convolution's attributes name. Arguments after data and weight are scales and zero
/// points.
TUTTI_CONSTEXPR bool convolution(layout_query& q);

/// Like `convolution`, but the argument between data and weight holds offsets in the data's layout.
TUTTI_CONSTEXPR bool deformable_convolution(layout_query& q);

/// Adopts the argument's layout for pooling, unless the attribute `out_layout` is set.
TUTTI_CONSTEXPR bool pooling(layout_query& q);

/// Adopts the argument's layout for nn.upsampling if the spatial axes keep their positions and have no blocks.
TUTTI_CONSTEXPR bool upsampling(layout_query& q);

/// Adopts the argument's new layout for image.resize2d if the old layout equals the attribute `layout` and both layouts
/// have the same rank.
TUTTI_CONSTEXPR bool resize(layout_query& q);

} // namespace tutti::relay::inline TUTTI_FORM::layout_rules

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/layout_rule_nn.ipp>
#endif
