#pragma once

#include <tutti/pass/check.hpp>
#include <tutti/runtime/fwd.hpp>
#include <tutti/runtime/write_pipeline.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>

namespace tutti::runtime {

/// How a pass stands in a pipeline's text.
enum class written_as {
    parts, ///< a sequential as its members, any other pass by its name
    name,  ///< by its name, under which a registry knows it
};

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
    void (*write_)(const void*, std::string&) = nullptr;

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
    any_pass(P pass, written_as how = written_as::parts) {
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
            if (how == written_as::name)
                write_ = [](const void* erased, std::string& out) {
                    const auto& named = *static_cast<const P*>(erased);
                    tutti::detail::write_word(named.info.name, out);
                    write_options(named, out);
                };
            else
                write_ = [](const void* erased, std::string& out) {
                    write_pass(*static_cast<const P*>(erased), out);
                };
            pass_ = held;
        }
    }

    void operator()(Unit& unit, scope<Unit>& ctx) const { run_(pass_.get(), unit, ctx); }

    /// Runs what the pass requires; sequentials do so before they run it.
    void run_required(Unit& unit, scope<Unit>& ctx) const {
        if (run_required_) run_required_(pass_.get(), unit, ctx);
    }

    /// Appends the pass as it stands in a pipeline's text.
    void write(std::string& out) const { write_(pass_.get(), out); }
};

} // namespace tutti::runtime
