#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::kernel {

/// Temporary memory of a kernel, for operands and results in another type or order. Calls that share a
/// workspace reuse its memory.
struct workspace {
    tensor data;
    tensor weight;
    tensor offset;
    tensor rows;    ///< The reordered weights.
    tensor columns; ///< The data's elements, in the order for a product with the weights.
    tensor result;
};

/// A reference to the caller's workspace. By default, owns a workspace.
class scratch {
public:
    constexpr scratch() = default;
    constexpr scratch(workspace& kept) : kept_(&kept) {} // NOLINT: workspaces convert
    scratch(const scratch&) = delete;

    constexpr workspace& operator*() { return kept_ != nullptr ? *kept_ : own_; }
    constexpr workspace* operator->() { return &**this; }

private:
    workspace own_{};
    workspace* kept_ = nullptr;
};

namespace detail {

/// Returns the elements in another type, converted into `spare` if necessary.
constexpr const tensor& as_type(const tensor& t, dtype type, tensor& spare) {
    if (t.type() == type) return t;
    cast(t, type, spare);
    return spare;
}

/// Calls `fill(computed)` with a tensor of the given shape and type `computed_in`, then converts the result to `type`
/// in `out`.
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
