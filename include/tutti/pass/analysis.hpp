#pragma once

#include <tutti/failure.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

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

/// An analysis that is kept after a pass; what instruments with the hook `analysis_kept` get.
class kept_analysis {
    const void* unit_;
    const void* result_;
    void* context_;
    bool (*holds_)(const void* unit, const void* result, void* context);

public:
    constexpr kept_analysis(std::string_view called, const void* unit, const void* result, void* context,
                            bool (*compare)(const void*, const void*, void*))
        : unit_(unit), result_(result), context_(context), holds_(compare), name(called) {}

    std::string_view name; ///< the analysis's `name`; empty if it has none

    /// Whether results of the analysis can be compared, so that `holds` means something.
    bool comparable() const { return holds_ != nullptr; }
    /// Computes the analysis now; whether it is what is kept. True if they cannot be compared.
    bool holds() const { return !holds_ || holds_(unit_, result_, context_); }
};

namespace detail {

// Its address stands for a type.
template <class T>
inline constexpr char type_mark = 0;
template <class T>
inline constexpr const void* type_key = &type_mark<T>;

// The results of one analysis, by the units' addresses.
struct analysis_table {
    analysis_table* next = nullptr;
    const void* analysis;
    const void* level; // the type of its units
    void (*drop)(analysis_table&, const void* unit) noexcept;
    void (*drop_all)(analysis_table&) noexcept;
    void (*destroy)(analysis_table*) noexcept;
    void (*visit)(analysis_table&, const void* unit, void (*f)(void*, const kept_analysis&), void* to);
};

template <class A, class Unit, class Context>
class results_of : public analysis_table {
    using result = decltype(compute_analysis<A>(std::declval<const Unit&>(), std::declval<Context&>()));
    struct node {
        node* next;
        const Unit* unit;
        result value;
    };

    node** buckets_ = nullptr;
    std::size_t count_ = 0, size_ = 0; // nodes, buckets: a power of two or none
    Context context_;

    std::size_t place(const void* unit) const {
        const auto address = reinterpret_cast<std::uintptr_t>(unit);
        return ((address >> 4) * 0x9E3779B97F4A7C15U >> 20) & (size_ - 1);
    }
    void grow() {
        const std::size_t old_size = size_;
        node** const old = std::exchange(buckets_, new node* [old_size ? 2 * old_size : 8] {});
        size_ = old_size ? 2 * old_size : 8;
        for (std::size_t i = 0; i < old_size; ++i)
            for (node* each = old[i]; each;) {
                node* const behind = each->next;
                each->next = std::exchange(buckets_[place(each->unit)], each);
                each = behind;
            }
        delete[] old;
    }
    node* find(const void* unit) const {
        if (size_ == 0) return nullptr;
        for (node* each = buckets_[place(unit)]; each; each = each->next)
            if (each->unit == unit) return each;
        return nullptr;
    }
    static results_of& self(analysis_table& table) { return static_cast<results_of&>(table); }
    static void drop_unit(analysis_table& table, const void* unit) noexcept {
        results_of& me = self(table);
        if (me.size_ == 0) return;
        for (node** at = &me.buckets_[me.place(unit)]; *at; at = &(*at)->next)
            if ((*at)->unit == unit) {
                delete std::exchange(*at, (*at)->next);
                --me.count_;
                return;
            }
    }
    static void drop_every(analysis_table& table) noexcept {
        results_of& me = self(table);
        if (me.count_ == 0) return;
        for (std::size_t i = 0; i < me.size_; ++i)
            while (node* const first = me.buckets_[i]) {
                me.buckets_[i] = first->next;
                delete first;
            }
        me.count_ = 0;
    }
    static void destroy_table(analysis_table* table) noexcept {
        drop_every(*table);
        delete[] self(*table).buckets_;
        delete static_cast<results_of*>(table);
    }
    static bool still_holds(const void* unit, const void* kept, void* context) {
        return compute_analysis<A>(*static_cast<const Unit*>(unit), *static_cast<Context*>(context)) ==
               *static_cast<const result*>(kept);
    }
    static void visit_kept(analysis_table& table, const void* unit, void (*f)(void*, const kept_analysis&), void* to) {
        results_of& me = self(table);
        bool (*holds)(const void*, const void*, void*) = nullptr;
        if constexpr (std::equality_comparable<result>) holds = &still_holds;
        std::string_view called;
        if constexpr (requires { std::string_view{A::name}; }) called = A::name;
        const auto tell = [&](const node& each) {
            f(to, kept_analysis{called, each.unit, &each.value, &me.context_, holds});
        };
        if (unit) {
            if (const node* one = me.find(unit)) tell(*one);
        } else {
            // what it tells may compute, and so add to the table
            const node** const all = new const node*[me.count_];
            std::size_t count = 0;
            for (std::size_t i = 0; i < me.size_; ++i)
                for (const node* each = me.buckets_[i]; each; each = each->next) all[count++] = each;
            on_failure(
                [&] {
                    for (std::size_t i = 0; i < count; ++i) tell(*all[i]);
                },
                [&](const auto&) { delete[] all; });
            delete[] all;
        }
    }

public:
    explicit results_of(Context context)
        : analysis_table{nullptr, type_key<A>, type_key<Unit>, &drop_unit, &drop_every, &destroy_table, &visit_kept}
        , context_(context) {}

