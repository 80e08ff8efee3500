#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Options of the multilayer perceptron.
struct mlp_options {
    std::int64_t batch = 1;
    std::array<std::int64_t, 3> image_shape{1, 28, 28}; ///< channels, height, width
    std::int64_t classes = 10;
    dtype element = dtype::float32;
};

/// Returns a perceptron with hidden layers of 128 and 64 units, with inferred types. The weights are parameters of
/// `main`.
///
/// Throws: `tutti::error` for a size below 1.
/// Source: the reference's `relay.testing.mlp`, whose printed form is equal.
TUTTI_CONSTEXPR ir_module mlp(const mlp_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/mlp.ipp>
#endif
