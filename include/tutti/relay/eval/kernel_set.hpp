#pragma once

#include <tutti/kernel/epilogue.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace tutti::relay {

/// Kernels for operators, as a type: `find` gives the one for an operator, or null. A program's own set takes
/// what it wants and leaves the rest to another:
///
///     struct my_kernels {
///         static constexpr kernel_function find(const op_def& op) {
///             if (op.name == "nn.conv2d") return my_conv2d;
///             return kernels::reference::find(op);
///         }
///     };
template <class Set>
concept kernel_set = requires(const op_def& op) {
    { Set::find(op) } -> std::same_as<kernel_function>;
};

/// What a call of an operator does to a block of elements of float32 or int32, each by itself.
struct block_step {
    dtype type = dtype::float32; ///< which of these
    kernel::block_operation what{};
    float parameters[2]{};   ///< int32 are carried
    bool along_axis = false; ///< whether the second operand is a vector along an axis
    std::int64_t axis = 0;   ///< which one; it may count from the end
};

/// The same for the operator of that name, of either type; `read` brings what a call's attributes say.
struct block_step_entry {
    std::string_view op;
    kernel::block_operation what{};
    void (*read)(const graph&, attrs_id, block_step&) = nullptr;
    kernel::block_operation of_int32{};

    constexpr const kernel::block_operation& of(dtype type) const { return type == dtype::int32 ? of_int32 : what; }
};

/// Gives what an operator does to a block, or null if an evaluator is to call its kernel.
using block_step_finder = const block_step_entry* (*)(const op_def&);

/// The finder of a set: `Set::find_block_step`, or null if it has none. A set that has one promises that the operation does what the
/// kernel does that it has for the operator.
template <kernel_set Set>
constexpr block_step_finder block_steps_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::find_block_step(op) } -> std::same_as<const block_step_entry*>;
                  })
        return &Set::find_block_step;
    else
        return nullptr;
}

/// What a kernel is given for a call in all runs.
struct prepared_call {
    /// What `invocation::prepared` points to in each; null if nothing was prepared.
    std::shared_ptr<void> state{};
    /// The kernel that computes the call then; null if it is the one that it was.
    kernel_function run = nullptr;
};

/// Prepares a call when an evaluator is made, such as by packing its weights: once, for all runs and threads.
///
/// The invocation has no results, and nothing is kept. Those of its inputs that `is_constant` says are what they are in every run;
/// of others only type and shape may be looked at, and they are `empty()` where these are not known. The constants' own elements stay
/// the program's: what is prepared comes beside them.
///
/// What it throws leaves the call as it was: its kernel refuses it when it is run, if it is.
using prepare_function = prepared_call (*)(const invocation&);

/// Gives what prepares the calls of an operator, or null.
using prepare_finder = prepare_function (*)(const op_def&);

/// The finder of a set: `Set::find_prepare`, or null if it has none. A kernel that `Set::find` has for an operator takes what that
/// prepares.
template <kernel_set Set>
constexpr prepare_finder prepares_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::find_prepare(op) } -> std::same_as<prepare_function>;
                  })
        return &Set::find_prepare;
    else
        return nullptr;
}

/// What memory a kernel's first result may have.
enum class result_memory : std::uint8_t {
    own,        ///< what none of its operands has
    overwrites, ///< that of an operand of the result's type and shape too: it reads an element before it writes the same one
    shares, ///< the kernel gives it the first operand's, if that is of the result's element type
};

/// Gives what memory the kernel for an operator takes for its result.
using result_memory_finder = result_memory (*)(const op_def&);

/// The finder of a set: `Set::find_result_memory`, or null if it has none; then each result has memory of its own.
template <kernel_set Set>
constexpr result_memory_finder result_memory_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::find_result_memory(op) } -> std::same_as<result_memory>;
                  })
        return &Set::find_result_memory;
    else
        return nullptr;
}

/// Says of an operator whether its kernel may run while another call's kernel does, of any operator of which this is said, with another
/// result: it writes to nothing but that and what is kept of the call, and its loops run on the executor that it is given.
using concurrent_finder = bool (*)(const op_def&);

/// The finder of a set: `Set::is_concurrent`, or null if it has none; then its kernels run one after the other.
template <kernel_set Set>
constexpr concurrent_finder concurrent_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::is_concurrent(op) } -> std::same_as<bool>;
                  })
        return &Set::is_concurrent;
    else
        return nullptr;
}

/// The kernel for the operator of that name, what prepares its calls, or null, and what memory it takes.
struct kernel_entry {
    std::string_view op;
    kernel_function run = nullptr;
    prepare_function prepare = nullptr;
    result_memory memory = result_memory::own;
};

