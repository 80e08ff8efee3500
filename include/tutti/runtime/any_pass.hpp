#pragma once

#include <tutti/instrument/support/claimed_passes.hpp>
#include <tutti/pass/names.hpp>
#include <tutti/pass/partwise.hpp>
#include <tutti/pass/property_claims.hpp>
#include <tutti/pass/scope.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/fwd.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/requirement.hpp>
#include <tutti/runtime/shared.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

namespace detail {

template <class Unit>
struct part_or_void {
    using type = void;
};
template <tutti::internal::has_parts Unit>
struct part_or_void<Unit> {
    using type = tutti::internal::part_of<Unit>;
};

// A type-erased function that is called with each member of a pass. A member is a pass over the same units or over
// their parts.
template <class Unit, class Root>
struct member_visitor {
    void* f;
    void (*visit)(void* f, const any_pass<Unit, Root>&);
    void (*visit_over_parts)(void* f, const void* member); // `member` is an any_pass over parts
};

template <class P>
inline constexpr bool is_erased_sequential = false;
template <class Unit, class Root>
inline constexpr bool is_erased_sequential<runtime::sequential<Unit, Root>> = true;
template <class P>
inline constexpr bool is_erased_pass = false;
template <class Unit, class Root>
inline constexpr bool is_erased_pass<any_pass<Unit, Root>> = true;

// True if only values show which passes are in a pass.
template <class P>
inline constexpr bool has_erased_passes = requires(const P& pass) { pass.states_properties(); } ||
                                          has_erased_passes<typename tutti::detail::member_list<P>::type>;
template <class... P>
inline constexpr bool has_erased_passes<passes<P...>> = (has_erased_passes<P> || ...);

template <class P>
bool states_properties(const P& pass) {
    if constexpr (requires { pass.states_properties(); }) {
        return pass.states_properties();
    } else {
        bool any = tutti::internal::any_states<P>;
        if constexpr (has_erased_passes<P>)
            pass.each_member([&](const auto& member) { any = any || detail::states_properties(member); });
        return any;
    }
}

} // namespace detail

/// A type-erased pass over a `Unit`, with its requirements, for contexts of a `Root`. If the types differ, a `Unit` is
/// a part of a `Root`. Copies share the pass. It runs only in run-time contexts.
///
/// Requires: `pass_over<P, Unit, scope<runtime::pass_context<Root>, true>>`. The conversion is constrained only by the
///           member `info`; it reports other mistakes by `static_assert`.
/// Example:  `std::vector<any_pass<int>> list{twice{}, tutti::make_pass<"Next">([](int n) { return n + 1; })};`
template <class Unit, class Root>
class any_pass {
public:
    using run_time_context = pass_context<Root>;
    using inner_scope = tutti::scope<run_time_context, true>;

private:
    // The units that a Unit may be a part of.
    using wholes = decltype([]<class... U>(units<U...>) {
        const auto add = []<class... Above>(auto& self, units<Above...>, auto rest) {
            return [&]<class First, class... Rest>(units<First, Rest...>) {
                if constexpr (std::same_as<First, Unit>) {
                    if constexpr (sizeof...(Above) == 0)
                        return static_cast<void>(0);
                    else
                        return units<Above...>{};
                } else {
                    return self(self, units<First, Above...>{}, units<Rest...>{});
                }
            }(rest);
        };
        return add(add, units<>{}, units<U...>{});
    }(levels_of<Root>{}));

    // Operations of the erased type. An operation is null if the default suffices.
    struct functions {
        change (*run)(void*, Unit&, inner_scope&);
        change (*run_required)(void*, Unit&, inner_scope&);
        bool (*each_name)(const void*, const tutti::internal::name_visitor&);
        bool (*preserves)(const void*, const void*);
        void (*write)(const void*, const void*, std::string&, tutti::internal::written_options);
        bool (*tells_change)(const void*);
        tutti::internal::reach (*reached)(const void*);
        bool always_tells; // the result of tells_change if that function is null

        const void* type;
        requirement_list<Root> (*required)();
        void (*each_inner)(const detail::shared&, const detail::member_visitor<Unit, Root>&);
        any_pass (*with_inner)(const void*, const void* inner);
        requirements (*which)(const void*);
        bool is_sequential;
        bool is_point;
        const tutti::internal::property_claims* claims;
        tutti::internal::constants<tutti::internal::property_row> properties;
        members_run runs_members;
        bool states_properties;
        bool (*may_state_properties)(const void*); // null: `states_properties` is the answer
    };

    template <class P>
    static change run_it(void* erased, Unit& unit, inner_scope& ctx) {
        return tutti::internal::call_in_place(*static_cast<P*>(erased), unit, ctx);
    }
    template <class P>
    static change run_required_by(void* erased, Unit& unit, inner_scope& ctx) {
        change all = ctx.run_all(tutti::internal::required_of<P>{}, unit);
        if constexpr (requires(const P& pass) { pass.run_required(unit, ctx); })
            all |= static_cast<const P*>(erased)->run_required(unit, ctx);
        return all;
    }
    template <class P>
    static void write_parts(const void* erased, const void* standard, std::string& out,
                            tutti::internal::written_options which) {
        const P& pass = *static_cast<const P*>(erased);
        if (!standard || which == tutti::internal::written_options::all)
            return tutti::detail::write_pass(pass, out, which);
        tutti::internal::write_word(pass.info.name, out);
        tutti::internal::write_options(tutti::internal::rows_of(pass), &pass, standard, out);
    }
    // The unit type of a pass's members.
    template <class P>
    using inner_unit =
        std::conditional_t<std::is_void_v<tutti::internal::inner_part<P>>, Unit, tutti::internal::inner_part<P>>;

    template <class P>
    static void visit_inner(const detail::shared& pass, const detail::member_visitor<Unit, Root>& visitor) {
        static_cast<const P*>(pass.get())->each_member([&]<class M>(const M& member) {
            using inner = any_pass<inner_unit<P>, Root>;
            const auto visit = [&](const inner& erased) {
                if constexpr (std::same_as<inner, any_pass>)
                    visitor.visit(visitor.f, erased);
                else
                    visitor.visit_over_parts(visitor.f, &erased);
            };
            if constexpr (std::same_as<M, inner>)
                visit(member);
            else if constexpr (detail::is_over<M, inner_unit<P>, Root> || detail::is_over<const M, inner_unit<P>, Root>)
                visit(inner::inside(detail::shared::part(pass, member), std::type_identity<M>{}));
        });
    }
    template <class P>
    static any_pass put_around(const void* erased, const void* inner) {
        return static_cast<const P*>(erased)->with_inner(*static_cast<const any_pass<inner_unit<P>, Root>*>(inner));
    }
    template <class P>
    static requirements requirements_run_by(const void* erased) {
        if constexpr (detail::is_erased_sequential<P>)
            return static_cast<const P*>(erased)->which();
        else
            return tutti::internal::requirements_run_by<P>;
    }
    template <class P>
    static constexpr bool is_put_around = requires(const P& pass, const any_pass<inner_unit<P>, Root>& inner) {
        pass.with_inner(pass.inner);
        pass.with_inner(inner);
    };

    template <class P>
    static consteval functions functions_of() {
        constexpr bool requires_some = !std::same_as<tutti::internal::required_of<P>, passes<>>;
        functions f{};
        f.run = &run_it<P>;
        if constexpr (requires_some || requires(const P& p, Unit& u, inner_scope& ctx) { p.run_required(u, ctx); })
            f.run_required = &run_required_by<P>;
        if constexpr (
            requires_some || composite<P> ||
            requires(const P& p, tutti::internal::name_visitor v) { p.each_name(v); } ||
            requires(const P& p) { p.each_member([](const auto&) {}); })
            f.each_name = [](const void* erased, const tutti::internal::name_visitor& visit) {
                return tutti::internal::each_pass_name(*static_cast<const P*>(erased), visit);
            };
        if constexpr (requires { typename P::preserves; } || requires(const P& p) { p.preserves_analysis(nullptr); })
            f.preserves = [](const void* erased, const void* analysis) {
                return tutti::internal::preserves_analysis(*static_cast<const P*>(erased), analysis);
            };
        if constexpr (requires(const P& pass) { pass.is_point(); }) f.is_point = true;
        if constexpr (
            tutti::internal::describes_options<P> || composite<P> || requires(const P& p) { p.is_point(); } ||
            requires(const P& p, std::string& out) { p.write(out); })
            f.write = &write_parts<P>;
        if constexpr (tutti::internal::tells_by_value<P>)
            f.tells_change = [](const void* erased) {
                return tutti::internal::tells_change<Unit, inner_scope>(*static_cast<const P*>(erased));
            };
        else
            f.always_tells = tutti::internal::type_tells_change<Unit, inner_scope, P>();
        if constexpr (requires_some || requires(const P& pass) { pass.is_partwise(); })
            f.reached = [](const void* erased) { return tutti::internal::reach_of(*static_cast<const P*>(erased)); };
        f.type = &detail::pass_type<P>;
        if constexpr (requires_some) f.required = &detail::list_required<P, Root>;
        constexpr bool is_like_sequential = requires(const P& pass) {
            pass.passes();
            pass.which();
        };
        if constexpr (composite<P> || is_like_sequential) f.each_inner = &visit_inner<P>;
        if constexpr (is_put_around<P>) f.with_inner = &put_around<P>;
        f.is_sequential = tutti::internal::is_sequential<P> || detail::is_erased_sequential<P>;
        if constexpr (tutti::internal::is_sequential<P> || detail::is_erased_sequential<P>)
            f.which = &requirements_run_by<P>;
        f.claims = tutti::internal::stated_by<P>;
        f.properties = tutti::internal::rows_of_properties<P, Root>;
        f.runs_members = detail::is_erased_sequential<P> ? members_run::once : tutti::internal::runs_members_of<P>;
        f.states_properties = tutti::internal::any_states<P>;
        if constexpr (detail::has_erased_passes<P>)
            f.may_state_properties = [](const void* erased) {
                return detail::states_properties(*static_cast<const P*>(erased));
            };
        return f;
    }
    template <class P>
    static constexpr functions table = functions_of<P>();

