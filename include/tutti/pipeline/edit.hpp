#pragma once

#include <tutti/base/fixed_string.hpp>
#include <tutti/pass/adaptor.hpp>
#include <tutti/pass/point.hpp>
#include <tutti/pass/required.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/slots.hpp>
#include <tutti/pipeline/place.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

namespace detail {

// Edits have the same effect as on the pipeline's text. The passes that the
// text lists in the brackets of a sequential or an adaptor are a list, also if
// an adaptor's single pass is not in a sequential.

// True for an adaptor whose inner pass can be exchanged. Required passes would
// be lost.
template <class P>
concept editable_adaptor = composite<P> && !internal::is_sequential<P> &&
                           std::same_as<internal::required_of<P>, passes<>> && requires(P pass) {
                               { pass.inner } -> internal::describes_itself;
                               pass.with_inner(pass.inner);
                           };

// True for the sequential around the passes in an adaptor's brackets, which the
// text omits.
template <class P, bool InResolved>
inline constexpr bool is_implicit = false;
template <requirements R, class... P, bool InResolved>
inline constexpr bool is_implicit<basic_seq<R, "sequential", 0, P...>, InResolved> =
    sizeof...(P) != 1 && (InResolved || R == requirements::direct);

template <class P, bool InResolved>
struct list_inside {
    using type = passes<>;
};
template <class P, bool InResolved>
    requires internal::is_sequential<P>
struct list_inside<P, InResolved> {
    using type = members_of<P>;
};
template <editable_adaptor P, bool InResolved>
struct list_inside<P, InResolved> {
    using inner = std::remove_cvref_t<decltype(std::declval<P&>().inner)>;
    using type = std::conditional_t<is_implicit<inner, InResolved>, members_of<inner>, passes<inner>>;
};
// The list of passes in a pass that edits can reach.
template <class P, bool InResolved>
using list_in = typename list_inside<P, InResolved>::type;

template <class P, bool InResolved>
inline constexpr bool is_in_resolved = InResolved || internal::requirements_run_by<P> != requirements::direct;

// Calls `f(name)` for the passes that edits can name, or for the extension
// points.
template <bool Points, bool InResolved, class... P>
constexpr void each_place(passes<P...>, auto& f) {
    (
        [&] {
            if constexpr (internal::describes_itself_statically<P>)
                if (internal::is_point<P> == Points && !internal::is_unnamed(P::info)) f(P::info.name);
            each_place<Points, is_in_resolved<P, InResolved>>(list_in<P, InResolved>{}, f);
        }(),
        ...);
}

// The number of passes in a list that the edit names, nested ones included.
template <class Where, bool InResolved, class... P>
consteval std::size_t count_places(passes<P...>) {
    return (0U + ... +
            ((Where::template is<P>() ? 1U : 0U) +
             count_places<Where, is_in_resolved<P, InResolved>>(list_in<P, InResolved>{})));
}

template <class... P>
constexpr slots<P...> listed(P... pass) {
    return {{std::move(pass)}...};
}

// The effect of an edit on a pass in a list.
enum class edit_effect { keep, drop, change };

// The elements of an edited list: each is an element of the list or of one of
// the lists that replace its changed elements. `Effects` has an effect for each
// element.
template <class Effects, class... L>
struct list_origins {
    static constexpr std::size_t count = Effects::kept + (0U + ... + L::size);
    std::size_t list[count + 1]{}, index[count + 1]{}; // list 0 is the list itself

    consteval list_origins() {
        constexpr std::size_t sizes[sizeof...(L) + 1]{L::size...};
        std::size_t n = 0, which = 0;
        for (std::size_t i = 0; i < Effects::size; ++i) {
            if (Effects::of[i] == edit_effect::keep) index[n++] = i;
            if (Effects::of[i] != edit_effect::change) continue;
            for (std::size_t j = 0; j < sizes[which]; ++j) list[n] = which + 1, index[n++] = j;
            ++which;
        }
    }
};
template <class Effects, class... L>
inline constexpr list_origins<Effects, L...> origins_of{};

// Returns a list with its changed elements replaced by lists.
template <class Effects, class Stages, class... L>
constexpr auto replaced(Stages& stages, L... given) {
    slots<Stages&, L...> lists{{stages}, {std::move(given)}...};
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        constexpr auto& from = origins_of<Effects, L...>;
        return listed(std::move(at<from.index[I]>(at<from.list[I]>(lists)))...);
    }(std::make_index_sequence<origins_of<Effects, L...>.count>{});
}

