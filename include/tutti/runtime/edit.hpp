#pragma once

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pass/class_name.hpp>
#include <tutti/pipeline/edit.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/resolve.hpp>
#include <tutti/runtime/sequential.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime::detail {

/// The passes that an edit names, by name or by type.
struct wanted_place {
    tutti::edit::place where;
    const void* type = nullptr; ///< the `pass_type` of the passes; null if they are given by name
    std::string_view shown{};   ///< the name of passes given by type
    bool point = false;         ///< true for extension points of this name

    template <class Unit, class Root>
    bool is(const any_pass<Unit, Root>& pass) const {
        if (type != nullptr) return pass.type() == type;
        if (point) return pass.is_point() && pass.info.name == where.name;
        return !pass.is_point() && !tutti::internal::is_unnamed(pass.info) && where.is_of(pass.info.name);
    }
    std::string name() const {
        std::string text{shown};
        if (point) return std::string{where.name};
        if (type == nullptr) tutti::internal::read_word(where.name, text);
        return text;
    }
};

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_unit(std::string name, std::string_view unit) {
    raise(
        input_error{{name + ": this is not a pass over " + tutti::internal::with_article(unit), {}, name}, "pipeline"});
}

// Returns the place of the extension points of a name.
inline wanted_place wanted_point(std::string_view name) {
    wanted_place made{tutti::edit::place{""}};
    made.where.name = name;
    made.point = true;
    return made;
}

// Appends a pass, or the passes of a text, as passes over a `Unit`.
template <class Unit, class Root, class P>
void add_given(const P& pass, std::vector<any_pass<Unit, Root>>& list) {
    if constexpr (requires { pass.template list<Unit, Root>(); })
        for (auto& each : pass.template list<Unit, Root>()) list.push_back(std::move(each));
    else if constexpr (is_over<P, Unit, Root> || std::same_as<P, any_pass<Unit, Root>>)
        list.push_back(pass);
    else
        refuse_unit(std::string{pass.info.name}, tutti::internal::unit_name<Unit>());
}

/// Edits a pipeline at run time, as the editor of static pipelines does. `Given` appends the inserted passes to a list.
template <class Root, class Given>
class pipeline_editor {
    using kind = tutti::internal::edit_kind;
    template <class Unit>
    using list = std::vector<any_pass<Unit, Root>>;

    kind kind_;
    wanted_place where_;
    const Given& given_;
    std::size_t target_ = 1; // for edits of a single place: the number of the pass
    std::size_t seen_ = 0;

    bool cuts() const { return tutti::internal::needs_single_place(kind_); }
    bool selects(std::size_t n) const { return cuts() ? n == target_ : where_.where.selects(n); }
    // True if the edit concerns one of the next `count` passes.
    bool touches(std::size_t count) const {
        for (std::size_t n = seen_; n < seen_ + count; ++n)
            if (selects(n + 1)) return true;
        return false;
    }

    template <class Unit>
    static bool is_resolved(const any_pass<Unit, Root>& pass) {
        return pass.is_sequential() && pass.which() != requirements::direct;
    }
    // Calls `f(list)` with the list of passes in a pass, if edits can reach them.
    template <class Unit>
    static void visit_inside(const any_pass<Unit, Root>& pass, bool in_resolved, auto&& f) {
        if (pass.is_sequential()) return f(passes_inside(pass));
        if (!pass.has_with_inner() || !pass.required().empty()) return;
        pass.each_inner([&]<class Inner>(const any_pass<Inner, Root>& inner) {
            if (inner.is_sequential() && tutti::internal::is_unnamed(inner.info) && inner.info.opt_level == 0 &&
                (in_resolved || !is_resolved(inner)))
                if (list<Inner> members = passes_inside(inner); members.size() != 1) return f(std::move(members));
            f(list<Inner>{inner});
        });
    }

