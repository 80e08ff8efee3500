#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
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

namespace tutti::relay::inline TUTTI_FORM {

/// The preparation of a call for all runs.
struct prepared_call {
    /// The value of `invocation::prepared` in each run; null if there is none.
    std::shared_ptr<void> state{};
    /// A replacement kernel for the call, or null.
    kernel_function run = nullptr;
};

/// The kernel of an operator by name, the preparation of its calls or null, and the memory of its result.
struct kernel_entry {
    std::string_view op;
    kernel_function run = nullptr;
    prepare_function prepare = nullptr;
    result_memory memory = result_memory::own;
};

/// Adapts `F`, a stateless function object called with an invocation and the attributes of `Op`, to a kernel. It
/// returns void, or true if it supports the case.
template <class Op, class F>
constexpr kernel_entry kernel_for(F, result_memory memory = result_memory::own) {
    return {Op::name, &detail::run_kernel<typename Op::attributes, F>, nullptr, memory};
}

namespace detail {

/// The state of two kernels for one call.
struct kept_by_both {
    std::shared_ptr<void> own;
    std::shared_ptr<void> next;
};

/// Runs `F` or, if that returns false, the kernel of `Next`.
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

/// Prepares with `P` or, if that returns null, with `Next`, whose kernel then computes the call.
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

/// Makes an entry of a set in front of another: calls for which `F` returns false go to the kernel of `Next`, and so do
/// all in constant evaluation.
///
/// Requires: `Next::named(name)` is the kernel of the operator, and exists. `F` has no effect if it returns false.
template <class Op, class Next, class F>
constexpr kernel_entry kernel_before(F, result_memory memory = result_memory::own) {
    return {Op::name, &detail::run_or_leave<Op, Next, F>, nullptr, memory};
}

/// As above, with a preparation `P`: a stateless function object that is called like `F`, before there are inputs, and
/// returns a `std::shared_ptr<void>` for `invocation::prepared`. If it returns null and `Next` prepares the call,
/// `Next` computes it.
template <class Op, class Next, class F, class P>
    requires(!std::same_as<P, result_memory>)
constexpr kernel_entry kernel_before(F, P) {
    return {Op::name, &detail::run_or_leave<Op, Next, F>, &detail::prepare_or_leave<Op, Next, P>};
}

/// Kernels by operator name, sorted.
template <std::size_t N>
class kernel_table {
public:
    /// Requires: distinct operators.
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

    /// The kernel of the operator with this name, or null. Cost: logarithmic.
    constexpr kernel_function find(std::string_view op) const { return entry(op).run; }
    /// The preparation of its calls, or null.
    constexpr prepare_function find_prepare(std::string_view op) const { return entry(op).prepare; }
    /// The memory of its result; separate without a kernel.
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

} // namespace tutti::relay::inline TUTTI_FORM
