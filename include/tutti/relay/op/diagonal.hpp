#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <string_view>

namespace tutti::relay {

/// Attributes of trilu: whether what is right of the diagonal stays, or what is left of it.
struct trilu_attributes {
    bool upper = true;

    static constexpr members<&trilu_attributes::upper> options{"upper"};
};

namespace op {

/// The part of each matrix on one side of a diagonal, and 0 on the other.
struct trilu {
    static constexpr std::string_view name = "trilu";
    static constexpr std::array<std::string_view, 2> arguments{"data", "k"};
    using attributes = trilu_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr std::string_view kept_as = "relay.attrs.TriluAttrs";

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        if (r.shape(0).size() < 2) r.refuse(0, "two dimensions or more");
        r.expect_scalar(1);
        if (!kernel::is_integer(r.element(1))) r.refuse(1, "an integer");
        return r.argument(0);
    }
};

} // namespace op

/// The operators over matrices that know their diagonals.
using diagonal_ops = op_list<op::trilu>;

constexpr expr trilu(expr data, expr k, const trilu_attributes& attributes = {}) {
    return call_op<op::trilu>(attributes, data, k);
}

} // namespace tutti::relay
