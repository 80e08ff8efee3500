#pragma once

#include <tutti/pass/analysis.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

namespace detail {

struct analysis_table;
struct asked_edge;

// A kept result without its value; results_of adds the value.
struct kept_result {
    analysis_table* table;
    const void* unit;
    kept_result* next = nullptr;     // next result in the bucket, or in the list of results to delete
    asked_edge* askers = nullptr;    // results computed from this one
    asked_edge* asked_for = nullptr; // results that this one was computed from
    bool kept = false;               // true if the result is in its table, false during its computation
    bool borrowed = false;           // true if the unit may die before the requesting pass ends
    unsigned looked_at = 0;          // the last visit that reported this result
};

// `asker` was computed from `asked` and is dropped with it.
struct asked_edge {
    kept_result* asked;
    kept_result* asker;
    asked_edge* next_asker;
    asked_edge** at; // link to this edge in the list of askers
    asked_edge* next_asked_for;
};

// The results of one analysis, keyed by the address of the unit.
struct analysis_table {
    analysis_table* next = nullptr;
    const void* analysis;
    const void* level; // key of the unit type
    void (*destroy_result)(kept_result*) noexcept;
    void (*destroy)(analysis_table*) noexcept;
    kept_analysis (*describe)(analysis_table&, const kept_result&);
    kept_result** buckets = nullptr;
    std::size_t count = 0, size = 0; // number of results; number of buckets, a power of two or 0
    std::size_t borrowed = 0;        // number of borrowed results

    analysis_table(const void* of, const void* at, void (*one)(kept_result*) noexcept,
                   void (*all)(analysis_table*) noexcept, kept_analysis (*tell)(analysis_table&, const kept_result&))
        : analysis(of), level(at), destroy_result(one), destroy(all), describe(tell) {}

    std::size_t place(const void* unit) const {
        const std::uint64_t address = reinterpret_cast<std::uintptr_t>(unit);
        const std::uint64_t mixed = (address >> 4) * 0x9E3779B97F4A7C15U >> 20;
        return mixed & (size - 1);
    }
    kept_result* find(const void* unit) const {
        if (size == 0) return nullptr;
        for (kept_result* each = buckets[place(unit)]; each; each = each->next)
            if (each->unit == unit) return each;
        return nullptr;
    }
    void grow() {
        const std::size_t old_size = size;
        const std::size_t new_size = old_size ? 2 * old_size : 8;
        kept_result** const old = std::exchange(buckets, new kept_result* [new_size] {});
        size = new_size;
        for (std::size_t i = 0; i < old_size; ++i)
            for (kept_result* each = old[i]; each;) {
                kept_result* const behind = each->next;
                each->next = std::exchange(buckets[place(each->unit)], each);
                each = behind;
            }
        delete[] old;
    }
    // Requires: `grow` was called if count == size.
    void insert(kept_result* result) noexcept {
        result->next = std::exchange(buckets[place(result->unit)], result);
        result->kept = true;
        ++count;
        borrowed += result->borrowed ? 1 : 0;
    }
    void unlink(kept_result* result) noexcept {
        kept_result** at = &buckets[place(result->unit)];
        while (*at != result) at = &(*at)->next;
        *at = result->next;
        result->kept = false;
        --count;
        borrowed -= result->borrowed ? 1 : 0;
    }
};

inline void forget_asked(kept_result* asker) noexcept {
    while (asked_edge* const edge = asker->asked_for) {
        asker->asked_for = edge->next_asked_for;
        if (edge->asked) {
            *edge->at = edge->next_asker;
            if (edge->next_asker) edge->next_asker->at = edge->at;
        }
        delete edge;
    }
}

inline void note_asked(kept_result* asker, kept_result* asked) {
    if (asked->askers && asked->askers->asker == asker) return;
    auto* const edge = new asked_edge{asked, asker, asked->askers, &asked->askers, asker->asked_for};
    if (asked->askers) asked->askers->at = &edge->next_asker;
    asked->askers = edge;
    asker->asked_for = edge;
}

// Deletes a result and all results computed from it.
inline void drop_result(kept_result* first) noexcept {
    first->table->unlink(first);
    first->next = nullptr;
    while (kept_result* const result = first) {
        first = result->next;
        while (asked_edge* const edge = result->askers) {
            result->askers = edge->next_asker;
            edge->asked = nullptr;
            kept_result* const asker = edge->asker;
            if (!asker->kept) continue; // being computed, or already in the list
            asker->table->unlink(asker);
            asker->next = std::exchange(first, asker);
        }
        forget_asked(result);
        result->table->destroy_result(result);
    }
}

inline void clear_table(analysis_table& table) noexcept {
    for (std::size_t i = 0; i < table.size && table.count > 0; ++i)
        while (kept_result* const first = table.buckets[i]) drop_result(first);
}

inline void clear_tables(analysis_table*& first) noexcept {
    for (analysis_table* each = first; each; each = each->next) clear_table(*each);
    while (analysis_table* const table = first) {
        first = table->next;
        table->destroy(table);
    }
}

template <class F>
void each_result(const analysis_table& table, F&& f) {
    for (std::size_t i = 0; i < table.size; ++i)
        for (kept_result* each = table.buckets[i]; each; each = each->next) f(*each);
}

template <class A, class Unit, class Context>
class results_of : public analysis_table {
public:
    using result = decltype(compute_analysis<A>(std::declval<const Unit&>(), std::declval<Context&>()));
    struct node : kept_result {
        union {
            result value;
        };
        bool computed = false;