/// `F`, a function object without state that is called with an invocation and the attributes of `Op`, as the
/// kernel of that operator. It returns nothing, or whether it knew the case.
template <class Op, class F>
constexpr kernel_entry kernel_for(F, result_memory memory = result_memory::own) {
    return {Op::name, &detail::run_kernel<typename Op::attributes, F>, nullptr, memory};
}

namespace detail {

/// What two kernels keep of one call.
struct kept_by_both {
    std::shared_ptr<void> own;
    std::shared_ptr<void> next;
};

/// The result of `F`, or, if that is false, of the kernel that `Next` has.
template <class Op, class Next, class F>
constexpr bool run_or_leave(const invocation& call) {
    const kernel_function next = Next::named(Op::name);
    if (__builtin_is_constant_evaluated()) return next(call);
    if (call.kept == nullptr) return run_kernel<typename Op::attributes, F>(call) || next(call);
    if (*call.kept == nullptr) *call.kept = std::make_shared<kept_by_both>();
    auto& kept = *static_cast<kept_by_both*>(call.kept->get());
    invocation mine = call;
    mine.kept = &kept.own;
    if (run_kernel<typename Op::attributes, F>(mine)) return true;
    mine.kept = &kept.next;
    mine.prepared = nullptr;
    return next(mine);
}

/// What `P` prepares, or, if that is null, `Next`, whose kernel then computes the call.
template <class Op, class Next, class P>
prepared_call prepare_or_leave(const invocation& call) {
    prepared_call made{.state = P{}(call, get_attributes<typename Op::attributes>(*call.program, call.attributes))};
    if constexpr (requires { Next::prepare_named(Op::name); }) {
        const prepare_function next = made.state == nullptr ? Next::prepare_named(Op::name) : nullptr;
        if (next != nullptr) made = next(call);
        if (next != nullptr && made.state != nullptr && made.run == nullptr) made.run = Next::named(Op::name);
    }
    return made;
}

} // namespace detail

/// The same of a set that stands before another: a call for which `F` gives false is left to the kernel of `Next`, and so are all
/// in constant evaluation.
///
/// Requires: `Next::named(name)` gives the kernel of the operator, which there is. `F` has done nothing where it gives false.
template <class Op, class Next, class F>
constexpr kernel_entry kernel_before(F, result_memory memory = result_memory::own) {
    return {Op::name, &detail::run_or_leave<Op, Next, F>, nullptr, memory};
}

/// The same with `P`, a function object without state that is called like `F`, before there are inputs, and gives a
/// `std::shared_ptr<void>`: what `F` finds in `invocation::prepared`. Null leaves the call to `Next` if that prepares it.
template <class Op, class Next, class F, class P>
    requires(!std::same_as<P, result_memory>)
constexpr kernel_entry kernel_before(F, P) {
    return {Op::name, &detail::run_or_leave<Op, Next, F>, &detail::prepare_or_leave<Op, Next, P>};
}

/// Kernels by the operators' names, sorted.
template <std::size_t N>
class kernel_table {
public:
    /// Requires: no operator twice.
    template <std::size_t... Sizes>
    constexpr explicit kernel_table(const std::array<kernel_entry, Sizes>&... parts) {
        kernel_entry given[N]{};
        std::size_t count = 0;
        const auto take = [&](const kernel_entry* from, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i) given[count++] = from[i];
        };
        (take(parts.data(), Sizes), ...);
        const auto order =
            sorted_places(N, [&](std::uint32_t a, std::uint32_t b) { return given[a].op < given[b].op; });
        for (std::size_t i = 0; i < N; ++i) entries_[i] = given[order[i]];
    }

    /// The kernel for the operator of that name, or null. Cost: logarithmic.
    constexpr kernel_function find(std::string_view op) const { return entry(op).run; }
    /// What prepares its calls, or null.
    constexpr prepare_function find_prepare(std::string_view op) const { return entry(op).prepare; }
    /// What memory its result takes; its own if there is no kernel.
    constexpr result_memory find_memory(std::string_view op) const { return entry(op).memory; }

    constexpr std::span<const kernel_entry> all() const { return {entries_.data(), N}; }
    constexpr auto begin() const { return entries_.begin(); }
    constexpr auto end() const { return entries_.end(); }

private:
    constexpr kernel_entry entry(std::string_view op) const {
        std::size_t first = 0;
        for (std::size_t rest = N; rest != 0;) {
            const std::size_t half = rest / 2;
            const int order = entries_[first + half].op.compare(op);
            if (order == 0) return entries_[first + half];
            if (order < 0) first += half + 1;
            rest = order < 0 ? rest - half - 1 : half;
        }
        return {};
    }

    std::array<kernel_entry, N> entries_{};
};

template <std::size_t... Sizes>
kernel_table(const std::array<kernel_entry, Sizes>&...) -> kernel_table<(Sizes + ... + 0)>;

} // namespace tutti::relay
