#pragma once

#include <tutti/kernel/blocked/common/conv.hpp>
#include <tutti/kernel/blocked/common/depthwise.hpp>
#include <tutti/kernel/blocked/integer/integers.hpp>
#include <tutti/kernel/blocked/integer/product_terms.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/lasting.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

// Convolutions of 8-bit and 16-bit integers, computed as convolutions of float32 whose elements carry several input
// channels each.

namespace tutti::kernel::blocked {

namespace detail {

/// A convolution of integers, and the convolution of the elements that carry them.
struct integer_conv_plan {
    conv_plan of_integers;
    conv_plan of_elements;
    extents shape{}; // shape of the result
    products how = products::pairs;
    bool by_channel = false;
};

/// Returns the number of element channels in a group. Each of them carries up to `in_one` integer channels.
constexpr std::int64_t carrying_channels(const conv_plan& p, std::int64_t in_one) {
    return (p.weight.channel.size + in_one - 1) / in_one;
}

/// Returns the axes of a dense tensor: outer, channel, depth, height, width.
constexpr lettered_axes dense_axes(std::int64_t outer, std::int64_t channels,
                                   const std::array<lettered_axis, 3>& space) {
    const auto axis = [](std::int64_t size, std::int64_t stride) {
        return lettered_axis{.size = size, .parts = 1, .part_of = {lettered_axis::part{size, stride}}};
    };
    const std::int64_t row = space[2].size;
    const std::int64_t plane = space[1].size * row;
    const std::int64_t all = space[0].size * plane;
    return {.outer = axis(outer, channels * all),
            .channel = axis(channels, all),
            .space = {axis(space[0].size, plane), axis(space[1].size, row), axis(row, 1)}};
}

/// Returns the plan, or nothing if these kernels do not support the convolution.
///
/// Throws: as `kernel::conv`.
inline std::optional<integer_conv_plan> plan_integer_conv(const tensor& data, const tensor& weight,
                                                          const zero_points& zeros, const conv_options& options) {
    if (options.out != dtype::int32) return std::nullopt;
    if (!fits_pairs(data.type(), zeros.data) || !fits_pairs(weight.type(), zeros.weight)) return std::nullopt;
    const conv_options o = kernel::detail::with_layouts(options, data, weight);
    integer_conv_plan made{.of_integers = kernel::detail::plan_conv("conv", data, weight, o), .of_elements = {}};
    conv_plan& p = made.of_integers;
    made.shape = place_result("conv", o.out_layout, p.out);
    if (!are_for(zeros, p.weight.outer.size)) return std::nullopt;
    made.by_channel = is_depthwise(p) && p.out_channels() < tile_rows;
    if (!made.by_channel && p.out_channels() < tile_rows) return std::nullopt;
    made.how = made.by_channel ? products::pairs : how_summed(data.type(), weight.type(), zeros, products::quads);
    conv_plan& e = made.of_elements;
    e = p;
    const std::int64_t channels = carrying_channels(p, integers_in(made.how));
    e.in = dense_axes(p.in.outer.size, p.groups * channels, p.in.space);
    e.weight = dense_axes(p.weight.outer.size, channels, p.weight.space);
    if (made.by_channel && !depthwise_rows<products::pairs>::suits(e)) return std::nullopt;
    return made;
}

/// Packs several channels of integers of an image into one channel of elements.
inline void carry_channel(const integer_conv_plan& plan, const tensor& data, std::int64_t zero, std::int64_t n,
                          std::int64_t c, float* to) {
    const conv_plan& p = plan.of_integers;
    const std::int64_t in_group = p.weight.channel.size;
    const std::int64_t carrying = plan.of_elements.weight.channel.size;
    const std::int64_t first = c / carrying * in_group + c % carrying * integers_in(plan.how);
    const std::int64_t last = (c / carrying + 1) * in_group - 1;
    carried_places channels{};
    for (std::int64_t j = 0; j < integers_in(plan.how); ++j)
        channels[static_cast<std::size_t>(j)] = p.in.outer.at(n) + p.in.channel.at(std::min(first + j, last));
    const std::array<lettered_axis, 3>& space = p.in.space;
    const bool one_row = space[1].stride() == space[2].size * space[2].stride(); // true if rows are contiguous
    const std::int64_t rows = one_row ? 1 : space[1].size;
    const std::int64_t columns = one_row ? space[1].size * space[2].size : space[2].size;
    for (std::int64_t d = 0; d < space[0].size; ++d)
        for (std::int64_t h = 0; h < rows; ++h, to += columns) {
            carried_places at = channels;
            for (std::int64_t& place : at) place += d * space[0].stride() + h * space[1].stride();
            carry(plan.how, {data.memory(), data.type(), zero}, at, space[2].stride(), columns, to);
        }
}

/// Packs all channels of all images.
inline void carry_images(const integer_conv_plan& plan, const tensor& data, std::int64_t zero, executor_ref on,
                         float* to) {
    const lettered_axes& in = plan.of_elements.in;
    const auto all = static_cast<std::size_t>(in.outer.size * in.channel.size);
    for_each_index(
        on, all,
        [&](std::size_t i) {
            const std::int64_t n = static_cast<std::int64_t>(i) / in.channel.size;
            const std::int64_t c = static_cast<std::int64_t>(i) % in.channel.size;
            carry_channel(plan, data, zero, n, c, to + in.outer.at(n) + in.channel.at(c));
        },
        coarse_grain(on, all));
}

/// Packs the weights. Requires: the weight is not empty.
inline integer_weights pack_integer_weights(const integer_conv_plan& plan, const tensor& weight,
                                            const tensor* zero_point) {
    const conv_plan& p = plan.of_integers;
    const conv_plan& e = plan.of_elements;
    const std::int64_t in_one = integers_in(plan.how);
    const std::int64_t outputs = p.weight.outer.size;
    integer_weights made{.how = plan.how};
    made.sums.resize(static_cast<std::size_t>(outputs));
    tensor elements;
    float* to = made_elements(elements, outputs * e.weight.channel.size * p.weight.places());
    const std::array<lettered_axis, 3>& space = p.weight.space;
    for (std::int64_t o = 0; o < outputs; ++o) {
        const bool one = zero_point == nullptr || zero_point->size() == 1;
        const integer_elements from{weight.memory(), weight.type(), zero_of(zero_point, one ? 0 : o)};
        std::uint32_t& sum = made.sums[static_cast<std::size_t>(o)];
        for (std::int64_t c = 0; c < p.weight.channel.size; c += in_one) {
            const std::int64_t there = std::min(in_one, p.weight.channel.size - c);
            carried_places channels{};
            for (std::int64_t j = 0; j < there; ++j)
                channels[static_cast<std::size_t>(j)] = p.weight.outer.at(o) + p.weight.channel.at(c + j);
            for (std::int64_t d = 0; d < space[0].size; ++d)
                for (std::int64_t h = 0; h < space[1].size; ++h)
                    for (std::int64_t w = 0; w < space[2].size; ++w) {
                        carried_places first = channels;
                        for (std::int64_t& at : first) at += space[0].at(d) + space[1].at(h) + space[2].at(w);
                        sum += carry_weights(plan.how, from, first, there, to++);
                    }
        }
    }
    if (plan.by_channel) {
        made.packed = std::move(elements);
        return made;
    }
    const std::int64_t size = packed_size(e);
    const std::int64_t all = e.groups * size;
    reset_lasting(made.packed, dtype::float32, std::span(&all, 1));
    for (std::int64_t g = 0; g < e.groups; ++g)
        pack_weights(elements.data<float>(), e, g, made.packed.mutable_data<float>() + g * size);
    return made;
}

} // namespace detail

/// Packs weights in the order in which `conv_integers` reads them, for data with the type and shape of `data`, whose
/// elements are not read. The zero point of the data may be null if unknown. Packs nothing if `conv_integers` does not
/// support the convolution.
///
/// Throws: as `kernel::conv`.
inline integer_weights packed_conv_integers(const tensor& data, const tensor& weight, const zero_points& zeros,
                                            const conv_options& options) {
    const auto plan = detail::plan_integer_conv(data, weight, zeros, options);
    return plan ? detail::pack_integer_weights(*plan, weight, zeros.weight) : integer_weights{};
}

/// Computes `kernel::conv` of 8-bit or 16-bit integers, from which zero points are subtracted. The result is int32 and
/// wraps. Uses `means.packed`; if that is null or packed for another kind of products, packs weights into `memory`.
///
/// Does nothing and returns false for other element types, if int16 does not hold the differences, or if a group has
/// too few output channels for vectors.
/// Throws: as `kernel::conv`.
/// Cost:   `memory` holds copies of data and weights: one byte per integer, or two if products are pairs.
inline bool conv_integers(const integer_operands& of, const conv_options& options, tensor& out, integer_memory& memory,
                          const integer_means& means = {}) {
    const auto& [data, weight, zeros] = of;
    const auto plan = detail::plan_integer_conv(data, weight, zeros, options);
    if (!plan) return false;
    spend(kernel::detail::steps_of(plan->of_integers));
    kernel::detail::make_result("conv", dtype::int32, plan->shape, out);
    if (out.size() == 0) return true;
    const detail::conv_plan& e = plan->of_elements;
    const integer_weights& by = means.packed != nullptr && means.packed->how == plan->how
                                    ? *means.packed
                                    : memory.weights.get(weight, plan->how, detail::is_zero(zeros.weight), [&] {
                                          return detail::pack_integer_weights(*plan, weight, zeros.weight);
                                      });
    // The memory of the result also holds incomplete sums, as elements of type float32.
    auto* const to = static_cast<float*>(out.mutable_memory());
    const std::int64_t subtracted = detail::zero_of(zeros.data);
    if (plan->by_channel) {
        detail::depthwise_rows<products::pairs> by_channel(e, memory.room, means);
        float* const channels = detail::made_elements(memory.data, by_channel.at_once() * e.in.places());
        by_channel.run_channels(
            [&](std::int64_t n, std::int64_t c, std::int64_t lane) {
                float* const channel = channels + lane * e.in.places();
                detail::carry_channel(*plan, data, subtracted, n, c, channel);
                return channel;
            },
            by.packed.data<float>(), to);
        return true;
    }
    float* const from = detail::made_elements(memory.data, e.in.outer.size * e.in.channel.size * e.in.places());
    detail::carry_images(*plan, data, subtracted, means.on, from);
    const std::int64_t zero = detail::byte_of_zero(data.type(), zeros.data);
    detail::product_terms terms{.how = plan->how, .added = memory.added_for(by, zero)};
    if (plan->how != products::pairs) detail::carry_bytes(zero, &terms.outside);
    detail::convolve(e, {from, by.packed.data<float>()}, to, memory.room, means, terms);
    return true;
}

} // namespace tutti::kernel::blocked
