#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/region.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/region.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators on regions of images, and yolo_reorg.
template <class = void>
inline constexpr std::array region_kernels{
    kernel_for<op::vision::roi_align>([](const invocation& c, const roi_align_attributes& a) {
        if (!detail::knows_data(a.layout)) return false;
        kernel::workspace own;
        kernel::roi_align(c.input(0), c.input(1),
                          {.size = {a.pooled_size.value[0].value(), a.pooled_size.value[1].value()},
                           .scale = a.spatial_scale,
                           .samples = a.sample_ratio,
                           .greatest = a.mode == "max",
                           .layout = a.layout},
                          c.result(), detail::kept_or(c, own));
        return true;
    }),
    kernel_for<op::vision::roi_pool>([](const invocation& c, const roi_pool_attributes& a) {
        if (!detail::knows_data(a.layout)) return false;
        kernel::workspace own;
        kernel::roi_pool(c.input(0), c.input(1),
                         {.size = {a.pooled_size.value[0].value(), a.pooled_size.value[1].value()},
                          .scale = a.spatial_scale,
                          .layout = a.layout},
                         c.result(), detail::kept_or(c, own));
        return true;
    }),
    kernel_for<op::vision::yolo_reorg>([](const invocation& c, const yolo_reorg_attributes& a) {
        kernel::yolo_reorg(c.input(0), a.stride, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
