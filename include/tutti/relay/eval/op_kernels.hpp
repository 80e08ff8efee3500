#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The kernels of one operator in a program.
struct op_kernels {
    const op_def* op = nullptr;
    plain_vector<kernel_row> rows{}; ///< in the order in which they are tried; no `run` is null
    result_memory memory = result_memory::own;
    attribute_decoder decode = nullptr;
    bool concurrent = false;
    const block_step_entry* on_blocks = nullptr;
};

/// Collects an operator's kernels from a set and the sets after it, then adds the operator's own `evaluate`.
inline op_kernels kernels_of(const kernel_set& kernels, const op_def& op) {
    op_kernels made{.op = &op};
    for (const kernel_set* set = &kernels; set != nullptr; set = set->next()) {
        const bool first = made.rows.empty();
        for (const kernel_row& row : set->rows_of(op)) {
            if (row.run != nullptr) made.rows.push_back(row);
            if (first && made.on_blocks == nullptr) made.on_blocks = row.on_blocks;
        }
    }
    if (op.evaluate != nullptr) made.rows.push_back({.op = &op, .run = op.evaluate, .decode = op.decode});
    if (made.rows.empty()) return made;
    made.memory = made.rows[0].memory;
    made.concurrent = true;
    for (const kernel_row& row : made.rows) {
        if (row.memory != made.memory) made.memory = result_memory::own;
        if (made.decode == nullptr) made.decode = row.decode;
        made.concurrent = made.concurrent && row.concurrent;
    }
    return made;
}

/// Collects the kernels of the operators that a program calls, once for each operator.
class called_kernels {
public:
    called_kernels(const kernel_set& kernels, vector<op_kernels>& made) : kernels_(&kernels), made_(&made) {}

    /// Returns the index of an operator's kernels in the list, and adds them if they are new.
    ///
    /// Cost: linear in the number of different operators.
    std::uint32_t operator()(const op_def& op) {
        for (std::uint32_t n = 0; n < made_->size(); ++n)
            if ((*made_)[n].op == &op) return n;
        made_->push_back(kernels_of(*kernels_, op));
        return static_cast<std::uint32_t>(made_->size() - 1);
    }

private:
    const kernel_set* kernels_;
    vector<op_kernels>* made_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
