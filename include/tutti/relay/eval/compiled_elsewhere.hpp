#pragma once

#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include <type_traits>

// Included in a source, says that another one of the program compiles the reference kernels and the type relations of the built-in
// operators: that which includes tutti/relay/eval/compiled_here.hpp. Most of what a parser or FoldConstant takes to compile is these.
//
// Any sources of a program may include it, or none. A program without the other source does not link.

namespace tutti::relay {

extern template struct kernels::detail::reference_set<void>;
extern template struct detail::hashed_ops<std::remove_const_t<decltype(standard_ops)>>;

} // namespace tutti::relay
