#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

/// Calls kernels under two limits: one on the bytes of all live results, and one on the steps of each call.
class bounded_calls {
public:
    bounded_calls(const limit& bytes, const limit& work) : most_(bytes, work), bytes_(bytes.most) {}

    /// Computes a call with a set of kernels. False if no kernel supports the call, or if the call exceeds the limits.
    /// The results are then unspecified.
    bool operator()(const kernel_set& kernels, const op_def& op, const invocation& call) {
        most_.renew_work();
        const kernel::allowance::use here(most_);
        try {
            return compute(kernels, op, call);
        } catch (const kernel::beyond_allowance&) {
            ++refused_;
            return false;
        }
    }

    /// Returns the number of calls that exceeded the limits.
    std::uint32_t refused() const { return refused_; }

    /// Returns the largest number of bytes that were live at a time; all bytes if any were refused.
    std::uint64_t most_bytes_taken() const { return bytes_ - most_.least_bytes_left(); }
    /// Returns the bytes of live results.
    std::uint64_t bytes_taken() const { return bytes_ - most_.bytes_left(); }

private:
    kernel::allowance most_;
    std::uint64_t bytes_;
    std::uint32_t refused_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM
