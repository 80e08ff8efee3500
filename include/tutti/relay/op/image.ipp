#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/image.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op::nn {

TUTTI_CONSTEXPR type_id upsampling::infer(relation& r, const attributes& a) {
    return enlarged(r, a, {a.scale_h, a.scale_w});
}

TUTTI_CONSTEXPR type_id upsampling3d::infer(relation& r, const attributes& a) {
    return enlarged(r, a, {a.scale_d, a.scale_h, a.scale_w});
}

} // namespace op::nn

namespace image {

TUTTI_CONSTEXPR expr resize1d(expr data, resize1d_attributes attributes) {
    return relay::detail::call_resize<op::image::resize1d>(data, attributes);
}
TUTTI_CONSTEXPR expr resize2d(expr data, resize2d_attributes attributes) {
    return relay::detail::call_resize<op::image::resize2d>(data, attributes);
}
TUTTI_CONSTEXPR expr resize3d(expr data, resize3d_attributes attributes) {
    return relay::detail::call_resize<op::image::resize3d>(data, attributes);
}

} // namespace image

namespace nn {

TUTTI_CONSTEXPR expr upsampling(expr data, const upsampling_attributes& attributes) {
    return call_op<op::nn::upsampling>(attributes, data);
}
TUTTI_CONSTEXPR expr upsampling3d(expr data, const upsampling3d_attributes& attributes) {
    return call_op<op::nn::upsampling3d>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
