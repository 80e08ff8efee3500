#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::relay::inline TUTTI_FORM::layout_rules {

/// Adjusts an operator's attribute `axis` when the layout of its first argument changes. The first result has the same
/// layout, and the other arguments and results are vectors. False if an axis in the attribute is blocked, because the
/// operators do not support blocks.
TUTTI_CONSTEXPR bool along_axes(layout_query& q, std::size_t results);

/// `along_axes` with a single result.
TUTTI_CONSTEXPR bool normalization(layout_query& q);
} // namespace tutti::relay::inline TUTTI_FORM::layout_rules

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/layout_rule_axes.ipp>
#endif
