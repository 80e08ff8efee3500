#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

/// The elementwise operation of an operator call on a block of float32 or int32.
struct block_step {
    dtype type = dtype::float32; ///< float32 or int32
    kernel::block_operation what{};
    float parameters[2]{};   ///< int32 values are stored as bits
    bool along_axis = false; ///< the second operand is a vector along an axis
    std::int64_t axis = 0;   ///< axis of the vector; negative numbers count from the end
};

/// The block operations of an operator for float32 and int32. `read` converts a call's attributes.
struct block_step_entry {
    const op_def* op = nullptr;
    kernel::block_operation what{};
    void (*read)(const graph&, attrs_id, block_step&) = nullptr;
    kernel::block_operation of_int32{};

    constexpr const kernel::block_operation& of(dtype type) const { return type == dtype::int32 ? of_int32 : what; }
};

} // namespace tutti::relay::inline TUTTI_FORM
