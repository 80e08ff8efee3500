#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pass/order_steps.hpp>
#include <tutti/pass/property.hpp>
#include <tutti/pipeline/grammar.hpp>
#include <tutti/pipeline/words.hpp>
#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/pipeline_error.hpp>
#include <tutti/runtime/requirement.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::runtime {

/// A mistake in the order of a pipeline's passes: a pass needs a property that does not hold there.
struct order_problem {
    /// A pass of the pipeline's text. If the text does not show a pass, because it is a requirement or inside a
    /// registered pass, this is the pass that the text shows in its place.
    struct place {
        std::string name{};
        std::size_t occurrence = 0; ///< counts the passes of this name from 1
    };

    std::string pass{}; ///< the pass that needs the property
    std::string property{};
    std::string broken_by{}; ///< the pass that broke the property; empty if no pass gives it
    place pass_at{}, broken_at{};

    /// Returns the mistake as a sentence: "Fuse needs typed, which Lower breaks".
    std::string text() const {
        return pass + " needs " + property +
               (broken_by.empty() ? ", which no pass gives" : ", which " + broken_by + " breaks");
    }
    /// Returns the remedy.
    std::string remedy() const {
        return "a pass that gives " + property +
               (broken_by.empty() ? " before " + pass : " between them, or another order");
    }
};

/// The error for a pipeline whose order cannot work.
class [[gnu::visibility("default")]] order_error : public error {
    order_problem problem_;

public:
    explicit order_error(order_problem found)
        : error("pipeline", found.text(), found.remedy()), problem_(std::move(found)) {}

    /// The mistake as data.
    const order_problem& found() const noexcept { return problem_; }
};

namespace detail {

// Adds a pass and the passes in it. `runs` decides about members.
template <class Unit, class Root, class Context>
void add_steps(tutti::internal::order_steps& to, const any_pass<Unit, Root>& pass, decision runs, bool runs_required,
               std::size_t shown_as, const Context& context);

template <class Root>
void add_required_step(tutti::internal::order_steps& to, const requirement<Root>& required, std::size_t shown_as) {
    tutti::internal::order_step step;
    step.name = required.name;
    step.claims = required.claims;
    step.shown_as = shown_as;
    to.add(step);
}
// Adds the requirements over a Whole of a pass over its parts.
template <class Whole, class Unit, class Root>
void add_steps_of_whole(tutti::internal::order_steps& to, const any_pass<Unit, Root>& pass, std::size_t shown_as) {
    if constexpr (is_above<Whole, Unit>) {
        for (const requirement<Root>& each : pass.required())
            if (is_of_whole<Whole, Unit>(each)) add_required_step(to, each, shown_as);
        if (pass.which() == requirements::direct)
            pass.each_inner([&](const auto& member) { detail::add_steps_of_whole<Whole>(to, member, shown_as); });
    }
}

template <class Unit, class Root, class Context>
void add_steps(tutti::internal::order_steps& to, const any_pass<Unit, Root>& pass, decision runs, bool runs_required,
               std::size_t shown_as, const Context& context) {
    if (pass.is_point()) return;
    tutti::internal::order_step step;
    step.name = pass.info.name;
    step.claims = pass.claims();
    step.runs = runs;
    step.kind = pass.runs_members();
    const std::size_t own = to.add(step);
    const bool hidden = shown_as != tutti::internal::order_step::none;
    to[own].shown_as = hidden ? shown_as : own;
    if (runs_required)
        for (const requirement<Root>& each : pass.required())
            if (each.template maker<Unit>()) add_required_step(to, each, to[own].shown_as);
    pass.each_inner([&](const auto& member) { detail::add_steps_of_whole<Unit>(to, member, to[own].shown_as); });
    to[own].required = to.size() - own - 1;
    const std::size_t inside = hidden ? shown_as : pass.is_registered() ? own : tutti::internal::order_step::none;
    pass.each_inner([&](const auto& member) {
        detail::add_steps(to, member, context.decide(member), pass.which() == requirements::direct, inside, context);
    });
    to[own].inside = to.size() - own - 1;
}

// Returns the place of a step in the pipeline's text.
inline order_problem::place place_of(const tutti::internal::order_steps& steps, std::size_t i) {
    if (i == tutti::internal::order_mistake::none) return {};
    const std::size_t shown = steps[i].shown_as;
    order_problem::place made{std::string{steps[shown].name}, 0};
    for (std::size_t n = 0; n <= shown; ++n)
        if (steps[n].shown_as == n && steps[n].name == made.name) ++made.occurrence;
    return made;
}

// Finds a pass in a pipeline's text.
struct place_in_text {
    const order_problem::place& wanted;
    std::size_t seen = 0;
    std::string_view found{};
    bool in_point = false, is_next_point = false;

