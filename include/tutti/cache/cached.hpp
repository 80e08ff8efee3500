#pragma once

#include <tutti/base/digest.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/cache/result_cache.hpp>
#include <tutti/pass/adaptor.hpp>
#include <tutti/pass/check.hpp>
#include <tutti/pass/partwise.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/pipeline/identity.hpp>
#include <tutti/unit/unit_traits.hpp>
#include <tutti/version.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti {

struct cached_adaptor;

namespace detail {

/// Clause: units can be written as bytes and restored from them.
template <class Unit>
concept has_bytes = requires(const Unit& unit, Unit& to, std::string_view bytes) {
    { unit_traits<Unit>::to_bytes(unit) } -> std::convertible_to<std::string>;
    { unit_traits<Unit>::from_bytes(to, bytes) } -> std::same_as<bool>;
};
/// Clause: units are divided into parts with keys of their own.
template <class Unit>
concept is_divided = requires(Unit& unit) { unit_traits<Unit>::divide(unit).size(); };

// Calls `f(name)` for each pass whose results cannot be cached.
template <class P, class F>
void each_unfit(const P& pass, bool divided, const F& f) {
    constexpr bool is_erased = requires { pass.reached(); };
    if constexpr (requires { pass.is_point(); })
        if (pass.is_point()) return;
    const internal::reach own = internal::reach_of(pass);
    const bool is_sequential = pass.info.kind == pass_kind::sequential;
    if (own == internal::reach::more || (own == internal::reach::unstated && divided && !is_sequential))
        f(pass.info.name);
    const auto visit = [&]<class M>(const M& member) {
        constexpr bool over_parts = is_erased ? !std::same_as<M, P> : requires { typename P::part; };
        each_unfit(member, divided && !over_parts, f);
    };
    if constexpr (requires { pass.each_inner(visit); })
        pass.each_inner(visit);
    else if constexpr (requires { pass.each_member(visit); })
        pass.each_member(visit);
}

[[noreturn, gnu::cold]] inline void refuse_cached(std::string_view pass) {
    raise(error{"cached, pass " + std::string(pass),
                "its result for a part may depend on more than the part, so it cannot be cached",
                "the pass outside of `cached`, or a pass with is_partwise()"});
}

// Returns the digest of everything that a run depends on besides its unit.
template <class Unit, class P, class Context>
digest digest_of_run(const P& inner, const Context& ctx) {
    digester all;
    all.add("tutti::cached 1");
    all.add(internal::unit_name<Unit>());
    all.add(static_cast<std::uint64_t>(version.major_number) << 32 |
            static_cast<std::uint64_t>(version.minor_number) << 16 | static_cast<std::uint64_t>(version.patch_number));
    all.add(__VERSION__); // compilers round differently
    all.add(sizeof(void*));
    all.add(hash_of(inner));
    all.add(static_cast<std::uint64_t>(ctx.opt_level()));
    const auto& context = ctx.context();
    context.each_disabled([&](std::string_view name) { all.add("-"), all.add(name); });
    context.each_required([&](std::string_view name) { all.add("+"), all.add(name); });
    context.each_setting([&]<class T>(std::string_view key, const T& value) {
        all.add("="), all.add(key);
        if constexpr (std::same_as<T, double>)
            all.add(std::bit_cast<std::uint64_t>(value));
        else if constexpr (std::integral<T>)
            all.add(static_cast<std::uint64_t>(value));
        else
            all.add(std::string_view(value));
    });
    return all.value();
}

/// The pass that `cached` returns.
template <class Inner>
struct cached_pass {
    static constexpr pass_info info{.name = "cached", .kind = pass_kind::adaptor};
    using adaptor = cached_adaptor;
    using members = passes<Inner>;

    [[no_unique_address]] Inner inner;
    result_cache* cache = nullptr;

    static constexpr bool is_partwise() { return true; }

