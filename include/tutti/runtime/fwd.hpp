#pragma once

namespace tutti::runtime {

template <class Unit>
class any_pass;
template <class Unit>
class any_instrument;
template <class Unit>
class pass_context;
template <class Unit>
class scope;

} // namespace tutti::runtime
