#pragma once

#include <tutti/kernel/support/subscripts.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Attributes of einsum: the equation, "ij,jk->ik", with a letter for each axis.
struct einsum_attributes {
    required<std::string_view> equation{};

    static constexpr option_list<&einsum_attributes::equation> options{"equation"};
};

namespace op {

/// Sums of products of the tensors of a tuple, given by an equation in Einstein notation.
struct einsum {
    static constexpr std::string_view name = "einsum";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = einsum_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool rounds = true;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows_tuple(0)) return type_id::none;
        const type_table& types = r.types();
        const auto fields = r.fields(0);
        kernel::subscripts read(a.equation.value);
        if (read.operands() != fields.size()) refuse(r, a, "not a part for each tensor");
        std::array<dim, kernel::all_labels> sizes;
        sizes.fill(1);
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (types.element(fields[i]) != types.element(fields[0])) r.refuse(0, "tensors of one element type");
            const auto shape = types.shape(fields[i]);
            const kernel::extents labels = read.operand(i, shape.size());
            if (!read.problem().empty()) refuse(r, a, read.problem());
            for (std::size_t d = 0; d < labels.size(); ++d)
                if (!kernel::join_label(sizes[static_cast<std::size_t>(labels[d])], shape[d]))
                    r.refuse(0, "sizes that agree along each letter of \"" + std::string(a.equation.value) + "\"");
        }
        const kernel::extents wanted = read.result();
        if (!read.problem().empty()) refuse(r, a, read.problem());
        dims shape;
        for (const std::int64_t label : wanted) shape.push_back(sizes[static_cast<std::size_t>(label)]);
        return r.tensor(shape, types.element(fields[0]));
    }

private:
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse(const relation& r, const attributes& a,
                                                              std::string_view problem) {
        r.refuse_attribute("equation", "\"" + std::string(a.equation.value) + "\": " + std::string(problem),
                           "parts such as \"ij,jk->ik\", a letter for each axis");
    }
};

} // namespace op

/// Operators given by an equation.
using einsum_ops = op_list<op::einsum>;

/// Calls einsum; `data` is a tuple.
constexpr expr einsum(expr data, const einsum_attributes& attributes) { return call_op<op::einsum>(attributes, data); }

} // namespace tutti::relay
