#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/subscripts.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of einsum: the equation, such as "ij,jk->ik", with a letter for each axis.
struct einsum_attributes {
    required<std::string_view> equation{};

    static constexpr option_list<&einsum_attributes::equation> options{"equation"};
};

namespace op {

/// Sums products of the tensors of a tuple, as given by an equation in Einstein notation.
struct einsum {
    static constexpr std::string_view name = "einsum";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = einsum_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool rounds = true;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);

private:
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse(const relation& r, const attributes& a,
                                                              std::string_view problem) {
        r.refuse_attribute("equation", "\"" + std::string(a.equation.value) + "\": " + std::string(problem),
                           "parts such as \"ij,jk->ik\", a letter for each axis");
    }
};

} // namespace op

/// Operators that are defined by an equation.
using einsum_ops = op_list<op::einsum>;

/// Calls einsum. `data` must be a tuple.
TUTTI_CONSTEXPR expr einsum(expr data, const einsum_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/einsum.ipp>
#endif
