#pragma once

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/shape.hpp>

namespace tutti::relay {

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

} // namespace detail

/// The operators of these lists, in this order, as one `op_list`.
template <class... Lists>
using join_ops = typename detail::concatenated<Lists...>::type;

/// The built-in operators: `op_set{standard_ops}` finds them by name.
inline constexpr join_ops<broadcast_ops, conv_ops, dense_ops, elementwise_ops, norm_ops, pool_ops, shape_ops>
    standard_ops{};

} // namespace tutti::relay
