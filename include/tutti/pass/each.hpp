#pragma once

#include <tutti/pass/adaptor.hpp>
#include <tutti/pass/analysis.hpp>
#include <tutti/pass/check.hpp>
#include <tutti/pass/required.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>

namespace tutti {

template <class Part>
struct each_adaptor;

namespace detail {

// Runs the inner pass of an `each` over a part, in the context of the whole or in the context that `for_each_part`
// passes.
template <class Inner, class Part, class Context>
struct over_part {
    Inner* inner;
    Context* ctx;

    // Not `run_part`: the part may be a copy, so its analyses are dropped after the run.
    constexpr change operator()(Part& part) const { return (*this)(part, *ctx); }
    constexpr change operator()(Part& part, auto& part_ctx) const {
        return part_ctx.stop_requested() ? unchanged : part_ctx.run_member(*inner, part);
    }
};

// The addresses of a unit's parts, in order.
template <class Part>
struct part_places {
    Part** parts = nullptr;
    std::size_t count = 0;

    explicit part_places(auto&& range) {
        for (auto&& part : range) {
            static_cast<void>(part);
            ++count;
        }
        parts = new Part*[count];
        std::size_t i = 0;
        for (auto&& part : range) parts[i++] = &part;
    }
    ~part_places() { delete[] parts; }
    part_places(const part_places&) = delete;
};

/// The pass that `each` returns.
template <class Part, class Inner>
struct each_pass {
    static constexpr pass_info info{.name = internal::unit_name<Part>().empty() ? std::string_view("each")
                                                                                : internal::unit_name<Part>(),
                                    .kind = pass_kind::adaptor};
    using adaptor = each_adaptor<Part>;
    using part = Part;
    using members = passes<Inner>;
    static constexpr auto runs_members = members_run::once;
    using preserves = all_analyses; // the members drop invalid results

    [[no_unique_address]] Inner inner;

    static constexpr bool is_partwise() { return true; }

    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr auto with_inner(auto other) const { return each_pass<Part, decltype(other)>{other}; }

    /// Runs the inner pass over each part of a whole.
    template <internal::has_parts Whole, class Context>
        requires(std::same_as<internal::part_of<Whole>, Part> && transforms<const Inner, Part, Context>)
    constexpr change operator()(Whole& whole, Context& ctx) const {
        return run(inner, whole, ctx);
    }
    template <internal::has_parts Whole, class Context>
        requires(std::same_as<internal::part_of<Whole>, Part> && transforms<Inner, Part, Context>)
    constexpr change operator()(Whole& whole, Context& ctx) {
        return run(inner, whole, ctx);
    }

    /// Runs the inner pass's requirements over the whole, if the context runs the inner pass.
    template <class Whole, class Context>
    constexpr change run_required(Whole& whole, Context& ctx) const {
        return detail::run_required_of_whole<units<Part>>(inner, whole, ctx);
    }

    /// For `check_pass`.
    template <class Self, class Whole, class Context, class Around = void>
    static consteval bool check() {
        constexpr bool is_part = std::same_as<detail::part_or_none<Whole>, Part>;
        static_assert(is_part, "tutti::each<Part>(pass...): a Part must be the type of the unit's parts; specialise "
                               "tutti::unit_traits<Unit>, with a static parts(Unit&) that returns a range of them");
        if constexpr (is_part)
            return check_pass<detail::as_member<Self, Inner>, Part, Context,
                              typename detail::add_whole<Whole, Around>::type>();
        else
            return false;
    }

private:
    template <class I, class Whole, class Context>
    static constexpr change run(I& inner, Whole& whole, Context& ctx) {
        if constexpr (requires {
                          unit_traits<Whole>::transform_parts(whole, ctx, detail::over_part<I, Part, Context>{});
                      }) {
            return unit_traits<Whole>::transform_parts(whole, ctx, detail::over_part<I, Part, Context>{&inner, &ctx});
        } else if constexpr (Context::parts_at_once) {
            detail::part_places<Part> places(unit_traits<Whole>::parts(whole));
            return ctx.for_each_part(places.count, [&](std::size_t i, auto& part_ctx) {
                return part_ctx.stop_requested() ? unchanged : part_ctx.run_part(inner, *places.parts[i]);
            });
        } else {
            const auto over = [&](Part& part) { return ctx.run_part(inner, part); };
            change all = unchanged;
            for (auto&& part : unit_traits<Whole>::parts(whole)) {
                if (ctx.stop_requested()) break;
                all |= over(part);
            }
            return all;
        }
    }
};

} // namespace detail

/// Returns a pass over a whole from passes over its parts, `unit_traits<Whole>::parts`. The new pass runs all passes
/// over each part, in order.
///
/// The pass is named after the parts (`unit_traits<Part>::name`): `function(CSE,DCE)` in a pipeline's text. Instruments
/// see the pass over the whole and the passes over the parts. Levels, disabled and required passes, options and config
/// keys apply to the members. If the context runs a member, the passes that the member requires run, too: over the part
/// if they are passes over parts, and otherwise over the whole before all parts.
///
/// If the parts of a whole cannot be transformed in place, `unit_traits<Whole>` must provide
/// `static change transform_parts(Whole&, auto& ctx, auto run)`. This function calls `run(part)` for each part, or
/// `run(part, part_ctx)` inside `ctx.for_each_part`, and reassembles the whole.
///
/// Parts are independent. They are transformed in unspecified order, and in parallel if the context has an executor
/// (`tutti::on`).
///
/// Example: `tutti::sequential(inline_calls{}, tutti::each<function>(cse{}, tutti::each<loop>(hoist{})))`
template <class Part, class... P>
constexpr auto each(P... pass) {
    auto inner = detail::without_those_of_whole<Part>(detail::inner_of(static_cast<P&&>(pass)...));
    return detail::each_pass<Part, decltype(inner)>{static_cast<decltype(inner)&&>(inner)};
}

/// The adaptor for `each` in the text of a pipeline. Its name is the name of the parts.
template <class Part>
struct each_adaptor {
    static constexpr std::string_view name = detail::each_pass<Part, seq<"", 0>>::info.name, label = "";
    using part = Part;

    template <class Inner>
    static constexpr detail::each_pass<Part, Inner> make(Inner inner) {
        return {static_cast<Inner&&>(inner)};
    }
};

} // namespace tutti
