#pragma once

#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/pass_context.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// A sequential of passes that are put together at run time; itself a pass. The twin of `tutti::sequential`.
///
/// Example: `runtime::sequential<int> pipeline{{twice{}, next{}}, "TwiceAndNext"};`
template <class Unit, class Root = Unit>
class sequential {
    shared name_; // a std::string, shared by copies, so that views to it stay valid
    std::vector<any_pass<Unit, Root>> passes_;

public:
    using run_time_context = pass_context<Root>;
    using inner_scope = tutti::scope<run_time_context, true>;

    pass_info info;

    explicit sequential(std::vector<any_pass<Unit, Root>> passes, std::string name = "sequential", int opt_level = 0)
        : name_(shared::make(std::move(name)))
        , passes_(std::move(passes))
        , info{.name = *static_cast<const std::string*>(name_.get()),
               .opt_level = opt_level,
               .kind = pass_kind::sequential} {}

    const std::vector<any_pass<Unit, Root>>& passes() const { return passes_; }
    void each_member(auto&& f) const {
        for (const auto& each : passes_) f(each);
    }

    change operator()(Unit& unit, inner_scope& ctx) const {
        change all = unchanged;
        for (const auto& pass : passes_) all |= ctx.run_member(pass, unit);
        return all;
    }
    bool tells_change() const {
        for (const auto& each : passes_)
            if (!each.tells_change()) return false;
        return true;
    }
    bool keeps_unit() const {
        for (const auto& each : passes_)
            if (!each.keeps_unit()) return false;
        return true;
    }

    /// Appends the sequential as it stands in a pipeline's text.
    void write(std::string& out) const {
        write_sequential_head("seq", info, out);
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            if (i != 0) out += ',';
            passes_[i].write(out);
        }
        out += ')';
    }
};

} // namespace tutti::runtime
