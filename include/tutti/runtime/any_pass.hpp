#pragma once

#include <tutti/pass/names.hpp>
#include <tutti/pass/scope.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/fwd.hpp>
#include <tutti/runtime/shared.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::runtime {

/// Any pass over a `Unit` in a context of a `Root`, of which units are parts if that is another type; with what it requires.
/// Copies share it. It runs in run-time contexts only.
///
/// Requires: `pass_over<P, Unit, scope<runtime::pass_context<Root>, true>>`. A conversion that says what is wrong: it is
///           constrained only as far as that a pass describes itself.
/// Example:  `std::vector<any_pass<int>> list{twice{}, tutti::make_pass<"Next">([](int n) { return n + 1; })};`
template <class Unit, class Root>
class any_pass {
public:
    using run_time_context = pass_context<Root>;
    using inner_scope = tutti::scope<run_time_context, true>;

private:
    struct functions {
        change (*run)(void*, Unit&, inner_scope&);
        void (*run_required)(void*, Unit&, inner_scope&);
        bool (*each_name)(const void*, const name_visitor&);
        bool (*preserves)(const void*, const void*);
        void (*write)(const void*, const void*, std::string&);
        bool (*tells_change)(const void*);
        bool (*keeps_unit)(const void*);
    };

    template <class P>
    static change run_it(void* erased, Unit& unit, inner_scope& ctx) {
        return call_in_place(*static_cast<P*>(erased), unit, ctx);
    }
    template <class P>
    static void run_required_by(void* erased, Unit& unit, inner_scope& ctx) {
        if constexpr (requires(const P& pass) { pass.run_required(unit, ctx); })
            static_cast<const P*>(erased)->run_required(unit, ctx);
        else
            [&]<class... R>(passes<R...>) { (static_cast<void>(ctx.run(R{}, unit)), ...); }(required_of<P>{});
    }
    template <class P>
    static bool each_name_of(const void* erased, const name_visitor& f) {
        return each_pass_name(*static_cast<const P*>(erased), f);
    }
    template <class P>
    static bool preserved_by(const void* erased, const void* analysis) {
        return tutti::preserves_analysis(*static_cast<const P*>(erased), analysis);
    }
    template <class P>
    static bool tells_change_of(const void* erased) {
        return tutti::tells_change<Unit, inner_scope>(*static_cast<const P*>(erased));
    }
    template <class P>
    static bool keeps_unit_of(const void* erased) {
        return tutti::keeps_unit<Unit, inner_scope>(*static_cast<const P*>(erased));
    }
    template <class P>
    static void write_parts(const void* erased, const void* standard, std::string& out) {
        const P& pass = *static_cast<const P*>(erased);
        if (!standard) return write_pass(pass, out);
        write_word(pass.info.name, out);
        write_options(rows_of(pass), &pass, standard, out);
    }
    template <class P>
    static consteval auto runner_of_required() -> decltype(functions::run_required) {
        if constexpr (requires(const P& pass, Unit& unit, inner_scope& ctx) { pass.run_required(unit, ctx); } ||
                      !std::same_as<required_of<P>, passes<>>)
            return &run_required_by<P>;
        else
            return nullptr;
    }
    template <class P>
    static constexpr functions table{&run_it<P>,      runner_of_required<P>(), &each_name_of<P>, &preserved_by<P>,
                                     &write_parts<P>, &tells_change_of<P>,     &keeps_unit_of<P>};

    shared pass_;
    shared standard_; // holds nothing: the pass is written by its parts
    const functions* functions_ = nullptr;

public:
    pass_info info;

    /// In a pipeline's text it stands by its parts: a sequential as its members, any other pass by its name and options.
    template <class P>
        requires(!std::same_as<P, any_pass> && requires(const P& pass) { pass.info; })
    any_pass(P pass) {
        if constexpr (check_pass<P, Unit, inner_scope>()) {
            pass_ = shared::make(std::move(pass));
            functions_ = &table<P>;
            info = static_cast<const P*>(pass_.get())->info;
        }
    }
    /// A pass that a registry knows by its name: a `P` that is shared with it. In a pipeline's text it stands by that name, a
    /// sequential too, with the options that are not those of `standard`, which the registry has.
    ///
    /// Requires: both hold a `P`, and `P` is a pass over `Unit`.
    template <class P>
    static any_pass named(std::type_identity<P>, shared pass, shared standard) {
        any_pass made;
        made.info = static_cast<const P*>(pass.get())->info;
        made.pass_ = std::move(pass);
        made.standard_ = std::move(standard);
        made.functions_ = &table<P>;
        return made;
    }

    change operator()(Unit& unit, inner_scope& ctx) const { return functions_->run(pass_.get(), unit, ctx); }

    /// Runs what the pass requires; sequentials do so before they run it.
    void run_required(Unit& unit, const auto& ctx) const {
        if (!functions_->run_required) return;
        inner_scope inner{ctx.context()};
        functions_->run_required(pass_.get(), unit, inner);
    }
    /// Whether it always says if it changed the unit; whether there is a unit left when it has failed.
    bool tells_change() const { return functions_->tells_change(pass_.get()); }
    bool keeps_unit() const { return functions_->keeps_unit(pass_.get()); }
    /// Calls `f(name)` for the pass, its members, and what they require.
    bool each_name(const name_visitor& f) const { return functions_->each_name(pass_.get(), f); }
    bool preserves_analysis(const void* analysis) const { return functions_->preserves(pass_.get(), analysis); }
    /// Appends the pass as it stands in a pipeline's text.
    void write(std::string& out) const { functions_->write(pass_.get(), standard_.get(), out); }

private:
    any_pass() = default;
};

} // namespace tutti::runtime