template <class... P, class... Q>
constexpr slots<P..., Q...> joined(slots<P...> first, slots<Q...> second) {
    return first.apply([&](auto&... a) {
        return second.apply([&](auto&... b) { return slots<P..., Q...>{{std::move(a)}..., {std::move(b)}...}; });
    });
}

// For each pass of a list, the number of named passes before it, and at the end
// the number of all.
template <class Where, bool InResolved, std::size_t Start, class... P>
struct list_starts {
    std::size_t of[sizeof...(P) + 1]{};

    consteval list_starts() {
        std::size_t n = 0;
        of[0] = Start;
        ((of[n + 1] = of[n] + count_places<Where, InResolved>(passes<P>{}), ++n), ...);
    }
};
template <class Where, bool InResolved, std::size_t Start, class... P>
inline constexpr list_starts<Where, InResolved, Start, P...> starts_of{};

template <fixed_string Name, int Level, class... P>
constexpr seq<Name, Level, P...> sequence(slots<P...> stages) {
    return {std::move(stages)};
}

// Edits lists of passes. `Start` is the number of named passes before a list,
// `Over` the type of the parts that its passes transform; void if unknown.
template <internal::edit_kind Kind, class Where, std::size_t Target, class... Given>
struct pipeline_editor {
    const slots<Given...>& given;

    static constexpr bool selects(std::size_t n) {
        return internal::needs_single_place(Kind) ? n == Target : Where::where.selects(n);
    }
    // True if the edit concerns one of these passes, which are counted from
    // `first`.
    static constexpr bool touches(std::size_t first, std::size_t count) {
        for (std::size_t n = first; n < first + count; ++n)
            if (selects(n + 1)) return true;
        return false;
    }

    // True if the edit inserts passes beside this pass, or takes it away.
    template <class P>
    static consteval bool changes_whole() {
        return !internal::needs_single_place(Kind) && Where::template is<P>() && selects(1);
    }
    // The effects of the edit on the passes of a list.
    template <std::size_t Start, bool InResolved, class... P>
    struct effects {
        static constexpr auto& starts = starts_of<Where, InResolved, Start, P...>;
        static constexpr std::size_t size = sizeof...(P);

        static constexpr edit_effect effect_of(std::size_t start, std::size_t end, bool named) {
            using internal::edit_kind;
            if (internal::needs_single_place(Kind)) {
                if (Target <= start || end < Target)
                    return (end < Target) == (Kind == edit_kind::start_from) ? edit_effect::drop : edit_effect::keep;
                return named && start + 1 == Target ? edit_effect::keep : edit_effect::change;
            }
            if (named && selects(start + 1) && Kind == edit_kind::remove) return edit_effect::drop;
            return touches(start, end - start) ? edit_effect::change : edit_effect::keep;
        }
        struct list {
            edit_effect of[size + 1]{};
            std::size_t changed[size + 1]{}, changes = 0, kept = 0;

            consteval list() {
                constexpr bool named[size + 1]{Where::template is<P>()...};
                for (std::size_t i = 0; i < size; ++i) {
                    of[i] = effect_of(starts.of[i], starts.of[i + 1], named[i]);
                    if (of[i] == edit_effect::change) changed[changes++] = i;
                    if (of[i] == edit_effect::keep) ++kept;
                }
            }
        };
        static constexpr list all{};
        static constexpr auto& of = all.of;
        static constexpr std::size_t kept = all.kept;
    };

    template <std::size_t Start, bool InResolved, class Over, class... P>
    constexpr auto list(slots<P...> stages) const {
        using what = effects<Start, InResolved, P...>;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return replaced<what>(
                stages, stage<what::starts.of[what::all.changed[I]], what::starts.of[what::all.changed[I] + 1],
                              InResolved, Over>(std::move(at<what::all.changed[I]>(stages)))...);
        }(std::make_index_sequence<what::all.changes>{});
    }