    // Calls `f(pass)` for the passes in a list that edits can reach.
    template <class Unit>
    static void each_place(const list<Unit>& passes, bool in_resolved, auto& f) {
        for (const any_pass<Unit, Root>& each : passes) {
            f(each);
            visit_inside(each, in_resolved, [&](const auto& inner) {
                pipeline_editor::each_place(inner, in_resolved || is_resolved(each), f);
            });
        }
    }
    template <class Unit>
    std::size_t count(const list<Unit>& passes, bool in_resolved) const {
        std::size_t n = 0;
        auto add = [&](const auto& pass) { n += where_.is(pass) ? 1U : 0U; };
        each_place(passes, in_resolved, add);
        return n;
    }

    template <class Unit>
    list<Unit> edited(const list<Unit>& passes, bool in_resolved) {
        list<Unit> all;
        const auto insert = [&] { given_(all); };
        for (const any_pass<Unit, Root>& each : passes) {
            const std::size_t start = seen_, own = where_.is(each) ? 1 : 0,
                              end = start + count(list<Unit>{each}, in_resolved);
            const bool hit = own != 0 && selects(start + 1);
            if (cuts() && (target_ <= start || end < target_)) {
                seen_ = end;
                if ((end < target_) != (kind_ == kind::start_from)) all.push_back(each);
            } else if (hit && (cuts() || kind_ == kind::remove || kind_ == kind::replace)) {
                seen_ = end;
                if (cuts()) all.push_back(each);
                if (kind_ == kind::replace) insert();
            } else {
                if (hit && kind_ == kind::insert_before) insert();
                seen_ += own;
                all.push_back(inside(each, end - start - own, in_resolved));
                if (hit && kind_ == kind::insert_after) insert();
            }
        }
        return all;
    }
    // Returns a pass with the list inside it edited. The list has `places` passes that the edit names.
    template <class Unit>
    any_pass<Unit, Root> inside(const any_pass<Unit, Root>& pass, std::size_t places, bool in_resolved) {
        if (!touches(places)) {
            seen_ += places;
            return pass;
        }
        if (pass.is_sequential()) {
            sequential<Unit, Root> made{edited(passes_inside(pass), in_resolved || is_resolved(pass)),
                                        std::string{pass.info.name}, pass.info.opt_level};
            return is_resolved(pass) && !in_resolved ? resolve(made) : made;
        }
        any_pass<Unit, Root> made = pass;
        visit_inside(pass, in_resolved, [&]<class Inner>(const list<Inner>& passes) {
            list<Inner> members = edited(passes, in_resolved);
            made = pass.with_inner(members.size() == 1
                                       ? members.front()
                                       : any_pass<Inner, Root>{sequential<Inner, Root>{std::move(members)}});
        });
        return made;
    }

