#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/gather.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/topk.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

struct sort_options {
    std::int64_t k;
    std::int64_t axis;
    bool ascending;
    dtype index_type;
};

/// Writes the first k elements in sorted order, their indices, or both. Keeps working memory between calls.
constexpr void sort(const invocation& c, const sort_options& o, tensor* values, tensor* indices) {
    const auto sort_in = [&](vector<kernel::sort_key>& room) {
        kernel::topk(c.input(0), o.k, o.axis,
                     o.ascending ? kernel::sort_order::ascending : kernel::sort_order::descending, o.index_type, values,
                     indices, room);
    };
    if (c.kept == nullptr) {
        vector<kernel::sort_key> room;
        sort_in(room);
    } else {
        if (*c.kept == nullptr) *c.kept = std::make_shared<vector<kernel::sort_key>>();
        sort_in(*static_cast<vector<kernel::sort_key>*>(c.kept->get()));
    }
}

constexpr bool topk(const invocation& c, const topk_attributes& a, std::int64_t k) {
    const bool values = a.ret_type != "indices";
    const bool indices = a.ret_type != "values";
    if (values && indices && a.ret_type != "both") return false;
    sort(c, {k, a.axis, a.is_ascend, a.dtype}, values ? &c.result() : nullptr,
         indices ? &c.result(values ? 1 : 0) : nullptr);
    return true;
}

} // namespace detail

/// Operators that sort elements, or take or return the indices of elements.
template <class = void>
inline constexpr std::array index_kernels{
    kernel_for<op::argsort>([](const invocation& c, const argsort_attributes& a) {
        detail::sort(c, {0, a.axis, a.is_ascend, a.dtype}, nullptr, &c.result());
    }),
    kernel_row{&definition<op::argwhere>,
               [](const invocation& c) {
                   kernel::argwhere(c.input(0), dtype::int32, c.result());
                   return true;
               }},
    kernel_for<op::sort>([](const invocation& c, const sort_attributes& a) {
        detail::sort(c, {0, a.axis, a.is_ascend, dtype::none}, &c.result(), nullptr);
    }),
    kernel_for<op::one_hot>([](const invocation& c, const one_hot_attributes& a) {
        kernel::one_hot(c.input(0), kernel::scalar("one_hot", "on_value", c.input(1)),
                        kernel::scalar("one_hot", "off_value", c.input(2)), a.depth, a.axis, a.dtype, c.result());
    }),
    kernel_for<op::sparse_to_dense>([](const invocation& c, const sparse_to_dense_attributes& a) {
        kernel::sparse_to_dense(c.input(0), c.input(1), kernel::scalar("sparse_to_dense", "default_value", c.input(2)),
                                detail::numbers("the attribute `output_shape`", a.output_shape.value), c.result());
    }),
    kernel_for<op::take>([](const invocation& c, const take_attributes& a) {
        using kernel::index_mode;
        const bool wraps = a.mode == "wrap";
        const bool checks = a.mode == "fast";
        if (a.batch_dims != 0 || (!wraps && !checks && a.mode != "clip")) return false;
        const auto mode = wraps ? index_mode::wrap : checks ? index_mode::check : index_mode::clip;
        if (a.axis)
            kernel::take(c.input(0), c.input(1), a.axis->value(), mode, c.result());
        else
            kernel::take(c.input(0), c.input(1), std::nullopt, mode, c.result());
        return true;
    }),
    kernel_for<op::topk>([](const invocation& c, const topk_attributes& a) {
        return a.k.value && !a.k.value->is_any() && detail::topk(c, a, a.k.value->value());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
