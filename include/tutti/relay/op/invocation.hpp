#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace tutti::kernel {
class epilogue;
}

namespace tutti::relay::inline TUTTI_FORM {

/// A call of an operator as its kernel receives it: the arguments' values, and the results to fill in.
struct invocation {
    const graph* program = nullptr;
    attrs_id attributes = attrs_id::none;
    /// The attributes, decoded once for all runs of the call: an object of the operator's attributes type. Null if they
    /// were not decoded.
    const void* decoded = nullptr;
    /// The arguments; the fields of tuples are listed in sequence.
    std::span<const tensor* const> inputs{};
    /// The inferred type of the result, for kernels that need more than the inputs.
    type_id type = type_id::none;
    /// One tensor, or one per field of the result's tuple. The kernel sets each by `tensor::reset`, which may reuse
    /// memory, or by `tensor::share`. No result is also an input.
    std::span<tensor> results{};
    /// State that a kernel keeps between runs of the same call, such as packed weights; null if nothing can be kept. It
    /// belongs to this kernel alone.
    std::shared_ptr<void>* kept = nullptr;
    /// State prepared for this call when the evaluator was created, or null: see `prepare_function`. The state is
    /// read-only, because threads share it.
    const void* prepared = nullptr;
    /// An operation to apply to the result's elements before anything else reads them, or null: see `kernel::epilogue`.
    /// A kernel may leave the operation to the caller.
    kernel::epilogue* after = nullptr;
    /// The executor for the kernel's loops; results are bitwise equal on all executors.
    executor_ref on{};
    /// The call in the program, for observers; `expr_id::none` outside programs.
    expr_id expression = expr_id::none;

    /// Bit mask of those of the first 64 inputs that are constants in every run. Set only while a call is prepared.
    std::uint64_t constants = 0;

    constexpr const tensor& input(std::size_t i) const { return *inputs[i]; }
    constexpr bool is_constant(std::size_t i) const { return i < 64 && (constants >> i & 1) != 0; }
    constexpr tensor& result(std::size_t i = 0) const { return results[i]; }
};

namespace detail {

/// Runs `F` as a kernel. `F` takes the invocation and the operator's attributes. It may return void if it handles all
/// cases.
template <class Attributes, class F>
constexpr bool run_kernel(const invocation& call) {
    const auto* const decoded = call.decoded != nullptr ? static_cast<const Attributes*>(call.decoded) : nullptr;
    if constexpr (std::is_void_v<decltype(F{}(call, *decoded))>) {
        if (decoded != nullptr)
            F{}(call, *decoded);
        else
            F{}(call, get_attributes<Attributes>(*call.program, call.attributes));
        return true;
    } else {
        return decoded != nullptr ? F{}(call, *decoded)
                                  : F{}(call, get_attributes<Attributes>(*call.program, call.attributes));
    }
}

} // namespace detail
} // namespace tutti::relay::inline TUTTI_FORM