        void compute(const Unit& from, Context& ctx) {
            ::new (static_cast<void*>(&value)) result(compute_analysis<A>(from, ctx));
            computed = true;
        }
        node(analysis_table& where, const void* of) : kept_result{&where, of} {}
        ~node() {
            if (computed) value.~result();
        }
    };

private:
    static void destroy_node(kept_result* one) noexcept { delete static_cast<node*>(one); }
    static void destroy_table(analysis_table* table) noexcept {
        delete[] table->buckets;
        delete static_cast<results_of*>(table);
    }
    static bool still_holds(const void* unit, const void* kept, void* context) {
        return compute_analysis<A>(*static_cast<const Unit*>(unit), *static_cast<Context*>(context)) ==
               *static_cast<const result*>(kept);
    }
    static kept_analysis describe_node(analysis_table& table, const kept_result& one) {
        bool (*holds)(const void*, const void*, void*) = nullptr;
        if constexpr (std::equality_comparable<result>) holds = &still_holds;
        std::string_view called;
        if constexpr (requires { std::string_view{A::name}; }) called = A::name;
        return {called, one.unit, &static_cast<const node&>(one).value, &static_cast<results_of&>(table).context,
                holds};
    }

public:
    static constexpr const void* key = type_key<A>;
    static constexpr const void* unit_key = type_key<Unit>;

    Context context;

    explicit results_of(const Context& in)
        : analysis_table(type_key<A>, type_key<Unit>, &destroy_node, &destroy_table, &describe_node), context(in) {}
};

} // namespace detail

/// Context option: keeps results of analyses until a pass changes their unit.
///
/// Every run-time context has a cache. A static context without this option computes an analysis at each request and
/// adds no code to passes.
///
/// When a pass changes a unit, the cache drops the results for that unit and for all units of other types, since these
/// include its parts and the units around it. Results for other units of the same type stay. The cache keeps preserved
/// analyses, but drops everything computed from a dropped result. A pass by value moves its unit, so everything is
/// dropped. Passes in other contexts on the same thread drop results here too.
///
/// The cache finds results by the address of the unit, so it keeps them only while the unit is known to live:
/// - for the unit of an outermost pass, during that pass,
/// - for a part that `transform_parts` passes to `run`, or a unit other than the running pass's own, during the run
///   over that unit,
/// - for a unit that a pass over another unit requests an analysis of, until the end of that pass; longer if it is a
///   part of the pass's unit.
///
/// Cost:    per pass, one test per kind of kept analysis; per request, a hash lookup.
/// Example: `tutti::pass_context ctx{tutti::opt_level<3>, tutti::analysis_cache{}};`
class analysis_cache {
    // The current results. Outer runs over other units keep their results separately.
    struct results {
        detail::analysis_table* tables = nullptr;
        detail::kept_result* computing = nullptr; // the analysis being computed
        results* around = nullptr;
    };

public:
    /// The unit of a running pass. The units of all running passes form a stack.
    class running_unit {
        analysis_cache& cache_;
        const void* unit_;
        const running_unit* outer_;
        friend analysis_cache;

