#pragma once

#include <tutti/base/described.hpp>
#include <tutti/pass/adaptor.hpp>
#include <tutti/pass/analysis.hpp>
#include <tutti/pass/check.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/pass/stop_context.hpp>

#include <string_view>

namespace tutti {

struct within_adaptor;

namespace detail {

/// The pass that `within` returns.
template <class Inner>
struct within_pass {
    static constexpr pass_info info{.name = "within", .kind = pass_kind::adaptor};
    using adaptor = within_adaptor;
    using members = passes<Inner>;
    using preserves = all_analyses; // the members drop invalid results

    [[no_unique_address]] Inner inner;
    int_from<0> ms = 1000;

    static constexpr tutti::option_list<&within_pass::ms> options{"ms"};

    static constexpr bool is_partwise() { return false; } // the time decides
    /// For `check_pass`.
    template <class Self, class Unit, class Context, class Whole = void>
    static consteval bool check() {
        return check_pass<detail::as_member<Self, Inner>, Unit, internal::stop_scope_t<Context>, Whole>();
    }

    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr auto with_inner(auto other) const { return within_pass<decltype(other)>{other, ms}; }

    template <class Unit, class Context>
        requires transforms<const Inner, Unit, internal::stop_scope_t<Context>>
    change operator()(Unit& unit, Context& ctx) const {
        return run(inner, ms, unit, ctx);
    }
    template <class Unit, class Context>
        requires transforms<Inner, Unit, internal::stop_scope_t<Context>>
    change operator()(Unit& unit, Context& ctx) {
        return run(inner, ms, unit, ctx);
    }

private:
    template <class I, class Unit, class Context>
    static change run(I& inner, int ms, Unit& unit, Context& ctx) {
        stop_token limit{internal::stop_of(ctx)};
        limit.request_after(ms);
        const change made =
            internal::with_stop(ctx, limit, [&](auto& inside) { return inside.run_member(inner, unit); });
        if (limit.stopped())
            ctx.remark(remark_kind::missed, limit.stopped_at(), "the time limit was reached; the rest was skipped");
        return made;
    }
};

} // namespace detail

/// Runs a pass with a time limit, and keeps its changes so far.
///
/// The time limit is a stop request (see `stop_token`): a sequential inside skips its remaining members once the time
/// is over, `fixpoint` and `repeat` end, and a pass that takes long may poll. A running pass is never interrupted. The
/// passes after this one run as usual. Emits a `missed` remark if the limit was reached.
///
/// Cost:    a reading of the clock for each poll.
/// Example: `tutti::within(tutti::fixpoint(tutti::sequential(cse{}, dce{})), 5)`
template <class P>
constexpr detail::within_pass<P> within(P pass, int milliseconds) {
    return {static_cast<P&&>(pass), milliseconds};
}

/// The adaptor for `within{ms=5}(A)` in the text of a pipeline. Registries always know it; literals know it if their
/// list of passes contains it.
struct within_adaptor {
    static constexpr std::string_view name = "within", label = "";
    template <class Inner>
    static constexpr detail::within_pass<Inner> make(Inner inner) {
        return {static_cast<Inner&&>(inner)};
    }
};

} // namespace tutti
