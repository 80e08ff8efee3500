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

/// Checks the order of a pipeline's passes; see `tutti/runtime/property.hpp`.
template <class Start = void, class P, class Context>
void check_order(const P& pipeline, const Context& context);

} // namespace tutti::runtime
