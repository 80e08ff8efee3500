#pragma once

#include <tutti/kernel/arange.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tutti::relay {

/// Attributes of full, ones and zeros. Without `dtype`, full has the type of its value.
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

    static constexpr type_id created(relation& r, const attributes& a, kernel::dtype element) {
        if (!a.shape.value) r.refuse_attribute("shape", "None", "the sizes");
        for (const dim d : *a.shape.value)
            if (!d.is_any() && d.value() < 0)
                r.refuse_attribute("shape", "a negative size", "0 or more along each axis");
        if (element == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
        return r.tensor(*a.shape.value, element);
    }
};

/// Fills a tensor with a value.
struct full : creation {
    static constexpr std::string_view name = "full";
    static constexpr std::array<std::string_view, 1> arguments{"fill_value"};
    static constexpr auto precision = precision_rule::follow;
    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        r.expect_scalar(0);
        return created(r, a, a.dtype == kernel::dtype::none ? r.element(0) : a.dtype);
    }
};

/// Fills a tensor with 1.
struct ones : creation {
    static constexpr std::string_view name = "ones";
    static constexpr std::array<std::string_view, 0> arguments{};
    static constexpr type_id infer(relation& r, const attributes& a) { return created(r, a, a.dtype); }
};

/// Fills a tensor with 0.
struct zeros : creation {
    static constexpr std::string_view name = "zeros";
    static constexpr std::array<std::string_view, 0> arguments{};
    static constexpr auto precision = precision_rule::follow;
    static constexpr type_id infer(relation& r, const attributes& a) { return created(r, a, a.dtype); }
};

/// Base of operators whose result has the type of an argument.
struct creation_like {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr type_id infer(relation& r, const attributes&) {
        return r.knows(0) ? r.argument(0) : type_id::none;
    }
};
struct ones_like : creation_like {
    static constexpr std::string_view name = "ones_like";
    static constexpr auto layout = &layout_rules::elementwise;
};
struct zeros_like : creation_like {
    static constexpr std::string_view name = "zeros_like";
    static constexpr auto layout = &layout_rules::elementwise;
};

/// Makes a tensor with the type of another, filled with a value.
struct full_like : creation_like {
    static constexpr std::string_view name = "full_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "fill_value"};
    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        r.expect_scalar(1);
        return r.argument(0);
    }
};

/// An arithmetic sequence. Its length is known if its bounds and step are constants.
struct arange {
    static constexpr std::string_view name = "arange";
    static constexpr std::array<std::string_view, 3> arguments{"start", "stop", "step"};
    using attributes = arange_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto precision = precision_rule::never;
    static constexpr std::array<std::string_view, 3> repeated = arguments;

    static constexpr type_id infer(relation& r, const attributes& a) {
        const kernel::dtype element = a.dtype;
        if (element == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
        std::array<const tensor*, 3> ends{};
        bool constant = true;
        for (std::size_t i = 0; i < 3; ++i) {
            r.expect(i, {}, element);
            if (!r.knows(i)) return type_id::none;
            ends[i] = r.constant(i);
            constant = constant && ends[i] != nullptr;
        }
        if (!constant) return r.tensor(dims{dim::any()}, element);
        return r.tensor(dims{kernel::arange_length(*ends[0], *ends[1], *ends[2])}, element);
    }
};

} // namespace op

/// Operators that fill tensors, or make arithmetic sequences.
using create_ops = op_list<op::arange, op::full, op::full_like, op::ones, op::ones_like, op::zeros, op::zeros_like>;

constexpr expr arange(expr start, expr stop, expr step, const arange_attributes& attributes) {
    return call_op<op::arange>(attributes, start, stop, step);
}
constexpr expr full(expr fill_value, const create_attributes& attributes) {
    return call_op<op::full>(attributes, fill_value);
}
constexpr expr full_like(expr data, expr fill_value) { return call_op<op::full_like>({}, data, fill_value); }
constexpr expr ones_like(expr data) { return call_op<op::ones_like>({}, data); }
constexpr expr zeros_like(expr data) { return call_op<op::zeros_like>({}, data); }
/// Calls ones, which has no arguments, in the function being built.
constexpr expr ones(builder& b, const create_attributes& attributes) {
    return {&b.graph(), add_call<op::ones>(b.graph(), {}, attributes)};
}
/// Calls zeros, which has no arguments, in the function being built.
constexpr expr zeros(builder& b, const create_attributes& attributes) {
    return {&b.graph(), add_call<op::zeros>(b.graph(), {}, attributes)};
}

} // namespace tutti::relay
