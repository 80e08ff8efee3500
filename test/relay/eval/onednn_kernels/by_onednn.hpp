#pragma once

// A repeated operator call with oneDNN kernels, compared with the reference kernels.

#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/onednn.hpp>

#include "../repeated.hpp"

#include <memory>
#include <string>
#include <vector>

namespace test {

/// oneDNN's kernels, also for small calls.
struct any_onednn : tutti::relay::kernels::detail::onednn_set<0> {};

class by_onednn : public repeated {
public:
    using repeated::repeated;

    template <class Set = any_onednn>
    std::string difference(const std::vector<tensor>& operands, double tolerance = 1e-5) {
        return repeated::difference<Set>(operands, tolerance);
    }
    /// True if oneDNN computed the last run.
    bool computed() const {
        const auto* both = static_cast<tutti::relay::detail::kept_by_both*>(kept().get());
        return both != nullptr && both->own != nullptr &&
               static_cast<tutti::relay::kernels::detail::onednn_call*>(both->own.get())->computes();
    }
};

} // namespace test
