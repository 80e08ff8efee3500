#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Options of the residual network.
struct resnet_options {
    int layers = 18; ///< 18, 34, 50, 101 or 152
    std::int64_t batch = 1;
    std::array<std::int64_t, 3> image_shape{3, 224, 224}; ///< channels, height, width
    std::int64_t classes = 1000;
    dtype element = dtype::float32;
};

/// Returns a residual network in pre-activation form with inferred types; its parameters are variables.
///
/// Images of 29 to 32 pixels get a 3×3 first convolution without pooling, larger ones the 7×7 with pooling.
///
/// Throws: `tutti::error` for an unsupported number of layers, or an image too small for it.
/// Source: the reference's `relay.testing.resnet`, with an equal text; its networks for smaller images differ.
TUTTI_CONSTEXPR ir_module resnet(const resnet_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/resnet.ipp>
#endif
