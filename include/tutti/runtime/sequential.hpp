#pragma once

#include <tutti/pass/sequential.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/scope.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// A sequential of passes that are put together at run time; itself a pass. The twin of `tutti::sequential`.
///
/// Example: `runtime::sequential<int> pipeline{{twice{}, next{}}, "TwiceAndNext"};`
template <class Unit>
class sequential {
    std::shared_ptr<const std::string> name_; // shared by copies, so that views to it stay valid
    std::vector<any_pass<Unit>> passes_;

public:
    pass_info info;

    explicit sequential(std::vector<any_pass<Unit>> passes, std::string name = "sequential", int opt_level = 0)
        : name_(std::make_shared<const std::string>(std::move(name)))
        , passes_(std::move(passes))
        , info{.name = *name_, .opt_level = opt_level} {}

    const std::vector<any_pass<Unit>>& passes() const { return passes_; }

    void operator()(Unit& unit, scope<Unit>& ctx) const {
        for (const any_pass<Unit>& pass : passes_) tutti::detail::run_member<Unit&>(pass, unit, ctx);
    }

    /// Appends the sequential as it stands in a pipeline's text.
    void write(std::string& out) const {
        write_sequential_head(info.name, info.opt_level, out);
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            if (i != 0) out += ',';
            passes_[i].write(out);
        }
        out += ')';
    }
};

} // namespace tutti::runtime
