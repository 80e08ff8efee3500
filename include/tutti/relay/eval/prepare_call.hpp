#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Returns a tensor of this type whose elements cannot be read, or an empty tensor if the type or shape is unknown.
inline tensor without_elements(const type_table& types, type_id t) {
    if (!types.is_tensor(t) || lane_count(types.element(t)) != 1) return {};
    vector<std::int64_t> shape;
    for (const dim d : types.shape(t)) {
        if (d.is_any()) return {};
        shape.push_back(d.value());
    }
    if (kernel::checked_element_count(shape) < 0) return {};
    return tensor::referring(types.element(t), std::move(shape), nullptr, 0);
}

/// Returns tensors without elements for the arguments of a call. Tuples are flattened.
inline vector<tensor> arguments_without_elements(const op_call& called) {
    const graph& g = *called.in;
    vector<tensor> all;
    plain_vector<type_id> rest;
    for (const expr_id a : g.arguments(called.call)) {
        rest.push_back(g.type(a));
        while (!rest.empty()) {
            const type_id t = rest.back();
            rest.pop_back();
            if (g.types().kind(t) == type_kind::tuple)
                for (std::size_t n = g.types().fields(t).size(); n-- > 0;) rest.push_back(g.types().fields(t)[n]);
            else
                all.push_back(without_elements(g.types(), t));
        }
    }
    return all;
}

/// The result of preparing a call, which all runs share.
struct prepared_call {
    std::size_t row = 0;           ///< the row of the prepared kernel, which runs try first
    std::shared_ptr<void> state{}; ///< null if nothing was prepared
};

/// Prepares a call with the first kernel that supports it. Runs then never try the kernels before this one. `constants`
/// holds the values of constant operands. Prepares nothing if a preparation throws: the kernel reports the error when
/// the call runs.
inline prepared_call prepare_call(const op_call& called, std::span<const kernel_row> rows,
                                  std::span<const operand_id> operands, cell* const* constants, const void* decoded,
                                  executor_ref on) {
    if (rows.empty() || rows[0].prepare == nullptr) return {};
    const vector<tensor> without = arguments_without_elements(called);
    if (without.size() != operands.size()) return {};
    plain_vector<const tensor*> inputs;
    std::uint64_t known = 0;
    for (std::size_t n = 0; n < operands.size(); ++n) {
        const bool constant = is_constant(operands[n]);
        inputs.push_back(constant ? &constants[operands[n] & ~constant_bit]->value : &without[n]);
        if (constant && n < 64) known |= std::uint64_t{1} << n;
    }
    const graph& g = *called.in;
    const invocation call{.program = &g,
                          .attributes = g.call_attributes(called.call),
                          .decoded = decoded,
                          .inputs = inputs.all(),
                          .type = g.type(called.call),
                          .on = on,
                          .expression = called.call,
                          .constants = known};
    try {
        for (std::size_t n = 0; n < rows.size() && rows[n].prepare != nullptr; ++n)
            if (std::shared_ptr<void> made = rows[n].prepare(call)) return {n, std::move(made)};
    } catch (const error&) { // or if memory runs out
    }
    return {};
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
