#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <span>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// A view of the values of operands. It is valid until the stack grows.
struct operand_values {
    std::span<const operand_id> operands;
    cell* const* slots;     ///< slots of the frame
    cell* const* constants; ///< constants of the program

    std::size_t size() const { return operands.size(); }
    cell* operator[](std::size_t n) const {
        const operand_id o = operands[n];
        return is_constant(o) ? constants[o & ~constant_bit] : slots[o];
    }
    operand_values first(std::size_t count) const { return {operands.first(count), slots, constants}; }
};

/// The working memory of a thread that calls operators.
struct call_space {
    plain_vector<const tensor*> inputs;        ///< the call's inputs
    plain_vector<cell*> made;                  ///< the cells of the call's results
    plain_vector<kernel::epilogue_step> steps; ///< a chain's operations
    vector<tensor> several;                    ///< the tensors that the kernel writes to
    bool alone = true;                         ///< true if no other thread calls operators

    void read(const operand_values& values) {
        inputs.clear();
        for (std::size_t n = 0; n < values.size(); ++n) inputs.push_back(&values[n]->value);
    }
};

/// Thrown if a call runs out of memory while other calls run. The call is repeated after the other calls are done.
struct lacks_memory {};

} // namespace tutti::relay::inline TUTTI_FORM::detail
