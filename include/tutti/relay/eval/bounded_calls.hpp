#pragma once

#include <tutti/kernel/allowance.hpp>
#include <tutti/limit.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstdint>

namespace tutti::relay {

/// Calls kernels that may take so many bytes together, for results that are still there, and so many steps each.
class bounded_calls {
public:
    bounded_calls(const limit& bytes, const limit& work) : most_(bytes, work), bytes_(bytes.most) {}

    /// Calls a kernel. False if it does not know the case, or if there is not enough left for it: the results have no
    /// specified values then.
    bool operator()(kernel_function run, const invocation& call) {
        most_.renew_work();
        const kernel::allowance::use here(most_);
        try {
            return run(call);
        } catch (const kernel::beyond_allowance&) {
            ++refused_;
            return false;
        }
    }

    /// How many calls there was not enough left for.
    std::uint32_t refused() const { return refused_; }

    /// How many bytes the results that are still there take.
    std::uint64_t bytes_taken() const { return bytes_ - most_.bytes_left(); }

private:
    kernel::allowance most_;
    std::uint64_t bytes_;
    std::uint32_t refused_ = 0;
};

} // namespace tutti::relay