private:
    // Returns the passes that take the place of one with a change.
    template <std::size_t Start, std::size_t End, bool InResolved, class Over, class P>
    constexpr auto stage(P pass) const {
        using internal::edit_kind;
        constexpr bool named = Where::template is<P>(), hit = named && selects(Start + 1);
        if constexpr (hit && Kind == edit_kind::replace)
            return given;
        else if constexpr (hit && Kind == edit_kind::insert_before)
            return joined(given, listed(inside<Start + 1, End, InResolved, Over>(std::move(pass))));
        else if constexpr (hit && Kind == edit_kind::insert_after)
            return joined(listed(inside<Start + 1, End, InResolved, Over>(std::move(pass))), given);
        else
            return listed(inside<Start + (named ? 1 : 0), End, InResolved, Over>(std::move(pass)));
    }

    // Returns a pass with the list inside it edited.
    template <std::size_t Start, std::size_t End, bool InResolved, class Over, class P>
    constexpr auto inside(P pass) const {
        if constexpr (!touches(Start, End - Start)) {
            return pass;
        } else if constexpr (internal::is_sequential<P>) {
            return [&]<requirements R, fixed_string Name, int Level, class... Q>(basic_seq<R, Name, Level, Q...>& own) {
                auto edited =
                    sequence<Name, Level>(list<Start, is_in_resolved<P, InResolved>, Over>(std::move(own.stages)));
                if constexpr (R == requirements::direct || InResolved)
                    return edited;
                else
                    return resolve_for<resolved_for<Over, requirements::transitive>>(std::move(edited));
            }(pass);
        } else {
            using part = internal::inner_part<P>;
            using over = std::conditional_t<std::is_void_v<part>, Over, part>;
            using inner = std::remove_cvref_t<decltype(pass.inner)>;
            auto edited = [&] {
                if constexpr (is_implicit<inner, InResolved>)
                    return list<Start, InResolved, over>(pass.inner.stages);
                else
                    return list<Start, InResolved, over>(listed(pass.inner));
            }();
            return edited.apply([&](auto&... one) { return pass.with_inner(inner_of(std::move(one)...)); });
        }
    }
};

// The list that is a pipeline's text.
template <class P>
struct text_list {
    using type = passes<P>;
};
template <class... P>
struct text_list<seq<"sequential", 0, P...>> {
    using type = passes<P...>;
};

// The names and arguments of these variables show a mistake in the compiler's
// message.
template <fixed_string Place, fixed_string Names>
inline constexpr bool is_in_pipeline = false;
template <class Pass, fixed_string Names>
inline constexpr bool is_type_in_pipeline = false;
template <fixed_string Point, fixed_string Points>
inline constexpr bool is_point_in_pipeline = false;
template <class Where, std::size_t Last>
inline constexpr bool is_not_above = false;

// Returns the names that edits can use, joined by commas.
template <bool Points, class List>
consteval auto joined_places() {
    constexpr std::size_t size = [] {
        std::size_t n = 0;
        auto count = [&](std::string_view name) { n += name.size() + 2; };
        each_place<Points, false>(List{}, count);
        return n == 0 ? 0 : n - 2; // exactly: Clang prints a text with a further
                                   // zero as numbers
    }();
    char text[size + 1]{};
    std::size_t n = 0;
    auto add = [&](std::string_view name) {
        if (n != 0) text[n++] = ',', text[n++] = ' ';
        for (const char c : name) text[n++] = c;
    };
    each_place<Points, false>(List{}, add);
    return fixed_string<size + 1>{text};
}

template <fixed_string Place, fixed_string Names>
consteval bool refuse_name() {
    static_assert(is_in_pipeline<Place, Names>, "tutti::edit(place, pipeline): a place must be that of a pass "
                                                "in the pipeline; write Name or Name#2 "
                                                "with one of the names that follow it here");
    return false;
}
template <class Pass, fixed_string Names>
consteval bool refuse_type() {
    static_assert(is_type_in_pipeline<Pass, Names>, "tutti::edit(place, pipeline): a place must be the type of a "
                                                    "pass in the pipeline; write the type of "
                                                    "one of those named here");
    return false;
}
template <fixed_string Point, fixed_string Points>
consteval bool refuse_point_name() {
    static_assert(is_point_in_pipeline<Point, Points>,
                  "tutti::edit::fill<point>(pipeline, pass...): a point must be in the "
                  "pipeline; write one of those "
                  "that follow it here, or add tutti::point<\"Name\">{} to the pipeline");
    return false;
}
template <class List, fixed_string Place>
consteval bool refuse_place(internal::place_by_name<Place>) {
    return refuse_name<Place, joined_places<false, List>()>();
}
template <class List, class Pass, std::size_t Occurrence>
consteval bool refuse_place(internal::place_by_type<Pass, Occurrence>) {
    return refuse_type<Pass, joined_places<false, List>()>();
}
template <class List, fixed_string Point>
consteval bool refuse_place(internal::place_by_point<Point>) {
    return refuse_point_name<Point, joined_places<true, List>()>();
}
template <class Where, std::size_t Last>
consteval bool refuse_occurrence() {
    static_assert(is_not_above<Where, Last>, "tutti::edit(place, pipeline): an occurrence must be at most "
                                             "the number of such passes in the "
                                             "pipeline, which follows here; passes are counted from 1, "
                                             "nested ones included");
    return false;
}
template <class Where, std::size_t Count>
consteval bool refuse_several() {
    static_assert(is_not_above<Where, Count>, "tutti::edit(place, pipeline): a place to start or stop at "
                                              "must be a single pass; add its number: "
                                              "Name#1, or <Pass, 1>");
    return false;
}
template <class P>
consteval bool check_given() {
    static_assert(internal::describes_itself<P>, "tutti::edit(place, pipeline, pass...): a pass must have a "
                                                 "member info, a tutti::pass_info; make a "
                                                 "pass of a callable with tutti::make_pass<\"Name\">(f)");
    return internal::describes_itself<P>;
}