    detail::shared pass_;
    detail::shared standard_{}; // the registered pass with default options; empty if the pass is not registered
    const functions* functions_ = nullptr;

public:
    pass_info info;

    /// Erases a pass. `write_pipeline` writes a sequential as its members, and any other pass as its name and options.
    template <class P>
        requires(!std::same_as<P, any_pass> && requires(const P& pass) { pass.info; })
    any_pass(P pass) {
        if constexpr (check_pass<P, Unit, inner_scope, wholes>()) {
            info = pass.info;
            pass_ = detail::shared::make(std::move(pass));
            functions_ = &table<P>;
            if constexpr (!tutti::internal::describes_itself_statically<P>)
                info = static_cast<const P*>(pass_.get())->info;
        }
    }
    /// Returns a registered pass that shares `pass`. `write_pipeline` writes its name, even for a sequential, and the
    /// options that differ from those of `pass`.
    ///
    /// Requires: `pass` holds a `P`, and `P` is a pass over `Unit`.
    template <class P>
    static any_pass named(std::type_identity<P>, const detail::shared& pass) {
        return any_pass{pass, &table<P>, static_cast<const P*>(pass.get())->info};
    }
    /// Returns this pass with its object replaced by another of the same type, for example by one with other options.
    any_pass with_object(detail::shared pass) const {
        any_pass other = *this;
        other.pass_ = std::move(pass);
        return other;
    }

    change operator()(Unit& unit, inner_scope& ctx) const { return functions_->run(pass_.get(), unit, ctx); }

