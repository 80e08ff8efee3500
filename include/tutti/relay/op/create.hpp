#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/arange.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of full, ones and zeros. Without `dtype`, the result of full has the element type of `fill_value`.
struct create_attributes {
    required<std::optional<dims>> shape{};
    kernel::dtype dtype = kernel::dtype::none;

    static constexpr option_list<&create_attributes::shape, &create_attributes::dtype> options{"shape", "dtype"};
};

/// Attributes of arange.
struct arange_attributes {
    required<kernel::dtype> dtype{};

    static constexpr option_list<&arange_attributes::dtype> options{"dtype"};
};

namespace op {

/// Base of operators that fill a tensor with one value.
struct creation {
    using attributes = create_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;

    static TUTTI_CONSTEXPR type_id created(relation& r, const attributes& a, kernel::dtype element);
};

/// Fills a tensor with a value.
struct full : creation {
    static constexpr std::string_view name = "full";
    static constexpr std::array<std::string_view, 1> arguments{"fill_value"};
    static constexpr auto precision = precision_rule::follow;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Fills a tensor with 1.
struct ones : creation {
    static constexpr std::string_view name = "ones";
    static constexpr std::array<std::string_view, 0> arguments{};
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Fills a tensor with 0.
struct zeros : creation {
    static constexpr std::string_view name = "zeros";
    static constexpr std::array<std::string_view, 0> arguments{};
    static constexpr auto precision = precision_rule::follow;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Base of operators whose result has the type of an argument.
struct creation_like {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};
struct ones_like : creation_like {
    static constexpr std::string_view name = "ones_like";
    static constexpr auto layout = &layout_rules::elementwise;
};
struct zeros_like : creation_like {
    static constexpr std::string_view name = "zeros_like";
    static constexpr auto layout = &layout_rules::elementwise;
};

/// Creates a tensor of another tensor's type and fills it with a value.
struct full_like : creation_like {
    static constexpr std::string_view name = "full_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "fill_value"};
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// An arithmetic sequence. Its length is known if its bounds and step are constants.
struct arange {
    static constexpr std::string_view name = "arange";
    static constexpr std::array<std::string_view, 3> arguments{"start", "stop", "step"};
    using attributes = arange_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto precision = precision_rule::never;
    static constexpr std::array<std::string_view, 3> repeated = arguments;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators that fill tensors, or create arithmetic sequences.
using create_ops = op_list<op::arange, op::full, op::full_like, op::ones, op::ones_like, op::zeros, op::zeros_like>;

TUTTI_CONSTEXPR expr arange(expr start, expr stop, expr step, const arange_attributes& attributes);
TUTTI_CONSTEXPR expr full(expr fill_value, const create_attributes& attributes);
TUTTI_CONSTEXPR expr full_like(expr data, expr fill_value);
TUTTI_CONSTEXPR expr ones_like(expr data);
TUTTI_CONSTEXPR expr zeros_like(expr data);
/// Calls ones, which has no arguments, in the function being built.
TUTTI_CONSTEXPR expr ones(builder& b, const create_attributes& attributes);
/// Calls zeros, which has no arguments, in the function being built.
TUTTI_CONSTEXPR expr zeros(builder& b, const create_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/create.ipp>
#endif
