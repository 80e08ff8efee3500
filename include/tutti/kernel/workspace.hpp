#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::kernel {

/// Memory that a kernel needs beside its operands and its result, where these are not of the type that it
/// computes in or in an order that it can use. Given again, it is not allocated again.
struct workspace {
    tensor data;
    tensor weight;
    tensor offset;
    tensor rows;    ///< The weights in another order.
    tensor columns; ///< What the weights meet.
    tensor result;
};

/// The workspace that a kernel is given, or, where it is given none, one of its own.
class scratch {
public:
    constexpr scratch() = default;
    constexpr scratch(workspace& kept) : kept_(&kept) {} // NOLINT: it is passed as one
    scratch(const scratch&) = delete;

    constexpr workspace& operator*() { return kept_ != nullptr ? *kept_ : own_; }
    constexpr workspace* operator->() { return &**this; }

private:
    workspace own_{};
    workspace* kept_ = nullptr;
};

namespace detail {

/// The elements as those of another type, in `spare` if they are not of that type already.
constexpr const tensor& as_type(const tensor& t, dtype type, tensor& spare) {
    if (t.type() == type) return t;
    cast(t, type, spare);
    return spare;
}

/// Calls `fill(computed)` with a result of that shape to compute in the type `computed_in`, and then has the result in
/// `out` in its own type.
template <class F>
constexpr void with_result_as(std::string_view kernel, dtype type, dtype computed_in,
                              std::span<const std::int64_t> shape, tensor& spare, tensor& out, F fill) {
    tensor& computed = type == computed_in ? out : spare;
    make_result(kernel, computed_in, shape, computed);
    fill(computed);
    if (type != computed_in) cast(computed, type, out);
}

} // namespace detail
} // namespace tutti::kernel
