#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/einsum.hpp>

#include <cstddef>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

inline expr import_einsum(node_context& c) {
    if (c.input_count() == 0) c.refuse("has no inputs", "one or more");
    plain_vector<expr_id> operands;
    for (std::size_t i = 0; i < c.input_count(); ++i) operands.push_back(c.input(i).id);
    return relay::einsum(c.tuple(operands), {.equation = c.text("equation", "")});
}

} // namespace detail

/// Einstein summation.
inline constexpr import_rule einsum_rules[]{{"Einsum", detail::import_einsum}};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
