#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/float/math.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/loops.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string_view>

// Elementwise functions of float32, a vector at a time.

namespace tutti::kernel::blocked {

namespace detail {

/// Applies a function of vectors, with up to two parameters, to a block of elements; `in` may be `out`.
template <class F>
[[gnu::noinline]] inline void apply(const float* in, float* out, std::int64_t n, const float* parameters) {
    constexpr bool plain = std::invocable<F, floats>;
    const floats first = plain ? floats{} : floats{} + parameters[0];
    const floats second = plain ? floats{} : floats{} + parameters[1];
    const auto f = [&](const floats& x) {
        if constexpr (plain)
            return F{}(x);
        else
            return F{}(x, first, second);
    };
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) store(f(load(in + i)), out + i);
    if (i == n) return;
    alignas(64) float rest[lanes] = {};
    std::copy_n(in + i, n - i, rest);
    store(f(load(rest)), rest);
    std::copy_n(rest, n - i, out + i);
}

/// Applies a function of two operands, either of which may be `out`.
template <class F>
[[gnu::noinline]] inline void apply_pair(const float* a, const float* b, float* out, std::int64_t n) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) store(F{}(load(a + i), load(b + i)), out + i);
    if (i == n) return;
    alignas(64) float left[lanes] = {};
    alignas(64) float right[lanes] = {};
    std::copy_n(a + i, n - i, left);
    std::copy_n(b + i, n - i, right);
    store(F{}(load(left), load(right)), left);
    std::copy_n(left, n - i, out + i);
}

/// Applies `Number` to each element and one number. If the number is NaN, fills the result with NaN instead. `Number`
/// can thus select with a single instruction, because only the element may be NaN.
template <class Number>
[[gnu::noinline]] inline void apply_by_one(const float* a, float b, float* out, std::int64_t n) {
    const float parameters[2]{b, b};
    if (b == b)
        apply<Number>(a, out, n, parameters);
    else
        std::fill_n(out, n, b);
}

// A comparison with NaN is false and selects the operand after the colon. A function that compares and selects the same
// two operands, such as `a > b ? a : b`, is one instruction.

struct relu_of {
    floats operator()(const floats& x) const { return x <= 0.F ? floats{} : x; }
};
struct clip_of {
    floats operator()(const floats& x, const floats& low, const floats& high) const {
        const floats at_least = x < low ? low : x;
        return at_least > high ? high : at_least;
    }
};
/// Returns `number`, or NaN where `x` is NaN: a true comparison sets all bits, which encode a NaN. This takes one
/// instruction fewer than a selection.
[[gnu::always_inline]] inline floats or_nan_of(const floats& x, const floats& number) {
    auto is_nan = x != x;
    return reinterpret_cast<floats>(reinterpret_cast<decltype(is_nan)>(number) | is_nan);
}
struct maximum_of {
    floats operator()(const floats& a, const floats& b) const { return or_nan_of(a, a > b ? a : b); }
};
struct minimum_of {
    floats operator()(const floats& a, const floats& b) const { return or_nan_of(a, a < b ? a : b); }
};
struct maximum_of_number {
    floats operator()(const floats& a, const floats& b, const floats&) const { return a < b ? b : a; }
};
struct minimum_of_number {
    floats operator()(const floats& a, const floats& b, const floats&) const { return a > b ? b : a; }
};

} // namespace detail

// Loops of the functions of the same name in math.hpp.

inline constexpr kernel::detail::unary_loop<float> exp_loop =
    detail::apply<decltype([](const floats& x) { return blocked::exp(x); })>;
inline constexpr kernel::detail::unary_loop<float> log_loop =
    detail::apply<decltype([](const floats& x) { return blocked::log(x); })>;
inline constexpr kernel::detail::unary_loop<float> tanh_loop =
    detail::apply<decltype([](const floats& x) { return blocked::tanh(x); })>;
inline constexpr kernel::detail::unary_loop<float> sigmoid_loop =
    detail::apply<decltype([](const floats& x) { return blocked::sigmoid(x); })>;
inline constexpr kernel::detail::unary_loop<float> erf_loop =
    detail::apply<decltype([](const floats& x) { return blocked::erf(x); })>;

// Loops of the operations of the same name in element.hpp, written with vectors because GCC does not vectorise the
// operations at -O2.

inline constexpr kernel::detail::unary_loop<float> relu_loop = detail::apply<detail::relu_of>;
/// Clips elements; the parameters are the bounds. Requires: the bounds are not NaN.
inline constexpr kernel::detail::unary_loop<float> clip_loop = detail::apply<detail::clip_of>;
inline constexpr block_operation maximum_block{.two = detail::apply_pair<detail::maximum_of>,
                                               .by_one = detail::apply_by_one<detail::maximum_of_number>,
                                               .function = block_function::maximum};
inline constexpr block_operation minimum_block{.two = detail::apply_pair<detail::minimum_of>,
                                               .by_one = detail::apply_by_one<detail::minimum_of_number>,
                                               .function = block_function::minimum};

/// Applies a loop to a tensor of float32. Does nothing and returns false for other types.
inline bool map(std::string_view kernel, kernel::detail::unary_loop<float> loop, const tensor& in, tensor& out,
                const float* parameters = nullptr) {
    if (in.type() != dtype::float32) return false;
    kernel::detail::make_result(kernel, dtype::float32, in.shape(), out);
    loop(in.data<float>(), out.mutable_data<float>(), in.size(), parameters);
    return true;
}

/// Applies an operation to two float32 tensors of the same shape, or to a tensor and a number. Does nothing and
/// returns false for other operands.
inline bool map(std::string_view kernel, const block_operation& f, const tensor& a, const tensor& b, tensor& out) {
    if (a.type() != dtype::float32 || b.type() != dtype::float32 || b.rank() > a.rank() || a.rank() > max_rank)
        return false;
    const bool same = same_shape(a.shape(), b.shape());
    if (!same && b.size() != 1) return false;
    const float number = b.size() == 1 ? *b.data<float>() : 0.F; // `b` may be `out`
    kernel::detail::make_result(kernel, dtype::float32, a.shape(), out);
    if (b.size() == 1)
        f.by_one(a.data<float>(), number, out.mutable_data<float>(), a.size());
    else
        f.two(a.data<float>(), b.data<float>(), out.mutable_data<float>(), a.size());
    return true;
}

} // namespace tutti::kernel::blocked
