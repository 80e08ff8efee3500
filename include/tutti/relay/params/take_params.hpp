#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/function.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Turns the constants of a function, except scalars, into new parameters after the existing ones. Returns the values
/// of the constants in the order of the new parameters. A value is named after the constant's source, such as a model's
/// initialiser, or `p0`, `p1`, …. The parameter's name is the form that this name has in the text (`text_name`), and
/// differs from the names of all other variables. `bind_params` with these values restores the function.
///
/// Constants that share elements and have the same shape become one parameter. Constants of nested functions are moved
/// too.
///
/// Cost: linear in the function; the tensors share their elements with the constants. Expressions that depend on the
///       constants lose their types.
TUTTI_INLINE vector<kernel::named_tensor> take_params(function& f);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/params/take_params.ipp>
#endif