// True if a pipeline has the passes that an edit names; otherwise a compile
// error.
template <internal::edit_kind Kind, class Where, class List>
consteval bool check_place() {
    constexpr std::size_t count = count_places<Where, false>(List{});
    if constexpr (count == 0)
        return refuse_place<List>(Where{});
    else if constexpr (Where::where.occurrence > count)
        return refuse_occurrence<Where, count>();
    else if constexpr (internal::needs_single_place(Kind) && Where::where.occurrence == 0 && count > 1)
        return refuse_several<Where, count>();
    else
        return true;
}

template <internal::edit_kind Kind, class Where, class P, class... Given>
constexpr auto edited(P pipeline, const Given&... pass) {
    using list = typename text_list<P>::type;
    if constexpr (!(check_given<Given>() && ...) || !check_place<Kind, Where, list>()) {
        return pipeline;
    } else {
        constexpr std::size_t target = Where::where.occurrence == 0 ? 1 : Where::where.occurrence;
        const slots<Given...> given{{pass}...};
        const pipeline_editor<Kind, Where, target, Given...> editor{given};
        if constexpr (!std::same_as<list, passes<P>>)
            return sequence<"sequential", 0>(editor.template list<0, false, void>(std::move(pipeline.stages)));
        else if constexpr (editor.template changes_whole<P>())
            return sequence<"sequential", 0>(editor.template list<0, false, void>(listed(std::move(pipeline))));
        else
            return at<0>(editor.template list<0, false, void>(listed(std::move(pipeline))));
    }
}

} // namespace detail

namespace internal {

/// Edits pipelines of type `P`. Specialised for run-time pipelines.
template <class P>
struct pipeline_edits {
    template <edit_kind Kind, class Where, class... Given>
    static constexpr auto apply(P pipeline, const Given&... pass) {
        return detail::edited<Kind, Where>(std::move(pipeline), pass...);
    }
};

} // namespace internal

} // namespace tutti

/// Edits of pipelines. Each function returns a new pipeline, and leaves the
/// given one unchanged.
///
/// A static pipeline is edited at compile time; `<tutti/runtime/edit.hpp>` has
/// the same functions for run-time pipelines. A pass is named as a `place`
/// says, or by type and occurrence: `<"FoldConstant">`, `<"FoldConstant#2">`,
/// `<fold_constant>`, `<fold_constant, 2>`. Without a number, an edit changes
/// all such passes.
///
/// An edit has the same effect as on the pipeline's text: all other passes keep
/// their options and their places. In `fixpoint(A)`, a pass inserted after `A`
/// is inside `fixpoint`. A sequential or an adaptor whose members are all
/// removed stays. In a sequential made by `resolve`, the passes that its new
/// members require are inserted as well, and a pass that another one requires
/// stays, at the latest before that one.
///
/// Passes inside a composite pass that is neither a sequential nor an adaptor
/// with `with_inner`, or that requires passes itself, are out of reach: they
/// cannot be named.
namespace tutti::edit {

/// Inserts passes before each pass at a place.
///
/// Requires: the pipeline has such a pass; otherwise, a compile error lists the names of its passes.
/// Example:  `constexpr auto checked = tutti::edit::insert_before<"FuseOps">(pipeline, verify_shapes{});`
template <fixed_string Place, class P, class... Q>
constexpr auto insert_before(P pipeline, const Q&... pass) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::insert_before,
                                                       internal::place_by_name<Place>>(std::move(pipeline), pass...);
}
template <class Pass, std::size_t Occurrence = 0, class P, class... Q>
constexpr auto insert_before(P pipeline, const Q&... pass) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::insert_before,
                                                       internal::place_by_type<Pass, Occurrence>>(std::move(pipeline),
                                                                                                  pass...);
}