    /// Runs the pass's requirements. A sequential calls this function before it runs the pass.
    change run_required(Unit& unit, const auto& ctx) const {
        if (!functions_->run_required) return unchanged;
        inner_scope inner{ctx.context()};
        return functions_->run_required(pass_.get(), unit, inner);
    }
    /// Returns the `pass_type` of the erased pass.
    const void* type() const { return functions_->type; }
    /// Returns the direct requirements.
    requirement_list<Root> required() const {
        return functions_->required ? functions_->required() : requirement_list<Root>{};
    }
    /// True for a compile-time or run-time sequential.
    bool is_sequential() const { return functions_->is_sequential; }
    /// True for an extension point, `tutti::point`.
    bool is_point() const { return functions_->is_point; }
    /// Returns which required passes a sequential runs.
    requirements which() const { return functions_->which ? functions_->which(pass_.get()) : requirements::direct; }
    /// Calls `f(member)` for each member. A member is an `any_pass` over the same units or over their parts.
    void each_inner(auto&& f) const {
        if (!functions_->each_inner) return;
        using F = std::remove_reference_t<decltype(f)>;
        using part = typename detail::part_or_void<Unit>::type;
        detail::member_visitor<Unit, Root> visitor{
            const_cast<void*>(static_cast<const void*>(&f)),
            [](void* to, const any_pass& member) { (*static_cast<F*>(to))(member); }, nullptr};
        if constexpr (!std::is_void_v<part>)
            visitor.visit_over_parts = [](void* to, const void* member) {
                (*static_cast<F*>(to))(*static_cast<const any_pass<part, Root>*>(member));
            };
        functions_->each_inner(pass_, visitor);
    }
    /// True for an adaptor that can take another inner pass.
    bool has_with_inner() const { return functions_->with_inner; }
    /// Returns the same adaptor around another inner pass over the same units. Requires: `has_with_inner()`.
    template <class Inner>
    any_pass with_inner(const any_pass<Inner, Root>& inner) const {
        return functions_->with_inner(pass_.get(), &inner);
    }
    /// True if this pass or one of its members requires a pass of the type `required`, and the context runs the pass
    /// that requires it.
    bool wants(const void* required, const auto& ctx) const {
        if (ctx.decide(*this) != decision::run) return false;
        if (detail::contains(this->required(), required)) return true;
        bool any = false;
        each_inner([&](const auto& member) { any = any || member.wants(required, ctx); });
        return any;
    }
    /// Runs the passes over the whole that this pass over parts, or a member of it, requires. Skips the requirements of
    /// passes that the context does not run.
    template <class Whole>
        requires(detail::is_above<Whole, Unit>)
    change run_required_of_whole(Whole& whole, auto& ctx) const {
        change all = unchanged;
        if (!functions_->required && !functions_->each_inner) return all;
        const requirements kind = which();
        if (kind == requirements::around) return all;
        const auto run = [&](const requirement<Root>& required) {
            if (detail::is_of_whole<Whole, Unit>(required)) {
                const auto made = required.template maker<Whole>()();
                all |= ctx.run(made, whole);
            }
        };
        if (kind == requirements::transitive) {
            for (const requirement<Root>* each : detail::wanted_by(*this))
                if (wants(each->type, ctx)) run(*each);
            return all;
        }
        for (const requirement<Root>& each : required()) run(each);
        each_inner([&](const auto& member) {
            if (ctx.decide(member) == decision::run) all |= member.run_required_of_whole(whole, ctx);
        });
        return all;
    }
    /// For `tutti::detail::may_require`.
    bool requires_of_whole() const { return functions_->required || functions_->each_inner; }

    /// Returns the reach of the pass itself, without its members.
    tutti::internal::reach reached() const {
        return functions_->reached ? functions_->reached(pass_.get()) : tutti::internal::reach::unstated;
    }
    /// True if the pass always reports changes.
    bool tells_change() const {
        return functions_->tells_change ? functions_->tells_change(pass_.get()) : functions_->always_tells;
    }
    /// Calls `f(name)` for the pass, its members, and their requirements, until `f` returns true. True if it did.
    bool each_name(const tutti::internal::name_visitor& f) const {
        return functions_->each_name ? functions_->each_name(pass_.get(), f) : f(info.name);
    }
    bool preserves_analysis(const void* analysis) const {
        return functions_->preserves && functions_->preserves(pass_.get(), analysis);
    }
    /// Returns the effect on properties that the pass states, or null.
    const tutti::internal::property_claims* claims() const { return functions_->claims; }
    /// Appends the pass, its requirements and its members with their stated effects; see `instrument::claimed_passes`.
    void add_claimed(std::vector<instrument::claimed_pass>& list) const {
        if (info.kind == pass_kind::pass) list.push_back({std::string{info.name}, claims(), functions_->properties});
        for (const requirement<Root>& each : required())
            list.push_back({std::string{each.name}, each.claims, each.properties});
        each_inner([&](const auto& member) { member.add_claimed(list); });
    }
    /// Returns how the pass runs its members.
    members_run runs_members() const { return functions_->runs_members; }
    /// True if the pass or a pass in it states properties.
    bool states_properties() const {
        return functions_->may_state_properties ? functions_->may_state_properties(pass_.get())
                                                : functions_->states_properties;
    }
    /// True if the pass is from a registry, so that `write_pipeline` writes its name in place of its members.
    bool is_registered() const { return standard_.get() != nullptr; }
    /// Appends the pass as `write_pipeline` writes it.
    void write(std::string& out,
               tutti::internal::written_options which = tutti::internal::written_options::changed) const {
        if (functions_->write)
            functions_->write(pass_.get(), standard_.get(), out, which);
        else
            tutti::internal::write_word(info.name, out);
    }

private:
    template <class, class>
    friend class any_pass;

    // Erases a member of a pass. The result keeps the pass alive.
    template <class P>
    static any_pass inside(detail::shared pass, std::type_identity<P>) {
        any_pass made{pass, &table<P>, static_cast<const P*>(pass.get())->info};
        made.standard_ = {};
        return made;
    }
    [[gnu::noinline]] any_pass(const detail::shared& pass, const functions* known, const pass_info& about)
        : pass_(pass), standard_(pass), functions_(known), info(about) {}
};

} // namespace tutti::runtime
