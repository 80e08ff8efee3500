#pragma once

#include <tutti/fixed_string.hpp>

namespace tutti {

struct pass_info;
enum class skip_reason;

/// A list of pass types: `using required = tutti::passes<infer_type>;`.
template <class... P>
struct passes {};

template <fixed_string Name, int Level, class... P>
struct seq;
template <fixed_string Name, int Level, class F>
struct made_pass;
template <class... I>
class instrument_set;
template <class... Options>
class pass_context;
template <class Context, bool Nested>
class scope;

} // namespace tutti
