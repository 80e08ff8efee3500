#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/anchor.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/conv_transpose.hpp>
#include <tutti/relay/op/correlation.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/depth_to_space.hpp>
#include <tutti/relay/op/detection.hpp>
#include <tutti/relay/op/diagonal.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/einsum.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/fixed_point.hpp>
#include <tutti/relay/op/gather.hpp>
#include <tutti/relay/op/image.hpp>
#include <tutti/relay/op/image_sampling.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/loss.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/qnn_function.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/region.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/scan.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/op/search.hpp>
#include <tutti/relay/op/sequence.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/signal.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/sparse.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

template <class... Lists>
struct concatenated;
template <class... Ops>
struct concatenated<op_list<Ops...>> {
    using type = op_list<Ops...>;
};
template <class... First, class... Second, class... Rest>
struct concatenated<op_list<First...>, op_list<Second...>, Rest...>
    : concatenated<op_list<First..., Second...>, Rest...> {};
template <class... A, class... B, class... C, class... D, class... E, class... Rest>
struct concatenated<op_list<A...>, op_list<B...>, op_list<C...>, op_list<D...>, op_list<E...>, Rest...>
    : concatenated<op_list<A..., B..., C..., D..., E...>, Rest...> {}; // five lists per step: fewer instantiations

} // namespace detail

/// Joins operator lists, in this order, into one `op_list`.
template <class... Lists>
using join_ops = typename detail::concatenated<Lists...>::type;

/// The built-in operators. `op_set{standard_ops}` finds them by name.
inline constexpr join_ops<anchor_ops, annotation_ops, broadcast_ops, cast_ops, compare_ops, conv_ops,
                          conv_transpose_ops, correlation_ops, create_ops, dense_ops, depth_to_space_ops, detection_ops,
                          diagonal_ops, dyn_ops, einsum_ops, elementwise_ops, fixed_point_ops, gather_ops, image_ops,
                          image_sampling_ops, index_ops, loss_ops, norm_ops, pad_ops, pool_ops, qnn_function_ops,
                          qnn_ops, reduce_ops, region_ops, repeat_ops, reshape_ops, scan_ops, scatter_ops, search_ops,
                          sequence_ops, shape_ops, signal_ops, slice_ops, sparse_ops, transpose_ops, tuple_ops>
    standard_ops{};

} // namespace tutti::relay::inline TUTTI_FORM
