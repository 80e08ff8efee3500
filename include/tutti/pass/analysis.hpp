#pragma once

#include <tutti/base/folder.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace tutti {

namespace detail {

/// Clause: `A` is an analysis of a `Unit`: it is called with a unit, and returns the result. It may take the context to
/// request other analyses.
///
/// Example:
/// ```
/// struct dominators {
///     static constexpr std::string_view name = "Dominators"; // for messages
///     dominator_tree operator()(const function& f) const;    // or (const function& f, auto& ctx)
/// };
/// const auto& tree = ctx.template get<dominators>(f);
/// ```
template <class A, class Unit, class Context>
concept analysis_of = std::default_initializable<A> && (requires(const A& analysis, const Unit& unit, Context& ctx) {
                          { analysis(unit, ctx) } -> std::move_constructible;
                      } || requires(const A& analysis, const Unit& unit) {
                          { analysis(unit) } -> std::move_constructible;
                      });

} // namespace detail

/// The analyses that a pass preserves although it changes its unit: `using preserves = tutti::analyses<dominators>;`.
///
/// The list covers analyses of the unit's parts, too. The pass must then leave these parts in place.
template <class... A>
struct analyses {};

/// Preserves all analyses, because the pass changes nothing they depend on: `using preserves = tutti::all_analyses;`.
struct all_analyses {};

namespace detail {

/// Computes an analysis of a unit, ignoring kept results.
template <class A, class Unit, class Context>
constexpr auto compute_analysis(const Unit& unit, [[maybe_unused]] Context& ctx) {
    if constexpr (requires(const A& analysis) { analysis(unit, ctx); })
        return A{}(unit, ctx);
    else
        return A{}(unit);
}

} // namespace detail

/// A kept result of an analysis, as the hook `analysis_kept` of instruments receives it. The hook is called after each
/// pass, and when a pass requests the analysis and gets the kept result.
class kept_analysis {
    const void* unit_;
    const void* result_;
    void* context_;
    bool (*holds_)(const void* unit, const void* result, void* context);

public:
    constexpr kept_analysis(std::string_view called, const void* unit, const void* result, void* context,
                            bool (*compare)(const void*, const void*, void*))
        : unit_(unit), result_(result), context_(context), holds_(compare), name(called) {}

    std::string_view name;  ///< the `name` of the analysis, or empty
    bool asked_for = false; ///< true when a pass requests the result, false after a pass

    /// True if results can be compared, so that `holds` is meaningful.
    bool comparable() const { return holds_ != nullptr; }
    /// Computes the analysis again. True if the results are equal, or cannot be compared.
    bool holds() const { return !holds_ || holds_(unit_, result_, context_); }
};

namespace detail {

// The address of this variable identifies the type. A program and its plugins share the variables of visible types.
template <class T>
[[gnu::visibility("default")]] inline constexpr char type_mark = 0;
template <class T>
inline constexpr const void* type_key = &type_mark<T>;

template <class P>
struct preserved_by {
    static constexpr bool known(const void*) { return false; }
};
template <class... A>
struct preserved_by<analyses<A...>> {
    static bool known([[maybe_unused]] const void* analysis) { return ((analysis == type_key<A>) || ...); }
};
template <>
struct preserved_by<all_analyses> {
    static constexpr bool known(const void*) { return true; }
};

} // namespace detail

namespace internal {

/// True if a pass preserves the analysis with this key, according to its `preserves` or `preserves_analysis`.
template <class P>
constexpr bool preserves_analysis([[maybe_unused]] const P& pass, [[maybe_unused]] const void* analysis) {
    if constexpr (requires { pass.preserves_analysis(analysis); })
        return pass.preserves_analysis(analysis);
    else if constexpr (requires { typename P::preserves; })
        return detail::preserved_by<typename P::preserves>::known(analysis);
    else
        return false;
}

} // namespace internal

} // namespace tutti
