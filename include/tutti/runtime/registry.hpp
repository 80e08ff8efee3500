#pragma once

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/within.hpp>
#include <tutti/runtime/named_table.hpp>
#include <tutti/runtime/pass_config.hpp>
#include <tutti/runtime/registered_pass.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

namespace detail {

template <class P>
detail::shared copy_of(const void* pass) {
    return detail::shared::make(P(*static_cast<const P*>(pass)));
}
template <class A, class Inner, class Unit, class Root>
[[gnu::cold]] any_pass<Unit, Root> adapt(const void* inner, std::span<const tutti::internal::option_text> options,
                                         detail::rejected_option& rejected) {
    auto made = A::make(*static_cast<const any_pass<Inner, Root>*>(inner));
    rejected = detail::set_options(A::name, tutti::internal::rows_of(made), &made, options);
    return made;
}

// The passes and adaptors over one level of units.
template <class Unit, class Root>
struct registry_level {
    tutti::detail::named_table<registered_pass<Unit, Root>> passes{"pass"};
    tutti::detail::named_table<registered_adaptor<Unit, Root>> adaptors{"adaptor"};
};
template <class Levels, class Root>
struct registry_levels;
template <class... Unit, class Root>
struct registry_levels<units<Unit...>, Root> : registry_level<Unit, Root>... {
    // Calls f.operator()<Unit>() for each level, the root first.
    static void each(auto&& f) { (f.template operator()<Unit>(), ...); }
};

} // namespace detail

/// Named passes over a `Unit` and over its parts, from which `parse_pipeline` creates pipelines.
///
/// Several levels of units may have a pass with the same name. The position of the name in the text selects the level.
/// Adaptors are looked up in the same way. Each level has `fixpoint`, `repeat` and `within`, and an adaptor that is named after
/// the parts of the level's units. The options of a pass are its described data members (`describes_options`), with
/// their names, types and default values.
///
/// Example: `runtime::registry<ir_module> known{relay::passes}; known.add<my_pass>();`
template <class Unit>
class registry {
    using levels = detail::registry_levels<levels_of<Unit>, Unit>;
    template <class U>
    using level = detail::registry_level<U, Unit>;
    template <class U>
    using part = typename detail::part_or_void<U>::type;

    levels levels_;
    config_keys keys_;
    std::vector<std::pair<std::string, std::string>> fillers_; // a point, and the text of passes for it

    template <class U, class A>
    void add_adaptor() {
        if constexpr (!requires { typename A::part; })
            add_adaptor_of<U, A, U>(false);
        else if constexpr (std::is_same_v<part<U>, typename A::part>)
            add_adaptor_of<U, A, typename A::part>(true);
    }
    template <class U, class A, class Inner>
    [[gnu::cold]] void add_adaptor_of(bool over_parts) {
        using made = decltype(A::make(std::declval<any_pass<Inner, Unit>>()));
        if constexpr (detail::is_over<made, U, Unit>) {
            std::string name{A::name};
            if (!std::string_view{A::label}.empty()) name.append("[").append(A::label).append("]");
            // an adaptor may be added twice, because lists of adaptors are written without knowledge of the levels
            const auto* known = level_of<U>().adaptors.find(name);
            if (!known || known->make != &detail::adapt<A, Inner, U, Unit>)
                level_of<U>().adaptors.add({std::move(name), over_parts, &detail::adapt<A, Inner, U, Unit>});
        }
    }
    // True if a P is a pass over units of some level. Otherwise, a `static_assert` fails with the reason.
    template <class P>
    static consteval bool fits() {
        constexpr bool over_parts = []<class Root, class... Part>(units<Root, Part...>) {
            return (detail::is_over<P, Part, Unit> || ...);
        }(levels_of<Unit>{});
        if constexpr (over_parts)
            return true;
        else
            return check_pass<P, Unit, typename any_pass<Unit>::inner_scope>();
    }

    template <class U>
    level<U>& level_of() {
        return levels_;
    }

