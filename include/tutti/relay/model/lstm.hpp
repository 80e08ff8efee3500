#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Options of the recurrent network.
struct lstm_options {
    std::int64_t steps = 3;
    std::int64_t hidden = 8; ///< number of units, and of input values
    std::int64_t batch = 1;
    dtype element = dtype::float32;
};

/// Returns an unrolled long short-term memory with inferred types: `main` returns the last output; each step has its
/// own parameters.
///
/// A step is a function literal of input, state (output and cell) and parameters, called in place.
///
/// Throws: `tutti::error` for a size below 1.
/// Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", with Gers et al.'s forget gate; the text equals the
///         reference's `relay.testing.lstm`.
TUTTI_CONSTEXPR ir_module lstm(const lstm_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::model

#ifndef TUTTI_COMPILED
#include <tutti/relay/model/lstm.ipp>
#endif
