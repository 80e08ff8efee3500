#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM::testing {

// To measure the effect of rounding on a program's results, the program is evaluated several times. In each run,
// operands and results of floating-point arithmetic are perturbed by some units in the last place. A pass may change
// only the elements in which these runs differ, and not, for example, integers or elements that are only moved.
// Source: Parker, "Monte Carlo Arithmetic: exploiting randomness in floating-point arithmetic", 1997.

/// The source of noise in a thread's evaluations.
struct noise {
    std::mt19937_64 random{1};
    int units = 16; // largest perturbation, in units in the last place

    static noise& current() {
        thread_local noise one;
        return one;
    }
};

namespace detail {

/// Constants of an element type. The product of two magnitudes from `small` to `large` neither overflows nor
/// underflows.
template <class T>
struct tame;
template <>
struct tame<kernel::float16> {
    static constexpr double epsilon = 0x1p-10, least = 0x1p-24, small = 0x1p-7, large = 0x1p7;
};
template <>
struct tame<kernel::bfloat16> {
    static constexpr double epsilon = 0x1p-7, least = 0x1p-133, small = 0x1p-60, large = 0x1p60;
};
template <>
struct tame<float> {
    static constexpr double epsilon = 0x1p-23, least = 0x1p-149, small = 0x1p-60, large = 0x1p60;
};
template <>
struct tame<double> {
    static constexpr double epsilon = 0x1p-52, least = 0x1p-1074, small = 0x1p-500, large = 0x1p500;
};

template <class T>
double as_double(T x) {
    if constexpr (kernel::is_half<T>)
        return static_cast<double>(static_cast<float>(x));
    else
        return static_cast<double>(x);
}
template <class T>
T from_double(double x) {
    if constexpr (std::is_same_v<T, double>)
        return x;
    else
        return static_cast<T>(static_cast<float>(x));
}

/// Calls `f.operator()<T>()` with the element type of a floating-point tensor. Ignores other tensors.
template <class F>
void if_floating(const kernel::tensor& t, F&& f) {
    switch (t.type()) {
    case kernel::dtype::float16:
        return f.template operator()<kernel::float16>();
    case kernel::dtype::bfloat16:
        return f.template operator()<kernel::bfloat16>();
    case kernel::dtype::float32:
        return f.template operator()<float>();
    case kernel::dtype::float64:
        return f.template operator()<double>();
    default:
        return;
    }
}

/// True if an element is infinite, or so small or large that the order of operations may decide whether a result
/// underflows or overflows.
inline bool has_extremes(const kernel::tensor& t) {
    bool found = false;
    if_floating(t, [&]<class T>() {
        for (const T e : t.elements<T>()) {
            const double x = std::abs(as_double(e));
            found = found || (x != 0 && x < tame<T>::small) || x > tame<T>::large;
        }
    });
    return found;
}

template <class T>
T disturbed(T e) {
    noise& n = noise::current();
    const double x = as_double(e);
    const double by = static_cast<double>(n.random() >> 11) * 0x1p-52 - 1; // in [-1, 1)
    return from_double<T>(x + by * n.units * (std::abs(x) * tame<T>::epsilon + tame<T>::least));
}

/// Returns an arbitrary value, so that dependent results differ in each run.
template <class T>
T wild(T e) {
    static constexpr double values[]{0,
                                     1,
                                     -3,
                                     1e4,
                                     -0.01,
                                     std::numeric_limits<double>::infinity(),
                                     -std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()};
    const auto way = noise::current().random() % 9;
    return way == 8 ? e : from_double<T>(values[way]);
}

inline kernel::tensor disturbed_copy(const kernel::tensor& t) {
    kernel::tensor copy = t;
    if_floating(t, [&]<class T>() {
        copy = kernel::tensor();
        copy.reset(t.type(), t.shape());
        std::ranges::transform(t.elements<T>(), copy.mutable_elements<T>().begin(), disturbed<T>);
    });
    return copy;
}

/// Computes a call with the reference kernels and noise. Requires: the call is part of a program.
inline bool run_disturbed(const invocation& call) {
    vector<kernel::tensor> inputs;
    vector<const kernel::tensor*> pointers;
    bool extremes = false;
    for (const kernel::tensor* t : call.inputs) {
        extremes = extremes || has_extremes(*t);
        inputs.push_back(disturbed_copy(*t));
    }
    for (const kernel::tensor& t : inputs) pointers.push_back(&t);
    invocation with_noise = call;
    with_noise.inputs = pointers;
    with_noise.kept = nullptr; // the kept state may depend on other inputs
    if (!compute(kernels::reference(), *call.program->called_op(call.expression), with_noise)) return false;
    for (kernel::tensor& out : call.results)
        if_floating(out, [&]<class T>() {
            kernel::tensor made;
            made.reset(out.type(), out.shape());
            std::ranges::transform(out.elements<T>(), made.mutable_elements<T>().begin(), [&](T e) {
                // An infinity or a large number may be different in another order of arithmetic.
                return extremes || std::abs(as_double(e)) > tame<T>::large ? wild(e) : disturbed(e);
            });
            out = made;
        });
    return true;
}

} // namespace detail

/// Returns the reference kernels. The kernels that round add noise. Only evaluators may use this set, because each call
/// must be part of a program.
inline const kernel_set& noisy_kernels() {
    static const vector<kernel_row> rows = [] {
        vector<kernel_row> made;
        for (const kernel_row& row : kernels::reference().rows())
            if (row.op->rounds && (made.empty() || made.back().op != row.op))
                made.push_back({.op = row.op, .run = detail::run_disturbed, .decode = row.decode});
        return made;
    }();
    static const kernel_set set = kernel_set::of_sorted(rows, kernels::reference());
    return set;
}

} // namespace tutti::relay::inline TUTTI_FORM::testing
