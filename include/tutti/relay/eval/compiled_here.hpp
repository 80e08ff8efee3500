#pragma once

#include <tutti/relay/eval/compiled_elsewhere.hpp>

// Include this in one source file of a program whose other source files include
// tutti/relay/eval/compiled_elsewhere.hpp. It compiles the functions that they omit.

namespace tutti::relay {

template struct kernels::detail::reference_set<void>;
template struct detail::hashed_ops<std::remove_const_t<decltype(standard_ops)>>;

} // namespace tutti::relay
