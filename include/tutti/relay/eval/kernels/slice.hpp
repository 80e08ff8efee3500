#pragma once

#include <tutti/kernel/join.hpp>
#include <tutti/kernel/numbers.hpp>
#include <tutti/kernel/pad.hpp>
#include <tutti/kernel/slice.hpp>
#include <tutti/kernel/space_to_batch.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti::relay::kernels {

namespace detail {

constexpr std::optional<kernel::slice_end> slice_mode(std::string_view text) {
    if (text == "end") return kernel::slice_end::place;
    if (text == "size") return kernel::slice_end::size;
    return std::nullopt;
}

constexpr std::optional<kernel::pad_mode> pad_mode(std::string_view text) {
    if (text == "constant") return kernel::pad_mode::constant;
    if (text == "edge") return kernel::pad_mode::edge;
    if (text == "reflect") return kernel::pad_mode::reflect;
    return std::nullopt;
}

/// The attributes of a call, to be read one after another.
constexpr relay::detail::attr_reader attributes_of(const invocation& c) {
    return {c.program, c.program->attrs()[c.attributes]};
}

constexpr bool pad(const invocation& c) {
    relay::detail::attr_reader reader = attributes_of(c);
    const pairs width = read_pairs("the attribute `pad_width`", reader);
    std::string_view text;
    reader.read(text);
    const auto mode = pad_mode(text);
    if (!mode) return false;
    kernel::pad(c.input(0), width, *mode, kernel::scalar("pad", "the value", c.input(1)), c.result());
    return true;
}

constexpr bool space_to_batch_nd(const invocation& c) {
    relay::detail::attr_reader reader = attributes_of(c);
    dims block;
    reader.read(block);
    const pairs paddings = read_pairs("the attribute `paddings`", reader);
    double value = 0;
    reader.read(value);
    kernel::space_to_batch_nd(c.input(0), numbers("the attribute `block_shape`", block), paddings, value, c.result());
    return true;
}

constexpr bool batch_to_space_nd(const invocation& c) {
    relay::detail::attr_reader reader = attributes_of(c);
    dims block;
    reader.read(block);
    const pairs crops = read_pairs("the attribute `crops`", reader);
    kernel::batch_to_space_nd(c.input(0), numbers("the attribute `block_shape`", block), crops, c.result());
    return true;
}

/// Each part of a split as one slice.
constexpr void split(const invocation& c, const split_attributes& a) {
    const one_or_more& where = a.indices_or_sections;
    const auto parts = static_cast<std::int64_t>(c.results.size());
    const tensor& data = c.input(0);
    const std::int64_t size = data.shape()[kernel::detail::checked_axis("split", a.axis, data.rank())];
    if (where.is_list ? where.numbers.size() + 1 != c.results.size() : parts == 0 || size % parts != 0)
        kernel::detail::fail("split", {parts, " parts of data ", data}, "as many as the attribute says");
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < c.results.size(); ++i) {
        const std::int64_t end = !where.is_list             ? begin + size / parts
                                 : i < where.numbers.size() ? where.numbers[i].value()
                                                            : size;
        kernel::slice_axis(data, a.axis, begin, end, c.result(i));
        begin = end;
    }
}

} // namespace detail

/// The operators that cut tensors, join them, and add elements around them.
inline constexpr std::array slice_kernels{
    kernel_for<op::concatenate>([](const invocation& c, const concatenate_attributes& a) {
        kernel::concatenate(c.inputs, a.axis, c.result());
    }),
    kernel_for<op::stack>(
        [](const invocation& c, const stack_attributes& a) { kernel::stack(c.inputs, a.axis.value(), c.result()); }),
    kernel_for<op::split>([](const invocation& c, const split_attributes& a) { detail::split(c, a); }),
    kernel_for<op::strided_slice>([](const invocation& c, const strided_slice_attributes& a) {
        const auto begin = detail::numbers("the attribute `begin`", a.begin.value);
        const auto end = detail::numbers("the attribute `end`", a.end.value);
        const auto strides = detail::numbers("the attribute `strides`", a.strides.value);
        const auto axes = detail::numbers("the attribute `axes`", a.axes.value);
        const auto mode = detail::slice_mode(a.slice_mode);
        if (!begin || !end || !strides || !mode) return false;
        kernel::strided_slice(c.input(0), {*begin, *end, *strides, detail::list(axes), *mode}, c.result());
        return true;
    }),
    kernel_for<op::strided_set>([](const invocation& c, const auto&) {
        const kernel::extents begin = kernel::integers("strided_set", "begin", c.input(2));
        const kernel::extents end = kernel::integers("strided_set", "end", c.input(3));
        const kernel::extents strides = kernel::integers("strided_set", "strides", c.input(4));
        kernel::strided_set(c.input(0), c.input(1), {.begin = begin, .end = end, .strides = strides, .axes = {}},
                            c.result());
    }),
    kernel_for<op::slice_like>([](const invocation& c, const slice_like_attributes& a) {
        const auto axes = detail::numbers("the attribute `axes`", a.axes.value);
        kernel::slice_like(c.input(0), c.input(1), detail::list(axes), c.result());
    }),
    kernel_entry{op::nn::pad::name, &detail::pad},
    kernel_entry{op::nn::space_to_batch_nd::name, &detail::space_to_batch_nd},
    kernel_entry{op::nn::batch_to_space_nd::name, &detail::batch_to_space_nd},
};

} // namespace tutti::relay::kernels