    // Not inlined, so that code for texts and tables is compiled once for all passes.
    template <class U>
    [[gnu::noinline, gnu::cold]] void insert(const any_pass<U, Unit>& pass, const std::string_view* required,
                                             std::size_t count, tutti::internal::option_rows rows,
                                             const detail::shared& object, detail::shared (*copy)(const void*)) {
        registered_pass<U, Unit> known{.standard = pass};
        known.name = pass.info.name;
        known.opt_level = pass.info.opt_level;
        known.required.assign(required, required + count);
        known.rows.swap(rows);
        known.object = object;
        known.copy = copy;
        level_of<U>().passes.add(std::move(known));
    }

public:
    registry() {
        levels::each([&]<class U>() {
            add_adaptor<U, tutti::fixpoint_adaptor>();
            add_adaptor<U, tutti::repeat_adaptor>();
            add_adaptor<U, tutti::within_adaptor>();
            if constexpr (tutti::internal::has_parts<U>)
                if constexpr (!tutti::internal::unit_name<tutti::internal::part_of<U>>().empty())
                    add_adaptor<U, tutti::each_adaptor<tutti::internal::part_of<U>>>();
        });
    }
    template <class... P>
    explicit registry(tutti::passes<P...>) : registry() {
        (static_cast<void>(add<P>()), ...);
    }

    /// Adds an adaptor or a pass. An adaptor is added on each level where its result is a pass. A pass created from
    /// text has default values for all options that the text does not set.
    ///
    /// Requires: `P` is an adaptor, or a default-constructible pass over `Unit` or its parts. A pass with data members
    ///           describes them.
    /// Throws:   `tutti::error` if the name exists already.
    template <class P>
    registry& add() {
        if constexpr (adaptor<P> && !tutti::internal::describes_itself<P>) {
            levels::each([&]<class U>() { add_adaptor<U, P>(); });
            return *this;
        } else {
            constexpr bool described = tutti::internal::describes_options<P> || std::is_empty_v<P> || composite<P>;
            static_assert(described, "tutti::runtime::registry::add<P>(): a pass must describe its options; write "
                                     "static constexpr tutti::option_list<&P::member> options{\"member\"}; in it");
            constexpr bool made = requires { P{}; };
            static_assert(made,
                          "tutti::runtime::registry::add<P>(): a pass must be default-constructible, since a text "
                          "need not give all options; give its options defaults, or add one that is made: "
                          "add(P{option})");
            if constexpr (made)
                return add(P{});
            else
                return *this;
        }
    }
    /// Adds a pass object: `known.add(tutti::make_pass<"Name">(f))`. Options in a text are set in a copy of the object.
    /// The other members of the object, such as the destination of a `print_pass`, keep their values.
    ///
    /// Requires: the pass is copyable if it describes options.
    /// Throws:   `tutti::error` if the name exists already.
    template <class P>
    registry& add(P made) {
        if constexpr (fits<P>()) {
            const detail::shared object = detail::shared::make(std::move(made));
            const P& pass = *static_cast<const P*>(object.get());
            detail::shared (*copy)(const void*) = nullptr;
            if constexpr (tutti::internal::describes_options<P>) copy = &detail::copy_of<P>;
            [&]<class... R>(tutti::passes<R...>) {
                const std::string_view required[sizeof...(R) + 1]{R::info.name...};
                levels::each([&]<class U>() {
                    if constexpr (detail::is_over<P, U, Unit>)
                        insert<U>(any_pass<U, Unit>::named(std::type_identity<P>{}, object), required, sizeof...(R),
                                  tutti::internal::rows_of(pass), object, copy);
                });
            }(tutti::internal::required_of<P>{});
            if constexpr (requires { typename P::config; }) keys_.add(typename P::config{});
        }
        return *this;
    }

    /// Returns the passes over a `U`, sorted by name. `adaptors` returns the adaptors that create such passes.
    template <class U = Unit>
    const tutti::detail::named_table<registered_pass<U, Unit>>& passes() const& {
        return static_cast<const level<U>&>(levels_).passes;
    }
    template <class U = Unit>
    const tutti::detail::named_table<registered_adaptor<U, Unit>>& adaptors() const& {
        return static_cast<const level<U>&>(levels_).adaptors;
    }
    const std::vector<registered_pass<Unit>>& list() const& { return passes().list(); }
    void list() const&& = delete; // the list would dangle

    /// Returns the pass over a `Unit` with this name, or null. The pointer is valid until a pass is added.
    const registered_pass<Unit>* find(std::string_view name) const& { return passes().find(name); }
    void find(std::string_view) const&& = delete;

    /// Calls `f.operator()<U>()` for `Unit` and for the types of its direct and indirect parts.
    static void each_level(auto&& f) { levels::each(f); }

