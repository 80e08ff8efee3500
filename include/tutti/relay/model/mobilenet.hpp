#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Options of the MobileNet.
struct mobilenet_options {
    std::int64_t batch = 1;
    std::array<std::int64_t, 3> image_shape{3, 224, 224}; ///< channels, height, width
    std::int64_t classes = 1000;
    dtype element = dtype::float32;
};

/// Returns a MobileNet of version 1 and full width, with inferred types. The weights are parameters of `main`.
///
/// Throws: `tutti::error` for a size below 1.
/// Source: Howard et al., "MobileNets", table 1. The printed form equals that of the reference's
///         `relay.testing.mobilenet`.
TUTTI_CONSTEXPR ir_module mobilenet(const mobilenet_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/mobilenet.ipp>
#endif