    void stage(const stage_head& head) {
        is_next_point = head.name == "point" && head.label.empty();
        const bool is_list = head.name == "seq" || head.name == "resolved";
        const std::string_view name = is_list && !head.label.empty() ? head.label : head.name;
        if (in_point || is_next_point || !tutti::internal::stands_for(name, wanted.name)) return;
        if (++seen == wanted.occurrence) found = name;
    }
    void option(std::string_view, std::string_view) {}
    void open() { in_point = is_next_point; }
    void close() { in_point = is_next_point = false; }
};

} // namespace detail

/// Returns the first mistake in the order of a run-time pipeline's passes, like `tutti::check_order`. The context
/// decides which passes run. `Start` lists the properties that hold at the start, `tutti::properties<...>`. By default,
/// any property may hold there.
///
/// Example: `if (const auto found = runtime::find_order_problem(pipeline, ctx)) std::cerr << found->text() << '\n';`
template <class Start = void, class P, class Context>
std::optional<order_problem> find_order_problem(const P& pipeline, const Context& context) {
    tutti::internal::order_steps steps;
    if constexpr (detail::is_erased_pass<P>) {
        detail::add_steps(steps, pipeline, decision::run, false, tutti::internal::order_step::none, context);
    } else {
        tutti::internal::order_step whole;
        whole.name = pipeline.info.name;
        whole.shown_as = steps.add(whole);
        steps[0].shown_as = 0;
        for (const auto& member : pipeline.passes())
            detail::add_steps(steps, member, context.decide(member), pipeline.which() == requirements::direct,
                              tutti::internal::order_step::none, context);
        steps[0].inside = steps.size() - 1;
    }
    const auto found = steps.find_mistake(std::is_void_v<Start> ? nullptr : &tutti::internal::names_in<Start>);
    if (!found) return std::nullopt;
    order_problem made{std::string{steps[found.pass].name}, std::string{found.property}};
    made.pass_at = detail::place_of(steps, found.pass);
    made.broken_at = detail::place_of(steps, found.broken_by);
    if (found.broken_by != tutti::internal::order_mistake::none) made.broken_by = steps[found.broken_by].name;
    return made;
}

/// Checks the order of a run-time pipeline's passes, like `find_order_problem`. If this header is included, `scope::run` calls
/// this function before it runs a pipeline in the outermost scope.
///
/// Throws: `order_error`.
template <class Start = void, class P, class Context>
void check_order(const P& pipeline, const Context& context) {
    if (auto found = find_order_problem<Start>(pipeline, context)) raise(order_error{*std::move(found)});
}

namespace detail {

// For run-time contexts, which find this function by its argument, if this header is included.
template <class P, class Context>
    requires requires(const P& pipeline) { pipeline.states_properties(); }
void check_order_of(order_of_run, const P& pipeline, const Context& context) {
    if (pipeline.states_properties()) check_order(pipeline, context);
}

} // namespace detail

/// Returns the error for a mistake in the order of a pipeline's passes, at the place of the pass in the text.
///
/// ```
/// pipeline:1:13: error: Fuse needs typed, which Lower breaks
/// Infer,Lower,Fuse
///             ^~~~
/// ```
inline pipeline_error order_error_in(std::string_view text, const order_problem& found,
                                     std::string_view of = "pipeline") {
    detail::place_in_text place{found.pass_at};
    static_cast<void>(read_pipeline(text, place));
    const std::size_t at = place.found.empty() ? 0 : static_cast<std::size_t>(place.found.data() - text.data());
    return {text, at, place.found.size(), {found.text(), found.remedy(), found.pass}, of};
}

} // namespace tutti::runtime
