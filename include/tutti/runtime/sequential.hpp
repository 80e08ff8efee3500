#pragma once

#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/pass_context.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// A sequential of passes assembled at run time; itself a pass. The counterpart of `tutti::sequential`.
///
/// Example: `runtime::sequential<int> pipeline{{twice{}, next{}}, "TwiceAndNext"};`
template <class Unit, class Root>
class sequential {
public:
    using run_time_context = pass_context<Root>;
    using inner_scope = tutti::scope<run_time_context, true>;

private:
    detail::shared name_; // a std::string shared by copies, so that views of it stay valid
    std::vector<any_pass<Unit, Root>> passes_;
    requirements requirements_ = requirements::direct;
    bool inside_resolved_ = false;

    // Runs the enabled members, and the requirements of enabled members even if these requirements are disabled.
    change run_resolved(Unit& unit, inner_scope& ctx) const {
        change all = unchanged;
        for (const auto& pass : passes_) {
            const decision now = ctx.decide(pass);
            bool runs = now == decision::run;
            for (const auto& other : passes_) runs = runs || other.wants(pass.type(), ctx);
            if (runs)
                all |= ctx.run(pass, unit);
            else
                ctx.template skip<Unit>(pass.info,
                                        now == decision::disabled ? skip_reason::disabled : skip_reason::opt_level);
        }
        return all;
    }

    // A pass in braces; a sequential never converts to it implicitly.
    struct single_member {
        any_pass<Unit, Root> pass;
    };

public:
    pass_info info;

    /// With `requirements::transitive`, the members include all requirements, as in the result of `resolve`.
    explicit sequential(std::vector<any_pass<Unit, Root>> passes, std::string name = "sequential", int opt_level = 0,
                        requirements which = requirements::direct)
        : name_(detail::shared::make(std::move(name)))
        , passes_(std::move(passes))
        , requirements_(which)
        , info{.name = *static_cast<const std::string*>(name_.get()),
               .opt_level = opt_level,
               .kind = pass_kind::sequential} {}

    /// Makes a sequential whose only member is a pass in braces: `sequential<U>{{pass}}`. Without this constructor,
    /// the braces would copy a `pass` that is a sequential. In parentheses, `sequential<U>({inner})` does copy `inner`.
    sequential(std::initializer_list<single_member> passes) : sequential(std::vector<any_pass<Unit, Root>>()) {
        for (const single_member& each : passes) passes_.push_back(each.pass);
    }

    const std::vector<any_pass<Unit, Root>>& passes() const { return passes_; }
    void each_member(auto&& f) const {
        for (const auto& each : passes_) f(each);
    }
    /// Runs the members' requirements that are passes over the whole, if the context runs the members.
    template <class Whole>
        requires(detail::is_above<Whole, Unit>)
    change run_required_of_whole(Whole& whole, auto& ctx) const {
        return any_pass<Unit, Root>{*this}.run_required_of_whole(whole, ctx);
    }
    /// For `tutti::detail::may_require`.
    bool requires_of_whole() const { return true; }

    /// Returns which required passes the sequential runs.
    requirements which() const { return requirements_; }

    change operator()(Unit& unit, inner_scope& ctx) const {
        if (requirements_ != requirements::direct) return run_resolved(unit, ctx);
        change all = unchanged;
        for (const auto& pass : passes_) all |= ctx.run_member(pass, unit);
        return all;
    }
    bool tells_change() const {
        for (const auto& each : passes_)
            if (!each.tells_change()) return false;
        return true;
    }

    /// Marks this as a member of a resolved sequential: the text then says `resolved` only for the outer one.
    void set_inside_resolved() { inside_resolved_ = true; }

    /// Appends the sequential's form in a pipeline's text.
    void write(std::string& out) const {
        const bool is_said = requirements_ != requirements::direct && !inside_resolved_;
        tutti::internal::write_sequential_head(is_said ? "resolved" : "seq", info, out);
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            if (i != 0) out += ',';
            passes_[i].write(out);
        }
        out += ')';
    }
};

} // namespace tutti::runtime
