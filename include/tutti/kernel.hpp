#pragma once

// Tensors and the reference kernels that compute with them. This layer knows no IR.
//
//     using namespace tutti::kernel;
//     tensor data(dtype::float32, {1, 3, 224, 224});              // zeros
//     tensor weight(dtype::float32, {64, 3, 7, 7});
//     std::ranges::fill(weight.mutable_elements<float>(), 0.5F);
//
//     tensor t, u;
//     conv(data, weight, {.strides = {2, 2}, .before = {3, 3}, .after = {3, 3}}, t);       // checks, makes t, computes
//     relu(t, u);
//     max_pool(u, {.size = {3, 3}, .strides = {2, 2}, .before = {1, 1}, .after = {1, 1}}, t);  // reuses t's memory
//
//     binary(element::add{}, view_of<float>(a), view_of<float>(b), mutable_view_of<float>(out));   // only computes
//
// Shared tensors are immutable. Wrong arguments throw tutti::error. Kernels over typed views, such as `binary`, run the
// same loops over any memory, without checks and without allocations. Everything works in constant evaluation except
// exp, log, tanh, erf and pow.

#include <tutti/kernel/adaptive_pool.hpp>
#include <tutti/kernel/anchor.hpp>
#include <tutti/kernel/arange.hpp>
#include <tutti/kernel/bias_add.hpp>
#include <tutti/kernel/broadcast_to.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/conv_transpose.hpp>
#include <tutti/kernel/correlation.hpp>
#include <tutti/kernel/correlation_options.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/deformable_conv.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/depth_to_space.hpp>
#include <tutti/kernel/diagonal.hpp>
#include <tutti/kernel/dilation2d.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/kernel/fixed_point.hpp>
#include <tutti/kernel/float16.hpp>
#include <tutti/kernel/gather.hpp>
#include <tutti/kernel/grid_sample.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/join.hpp>
#include <tutti/kernel/layout.hpp>
#include <tutti/kernel/layout_transform.hpp>
#include <tutti/kernel/lrn.hpp>
#include <tutti/kernel/new_shape.hpp>
#include <tutti/kernel/normalize.hpp>
#include <tutti/kernel/pad.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/kernel/prelu.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/quantized_arithmetic.hpp>
#include <tutti/kernel/quantized_functions.hpp>
#include <tutti/kernel/reduce.hpp>
#include <tutti/kernel/region.hpp>
#include <tutti/kernel/repeat.hpp>
#include <tutti/kernel/resize.hpp>
#include <tutti/kernel/scan.hpp>
#include <tutti/kernel/scatter.hpp>
#include <tutti/kernel/sequence.hpp>
#include <tutti/kernel/shape.hpp>
#include <tutti/kernel/slice.hpp>
#include <tutti/kernel/sliding_window.hpp>
#include <tutti/kernel/softmax.hpp>
#include <tutti/kernel/space_to_batch.hpp>
#include <tutti/kernel/stft.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/support/interpolation.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/loops.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/product.hpp>
#include <tutti/kernel/support/shape_code.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/suppress.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/topk.hpp>
#include <tutti/kernel/transpose.hpp>
#include <tutti/kernel/where.hpp>