    /// For `check_pass`.
    template <class Self, class Unit, class Context, class Whole = void>
    static consteval bool check() {
        constexpr bool fits = is_divided<Unit> || (has_bytes<Unit> && internal::has_fingerprint<Unit>);
        static_assert(fits, "tutti::cached(cache, pass): a unit must have a fingerprint, and be written as bytes and "
                            "restored; specialise tutti::unit_traits<Unit>, with static fingerprint(const Unit&), "
                            "to_bytes(const Unit&) and bool from_bytes(Unit&, std::string_view)");
        if constexpr (fits)
            return check_pass<std::conditional_t<std::is_const_v<Self>, const Inner, Inner>, Unit, Context, Whole>();
        else
            return false;
    }

    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr auto with_inner(auto other) const { return cached_pass<decltype(other)>{other, cache}; }

    template <class Unit, class Context>
        requires transforms<const Inner, Unit, Context>
    change operator()(Unit& unit, Context& ctx) const {
        return run(inner, cache, unit, ctx);
    }
    template <class Unit, class Context>
        requires transforms<Inner, Unit, Context>
    change operator()(Unit& unit, Context& ctx) {
        return run(inner, cache, unit, ctx);
    }

private:
    template <class I, class Unit, class Context>
    static change run(I& inner, result_cache* cache, Unit& unit, Context& ctx) {
        if (cache == nullptr || ctx.stop_requested()) return ctx.run_member(inner, unit);
        if (ctx.context().instruments().may_decide(levels_of<Unit>{})) {
            ctx.remark(remark_kind::missed, "cached", "not used, because an instrument may skip passes or rewrites");
            return ctx.run_member(inner, unit);
        }
        each_unfit(inner, is_divided<Unit>, [](std::string_view name) { refuse_cached(name); });
        const digest key = digest_of_run<Unit>(inner, ctx);
        if constexpr (is_divided<Unit>)
            return run_divided(inner, *cache, key, unit, ctx);
        else
            return run_whole(inner, *cache, key, unit, ctx);
    }

    // A unit without parts is one result: "u" if it stays unchanged, otherwise "c" and its bytes.
    template <class I, class Unit, class Context>
    static change run_whole(I& inner, result_cache& cache, const digest& run, Unit& unit, Context& ctx) {
        const auto print = [&] { return digest{static_cast<std::uint64_t>(unit_traits<Unit>::fingerprint(unit)), 0}; };
        const result_key key{run, print()};
        if (const cached_bytes found = cache.find(key); found) {
            const bool is_known = found.bytes == "u";
            if (is_known ||
                (found.bytes.starts_with('c') && unit_traits<Unit>::from_bytes(unit, found.bytes.substr(1)))) {
                ctx.count("results from the cache", 1);
                return is_known ? unchanged : changed;
            }
            cache.note_damaged(key);
            note_damage(1, ctx);
        }
        const change made = ctx.run_member(inner, unit);
        ctx.count("results computed", 1);
        if (ctx.stop_requested()) return made;
        fresh_result result{key.unit, "u"};
        if (made != unchanged && !(print() == key.unit))
            result.bytes = "c" + std::string(unit_traits<Unit>::to_bytes(unit));
        store(cache, run, {&result, 1}, ctx);
        return made;
    }

