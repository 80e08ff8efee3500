#pragma once

#include <tutti/base/folder.hpp>

namespace tutti::runtime {

template <class Unit, class Root = Unit>
class any_pass;
template <class Unit, class Root = Unit>
class sequential;
template <class Root>
struct requirement;
template <class Unit>
class any_instrument;
template <class Unit>
class [[gnu::visibility("default")]] pass_context; // plugins share the current context

namespace detail {

// The argument of `check_order_of`, which only `runtime/property.hpp` declares.
struct order_of_run {};

} // namespace detail

} // namespace tutti::runtime
