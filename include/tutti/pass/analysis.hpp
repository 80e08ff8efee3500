#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

namespace tutti {

/// Clause: an `A` is an analysis of a `Unit`: called with one it gives what it found out. It may take the context, to ask for
/// other analyses.
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

/// The analyses that a pass leaves as they are though it changes its unit: `using preserves = tutti::analyses<dominators>;`.
///
/// Of a unit's parts too: then the pass leaves the parts where they are.
template <class... A>
struct analyses {};

/// What a pass preserves that changes nothing any analysis looks at: `using preserves = tutti::all_analyses;`.
struct all_analyses {};

/// Computes an analysis of a unit, whatever is kept.
template <class A, class Unit, class Context>
constexpr auto compute_analysis(const Unit& unit, [[maybe_unused]] Context& ctx) {
    if constexpr (requires(const A& analysis) { analysis(unit, ctx); })
        return A{}(unit, ctx);
    else
        return A{}(unit);
}

/// A kept result of an analysis, as instruments with the hook `analysis_kept` get it: after each pass, and when a pass asks for the
/// analysis and gets what was kept.
class kept_analysis {
    const void* unit_;
    const void* result_;
    void* context_;
    bool (*holds_)(const void* unit, const void* result, void* context);

public:
    constexpr kept_analysis(std::string_view called, const void* unit, const void* result, void* context,
                            bool (*compare)(const void*, const void*, void*))
        : unit_(unit), result_(result), context_(context), holds_(compare), name(called) {}

    std::string_view name;  ///< the analysis's `name`; empty if it has none
    bool asked_for = false; ///< true if a pass asks for it now, false if a pass has just ended

    /// True if results of the analysis can be compared, so that `holds` means something.
    bool comparable() const { return holds_ != nullptr; }
    /// Computes the analysis again and compares; true if the results are equal, or cannot be compared.
    bool holds() const { return !holds_ || holds_(unit_, result_, context_); }
};

namespace detail {

// Its address stands for a type.
template <class T>
inline constexpr char type_mark = 0;
template <class T>
inline constexpr const void* type_key = &type_mark<T>;

template <class P>
struct preserved_by {
    static constexpr bool known(const void*) { return false; }
};
template <class... A>
struct preserved_by<analyses<A...>> {
    static bool known(const void* analysis) { return ((analysis == type_key<A>) || ...); }
};
template <>
struct preserved_by<all_analyses> {
    static constexpr bool known(const void*) { return true; }
};

} // namespace detail

/// Whether a pass preserves the analysis that a key stands for: what its `preserves` says, or its member `preserves_analysis`.
template <class P>
constexpr bool preserves_analysis([[maybe_unused]] const P& pass, [[maybe_unused]] const void* analysis) {
    if constexpr (requires { pass.preserves_analysis(analysis); })
        return pass.preserves_analysis(analysis);
    else if constexpr (requires { typename P::preserves; })
        return detail::preserved_by<typename P::preserves>::known(analysis);
    else
        return false;
}

} // namespace tutti