/// Inserts passes after each pass at a place.
///
/// Requires: the pipeline has such a pass.
/// Example:  `constexpr auto checked = tutti::edit::insert_after<fold_constant, 2>(pipeline, verify_shapes{});`
template <fixed_string Place, class P, class... Q>
constexpr auto insert_after(P pipeline, const Q&... pass) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::insert_after,
                                                       internal::place_by_name<Place>>(std::move(pipeline), pass...);
}
template <class Pass, std::size_t Occurrence = 0, class P, class... Q>
constexpr auto insert_after(P pipeline, const Q&... pass) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::insert_after,
                                                       internal::place_by_type<Pass, Occurrence>>(std::move(pipeline),
                                                                                                  pass...);
}

/// Replaces each pass at a place by the given passes.
///
/// Requires: the pipeline has such a pass.
/// Example:  `constexpr auto other = tutti::edit::replace<"FuseOps">(pipeline, fuse_ops{.max_depth = 8});`
template <fixed_string Place, class P, class... Q>
constexpr auto replace(P pipeline, const Q&... pass) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::replace, internal::place_by_name<Place>>(
        std::move(pipeline), pass...);
}
template <class Pass, std::size_t Occurrence = 0, class P, class... Q>
constexpr auto replace(P pipeline, const Q&... pass) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::replace,
                                                       internal::place_by_type<Pass, Occurrence>>(std::move(pipeline),
                                                                                                  pass...);
}

/// Removes each pass at a place, with its members. Passes that others require run nevertheless.
///
/// Requires: the pipeline has such a pass.
/// Example:  `constexpr auto shorter = tutti::edit::remove<"FoldConstant#2">(pipeline);`
template <fixed_string Place, class P>
constexpr auto remove(P pipeline) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::remove, internal::place_by_name<Place>>(
        std::move(pipeline));
}
template <class Pass, std::size_t Occurrence = 0, class P>
constexpr auto remove(P pipeline) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::remove,
                                                       internal::place_by_type<Pass, Occurrence>>(std::move(pipeline));
}

/// Removes all passes before a place. If the place is inside an adaptor, the adaptor stays, without the passes before
/// the place.
///
/// Requires: the place is a single pass of the pipeline.
/// Example:  `constexpr auto rest = tutti::edit::start_from<"FuseOps">(pipeline);`
template <fixed_string Place, class P>
constexpr auto start_from(P pipeline) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::start_from, internal::place_by_name<Place>>(
        std::move(pipeline));
}
template <class Pass, std::size_t Occurrence = 0, class P>
constexpr auto start_from(P pipeline) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::start_from,
                                                       internal::place_by_type<Pass, Occurrence>>(std::move(pipeline));
}

/// Removes all passes after a place. If the place is inside an adaptor, the adaptor stays, without the passes after the
/// place.
///
/// Requires: the place is a single pass of the pipeline.
/// Example:  `constexpr auto front = tutti::edit::stop_after<"FoldConstant#1">(pipeline);`
template <fixed_string Place, class P>
constexpr auto stop_after(P pipeline) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::stop_after, internal::place_by_name<Place>>(
        std::move(pipeline));
}
template <class Pass, std::size_t Occurrence = 0, class P>
constexpr auto stop_after(P pipeline) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::stop_after,
                                                       internal::place_by_type<Pass, Occurrence>>(std::move(pipeline));
}

/// Inserts passes at each extension point of a name, after the passes that are there already.
///
/// Requires: the pipeline has such a point; otherwise, a compile error lists its points.
/// Example:  `constexpr auto filled = tutti::edit::fill<"after-simplify">(pipeline, my_pass{});`
template <fixed_string Point, class P, class... Q>
constexpr auto fill(P pipeline, const Q&... pass) {
    return internal::pipeline_edits<P>::template apply<internal::edit_kind::insert_before,
                                                       internal::place_by_point<Point>>(std::move(pipeline), pass...);
}

} // namespace tutti::edit
