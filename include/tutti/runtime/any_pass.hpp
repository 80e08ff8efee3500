#pragma once

#include <tutti/pass/check.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/fwd.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>

namespace tutti::runtime {

/// Any pass over a `Unit`, with what it requires; copies share it. It runs in run-time contexts only.
///
/// Requires: `pass_over<P, Unit, runtime::scope<Unit>>`. A conversion that says what is wrong: it is not
///           constrained.
/// Example:  `std::vector<any_pass<int>> list{twice{}, tutti::make_pass<"Next">([](int n) { return n + 1; })};`
template <class Unit>
class any_pass {
    std::shared_ptr<const void> pass_;
    std::shared_ptr<const void> standard_; // null: the pass is written by its parts
    void (*run_)(const void*, Unit&, scope<Unit>&) = nullptr;
    void (*run_required_)(const void*, Unit&, scope<Unit>&) = nullptr;
    void (*write_)(const void*, const void*, std::string&) = nullptr;

    template <class... R>
    static constexpr auto runner_of(passes<R...>) {
        return [](const void*, [[maybe_unused]] Unit& unit, [[maybe_unused]] scope<Unit>& ctx) {
            (ctx.run(R{}, unit), ...);
        };
    }

    template <class P>
    void hold(std::shared_ptr<const P> held) {
        info = held->info;
        run_ = [](const void* erased, Unit& unit, scope<Unit>& ctx) {
            tutti::detail::call_in_place(*static_cast<const P*>(erased), unit, ctx);
        };
        if constexpr (requires(scope<Unit>& ctx, Unit& unit) { held->run_required(unit, ctx); })
            run_required_ = [](const void* erased, Unit& unit, scope<Unit>& ctx) {
                static_cast<const P*>(erased)->run_required(unit, ctx);
            };
        else if constexpr (!std::same_as<typename tutti::detail::required_of<P>::type, passes<>>)
            run_required_ = runner_of(typename tutti::detail::required_of<P>::type{});
        pass_ = std::move(held);
    }

public:
    pass_info info;

    /// In a pipeline's text it stands by its parts: a sequential as its members, any other pass by its name and options.
    template <class P>
        requires(!std::same_as<P, any_pass>)
    any_pass(P pass) {
        if constexpr (tutti::detail::check_pass<P, Unit, scope<Unit>>()) {
            hold(std::make_shared<const P>(std::move(pass)));
            write_ = [](const void* erased, const void*, std::string& out) {
                write_pass(*static_cast<const P*>(erased), out);
            };
        }
    }
    /// A pass that a registry knows by its name. In a pipeline's text it stands by that, a sequential too, with the options
    /// that are not those of `standard`, which the registry has.
    ///
    /// Requires: neither is null.
    template <class P>
    any_pass(std::shared_ptr<const P> pass, std::shared_ptr<const P> standard) {
        if constexpr (tutti::detail::check_pass<P, Unit, scope<Unit>>()) {
            hold(std::move(pass));
            standard_ = std::move(standard);
            write_ = [](const void* erased, const void* usual, std::string& out) {
                const auto& named = *static_cast<const P*>(erased);
                write_word(named.info.name, out);
                write_options(rows_of(named), &named, usual, out);
            };
        }
    }

    void operator()(Unit& unit, scope<Unit>& ctx) const { run_(pass_.get(), unit, ctx); }

    /// Runs what the pass requires; sequentials do so before they run it.
    void run_required(Unit& unit, scope<Unit>& ctx) const {
        if (run_required_) run_required_(pass_.get(), unit, ctx);
    }

    /// Appends the pass as it stands in a pipeline's text.
    void write(std::string& out) const { write_(pass_.get(), standard_.get(), out); }
};

} // namespace tutti::runtime