    /// Returns the complaint that no pass over a `U` has this name. It suggests the nearest name or the correct
    /// position of a pass over other units, or lists all names.
    template <class U = Unit>
    [[gnu::cold]] tutti::internal::complaint explain_missing(std::string_view name) const {
        if (adaptors<U>().find(name)) {
            std::string meant = std::string{name} + "(A,B)";
            return {std::string{name} + ": this is an adaptor; write " + meant, {}, std::string{name}, meant};
        }
        std::string open, close;
        tutti::internal::complaint said;
        explain_level<U, part<U>>(name, open, close, said);
        if (!said.problem.empty()) return said;
        levels::each([&]<class Other>() {
            if (passes<Other>().find(name) && said.problem.empty())
                said = {std::string{name} + ": this is not a pass over " +
                            tutti::internal::with_article(tutti::internal::unit_name<U>()),
                        "it among passes over " + tutti::internal::with_article(tutti::internal::unit_name<Other>()),
                        std::string{name}};
        });
        return said.problem.empty() ? passes<U>().explain_missing(name) : said;
    }

    /// Returns a pass with this name and these options.
    ///
    /// Throws: `tutti::input_error` for an unknown pass, option or value.
    any_pass<Unit> make(std::string_view name, std::span<const tutti::internal::option_text> options = {}) const {
        const registered_pass<Unit>* pass = find(name);
        if (!pass) raise(input_error{explain_missing(name)});
        detail::rejected_option rejected;
        auto made = pass->make(options, rejected);
        if (rejected.option) raise(input_error{std::move(rejected.said)});
        return made;
    }

    /// Returns the names of the registered passes and of the passes in the pipeline, without duplicates.
    std::vector<std::string> names(const any_pass<Unit>& pipeline) const {
        std::vector<std::string> all;
        const auto add = [&](std::string_view name) {
            for (const std::string& each : all)
                if (each == name) return;
            all.emplace_back(name);
        };
        levels::each([&]<class U>() {
            for (const auto& each : passes<U>().list()) add(each.name);
        });
        pipeline.each_name([&](std::string_view name) {
            add(name);
            return false;
        });
        return all;
    }

    /// Checks names of passes that a user disables, requires or watches. Rejects names that are neither registered nor
    /// in the pipeline.
    ///
    /// Throws: `tutti::input_error` with a message that begins with `about` and suggests the nearest name.
    void check_names(std::string_view about, const std::vector<std::string>& asked,
                     const any_pass<Unit>& pipeline) const {
        const std::vector<std::string> all = names(pipeline);
        for (const std::string& name : asked) {
            bool known = false;
            for (const std::string& each : all) known = known || each == name;
            if (!known) raise(input_error{tutti::internal::unknown_name("pass", name, all), std::string{about}});
        }
    }

    /// Adds passes, as a text, for all extension points of a name. `edit::fill_points` inserts them, after those added
    /// before. A pipeline need not have such a point.
    ///
    /// Example: `known.add<my_pass>(); known.fill("after-simplify", "MyPass{n=2}");`
    registry& fill(std::string_view point, std::string_view passes) {
        fillers_.emplace_back(point, passes);
        return *this;
    }
    /// Returns the text of the passes for the points of a name; empty if there are none.
    std::string filled(std::string_view point) const {
        std::string all;
        for (const auto& [name, passes] : fillers_)
            if (name == point) all.append(all.empty() || passes.empty() ? "" : ",").append(passes);
        return all;
    }

    /// Returns the config keys that the passes read.
    const config_keys& config() const { return keys_; }

private:
    // Searches for the name among passes over parts, in case `function(CSE)` or `function(loop(Hoist))` was intended.
    template <class U, class Part, class... Seen>
    [[gnu::cold]] void explain_level(std::string_view name, std::string& open, std::string& close,
                                     tutti::internal::complaint& said) const {
        if constexpr (!std::is_void_v<Part> && !(std::is_same_v<Part, Seen> || ...)) {
            open.append(tutti::each_adaptor<Part>::name).append("(");
            close += ")";
            if (passes<Part>().find(name)) {
                std::string meant = open + std::string{name} + close;
                said = {std::string{name} + ": this is a pass over " +
                            tutti::internal::with_article(tutti::internal::unit_name<Part>()) + "; write " + meant,
                        {},
                        std::string{name},
                        meant};
            } else {
                explain_level<Part, part<Part>, Seen..., Part>(name, open, close, said);
            }
        }
    }
};

} // namespace tutti::runtime
