#pragma once

#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/pass_context.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// A sequential that is assembled at run time, the counterpart of `tutti::sequential`. It is itself a pass.
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
    bool inside_resolved_ = false, states_properties_ = false;

    // Runs the enabled members. Also runs a disabled member if an enabled member requires it.
    change run_resolved(Unit& unit, inner_scope& ctx) const {
        change all = unchanged;
        for (const auto& pass : passes_) {
            if (pass.is_point()) continue;
            const decision now = ctx.decide(pass);
            bool runs = now == decision::run;
            for (const auto& other : passes_) runs = runs || other.wants(pass.type(), ctx);
            if (runs)
                all |= ctx.run_unless_stopped(pass, unit);
            else
                ctx.template skip<Unit>(pass.info,
                                        now == decision::disabled ? skip_reason::disabled : skip_reason::opt_level);
        }
        return all;
    }

    // A pass in braces. A sequential does not convert to this type implicitly.
    struct single_member {
        any_pass<Unit, Root> pass;
    };

public:
    pass_info info;

    /// Creates a sequential. With `requirements::transitive`, the members must include all requirements, as in the
    /// result of `resolve`.
    explicit sequential(std::vector<any_pass<Unit, Root>> passes, std::string name = "sequential", int opt_level = 0,
                        requirements which = requirements::direct)
        : name_(detail::shared::make(std::move(name)))
        , passes_(std::move(passes))
        , requirements_(which)
        , info{.name = *static_cast<const std::string*>(name_.get()),
               .opt_level = opt_level,
               .kind = pass_kind::sequential} {
        for (const auto& each : passes_) states_properties_ = states_properties_ || each.states_properties();
    }

    /// Creates a sequential whose only member is a pass in braces: `sequential<U>{{pass}}`. Without this constructor,
    /// the braces would copy a `pass` that is a sequential. In parentheses, `sequential<U>({inner})` does copy `inner`.
    sequential(std::initializer_list<single_member> passes) : sequential(std::vector<any_pass<Unit, Root>>()) {
        for (const single_member& each : passes) {
            passes_.push_back(each.pass);
            states_properties_ = states_properties_ || each.pass.states_properties();
        }
    }

    const std::vector<any_pass<Unit, Root>>& passes() const { return passes_; }
    void each_member(auto&& f) const {
        for (const auto& each : passes_) f(each);
    }
    /// Runs the passes over the whole that the members require. Skips the requirements of members that the context does
    /// not run.
    template <class Whole>
        requires(detail::is_above<Whole, Unit>)
    change run_required_of_whole(Whole& whole, auto& ctx) const {
        return any_pass<Unit, Root>{*this}.run_required_of_whole(whole, ctx);
    }
    /// For `tutti::detail::may_require`.
    bool requires_of_whole() const { return true; }

    /// True if a member states properties.
    bool states_properties() const { return states_properties_; }
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

    /// Marks this as a member of a resolved sequential. In the text form, only the outer sequential is then `resolved`.
    void set_inside_resolved() { inside_resolved_ = true; }

    /// Appends the sequential as `write_pipeline` writes it.
    void write(std::string& out,
               tutti::internal::written_options which = tutti::internal::written_options::changed) const {
        const bool is_said = requirements_ != requirements::direct && !inside_resolved_;
        tutti::internal::write_sequential_head(is_said ? "resolved" : "seq", info, out);
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            if (i != 0) out += ',';
            passes_[i].write(out, which);
        }
        out += ')';
    }
};

namespace detail {

// Returns the members of a sequential that are over its unit.
template <class Unit, class Root>
std::vector<any_pass<Unit, Root>> passes_inside(const any_pass<Unit, Root>& pass) {
    std::vector<any_pass<Unit, Root>> members;
    pass.each_inner([&]<class Inner>(const any_pass<Inner, Root>& member) {
        if constexpr (std::is_same_v<Inner, Unit>) members.push_back(member);
    });
    return members;
}

} // namespace detail

} // namespace tutti::runtime
