#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/product.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/window.hpp>
#include <tutti/kernel/workspace.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

/// One result: the sum over the channels of its group and the cells of its window.
template <class Sum>
constexpr Sum plain_sum(const conv_plan& p, const Sum* data, const Sum* weight, std::int64_t n, std::int64_t channel,
                        const spatial& place) {
    // Where each channel is a group, the weights' I may count what each becomes.
    const bool several = p.groups > 1 && p.in.channel.size == p.groups && p.weight.outer.size == p.groups;
    const std::int64_t each = several ? p.weight.channel.size : p.weight.outer.size / p.groups;
    const std::int64_t in_a_group = p.in.channel.size / p.groups;
    const std::int64_t group = channel / each;
    Sum sum{};
    for (std::int64_t c = 0; c < in_a_group; ++c)
        for (std::int64_t d = 0; d < p.weight.space[0].size; ++d)
            for (std::int64_t h = 0; h < p.weight.space[1].size; ++h)
                for (std::int64_t w = 0; w < p.weight.space[2].size; ++w) {
                    const spatial cell{d, h, w};
                    bool inside = true;
                    std::int64_t from = p.in.outer.at(n) + p.in.channel.at(group * in_a_group + c);
                    std::int64_t by = several ? p.weight.outer.at(group) + p.weight.channel.at(channel % each)
                                              : p.weight.outer.at(channel) + p.weight.channel.at(c);
                    for (std::size_t i = 0; i < 3; ++i) {
                        const window& over = p.window[i];
                        const std::int64_t at = place[i] * over.stride - over.before + cell[i] * over.dilation;
                        inside = inside && at >= 0 && at < p.in.space[i].size;
                        from += p.in.space[i].at(at);
                        by += p.weight.space[i].at(cell[i]);
                    }
                    sum += weight[by] * (inside ? data[from] : Sum{});
                }
    return sum;
}

} // namespace detail

/// What `conv` computes, as its definition says it: one result after the other, each a sum over its window. It is what `conv` and
/// its like are held against, in tests; nothing in the library calls it.
///
/// Floating-point products are summed in double; integers wrap.
///
/// Requires: `out` is none of the operands.
/// Throws:   tutti::error, naming both, if shapes or element types do not fit.
/// Cost:     for each multiply-add the arithmetic of its places; copies of both operands.
constexpr void plain_conv(const tensor& data, const tensor& weight, const conv_options& options, tensor& out) {
    const conv_options o = detail::with_layouts(options, data, weight);
    lettered_axes to = detail::plan_conv("plain_conv", data, weight, o).out;
    const detail::conv_plan p = detail::plan_operands("plain_conv", data, weight, o);
    const dtype type = detail::product_type("plain_conv", data, weight, o.out);
    const extents shape = place_result("plain_conv", o.out_layout, to);
    const dtype wide = is_floating(type) ? dtype::float64 : dtype::uint64;
    tensor room[3];
    const tensor& from = detail::as_type(data, wide, room[0]);
    const tensor& by = detail::as_type(weight, wide, room[1]);
    detail::with_result_as("plain_conv", type, wide, shape, room[2], out, [&](tensor& result) {
        const auto run = [&]<class Sum>(std::type_identity<Sum>) {
            for (std::int64_t n = 0; n < to.outer.size; ++n)
                for (std::int64_t c = 0; c < to.channel.size; ++c)
                    for (std::int64_t d = 0; d < to.space[0].size; ++d)
                        for (std::int64_t h = 0; h < to.space[1].size; ++h)
                            for (std::int64_t w = 0; w < to.space[2].size; ++w)
                                result.mutable_data<Sum>()[to.outer.at(n) + to.channel.at(c) + to.space[0].at(d) +
                                                           to.space[1].at(h) + to.space[2].at(w)] =
                                    detail::plain_sum(p, from.data<Sum>(), by.data<Sum>(), n, c, {d, h, w});
        };
        if (is_floating(type))
            run(std::type_identity<double>{});
        else
            run(std::type_identity<std::uint64_t>{});
    });
}

} // namespace tutti::kernel
