#pragma once

#include <tutti/relay/eval/compiled_elsewhere.hpp>

// Included in one source of a program, compiles there what the sources leave out that include tutti/relay/eval/compiled_elsewhere.hpp.

namespace tutti::relay {

template struct kernels::detail::reference_set<void>;
template struct detail::hashed_ops<std::remove_const_t<decltype(standard_ops)>>;

} // namespace tutti::relay
