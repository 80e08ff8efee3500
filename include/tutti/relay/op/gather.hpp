#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of gather: the axis along which the indices select elements.
struct gather_attributes {
    required<dim> axis{};

    static constexpr option_list<&gather_attributes::axis> options{"axis"};
};

/// Attributes of gather_nd: the number of leading axes shared with the indices and, optionally, the length of an index.
struct gather_nd_attributes {
    dim batch_dims = 0;
    std::optional<dim> index_rank{};

    static constexpr option_list<&gather_nd_attributes::batch_dims, &gather_nd_attributes::index_rank> options{
        "batch_dims", "index_rank"};
};

namespace op {

/// Takes one element of the data for each index. The element has the coordinates of the index in the tensor of indices,
/// except that the index replaces the coordinate along one axis.
struct gather {
    static constexpr std::string_view name = "gather";
    static constexpr std::array<std::string_view, 2> arguments{"data", "indices"};
    using attributes = gather_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Takes slices of the data at multi-dimensional indices. The first axis of `indices` holds the coordinates of each
/// index.
struct gather_nd {
    static constexpr std::string_view name = "gather_nd";
    static constexpr std::array<std::string_view, 2> arguments{"data", "indices"};
    using attributes = gather_nd_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Takes slices of a tuple's first tensor by indexing its leading axes. The tuple's other tensors, which broadcast
/// together, give the indices.
struct adv_index {
    static constexpr std::string_view name = "adv_index";
    static constexpr std::array<std::string_view, 1> arguments{"inputs"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace op

/// Operators that gather elements by indices; `take` is in index_ops.
using gather_ops = op_list<op::adv_index, op::gather, op::gather_nd>;

/// Calls adv_index on a tuple of data and indices.
TUTTI_CONSTEXPR expr adv_index(expr inputs);
TUTTI_CONSTEXPR expr gather(expr data, expr indices, const gather_attributes& attributes);
TUTTI_CONSTEXPR expr gather_nd(expr data, expr indices, const gather_nd_attributes& attributes = {});

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/gather.ipp>
#endif
