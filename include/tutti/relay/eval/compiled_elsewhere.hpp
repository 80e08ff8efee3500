#pragma once

#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include <type_traits>

// Include this in a source file if another source file of the program compiles the reference kernels and the type
// relations of the built-in operators, by including tutti/relay/eval/compiled_here.hpp. These are most of the compile
// time of a parser or FoldConstant.
//
// Any number of sources may include it. The program does not link without the other source.

namespace tutti::relay {

extern template struct kernels::detail::reference_set<void>;
extern template struct detail::hashed_ops<std::remove_const_t<decltype(standard_ops)>>;

} // namespace tutti::relay
