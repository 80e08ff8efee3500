#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/tensor.hpp>
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

namespace tutti::relay {

/// One call of an operator, for its kernel: the arguments' values, and where the result goes.
struct invocation {
    const graph* program = nullptr;
    attrs_id attributes = attrs_id::none;
    /// The arguments, a tuple's fields spread out.
    std::span<const tensor* const> inputs{};
    /// The inferred type of the result, for what the inputs alone do not say.
    type_id type = type_id::none;
    /// One tensor, or as many as the result's tuple has fields. The kernel makes each with `tensor::reset`,
    /// whose memory may have been used before, or with `tensor::share`. None of them is an input.
    std::span<tensor> results{};
    /// What the kernel wishes to find again the next time that the same call is made, such as weights in a
    /// layout of its own; null if nothing is kept from call to call. A kernel shares it with nobody.
    std::shared_ptr<void>* kept = nullptr;
    /// What was prepared for this call when the evaluator was made, or null: see `prepare_function`. Threads share it: it is only read.
    const void* prepared = nullptr;
    /// What is done to the result's elements before anything else reads them, or null: see `kernel::epilogue`. A kernel may leave it.
    kernel::epilogue* after = nullptr;
    /// What the kernel's loops may run on; its result is the same, to the bit, on any.
    executor_ref on{};
    /// The call in the program, for those who watch; none if it is in no program.
    expr_id expression = expr_id::none;

    /// Which of the first 64 inputs are constants of the program, the same in every run: a bit each, said to those who prepare.
    std::uint64_t constants = 0;

    constexpr const tensor& input(std::size_t i) const { return *inputs[i]; }
    constexpr bool is_constant(std::size_t i) const { return i < 64 && (constants >> i & 1) != 0; }
    constexpr tensor& result(std::size_t i = 0) const { return results[i]; }
};

namespace detail {

/// `F`, called with the invocation and an operator's attributes, as a kernel. It may return nothing if it knows
/// all cases.
template <class Attributes, class F>
constexpr bool run_kernel(const invocation& call) {
    const auto attributes = get_attributes<Attributes>(*call.program, call.attributes);
    if constexpr (std::is_void_v<decltype(F{}(call, attributes))>) {
        F{}(call, attributes);
        return true;
    } else {
        return F{}(call, attributes);
    }
}

} // namespace detail
} // namespace tutti::relay
