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

/// Returns a residual network in pre-activation form, with inferred types. The weights are parameters of `main`.
///
/// For images with a height of 29 to 32, the first convolution is 3×3 and no pooling follows. For larger images, it is
/// 7×7 and pooling follows.
///
/// Throws: `tutti::error` for an unsupported number of layers, an image smaller than 29×29, or a size below 1.
/// Source: the reference's `relay.testing.resnet`, whose printed form is equal. Its networks for smaller images differ.
TUTTI_CONSTEXPR ir_module resnet(const resnet_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/resnet.ipp>
#endif
