#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule.hpp>

namespace tutti::relay::inline TUTTI_FORM::layout_rules {

/// A convolution requires the layouts in its attributes. Arguments after data and weight are scales and zero points.
TUTTI_CONSTEXPR bool convolution(layout_query& q);

/// Like `convolution`, with offsets between data and weight, in the data's layout.
TUTTI_CONSTEXPR bool deformable_convolution(layout_query& q);

/// Pooling follows its argument unless an attribute gives the result's layout.
TUTTI_CONSTEXPR bool pooling(layout_query& q);

/// nn.upsampling follows its argument if the spatial axes keep their places and have no blocks.
TUTTI_CONSTEXPR bool upsampling(layout_query& q);

/// image.resize2d follows an argument that had its layout and now has another of the same rank.
TUTTI_CONSTEXPR bool resize(layout_query& q);

} // namespace tutti::relay::inline TUTTI_FORM::layout_rules

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/layout_rule_nn.ipp>
#endif
