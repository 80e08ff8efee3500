#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/tensor_view.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reshape.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Converts a sparse tensor to an expression that creates it from its values and positions. A small file therefore does
/// not become a large constant.
///
/// Throws: `tutti::error` that names the tensor.
inline expr sparse_constant(graph& g, import_services& services, const message& sparse) {
    const tensor_view values(sparse.child(field::sparse_tensor::values)),
        places(sparse.child(field::sparse_tensor::indices));
    const auto refuse = [&](std::string problem, std::string expected) {
        throw error("sparse " + values.label(), std::move(problem), std::move(expected));
    };
    const plain_vector<std::int64_t> sizes = sparse.integers(field::sparse_tensor::dims), count = values.shape(),
                                     place = places.shape();
    if (const std::int64_t all = kernel::checked_element_count(sizes.all()); all < 0)
        refuse("has impossible sizes", "non-negative sizes, and fewer than 2^48 elements");
    if (values.type() == dtype::none || places.type() != dtype::int64)
        refuse("of " + std::string(name_of_element(values.element())) + " at indices of type " +
                   std::string(name_of_element(places.element())),
               "numbers or bool at indices of int64");
    const bool by_axes = place.size() == 2;
    const auto rank = static_cast<std::int64_t>(sizes.size());
    if (count.size() != 1 || (!by_axes && place.size() != 1) || place[0] != count[0] || (by_axes && place[1] != rank))
        refuse("values and indices whose shapes do not match", "an index, or one number for each axis, for each value");
    dims shape;
    for (const std::int64_t d : sizes) shape.push_back(d);
    const auto constant = [&](tensor t) { return expr{&g, g.constant(std::move(t))}; };
    const expr nothing = constant(node_context::number_tensor(0, values.type()));
    // If a position is a single number, it is an index into the flattened tensor.
    const dims whole = by_axes ? shape : dims{kernel::element_count(sizes.all())};
    const tensor indices = services.value_of(places);
    const auto* const index = indices.data<std::int64_t>();
    for (std::size_t i = 0; i < static_cast<std::size_t>(indices.size()); ++i)
        if (const dim size = whole[i % whole.size()]; index[i] < 0 || index[i] >= size.value())
            refuse("index " + std::to_string(index[i]) + " is out of range",
                   "indices from 0 to " + std::to_string(size.value() - 1));
    const expr made = relay::sparse_to_dense(constant(indices), constant(services.value_of(values)), nothing,
                                             {.output_shape = whole});
    return by_axes ? made : relay::reshape(made, {.newshape = shape, .allowzero = true});
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