    // Runs the pass over a smaller unit with the parts that have no result, and puts the results together.
    template <class I, class Unit, class Context>
    static change run_divided(I& inner, result_cache& cache, const digest& run, Unit& unit, Context& ctx) {
        auto parts = unit_traits<Unit>::divide(unit);
        if (!parts.is_whole()) return ctx.run_member(inner, unit);
        cache.begin(run);
        const std::uint64_t damaged_before = cache.counts().damaged;
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!parts.has_key(i)) {
                missing.push_back(i);
                continue;
            }
            const result_key key{run, parts.key(i)};
            cached_bytes found = cache.find(key);
            const bool is_found{found};
            if (is_found && parts.offer(i, std::move(found))) continue;
            if (is_found) cache.note_damaged(key);
            missing.push_back(i);
        }
        std::size_t computed = 0;
        change made = unchanged;
        do {
            Unit rest = parts.rest(missing);
            ctx.run_member(inner, rest);
            const bool stopped = ctx.stop_requested();
            std::vector<fresh_result> fresh = parts.take(rest, !stopped);
            if (computed == 0 && !parts.is_sound() && !stopped) {
                ctx.remark(remark_kind::missed, "cached", "not used, because a limit of a pass may be exceeded");
                return ctx.run_member(inner, unit);
            }
            computed += missing.size();
            missing = parts.finish(made);
            for (const std::size_t i : missing) cache.note_damaged({run, parts.key(i)});
            if (!fresh.empty()) store(cache, run, fresh, ctx);
        } while (!missing.empty());
        note_damage(cache.counts().damaged - damaged_before, ctx);
        ctx.count("results from the cache", static_cast<std::int64_t>(parts.size() - computed));
        ctx.count("results computed", static_cast<std::int64_t>(computed));
        cache.flush();
        return made;
    }

    template <class Context>
    static void note_damage(std::uint64_t count, Context& ctx) {
        if (count == 0) return;
        ctx.count("damaged results", static_cast<std::int64_t>(count));
        ctx.remark(remark_kind::missed, "cached", "damaged results in the cache; they are computed again");
    }
    template <class Context>
    static void store(result_cache& cache, const digest& run, std::span<fresh_result> results, Context& ctx) {
        cache.store(run, results);
        if (const std::string problem = cache.problem(); !problem.empty())
            ctx.remark(remark_kind::missed, "cached", problem);
    }
};

} // namespace detail

/// Runs passes over a unit, or takes the result from a cache if the same passes have already run over the same unit.
///
/// The key of a result is the unit's fingerprint, `hash_of` the passes with all their options, the context's level,
/// disabled and required passes and config, the version and the compiler. So a result is found only where a run would
/// give it, as long as the passes are deterministic and describe all their options. Change the version, or clear the
/// cache, when the code of a pass changes.
///
/// If `unit_traits<Unit>::divide` exists, each part of the unit has its own key and result, and the passes run only over
/// the parts without a result; each pass must then be partwise. If a run is stopped or fails, nothing is stored, and if
/// it fails, the unit stays unchanged. If an instrument may skip passes, the cache is not used.
///
/// Requires: the cache outlives the pass.
/// Throws:   `tutti::error` that names a pass whose results cannot be cached, or that has no text.
/// Example:  `tutti::memory_cache kept; scope.run(tutti::each<function>(tutti::cached(kept, simplify)), program);`
template <std::derived_from<result_cache> Cache, class P>
constexpr detail::cached_pass<P> cached(Cache& cache, P pass) {
    return {static_cast<P&&>(pass), &cache};
}
/// Diagnoses a missing cache.
template <class P>
constexpr P cached(P pass) {
    static_assert(std::is_void_v<P>, "tutti::cached(cache, pass): there must be a cache before the pass; write "
                                     "tutti::memory_cache kept; tutti::cached(kept, pass)");
    return pass;
}

/// True if the results of a pass over a `Unit` can be cached: `cached` accepts the pass.
template <class Unit, class P>
[[nodiscard]] bool can_be_cached(const P& pass) {
    bool all = true;
    detail::each_unfit(pass, detail::is_divided<Unit>, [&](std::string_view) { all = false; });
    return all;
}

/// The adaptor for `cached(A)` in the text of a pipeline. Without a cache, the pass only runs its members.
struct cached_adaptor {
    static constexpr std::string_view name = "cached", label = "";
    template <class Inner>
    static constexpr detail::cached_pass<Inner> make(Inner inner) {
        return {static_cast<Inner&&>(inner)};
    }
};

} // namespace tutti
