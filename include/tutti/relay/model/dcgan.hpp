#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Options of the generator network.
struct dcgan_options {
    std::int64_t batch = 1;
    std::int64_t random_length = 100; ///< random numbers per image
    std::int64_t channels = 3;        ///< channels of an image of 64 × 64 pixels
    dtype element = dtype::float32;
};

/// Returns the generator of a deep convolutional generative adversarial network, with inferred types. The weights are
/// parameters of `main`.
///
/// Throws: `tutti::error` for a size below 1.
/// Source: Radford et al., "Unsupervised Representation Learning with Deep Convolutional Generative Adversarial
///         Networks", figure 1. The printed form equals that of the reference's `relay.testing.dcgan`.
TUTTI_CONSTEXPR ir_module dcgan(const dcgan_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/dcgan.ipp>
#endif
