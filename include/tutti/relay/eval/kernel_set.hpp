#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

/// Kernels sorted by the names of their operators. An operator's kernels keep their order.
template <std::size_t N>
class kernel_table {
public:
    template <std::size_t... Sizes>
    constexpr explicit kernel_table(const std::array<kernel_row, Sizes>&... parts) {
        const kernel_row* given[N]{};
        std::size_t count = 0;
        const auto take = [&](const kernel_row* from, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i) given[count++] = from + i;
        };
        (take(parts.data(), Sizes), ...);
        const auto first_of = [&](const op_def* op) { // the operator's first row; separates operators with equal names
            std::size_t i = 0;
            while (given[i]->op != op) ++i;
            return i;
        };
        const auto order = sorted_places(N, [&](std::uint32_t a, std::uint32_t b) {
            const op_def* const x = given[a]->op;
            const op_def* const y = given[b]->op;
            return x->name != y->name ? x->name < y->name : x != y && first_of(x) < first_of(y);
        });
        for (std::size_t i = 0; i < N; ++i) rows_[i] = *given[order[i]];
    }

    /// Returns this table with all kernels marked as `concurrent`.
    constexpr kernel_table concurrent() const {
        kernel_table made = *this;
        for (kernel_row& row : made.rows_) row.concurrent = true;
        return made;
    }

    constexpr std::span<const kernel_row> all() const { return rows_; }

private:
    std::array<kernel_row, N> rows_{};
};

template <std::size_t... Sizes>
kernel_table(const std::array<kernel_row, Sizes>&...) -> kernel_table<(Sizes + ... + 0)>;

/// Kernels for operators. A set has a table of kernels, and a next set for calls that the table does not support. An
/// operator's own kernel (`op_def::evaluate`) is tried last.
///
///     constexpr relay::kernel_table my_kernels{std::array{
///         relay::kernel_for<relay::op::nn::conv2d>([](const relay::invocation& c, const relay::conv2d_attributes& a) {
///             return my_conv2d(c.input(0), c.input(1), a, c.result()); // if false, the next set computes the call
///         }),
///     }};
///     relay::evaluator evaluate(m, relay::kernel_set{my_kernels, relay::kernels::blocked()});
///
/// A kernel applies only to its own operator, not to other operators with the same name.
class kernel_set {
public:
    /// Makes a set without kernels. Only the operators' own kernels run.
    constexpr kernel_set() = default;
    /// Makes a set with one table.
    ///
    /// Requires: the table outlives this set.
    template <std::size_t N>
    constexpr explicit kernel_set(const kernel_table<N>& table) : rows_(table.all()) {}
    /// Makes a set with a table and a next set.
    ///
    /// Requires: the table and `next` outlive this set.
    template <std::size_t N>
    constexpr kernel_set(const kernel_table<N>& table, const kernel_set& next) : rows_(table.all()), next_(&next) {}
    template <std::size_t N>
    explicit kernel_set(const kernel_table<N>&&) = delete;
    template <std::size_t N>
    kernel_set(const kernel_table<N>&&, const kernel_set&) = delete;
    template <std::size_t N>
    kernel_set(const kernel_table<N>&, const kernel_set&&) = delete;

    /// Makes a set of kernels that are only known at run time.
    ///
    /// Requires: the rows are sorted by operator name, with all rows of an operator adjacent; the rows and `next`
    ///           outlive the set.
    static kernel_set of_sorted(std::span<const kernel_row> rows, const kernel_set& next) {
        kernel_set made;
        made.rows_ = rows;
        made.next_ = &next;
        return made;
    }

    /// Returns a copy of this set whose table is used only at run time. In constant evaluation, the next set computes
    /// the operators.
    constexpr kernel_set at_run_time() const {
        kernel_set made = *this;
        made.at_run_time_ = true;
        return made;
    }

    /// The rows of the table, sorted by operator name.
    constexpr std::span<const kernel_row> rows() const { return rows_; }
    /// The next set, or null.
    constexpr const kernel_set* next() const { return next_; }

    /// The table's rows for an operator, in the order in which they are tried.
    ///
    /// Cost: logarithmic.
    constexpr std::span<const kernel_row> rows_of(const op_def& op) const {
        if (at_run_time_ && __builtin_is_constant_evaluated()) return {};
        std::size_t first = 0;
        for (std::size_t rest = rows_.size(); rest != 0;) {
            const std::size_t half = rest / 2;
            const bool before = rows_[first + half].op->name < op.name;
            if (before) first += half + 1;
            rest = before ? rest - half - 1 : half;
        }
        while (first < rows_.size() && rows_[first].op != &op && rows_[first].op->name == op.name) ++first;
        std::size_t count = 0;
        while (first + count < rows_.size() && rows_[first + count].op == &op) ++count;
        return rows_.subspan(first, count);
    }

    /// Returns a copy of this set whose table contains only the kernels of one operator. Calls of the operator then
    /// need no search. The next set is unchanged.
    constexpr kernel_set only(const op_def& op) const {
        kernel_set made = *this;
        made.rows_ = rows_of(op);
        return made;
    }

private:
    std::span<const kernel_row> rows_{};
    const kernel_set* next_ = nullptr;
    bool at_run_time_ = false;
};

/// True if a set, or the operator itself, has a kernel for the operator.
constexpr bool computes(const kernel_set& kernels, const op_def& op) {
    for (const kernel_set* set = &kernels; set != nullptr; set = set->next())
        for (const kernel_row& row : set->rows_of(op))
            if (row.run != nullptr) return true;
    return op.evaluate != nullptr;
}

/// Computes a call with the kernels of its operator. False if no kernel supports the call.
///
/// Throws: `tutti::error` from the kernel, if the arguments do not fit.
constexpr bool compute(const kernel_set& kernels, const op_def& op, const invocation& call) {
    for (const kernel_set* set = &kernels; set != nullptr; set = set->next())
        for (const kernel_row& row : set->rows_of(op))
            if (row.run != nullptr && row.run(call)) return true;
    return op.evaluate != nullptr && op.evaluate(call);
}

} // namespace tutti::relay::inline TUTTI_FORM
