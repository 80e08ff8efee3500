#pragma once

// A repeated operator call that compares oneDNN's kernels with the reference kernels.

#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/onednn.hpp>

#include "../repeated.hpp"

#include <memory>
#include <string>
#include <vector>

namespace test {

/// Returns the kernel set in which oneDNN also computes small calls.
inline const tutti::relay::kernel_set& any_onednn() { return tutti::relay::kernels::onednn<0>(); }

class by_onednn : public repeated {
public:
    using repeated::repeated;

    using repeated::difference;
    std::string difference(const std::vector<tensor>& operands, double tolerance = 1e-5) {
        return difference(any_onednn(), operands, tolerance);
    }
    /// True if oneDNN computed the last run.
    bool computed() const {
        const auto* const call = static_cast<const tutti::relay::kernels::detail::onednn_call*>(kept());
        return call != nullptr && call->computes();
    }
};

} // namespace test
