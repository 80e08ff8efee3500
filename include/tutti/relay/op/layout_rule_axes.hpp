#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::relay::inline TUTTI_FORM::layout_rules {

/// For operators along one or more axes: these move with the layout, which all `results` have. None of them may be
/// blocked, because the operator does not support blocks.
TUTTI_CONSTEXPR bool along_axes(layout_query& q, std::size_t results);

/// One result in the layout of the first argument.
TUTTI_CONSTEXPR bool normalization(layout_query& q);
} // namespace tutti::relay::inline TUTTI_FORM::layout_rules

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/layout_rule_axes.ipp>
#endif
