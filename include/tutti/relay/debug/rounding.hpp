#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

/// True if an operator may round. An operator with a custom kernel is assumed to round.
constexpr bool is_rounding(const op_def& op) { return op.evaluate != nullptr || op.rounds; }

/// Returns the distance from 1 to the next greater number of a floating-point type, or 0 for other types.
constexpr double spacing_of(dtype element) {
    switch (element) {
    case dtype::float16:
        return 0x1p-10;
    case dtype::bfloat16:
        return 0x1p-7;
    case dtype::float32:
        return 0x1p-23;
    case dtype::float64:
        return 0x1p-52;
    default:
        return 0;
    }
}

/// Returns the spacing of the least precise type that a module computes with, or 0 if it computes only with integers.
///
/// Requires: types are inferred.
/// Cost:     linear in the module.
inline double coarsest_spacing(const ir_module& m) {
    double coarsest = 0;
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            const type_id t = g.type(expr_id{i});
            if (t != type_id::none && g.types().is_tensor(t))
                coarsest = std::max(coarsest, spacing_of(g.types().element(t)));
        }
    }
    return coarsest;
}

/// Perturbs rounded results of operators by a few units in the last place, differently in each run.
///
/// An element that differs between such runs may also depend on the order of computation. An element that is equal in
/// all runs does not depend on that order.
///
/// Source: Parker, "Monte Carlo Arithmetic: exploiting randomness in floating-point arithmetic", 1997.
class rounding_noise {
    static constexpr double units = 4;
    std::uint64_t state_;

    double next() { // in [-1, 1)
        state_ += 0x9E3779B97F4A7C15U;
        return static_cast<double>(hash_finish(state_) >> 11) * 0x1p-52 - 1;
    }
    template <class T>
    void disturb_elements(T* values, std::int64_t count, double spacing) {
        using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
        for (std::int64_t i = 0; i < count; ++i) {
            const double x = static_cast<double>(static_cast<wide>(values[i]));
            values[i] = static_cast<T>(static_cast<wide>(x + next() * units * std::abs(x) * spacing));
        }
    }

public:
    explicit rounding_noise(std::uint64_t seed) : state_(seed) {}

    /// Perturbs a tensor's elements.
    ///
    /// Requires: the tensor does not share its memory.
    void disturb(tensor& t) {
        const double spacing = spacing_of(t.type());
        if (t.type() == dtype::float16) disturb_elements(t.mutable_data<kernel::float16>(), t.size(), spacing);
        if (t.type() == dtype::bfloat16) disturb_elements(t.mutable_data<kernel::bfloat16>(), t.size(), spacing);
        if (t.type() == dtype::float32) disturb_elements(t.mutable_data<float>(), t.size(), spacing);
        if (t.type() == dtype::float64) disturb_elements(t.mutable_data<double>(), t.size(), spacing);
    }
    /// Returns a perturbed copy of a tensor.
    tensor disturbed(const tensor& t) {
        tensor copy;
        copy.reset(t.type(), t.shape());
        std::copy_n(static_cast<const unsigned char*>(t.memory()),
                    static_cast<std::size_t>(t.size()) * kernel::bytes(t.type()),
                    static_cast<unsigned char*>(copy.mutable_memory()));
        disturb(copy);
        return copy;
    }

    void after_call(const op_def& op, const invocation& call) {
        if (!is_rounding(op)) return;
        for (tensor& result : call.results)
            if (!result.is_shared()) disturb(result);
    }
};

} // namespace tutti::relay::inline TUTTI_FORM
