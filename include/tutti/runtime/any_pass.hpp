#pragma once

#include <tutti/pass/names.hpp>
#include <tutti/pass/scope.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/fwd.hpp>
#include <tutti/runtime/pass_context.hpp>
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
    // What differs from type to type; null where a pass is only its name.
    struct functions {
        change (*run)(void*, Unit&, inner_scope&);
        void (*run_required)(void*, Unit&, inner_scope&);
        bool (*each_name)(const void*, const name_visitor&);
        bool (*preserves)(const void*, const void*);
        void (*write)(const void*, const void*, std::string&);
        bool (*tells_change)(const void*);
        bool always_tells; // where the function is null
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
            ctx.run_all(required_of<P>{}, unit);
    }
    template <class P>
    static void write_parts(const void* erased, const void* standard, std::string& out) {
        const P& pass = *static_cast<const P*>(erased);
        if (!standard) return write_pass(pass, out);
        write_word(pass.info.name, out);
        write_options(rows_of(pass), &pass, standard, out);
    }
    template <class P>
    static consteval functions functions_of() {
        constexpr bool requires_some = !std::same_as<required_of<P>, passes<>>;
        functions f{};
        f.run = &run_it<P>;
        if constexpr (requires_some || requires(const P& p, Unit& u, inner_scope& ctx) { p.run_required(u, ctx); })
            f.run_required = &run_required_by<P>;
        if constexpr (
            requires_some || composite<P> || requires(const P& p, name_visitor v) { p.each_name(v); } ||
            requires(const P& p) { p.each_member([](const auto&) {}); })
            f.each_name = [](const void* erased, const name_visitor& visit) {
                return each_pass_name(*static_cast<const P*>(erased), visit);
            };
        if constexpr (requires { typename P::preserves; } || requires(const P& p) { p.preserves_analysis(nullptr); })
            f.preserves = [](const void* erased, const void* analysis) {
                return tutti::preserves_analysis(*static_cast<const P*>(erased), analysis);
            };
        if constexpr (describes_options<P> || composite<P> || requires(const P& p, std::string& out) { p.write(out); })
            f.write = &write_parts<P>;
        if constexpr (requires(const P& p) { p.tells_change(); })
            f.tells_change = [](const void* erased) { return static_cast<const P*>(erased)->tells_change(); };
        else
            f.always_tells = type_tells_change<Unit, inner_scope, P>();
        return f;
    }
    template <class P>
    static constexpr functions table = functions_of<P>();

    shared pass_;
    shared standard_{}; // holds nothing: the pass is written by its parts
    const functions* functions_ = nullptr;

public:
    pass_info info;

    /// In a pipeline's text it stands by its parts: a sequential as its members, any other pass by its name and options.
    template <class P>
        requires(!std::same_as<P, any_pass> && requires(const P& pass) { pass.info; })
    any_pass(P pass) {
        if constexpr (check_pass<P, Unit, inner_scope>()) {
            info = pass.info;
            pass_ = shared::make(std::move(pass));
            functions_ = &table<P>;
            if constexpr (!describes_itself_statically<P>) info = static_cast<const P*>(pass_.get())->info;
        }
    }
    /// A pass that a registry knows by its name: a `P` that is shared with it. In a pipeline's text it stands by that name, a
    /// sequential too, with the options that are not those it has now.
    ///
    /// Requires: the object is a `P`, and `P` is a pass over `Unit`.
    template <class P>
    static any_pass named(std::type_identity<P>, const shared& pass) {
        return any_pass{pass, &table<P>, static_cast<const P*>(pass.get())->info};
    }
    /// The same pass with another object, of the same type, that has other options.
    any_pass with_object(shared pass) const {
        any_pass other = *this;
        other.pass_ = std::move(pass);
        return other;
    }

    change operator()(Unit& unit, inner_scope& ctx) const { return functions_->run(pass_.get(), unit, ctx); }

    /// Runs what the pass requires; sequentials do so before they run it.
    void run_required(Unit& unit, const auto& ctx) const {
        if (!functions_->run_required) return;
        inner_scope inner{ctx.context()};
        functions_->run_required(pass_.get(), unit, inner);
    }
    /// Whether it always says if it changed the unit.
    bool tells_change() const {
        return functions_->tells_change ? functions_->tells_change(pass_.get()) : functions_->always_tells;
    }
    /// Calls `f(name)` for the pass, its members, and what they require.
    bool each_name(const name_visitor& f) const {
        return functions_->each_name ? functions_->each_name(pass_.get(), f) : f(info.name);
    }
    bool preserves_analysis(const void* analysis) const {
        return functions_->preserves && functions_->preserves(pass_.get(), analysis);
    }
    /// Appends the pass as it stands in a pipeline's text.
    void write(std::string& out) const {
        if (functions_->write)
            functions_->write(pass_.get(), standard_.get(), out);
        else
            write_word(info.name, out);
    }

private:
    [[gnu::noinline]] any_pass(const shared& pass, const functions* known, const pass_info& about)
        : pass_(pass), standard_(pass), functions_(known), info(about) {}
};

} // namespace tutti::runtime