    public:
        constexpr running_unit(analysis_cache& cache, const void* unit)
            : cache_(cache), unit_(unit), outer_(std::exchange(cache.unit_, this)) {
            cache.current_ = unit;
        }
        constexpr ~running_unit() {
            cache_.unit_ = outer_;
            cache_.current_ = outer_ ? outer_->unit_ : nullptr;
        }
        running_unit(const running_unit&) = delete;
    };

    /// The kind of run that a `run_guard` covers.
    enum class run_of {
        whole, ///< an outermost pass
        part   ///< passes over one part while others run over other parts
    };

    /// A guard for the run of an outermost pass. Results are kept during its lifetime.
    class run_guard {
        analysis_cache& cache_;
        run_guard* before_;
        run_guard* outer_; // null for a part: its passes affect surrounding contexts only when all parts are done
        bool was_alone_, outer_was_alone_ = true;
        friend analysis_cache;

        // Shared with plugins.
        [[gnu::visibility("default")]] static inline constinit thread_local run_guard* innermost = nullptr;

        static constexpr run_guard* enter(run_guard* now) {
            return __builtin_is_constant_evaluated() ? nullptr : std::exchange(innermost, now);
        }

    public:
        constexpr explicit run_guard(analysis_cache& cache, run_of which = run_of::whole)
            : cache_(cache)
            , before_(enter(this))
            , outer_(which == run_of::part ? nullptr : before_)
            , was_alone_(cache.alone_) {
            ++cache_.running_;
            if (!outer_) return;
            outer_was_alone_ = std::exchange(outer_->cache_.alone_, false);
            cache_.alone_ = false;
        }
        [[gnu::always_inline]] constexpr ~run_guard() {
            enter(before_);
            if (outer_) outer_->cache_.alone_ = outer_was_alone_;
            cache_.alone_ = was_alone_;
            if (--cache_.running_ == 0) cache_.clear();
        }
        run_guard(const run_guard&) = delete;
    };

    /// A guard for a run over a unit that may die when the run ends. Sets outer results aside at the beginning, and
    /// drops the run's own results at the end.
    class apart {
        analysis_cache& cache_;
        results around_;
        running_unit unit_;

    public:
        apart(analysis_cache& cache, const void* unit)
            : cache_(cache), around_(std::exchange(cache.here_, {})), unit_(cache, unit) {
            cache_.here_.around = &around_;
        }
        ~apart() {
            cache_.clear();
            cache_.here_ = around_;
        }
        apart(const apart&) = delete;
    };

    /// True if results are being kept.
    bool running() const { return running_ > 0; }
    /// True if the innermost running pass is over this unit.
    bool runs(const void* unit) const { return current_ == unit; }
    /// True if the unit is not the running pass's own. Its lifetime is then unknown.
    bool is_foreign(const void* unit, bool nested) const {
        return unit_ ? unit_->unit_ != unit : nested || running_ > 1;
    }

    analysis_cache() = default;
    analysis_cache(analysis_cache&& other) noexcept : here_(std::exchange(other.here_, {})) {}
    analysis_cache& operator=(analysis_cache&& other) noexcept {
        std::swap(here_, other.here_);
        return *this;
    }
    // Inlined so that compilers remove it where no analysis is used, including from unwinding code.
    [[gnu::always_inline]] ~analysis_cache() { clear(); }

    /// Returns the result for a unit. Computes it if necessary. The reference is valid until the result is dropped.
    ///
    /// If `look` is true and the result was kept, calls `look(kept_analysis)` for the results from which it was
    /// computed, then for the result itself.
    template <class A, class Unit, class Context, class Look>
    const auto& get(const Unit& unit, Context& ctx, const Look& look) {
        using table = detail::results_of<A, Unit, Context>;
        table& all = table_of<table>(ctx);
        detail::kept_result* found = all.find(&unit);
        if (!found)
            found = &compute(all, new typename table::node(all, &unit), unit);
        else if (look && !comparing_)
            compare([&] { show(*found, look); });
        if (here_.computing) detail::note_asked(here_.computing, found);
        return static_cast<typename table::node*>(found)->value;
    }

    /// True if this cache is empty and no other cache is in use on this thread.
    bool idle() const { return !here_.tables && alone_; }

