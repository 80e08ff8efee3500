#pragma once

#include <tutti/kernel/blocked/math.hpp>
#include <tutti/kernel/blocked/vectors.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/loops.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

// Functions of float32 on each element, a vector at a time.

namespace tutti::kernel::blocked {

namespace detail {

/// The loop of a function of vectors, as the loops over blocks of elements are: `in` may be `out`.
template <class F>
[[gnu::noinline]] inline void apply(const float* in, float* out, std::int64_t n, const float*) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) store(F{}(load(in + i)), out + i);
    if (i == n) return;
    alignas(64) float rest[lanes] = {};
    std::copy_n(in + i, n - i, rest);
    store(F{}(load(rest)), rest);
    std::copy_n(rest, n - i, out + i);
}

} // namespace detail

// The loops of the functions of their names in math.hpp.

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

/// What the loop makes of each element of a tensor of float32. False if it is of another type; then nothing is done.
inline bool map(std::string_view kernel, kernel::detail::unary_loop<float> loop, const tensor& in, tensor& out) {
    if (in.type() != dtype::float32) return false;
    kernel::detail::make_result(kernel, dtype::float32, in.shape(), out);
    loop(in.data<float>(), out.mutable_data<float>(), in.size(), nullptr);
    return true;
}

} // namespace tutti::kernel::blocked
