#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Options of the recurrent network.
struct lstm_options {
    std::int64_t steps = 3;
    std::int64_t hidden = 8; ///< number of units, and number of input values
    std::int64_t batch = 1;
    dtype element = dtype::float32;
};

/// Returns an unrolled long short-term memory network, with inferred types. `main` returns the last output. Each step
/// has its own weights, which are parameters of `main`.
///
/// A step is a function literal that is called in place. It takes the input, the state (output and cell) and the
/// weights.
///
/// Throws: `tutti::error` for a size below 1.
/// Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", with the forget gate of Gers et al. The printed form
///         equals that of the reference's `relay.testing.lstm`.
TUTTI_CONSTEXPR ir_module lstm(const lstm_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/lstm.ipp>
#endif
