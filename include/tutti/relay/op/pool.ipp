#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/pool.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace spatial {

TUTTI_CONSTEXPR type_id pooled(relation& r, std::size_t rank, const pool_layouts& layouts, const pool_window& w) {
    check_rank(r, "pool_size", w.size, rank);
    for (const dim d : w.size)
        if (d.value() < 1) r.refuse_attribute("pool_size", "a window without elements", "positive sizes");
    check_rank(r, "strides", w.strides, rank);
    check_rank(r, "dilation", w.dilation, rank);
    return pooled(r, rank, layouts, [&](dim n, std::size_t i) {
        return places(r, n, padding(r, w.padding, i, rank).total(), w.size[i].value(), w.dilation[i].value(),
                      w.strides[i].value(), w.ceil);
    });
}

TUTTI_CONSTEXPR type_id pooled(relation& r, std::size_t rank, const pool_layouts& layouts, const dims& output_size) {
    if (output_size.size() > 1) check_rank(r, "output_size", output_size, rank);
    for (const dim d : output_size)
        if (!d.is_any() && d.value() < 0) r.refuse_attribute("output_size", "a negative size", "sizes");
    return pooled(r, rank, layouts, [&](dim n, std::size_t i) { return output_windows(output_size, n, i); });
}

} // namespace spatial

namespace op::nn {

TUTTI_CONSTEXPR type_id global_pool2d::infer(relation& r, const attributes& a) {
    return spatial::pooled(r, 2, {a.layout, a.out_layout}, [](dim, std::size_t) { return dim(1); });
}

} // namespace op::nn

namespace nn {

TUTTI_CONSTEXPR expr global_avg_pool2d(expr data, const global_pool2d_attributes& attributes) {
    return call_op<op::nn::global_avg_pool2d>(attributes, data);
}
TUTTI_CONSTEXPR expr global_max_pool2d(expr data, const global_pool2d_attributes& attributes) {
    return call_op<op::nn::global_max_pool2d>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
