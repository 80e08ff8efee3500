#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/depth_to_space.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/depth_to_space.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that move elements between the channels and the spatial axes. Blocked layouts are unsupported.
template <class = void>
inline constexpr std::array depth_to_space_kernels{
    kernel_for<op::nn::depth_to_space>([](const invocation& c, const pixel_block_attributes& a) {
        const bool outer = a.mode == "DCR";
        if (!detail::knows_data(a.layout) || a.layout.size() != 4) return false;
        if (!outer && a.mode != "CRD" && a.mode != "CDR") return false; // ONNX writes CRD, the reference CDR
        const kernel::block_order order = outer ? kernel::block_order::outer : kernel::block_order::inner;
        kernel::depth_to_space(c.input(0), a.block_size, order, a.layout, c.result());
        return true;
    }),
    kernel_for<op::nn::space_to_depth>([](const invocation& c, const pixel_block_attributes& a) {
        if (!detail::knows_data(a.layout) || a.layout.size() != 4) return false;
        kernel::space_to_depth(c.input(0), a.block_size, a.layout, c.result());
        return true;
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
