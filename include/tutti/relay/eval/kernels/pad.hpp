#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/pad.hpp>
#include <tutti/kernel/space_to_batch.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/pad.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

constexpr std::optional<kernel::pad_mode> pad_mode(std::string_view text) {
    if (text == "constant") return kernel::pad_mode::constant;
    if (text == "edge") return kernel::pad_mode::edge;
    if (text == "reflect") return kernel::pad_mode::reflect;
    return std::nullopt;
}

/// Returns a sequential reader of a call's attributes.
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

constexpr bool mirror_pad(const invocation& c) {
    relay::detail::attr_reader reader = attributes_of(c);
    std::string_view text;
    reader.read(text);
    const pairs width = read_pairs("the attribute `pad_width`", reader);
    const kernel::pad_mode mode = text == "REFLECT" ? kernel::pad_mode::reflect : kernel::pad_mode::symmetric;
    kernel::pad(c.input(0), width, mode, 0.0, c.result());
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

} // namespace detail

/// Operators that add elements around a tensor, and operators that move blocks to the batch and back.
template <class = void>
inline constexpr std::array pad_kernels{
    kernel_row{&definition<op::nn::pad>, &detail::pad},
    kernel_for<op::nn::dilate>([](const invocation& c, const dilate_attributes& a) {
        kernel::dilate(c.input(0), detail::numbers("the attribute `strides`", a.strides.value), a.dilation_value,
                       c.result());
    }),
    kernel_row{&definition<op::nn::mirror_pad>, &detail::mirror_pad},
    kernel_row{&definition<op::nn::space_to_batch_nd>, &detail::space_to_batch_nd},
    kernel_row{&definition<op::nn::batch_to_space_nd>, &detail::batch_to_space_nd},
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