    // Returns the names of the passes or points that edits can name, without duplicates.
    static std::vector<std::string> names(const list<Root>& passes, bool points) {
        std::vector<std::string> all;
        auto add = [&](const auto& pass) {
            const std::string_view name = pass.info.name;
            if (pass.is_point() == points && !tutti::internal::is_unnamed(pass.info) &&
                std::find(all.begin(), all.end(), name) == all.end())
                all.emplace_back(name);
        };
        each_place(passes, false, add);
        return all;
    }
    void check(const list<Root>& passes) {
        const std::size_t found = count(passes, false), asked = where_.where.occurrence;
        if (found != 0 && asked <= found && (!cuts() || asked != 0 || found == 1)) {
            if (asked != 0) target_ = asked;
            return;
        }
        refuse(found, names(passes, where_.point));
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(std::size_t found, std::vector<std::string> names) const {
        const std::string name = where_.name();
        if (found == 0 && where_.point)
            raise(input_error{names.empty()
                                  ? tutti::internal::complaint{name + ": the pipeline has no points", {}, name}
                                  : tutti::internal::unknown_name("point in the pipeline", name, std::move(names)),
                              "pipeline"});
        if (found == 0)
            raise(input_error{names.empty()
                                  ? tutti::internal::complaint{name + ": the pipeline has no passes", {}, name}
                                  : tutti::internal::unknown_name("pass in the pipeline", name, std::move(names)),
                              "pipeline"});
        const std::size_t asked = where_.where.occurrence;
        raise(input_error{{name + (asked != 0 ? "#" + std::to_string(asked) : std::string{}) + ": the pipeline has " +
                               (found == 1 ? std::string{"one such pass"} : std::to_string(found) + " such passes"),
                           found == 1 ? name : name + "#1 to " + name + "#" + std::to_string(found), name},
                          "pipeline"});
    }

public:
    static std::vector<std::string> points_of(const sequential<Root>& pipeline) {
        return names({any_pass<Root>{pipeline}}, true);
    }

    pipeline_editor(kind what, const wanted_place& where, const Given& given)
        : kind_(what), where_(where), given_(given) {}

    sequential<Root> edit(const sequential<Root>& pipeline) {
        const bool resolved = pipeline.which() != requirements::direct;
        if (tutti::internal::is_unnamed(pipeline.info) && pipeline.info.opt_level == 0 && !resolved) {
            check(pipeline.passes());
            return sequential<Root>{edited(pipeline.passes(), false)};
        }
        const any_pass<Root> whole{pipeline};
        check({whole});
        if (where_.is(whole) && selects(1)) {
            if (cuts()) return pipeline;
            return sequential<Root>{edited(list<Root>{whole}, false)};
        }
        seen_ = where_.is(whole) ? 1 : 0;
        sequential<Root> made{edited(pipeline.passes(), resolved), std::string{pipeline.info.name},
                              pipeline.info.opt_level};
        return resolved ? resolve(made) : made;
    }
};

template <class Unit>
std::vector<std::string> points_of(const sequential<Unit>& pipeline) {
    return pipeline_editor<Unit, int>::points_of(pipeline);
}

template <class Unit, class... P>
sequential<Unit> edited(tutti::internal::edit_kind kind, const wanted_place& where, const sequential<Unit>& pipeline,
                        const P&... pass) {
    const auto add = [&](auto& list) { (add_given(pass, list), ...); };
    return pipeline_editor<Unit, decltype(add)>{kind, where, add}.edit(pipeline);
}

} // namespace tutti::runtime::detail

namespace tutti::internal {

template <class Unit>
struct pipeline_edits<runtime::sequential<Unit, Unit>> {
    template <fixed_string Place>
    static runtime::detail::wanted_place wanted(place_by_name<Place>) {
        return {place_by_name<Place>::where};
    }
    template <class Pass, std::size_t Occurrence>
    static runtime::detail::wanted_place wanted(place_by_type<Pass, Occurrence>) {
        std::string_view shown = class_name<Pass>;
        if constexpr (describes_itself_statically<Pass>) shown = Pass::info.name;
        return {place_by_type<Pass, Occurrence>::where, &runtime::detail::pass_type<Pass>, shown};
    }
    template <fixed_string Name>
    static runtime::detail::wanted_place wanted(place_by_point<Name>) {
        return runtime::detail::wanted_point(point<Name>::info.name);
    }
    template <edit_kind Kind, class Where, class... Given>
    static runtime::sequential<Unit> apply(const runtime::sequential<Unit>& pipeline, const Given&... pass) {
        return runtime::detail::edited(Kind, wanted(Where{}), pipeline, pass...);
    }
};

} // namespace tutti::internal

namespace tutti::edit {

/// Passes from a text, for an edit of a run-time pipeline. They are looked up where they are inserted: in `function(…)`
/// among the passes over functions.
///
/// Requires: the text and the registry outlive the edit.
/// Throws:   the edit throws `runtime::pipeline_error` for a mistake in the text.
/// Example:  `edit::insert_after(pipeline, "CSE", edit::from_text{"Hoist{depth=2},Sink", known})`
template <class Unit>
struct from_text {
    std::string_view text;
    const runtime::registry<Unit>& known;

    std::string_view of; ///< the name of the text in messages

    from_text(std::string_view passes, const runtime::registry<Unit>& all, std::string_view name = "pipeline")
        : text(passes), known(all), of(name) {}