    /// Drops the results that a pass over this unit invalidates. `preserves(key)` is true for preserved analyses.
    template <class Unit>
    void drop(const Unit& unit, auto&& preserves) {
        if (!is_held()) drop_from(here_, unit, preserves);
        if (!alone_) each_other([&](analysis_cache& other) { other.drop_everywhere(unit, preserves); });
    }

    /// Drops the results that a change of this unit invalidates, including those set aside by `apart`.
    template <class Unit>
    void invalidate(const Unit& unit) {
        const auto preserves = [](const void*) { return false; };
        drop_everywhere(unit, preserves);
        if (!alone_) each_other([&](analysis_cache& other) { other.drop_everywhere(unit, preserves); });
    }

    /// Drops everything. To be called after a unit moved or an unknown unit changed.
    void drop_all() {
        if (!is_held()) clear();
        if (!alone_)
            each_other([](analysis_cache& other) {
                if (other.is_held()) return;
                for (results* each = &other.here_; each; each = each->around) detail::clear_tables(each->tables);
            });
    }

    /// At the end of a pass over `unit`, drops results for units that may no longer exist: those that are neither the
    /// unit of a surrounding pass nor parts of `unit`.
    template <class Unit>
    void release_borrowed(Unit& unit) {
        if (is_held() || !has_borrowed()) return;
        find_borrowed_in(unit);
        drop_borrowed();
    }
    /// Drops all results for units that may no longer exist.
    void drop_borrowed() noexcept {
        if (is_held()) return;
        for (detail::analysis_table* each = here_.tables; each; each = each->next)
            for (std::size_t i = 0; i < each->size && each->borrowed > 0; ++i)
                for (detail::kept_result* one = each->buckets[i]; one;)
                    if (one->borrowed) {
                        detail::drop_result(one); // may drop other results, so the bucket is searched again
                        one = each->buckets[i];
                    } else {
                        one = one->next;
                    }
    }

    /// Calls `f(kept_analysis)` for each result kept for this unit and for units of other types.
    template <class Unit, class F>
    void each_kept(const Unit& unit, const F& f) {
        compare([&] {
            // The results are listed first, since f may compute results and thereby add to the tables.
            struct list {
                detail::kept_result** all;
                std::size_t count = 0;
                ~list() { delete[] all; }
            };
            std::size_t most = 0;
            for (const detail::analysis_table* each = here_.tables; each; each = each->next) most += each->count;
            list found{new detail::kept_result*[most]};
            for (const detail::analysis_table* each = here_.tables; each; each = each->next)
                if (each->level != detail::type_key<Unit>)
                    detail::each_result(*each, [&](detail::kept_result& one) { found.all[found.count++] = &one; });
                else if (detail::kept_result* const own = each->find(&unit))
                    found.all[found.count++] = own;
            for (std::size_t i = 0; i < found.count; ++i)
                f(found.all[i]->table->describe(*found.all[i]->table, *found.all[i]));
        });
    }

    /// Drops the current results.
    [[gnu::always_inline]] constexpr void clear() noexcept {
        if (here_.tables) clear_here();
    }

private:
    results here_;
    const running_unit* unit_ = nullptr; // the innermost running unit
    const void* current_ = nullptr;      // address of the innermost running pass's unit
    int running_ = 0;                    // number of running outermost passes; they nest through the current context
    bool alone_ = true;                  // no other cache of this thread is in use
    bool comparing_ = false;             // results are being compared with new ones
    unsigned looks_ = 0;

    [[gnu::noinline]] void clear_here() noexcept { detail::clear_tables(here_.tables); }

    // True while results must be kept. During the computation of an analysis, references to results are in use, and
    // units do not change.
    bool is_held() const { return here_.computing || comparing_; }

    void each_other(auto&& f) {
        for (run_guard* each = run_guard::innermost; each; each = each->outer_)
            if (&each->cache_ != this) f(each->cache_);
    }

    template <class Unit>
    static void drop_from(results& from, const Unit& unit, auto& preserves) {
        for (detail::analysis_table* each = from.tables; each; each = each->next) {
            if (preserves(each->analysis)) continue;
            if (each->level != detail::type_key<Unit>)
                detail::clear_table(*each);
            else if (detail::kept_result* const found = each->find(&unit))
                detail::drop_result(found);
        }
    }
    template <class Unit>
    void drop_everywhere(const Unit& unit, auto& preserves) {
        if (is_held()) return;
        for (results* each = &here_; each; each = each->around) drop_from(*each, unit, preserves);
    }

