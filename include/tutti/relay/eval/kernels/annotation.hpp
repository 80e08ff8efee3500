#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Returns the result of ndarray_size for a tensor of this shape. Requires: as for `shape_tensor`.
constexpr tensor size_tensor(std::span<const dim> dims, dtype type) {
    std::uint64_t size = 1;
    for (const dim d : dims) size *= static_cast<std::uint64_t>(d.value());
    tensor out;
    kernel::full(static_cast<std::int64_t>(size), type, {}, out);
    return out;
}

/// Returns the result of shape_of for a tensor of this shape. Requires: every dimension is known; the type is not
/// `none`.
constexpr tensor shape_tensor(std::span<const dim> dims, dtype type) {
    vector<std::int64_t> sizes;
    for (const dim d : dims) sizes.push_back(d.value());
    tensor out;
    kernel::list_of(sizes, type, out);
    return out;
}

/// Operators that return their argument or describe it. Evaluation is not training, so dropout keeps every element and
/// returns a mask of ones.
template <class = void>
inline constexpr std::array annotation_kernels{
    kernel_row{&definition<op::annotation::stop_fusion>,
               [](const invocation& c) {
                   c.result().share(c.input(0), c.input(0).shape());
                   return true;
               },
               nullptr, result_memory::shares},
    kernel_row{&definition<op::annotation::checkpoint>,
               [](const invocation& c) {
                   for (std::size_t i = 0; i < c.inputs.size(); ++i) c.result(i).share(c.input(i), c.input(i).shape());
                   return true;
               },
               nullptr, result_memory::shares},
    kernel_row{&definition<op::annotation::cast_hint>,
               [](const invocation& c) {
                   c.result().share(c.input(0), c.input(0).shape());
                   return true;
               },
               nullptr, result_memory::shares},
    kernel_for<op::annotation::simulated_quantize>([](const invocation& c, const annotated_quantize_attributes& a) {
        if (a.kind.value == 0) {
            c.result().share(c.input(0), c.input(0).shape());
            return true;
        }
        if (!a.sign || a.rounding != "round" || c.input(0).type() != dtype::float32) return false;
        tensor at;
        tensor spare;
        kernel::divide(c.input(0), c.input(1), at);
        kernel::minimum(at, c.input(3), spare);
        kernel::maximum(spare, c.input(2), at);
        kernel::round(at, spare);
        kernel::multiply(spare, c.input(1), c.result());
        return true;
    }),
    kernel_row{&definition<op::nn::dropout>,
               [](const invocation& c) {
                   c.result(0).share(c.input(0), c.input(0).shape());
                   kernel::full(std::int64_t{1}, c.input(0).type(), c.input(0).shape(), c.result(1));
                   return true;
               },
               nullptr, result_memory::shares},
    kernel_for<op::ndarray_size>([](const invocation& c, const shape_of_attributes& a) {
        kernel::full(c.input(0).size(), a.dtype, {}, c.result());
    }),
    kernel_for<op::shape_of>(
        [](const invocation& c, const shape_of_attributes& a) { kernel::shape_of(c.input(0), a.dtype, c.result()); }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
