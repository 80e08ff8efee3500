#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Options of the deep Q-network.
struct dqn_options {
    std::int64_t batch = 1;
    std::array<std::int64_t, 3> image_shape{4, 84, 84}; ///< frames, height, width
    std::int64_t actions = 18;
    dtype element = dtype::float32;
};

/// Returns a deep Q-network, which rates actions from frames, with inferred types. The weights are parameters of
/// `main`.
///
/// Throws: `tutti::error` for a size below 1, or an image smaller than 36×36.
/// Source: Mnih et al., "Human-level control through deep reinforcement learning". The printed form equals that of the
///         reference's `relay.testing.dqn`.
TUTTI_CONSTEXPR ir_module dqn(const dqn_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/dqn.ipp>
#endif