    template <class Table, class Context>
    Table& table_of(Context& ctx) {
        for (detail::analysis_table* each = here_.tables; each; each = each->next)
            if (each->analysis == Table::key && each->level == Table::unit_key) return static_cast<Table&>(*each);
        auto* const made = new Table(ctx);
        made->next = std::exchange(here_.tables, made);
        return *made;
    }

    bool runs_over(const void* unit) const {
        for (const running_unit* each = unit_; each; each = each->outer_)
            if (each->unit_ == unit) return true;
        return false;
    }

    // Computes a result and adds it to its table.
    template <class Table, class Unit>
    detail::kept_result& compute(Table& table, typename Table::node* made, const Unit& unit) {
        struct frame {
            results& here;
            typename Table::node* made;
            detail::kept_result* outer;
            ~frame() {
                here.computing = outer;
                if (made->kept) return;
                detail::forget_asked(made);
                delete made;
            }
        } const now{here_, made, std::exchange(here_.computing, made)};
        made->compute(unit, table.context);
        if (table.count == table.size) table.grow();
        made->borrowed = !runs_over(&unit);
        table.insert(made);
        return *made;
    }

    bool has_borrowed() const {
        for (const detail::analysis_table* each = here_.tables; each; each = each->next)
            if (each->borrowed > 0) return true;
        return false;
    }
    template <class Unit>
    void find_borrowed_in([[maybe_unused]] Unit& unit) {
        if constexpr (internal::has_parts<Unit>)
            for (auto&& part : unit_traits<Unit>::parts(unit)) {
                for (detail::analysis_table* each = here_.tables; each; each = each->next)
                    if (each->borrowed > 0 && each->level == detail::type_key<internal::part_of<Unit>>)
                        if (detail::kept_result* const found = each->find(&part); found && found->borrowed) {
                            found->borrowed = false;
                            --each->borrowed;
                        }
                if (!has_borrowed()) return;
                find_borrowed_in(part);
            }
    }

    // Calls `f`, which compares results. Until `f` returns, requests do not count as requests by the current analysis.
    void compare(auto&& f) {
        struct state {
            analysis_cache& cache;
            bool comparing;
            detail::kept_result* computing;
            ~state() {
                cache.comparing_ = comparing;
                cache.here_.computing = computing;
            }
        } const before{*this, std::exchange(comparing_, true), std::exchange(here_.computing, nullptr)};
        ++looks_;
        f();
    }
    void show(detail::kept_result& result, const auto& look) {
        if (std::exchange(result.looked_at, looks_) == looks_) return;
        for (const detail::asked_edge* each = result.asked_for; each; each = each->next_asked_for)
            show(*each->asked, look);
        kept_analysis kept = result.table->describe(*result.table, result);
        kept.asked_for = true;
        look(kept);
    }
};

namespace detail {

// Drops the analyses that a pass invalidates. The members of an in-place sequential have already dropped them.
template <bool InPlace, class P, class Unit>
constexpr void drop_invalid(analysis_cache& cache, const P& pass, const Unit& unit, change what) {
    const auto preserves = [&](const void* analysis) { return internal::preserves_analysis(pass, analysis); };
    if constexpr (!InPlace)
        cache.drop_all();
    else if (what != unchanged && pass.info.kind != pass_kind::sequential)
        cache.drop(unit, preserves);
}
// Drops analyses after a pass that threw.
template <bool InPlace, class P, class Unit>
[[gnu::noinline]] constexpr void settle_failed(analysis_cache& cache, const P& pass, const Unit& unit) {
    if (cache.idle()) return;
    drop_invalid<InPlace>(cache, pass, unit, change::unknown);
    cache.drop_borrowed();
}

// Calls `go`, which runs a pass over a unit that may be a copy that later replaces another unit: a change drops all
// results.
template <class Unit, class Go>
[[gnu::noinline]] auto run_apart(analysis_cache& cache, Unit& unit, const Go& go) {
    struct changes {
        analysis_cache& cache;
        bool none = false;
        ~changes() {
            if (!none) cache.drop_all();
        }
    } made{cache};
    const analysis_cache::apart alone{cache, &unit};
    auto result = go();
    if constexpr (std::is_same_v<decltype(result), change>) made.none = result == unchanged;
    return result;
}

} // namespace detail

} // namespace tutti