    const result& get(const Unit& unit) {
        if (const node* known = find(&unit)) return known->value;
        result value = compute_analysis<A>(unit, context_); // may ask for others, of this table too
        if (count_ == size_) grow();
        node*& first = buckets_[place(&unit)];
        first = new node{first, &unit, std::move(value)};
        ++count_;
        return first->value;
    }
};

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

/// Context option: the results of analyses, kept from when a pass asks for them until one changes what they were made from.
///
/// A run-time context has one always. A static one without it computes an analysis each time it is asked for, and leaves
/// nothing behind in any pass.
///
/// A pass that changed a unit drops what is kept for that unit and for all of other types, those around it and its parts among
/// them, but for analyses that it preserves; what is kept for other units of the same type stays. Results are found by the unit's address: they are kept
/// for as long as the pass that the body of `with` runs, since units come and go outside of it, and not beyond a pass by
/// value, which moves its unit.
///
/// Cost:    of a pass, one test a kept kind of analysis; of asking, a look into a hash table.
/// Example: `tutti::pass_context ctx{tutti::opt_level<3>, tutti::analysis_cache{}};`
class analysis_cache {
    detail::analysis_table* tables_ = nullptr;
    int running_ = 0; // outermost passes; one may be run inside of another by way of the current context

public:
    /// A run of an outermost pass: results are kept as long as there is one.
    class run_guard {
        analysis_cache& cache_;

    public:
        constexpr explicit run_guard(analysis_cache& cache) : cache_(cache) { ++cache_.running_; }
        [[gnu::always_inline]] constexpr ~run_guard() {
            if (--cache_.running_ == 0) cache_.clear();
        }
        run_guard(const run_guard&) = delete;
    };

    /// Whether results are kept now.
    bool running() const { return running_ > 0; }
    analysis_cache() = default;
    analysis_cache(analysis_cache&& other) noexcept : tables_(std::exchange(other.tables_, nullptr)) {}
    analysis_cache& operator=(analysis_cache&& other) noexcept {
        std::swap(tables_, other.tables_);
        return *this;
    }
    // So that compilers see that there is nothing to clear where nobody has asked, on the way of an exception too.
    [[gnu::always_inline]] ~analysis_cache() { clear(); }

    /// The result for a unit, computed if it is not there; valid until it is dropped.
    template <class A, class Unit, class Context>
    const auto& get(const Unit& unit, Context& ctx) {
        using table = detail::results_of<A, Unit, Context>;
        for (detail::analysis_table* each = tables_; each; each = each->next)
            if (each->analysis == detail::type_key<A> && each->level == detail::type_key<Unit>)
                return static_cast<table*>(each)->get(unit);
        auto* made = new table{ctx};
        made->next = std::exchange(tables_, made);
        return made->get(unit);
    }

    /// Whether nothing is kept.
    constexpr bool empty() const { return !tables_; }

    /// Drops what a pass over this unit has changed; `preserves(key)` says which analyses it leaves as they are.
    template <class Unit>
    void drop(const Unit& unit, auto&& preserves) {
        for (detail::analysis_table* each = tables_; each; each = each->next) {
            if (preserves(each->analysis)) continue;
            if (each->level == detail::type_key<Unit>)
                each->drop(*each, &unit);
            else
                each->drop_all(*each);
        }
    }

    /// Drops all that is kept for units of this type, of their parts, and of what they are part of.
    template <class Unit>
    void drop_type(auto&& preserves) {
        for (detail::analysis_table* each = tables_; each; each = each->next)
            if (each->level == detail::type_key<Unit> || !preserves(each->analysis)) each->drop_all(*each);
    }

    /// Calls `f(kept_analysis)` for what is kept for this unit, and for units of other types.
    template <class Unit, class F>
    void each_kept(const Unit& unit, F&& f) {
        const auto tell = [](void* to, const kept_analysis& kept) {
            (*static_cast<std::remove_reference_t<F>*>(to))(kept);
        };
        for (detail::analysis_table* each = tables_; each; each = each->next)
            each->visit(*each, each->level == detail::type_key<Unit> ? &unit : nullptr, tell, &f);
    }

    /// Drops everything.
    [[gnu::always_inline]] constexpr void clear() noexcept {
        if (tables_) clear_all();
    }

private:
    [[gnu::noinline]] void clear_all() noexcept {
        while (detail::analysis_table* const first = tables_) {
            tables_ = first->next;
            first->destroy(first);
        }
    }
};

} // namespace tutti