    /// Returns the passes, as passes over a `U`.
    template <class U, std::same_as<Unit>>
    std::vector<runtime::any_pass<U, Unit>> list() const {
        return runtime::detail::parse_passes<U>(text, known, of);
    }
};

/// Inserts passes before each pass at a place of a run-time pipeline. See `place` for places.
///
/// Throws:  `tutti::input_error` if the pipeline has no such pass, with the nearest name or all names, or if a pass is
///          not a pass over the units at that place.
/// Example: `const auto checked = tutti::edit::insert_before(pipeline, "FuseOps#1", verify_shapes{});`
template <class Unit, class... P>
runtime::sequential<Unit> insert_before(const runtime::sequential<Unit>& pipeline, std::string_view where,
                                        const P&... pass) {
    return runtime::detail::edited(internal::edit_kind::insert_before, {place{where}}, pipeline, pass...);
}
/// Inserts passes after each pass at a place of a run-time pipeline.
template <class Unit, class... P>
runtime::sequential<Unit> insert_after(const runtime::sequential<Unit>& pipeline, std::string_view where,
                                       const P&... pass) {
    return runtime::detail::edited(internal::edit_kind::insert_after, {place{where}}, pipeline, pass...);
}
/// Replaces each pass at a place of a run-time pipeline by the given passes.
template <class Unit, class... P>
runtime::sequential<Unit> replace(const runtime::sequential<Unit>& pipeline, std::string_view where, const P&... pass) {
    return runtime::detail::edited(internal::edit_kind::replace, {place{where}}, pipeline, pass...);
}
/// Removes each pass at a place of a run-time pipeline, with its members.
template <class Unit>
runtime::sequential<Unit> remove(const runtime::sequential<Unit>& pipeline, std::string_view where) {
    return runtime::detail::edited(internal::edit_kind::remove, {place{where}}, pipeline);
}
/// Removes all passes of a run-time pipeline before a place, which must be a single pass.
template <class Unit>
runtime::sequential<Unit> start_from(const runtime::sequential<Unit>& pipeline, std::string_view where) {
    return runtime::detail::edited(internal::edit_kind::start_from, {place{where}}, pipeline);
}
/// Removes all passes of a run-time pipeline after a place, which must be a single pass.
template <class Unit>
runtime::sequential<Unit> stop_after(const runtime::sequential<Unit>& pipeline, std::string_view where) {
    return runtime::detail::edited(internal::edit_kind::stop_after, {place{where}}, pipeline);
}

/// Inserts passes at each extension point of a name, after the passes that are there already.
///
/// Throws:  `tutti::input_error` if the run-time pipeline has no such point, with the nearest name or all names.
/// Example: `const auto filled = tutti::edit::fill(pipeline, "after-simplify", my_pass{});`
template <class Unit, class... P>
runtime::sequential<Unit> fill(const runtime::sequential<Unit>& pipeline, std::string_view point, const P&... pass) {
    return runtime::detail::edited(internal::edit_kind::insert_before, runtime::detail::wanted_point(point), pipeline,
                                   pass...);
}

/// Replaces all extension points of a run-time pipeline by the passes that a registry has for them (`registry::fill`),
/// or by nothing.
///
/// Throws:  `runtime::pipeline_error` for a mistake in the text of these passes.
/// Example: `const auto whole = tutti::edit::fill_points(parse_pipeline("A,point(after-A),B", known), known);`
template <class Unit>
runtime::sequential<Unit> fill_points(runtime::sequential<Unit> pipeline, const runtime::registry<Unit>& known) {
    for (const std::string& point : runtime::detail::points_of(pipeline)) {
        const std::string passes = known.filled(point), of = "point(" + point + ")";
        pipeline = runtime::detail::edited(internal::edit_kind::replace, runtime::detail::wanted_point(point), pipeline,
                                           from_text<Unit>{passes, known, of});
    }
    return pipeline;
}

} // namespace tutti::edit
