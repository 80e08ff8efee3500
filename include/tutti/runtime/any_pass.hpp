#pragma once

#include <tutti/pass/check.hpp>
#include <tutti/runtime/fwd.hpp>

#include <concepts>
#include <memory>
#include <utility>

namespace tutti::runtime {

/// Any pass over a `Unit`, with what it requires; copies share it. It runs in run-time contexts only.
///
/// Requires: `pass_over<P, Unit, runtime::scope<Unit>>`. A conversion that says what is wrong: it is not
/// constrained. Example:  `std::vector<any_pass<int>> list{twice{}, tutti::make_pass<"Next">([](int n) {
/// return n + 1; })};`
template <class Unit>
class any_pass {
    std::shared_ptr<const void> pass_;
    void (*run_)(const void*, Unit&, scope<Unit>&) = nullptr;
    void (*run_required_)(const void*, Unit&, scope<Unit>&) = nullptr;

    template <class... R>
    static constexpr auto runner_of(passes<R...>) {
        return [](const void*, [[maybe_unused]] Unit& unit, [[maybe_unused]] scope<Unit>& ctx) {
            (ctx.run(R{}, unit), ...);
        };
    }

public:
    pass_info info;

    template <class P>
        requires(!std::same_as<P, any_pass>)
    any_pass(P pass) {
        if constexpr (tutti::detail::check_pass<P, Unit, scope<Unit>>()) {
            const auto held = std::make_shared<const P>(std::move(pass));
            info = held->info;
            run_ = [](const void* erased, Unit& unit, scope<Unit>& ctx) {
                tutti::detail::call_in_place(*static_cast<const P*>(erased), unit, ctx);
            };
            if constexpr (requires(scope<Unit> & ctx, Unit & unit) { held->run_required(unit, ctx); })
                run_required_ = [](const void* erased, Unit& unit, scope<Unit>& ctx) {
                    static_cast<const P*>(erased)->run_required(unit, ctx);
                };
            else if constexpr (!std::same_as<typename tutti::detail::required_of<P>::type, passes<>>)
                run_required_ = runner_of(typename tutti::detail::required_of<P>::type{});
            pass_ = held;
        }
    }

    void operator()(Unit& unit, scope<Unit>& ctx) const { run_(pass_.get(), unit, ctx); }

    /// Runs what the pass requires; sequentials do so before they run it.
    void run_required(Unit& unit, scope<Unit>& ctx) const {
        if (run_required_) run_required_(pass_.get(), unit, ctx);
    }
};

} // namespace tutti::runtime
