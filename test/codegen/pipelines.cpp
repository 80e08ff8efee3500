#include <tutti/pass.hpp>
#include <tutti/pass/property.hpp>
#include <tutti/pipeline/edit.hpp>

#include <memory>

// Pairs of functions NAME_by_hand and NAME_by_tutti. run.py checks that a compiler generates the same instructions for
// the two functions of each pair.

extern "C" {
int infer_opaque(int);
int fold_opaque(int);
int fuse_opaque(int);
void scale_opaque(int&);
void told_opaque(const int&);
void entered_opaque();
bool step_opaque(int&);
bool fits_opaque(const int&);
int measure_opaque(const int&);
}

struct owner {
    std::unique_ptr<int> part;
};
owner grow_opaque(owner);
void prune_opaque(owner&);

struct row {
    int cells[8];
    int size;
};
struct table {
    row* first;
    row* last;
};
void sort_opaque(row&);

template <>
struct tutti::unit_traits<row> {
    struct range {
        int* first;
        int* last;
        int* begin() const { return first; }
        int* end() const { return last; }
    };
    static range parts(row& r) { return {r.cells, r.cells + r.size}; }
};
template <>
struct tutti::unit_traits<table> {
    struct range {
        row* first;
        row* last;
        row* begin() const { return first; }
        row* end() const { return last; }
    };
    static range parts(table& t) { return {t.first, t.last}; }
};

namespace {

struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    int operator()(int n, auto&) const { return infer_opaque(n); }
};
struct fold {
    static constexpr tutti::pass_info info{.name = "Fold", .opt_level = 2};
    using required = tutti::passes<infer>;
    int operator()(int n, auto&) const { return fold_opaque(n); }
};
struct fuse {
    static constexpr tutti::pass_info info{.name = "Fuse", .opt_level = 3};
    int by = 1;
    int operator()(int n) const { return fuse_opaque(n + by); }
};
struct scale {
    static constexpr tutti::pass_info info{.name = "Scale", .opt_level = 1};
    void operator()(int& n, auto&) const { scale_opaque(n); }
};
struct infers_itself {
    static constexpr tutti::pass_info info{.name = "InfersItself"};
    int operator()(int n, auto& ctx) const { return ctx.run(infer{}, fuse_opaque(n)); }
};
struct grow {
    static constexpr tutti::pass_info info{.name = "Grow"};
    owner operator()(owner o) const { return grow_opaque(std::move(o)); }
};
struct prune {
    static constexpr tutti::pass_info info{.name = "Prune", .opt_level = 2};
    void operator()(owner& o) const { prune_opaque(o); }
};
struct scaled {
    static constexpr std::string_view name = "scaled";
};
struct gives_scaled {
    static constexpr tutti::pass_info info{.name = "GivesScaled"};
    using gives = tutti::properties<scaled>;
    void operator()(int& n) const { scale_opaque(n); }
};
struct needs_scaled {
    static constexpr tutti::pass_info info{.name = "NeedsScaled"};
    using needs = tutti::properties<scaled>;
    using breaks = tutti::properties<scaled>;
    tutti::change operator()(int& n) const { return step_opaque(n) ? tutti::changed : tutti::unchanged; }
};
struct step {
    static constexpr tutti::pass_info info{.name = "Step"};
    tutti::change operator()(int& n) const { return step_opaque(n) ? tutti::changed : tutti::unchanged; }
};
struct measure {
    int operator()(const int& n) const { return measure_opaque(n); }
};
struct measures {
    static constexpr tutti::pass_info info{.name = "Measures"};
    void operator()(int& n, auto& ctx) const { n += ctx.template get<measure>(n); }
};
struct keeps {
    static constexpr tutti::pass_info info{.name = "Keeps"};
    using preserves = tutti::analyses<measure>;
    void operator()(int& n) const { scale_opaque(n); }
};
struct talks {
    static constexpr tutti::pass_info info{.name = "Talks"};
    void operator()(int& n, auto& ctx) const {
        ctx.count("scaled", n);
        ctx.remark(tutti::remark_kind::applied, "here", "scaled");
        ctx.remark(tutti::remark_kind::note, "here", [&] { return fits_opaque(n) ? "it fits" : "it does not"; });
        scale_opaque(n);
        ctx.count("calls");
    }
};
struct asks {
    static constexpr tutti::pass_info info{.name = "Asks"};
    void operator()(int& n, auto& ctx) const {
        const auto where = [&] { return fits_opaque(n) ? "it fits" : "it does not"; };
        if (ctx.may_apply("scale", "here") && ctx.may_apply("scale", where, "a part")) scale_opaque(n);
    }
};
struct sorts {
    static constexpr tutti::pass_info info{.name = "Sorts"};
    void operator()(row& r) const { sort_opaque(r); }
};
struct polls {
    static constexpr tutti::pass_info info{.name = "Polls"};
    void operator()(int& n, auto& ctx) const {
        for (int i = 0; i < 100 && !ctx.stop_requested(); ++i) scale_opaque(n);
    }
};
struct fits {
    bool operator()(const int& n) const { return fits_opaque(n); }
};
struct told {
    void run_after_pass(const int& n, const tutti::pass_info&) { told_opaque(n); }
};
struct entered {
    void enter_pass_ctx() { entered_opaque(); }
};

int run(auto&& ctx, const auto& pass, int n) {
    return tutti::with(ctx, [&](auto& scope) { return scope.run(pass, std::move(n)); });
}
void run_in_place(auto&& ctx, const auto& pass, auto& unit) {
    tutti::with(ctx, [&](auto& scope) { scope.run(pass, unit); });
}

// A hand-written fixpoint. The callers ignore the result, which tells if anything changed.
tutti::change until_unchanged(auto step, int& n, int limit) {
    tutti::change all = tutti::unchanged;
    for (int i = 0; i < limit; ++i) {
        const tutti::change once = step(n);
        if (once == tutti::unchanged) return all;
        all |= once;
    }
    return all;
}

} // namespace

extern "C" {

// Passes by value.
int values_by_hand(int n) { return fuse_opaque(infer_opaque(infer_opaque(n)) + 5); }
int values_by_tutti(int n) {
    return run(tutti::pass_context{tutti::opt_level<3>}, tutti::sequential(infer{}, infer{}, fuse{.by = 5}), n);
}

// Passes in place, mixed with a pass by value.
void places_by_hand(int& n) {
    scale_opaque(n);
    scale_opaque(n);
    n = infer_opaque(n);
    scale_opaque(n);
}
void places_by_tutti(int& n) {
    run_in_place(tutti::pass_context{}, tutti::sequential(scale{}, scale{}, infer{}, scale{}), n);
}

// Nested sequentials, required passes, passes that run passes.
int nested_by_hand(int n) {
    n = infer_opaque(n);
    n = fold_opaque(n);
    n = fuse_opaque(n);
    n = infer_opaque(n);
    return infer_opaque(n);
}
int nested_by_tutti(int n) {
    return run(tutti::pass_context{}, tutti::sequential(fold{}, tutti::sequential<"Inner">(infers_itself{}, infer{})),
               n);
}

// Passes that are disabled by type or name, or above the level, generate no code. Required passes run.
int disabled_by_hand(int n) { return infer_opaque(n); }
int disabled_by_tutti(int n) {
    return run(tutti::pass_context{tutti::disable<fold>, tutti::disable<"Scale">},
               tutti::sequential(fold{}, scale{}, infer{}, fuse{}), n);
}
int all_disabled_by_hand(int n) { return n; }
int all_disabled_by_tutti(int n) {
    return run(tutti::pass_context{tutti::opt_level<0>}, tutti::sequential(fold{}, scale{}, fuse{}), n);
}
int required_by_hand(int n) { return fuse_opaque(n + 1); }
int required_by_tutti(int n) {
    return run(tutti::pass_context{tutti::opt_level<0>, tutti::require<fuse>},
               tutti::sequential(fold{}, scale{}, fuse{}), n);
}

// A run-time level that the compiler can see is also free.
int seen_level_by_hand(int n) { return fuse_opaque(n + 1); }
int seen_level_by_tutti(int n) {
    return run(tutti::pass_context{tutti::opt_level(3), tutti::disable("Scale")}, tutti::sequential(scale{}, fuse{}),
               n);
}

// Required passes that are already resolved.
int resolved_by_hand(int n) { return fold_opaque(infer_opaque(n)); }
int resolved_by_tutti(int n) { return run(tutti::pass_context{}, tutti::resolve(tutti::sequential(fold{})), n); }

// An owning unit, in place.
void owned_in_place_by_hand(owner& o) {
    prune_opaque(o);
    prune_opaque(o);
}
void owned_in_place_by_tutti(owner& o) { run_in_place(tutti::pass_context{}, tutti::sequential(prune{}, prune{}), o); }

// An owning unit, by value: each statement moves the unit into the pass.
owner owned_by_hand(owner o) {
    owner a = grow{}(std::move(o));
    owner b = grow{}(std::move(a));
    return b;
}
owner owned_by_tutti(owner o) {
    return tutti::with(tutti::pass_context{},
                       [&](auto& scope) { return scope.run(tutti::sequential(grow{}, grow{}), std::move(o)); });
}

// An instrument with one hook. The code contains the call of this hook, and nothing for the other hooks.
int one_hook_by_hand(int n) {
    int a = infer_opaque(n);
    told_opaque(a);
    return a;
}
int one_hook_by_tutti(int n) { return run(tutti::pass_context{tutti::instruments(told{})}, infer{}, n); }
int entered_by_hand(int n) {
    entered_opaque();
    return infer_opaque(n);
}
int entered_by_tutti(int n) {
    entered e;
    return run(tutti::pass_context{tutti::instruments(e)}, infer{}, n);
}

// Many instruments.
int many_by_hand(int n) {
    n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n);
    n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n);
    n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n);
    n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n), n = infer_opaque(n);
    return n;
}
int many_by_tutti(int n) {
    constexpr infer i{};
    return run(tutti::pass_context{}, tutti::sequential(i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i), n);
}

// An analysis without a cache is a function call.
void measured_by_hand(int& n) {
    scale_opaque(n);
    n += measure_opaque(n);
}
void measured_by_tutti(int& n) { run_in_place(tutti::pass_context{}, tutti::sequential(scale{}, measures{}), n); }

// An unused analysis that passes preserve.
void unasked_by_hand(int& n) {
    scale_opaque(n);
    step_opaque(n);
    scale_opaque(n);
}
void unasked_by_tutti(int& n) { run_in_place(tutti::pass_context{}, tutti::sequential(keeps{}, step{}, keeps{}), n); }

// Counts and remarks without a listener.
void unheard_by_hand(int& n) {
    scale_opaque(n);
    scale_opaque(n);
}
void unheard_by_tutti(int& n) { run_in_place(tutti::pass_context{}, tutti::sequential(talks{}, talks{}), n); }

// Counts and remarks with an instrument that listens only to other events.
void unheard_beside_by_hand(int& n) {
    scale_opaque(n);
    told_opaque(n);
}
void unheard_beside_by_tutti(int& n) { run_in_place(tutti::pass_context{tutti::instruments(told{})}, talks{}, n); }

// Rewrites about which nothing decides.
void undecided_by_hand(int& n) {
    scale_opaque(n);
    scale_opaque(n);
}
void undecided_by_tutti(int& n) { run_in_place(tutti::pass_context{}, tutti::sequential(asks{}, asks{}), n); }

// Rewrites beside an instrument with other hooks.
void undecided_beside_by_hand(int& n) {
    scale_opaque(n);
    told_opaque(n);
}
void undecided_beside_by_tutti(int& n) { run_in_place(tutti::pass_context{tutti::instruments(told{})}, asks{}, n); }

// Passes that report whether the unit changed, where nothing uses the result.
void changed_or_not_by_hand(int& n) {
    step_opaque(n);
    scale_opaque(n);
    step_opaque(n);
}
void changed_or_not_by_tutti(int& n) {
    run_in_place(tutti::pass_context{}, tutti::sequential(step{}, scale{}, step{}), n);
}

// Passes over parts, and over the parts of parts.
void each_by_hand(row& r) {
    for (int *n = r.cells, *last = r.cells + r.size; n != last; ++n) {
        scale_opaque(*n);
        step_opaque(*n);
    }
}
void each_by_tutti(row& r) { run_in_place(tutti::pass_context{}, tutti::each<int>(scale{}, step{}), r); }
void each_of_each_by_hand(table& t) {
    for (row *r = t.first, *last = t.last; r != last; ++r) {
        sort_opaque(*r);
        for (int *n = r->cells, *end = r->cells + r->size; n != end; ++n) scale_opaque(*n);
    }
}
void each_of_each_by_tutti(table& t) {
    run_in_place(tutti::pass_context{tutti::disable<"Step">},
                 tutti::each<row>(sorts{}, tutti::each<int>(step{}, scale{}, step{})), t);
}

// An instrument for parts only, which does not see the whole.
void each_told_by_hand(row& r) {
    for (int *n = r.cells, *last = r.cells + r.size; n != last; ++n) {
        scale_opaque(*n);
        told_opaque(*n);
    }
}
void each_told_by_tutti(row& r) {
    run_in_place(tutti::pass_context{tutti::instruments(told{})}, tutti::each<int>(scale{}), r);
}

// Adaptors that repeat a pass until nothing changes, repeat it a fixed number of times, or run it on a condition.
void fixpoint_by_hand(int& n, int limit) { until_unchanged(step{}, n, limit); }
void fixpoint_by_tutti(int& n, int limit) { run_in_place(tutti::pass_context{}, tutti::fixpoint(step{}, limit), n); }
void repeat_by_hand(int& n) {
    for (int i = 0; i < 100; ++i) {
        scale_opaque(n);
        step_opaque(n);
    }
}
void repeat_by_tutti(int& n) {
    run_in_place(tutti::pass_context{}, tutti::repeat(tutti::sequential(scale{}, step{}), 100), n);
}
void only_if_by_hand(int& n) {
    if (fits_opaque(n)) scale_opaque(n);
    step_opaque(n);
}
void only_if_by_tutti(int& n) {
    run_in_place(tutti::pass_context{}, tutti::sequential(tutti::only_if(fits{}, scale{}), step{}), n);
}

// Extension points.
void points_by_hand(int& n) {
    scale_opaque(n);
    step_opaque(n);
}
void points_by_tutti(int& n) {
    constexpr tutti::point<"here"> here{};
    run_in_place(tutti::pass_context{}, tutti::sequential(here, scale{}, here, tutti::sequential(step{}, here)), n);
}
int points_by_value_by_hand(int n) { return fuse_opaque(infer_opaque(n) + 1); }
int points_by_value_by_tutti(int n) {
    constexpr tutti::point<"here"> here{};
    return run(tutti::pass_context{tutti::opt_level<3>}, tutti::sequential(infer{}, here, fuse{}, here), n);
}

// An edited pipeline, which is made at run time here.
void edited_by_hand(int& n) {
    scale_opaque(n);
    for (int i = 0; i < 100; ++i) {
        scale_opaque(n);
        step_opaque(n);
    }
}
void edited_by_tutti(int& n) {
    const auto given = tutti::sequential(scale{}, tutti::repeat(step{}, 100), tutti::sequential<"Tail">(step{}));
    run_in_place(tutti::pass_context{},
                 tutti::edit::remove<"Tail">(tutti::edit::insert_before<"Step#1">(given, scale{})), n);
}

// Passes that state properties.
void properties_by_hand(int& n) {
    for (int i = 0; i < 100; ++i) {
        scale_opaque(n);
        step_opaque(n);
    }
}
void properties_by_tutti(int& n) {
    run_in_place(tutti::pass_context{}, tutti::repeat(tutti::sequential(gives_scaled{}, needs_scaled{}), 100), n);
}

// A pass and adaptors that poll for a stop, in a context without a token.
void unstoppable_by_hand(int& n) {
    for (int i = 0; i < 100; ++i) scale_opaque(n);
    for (int i = 0; i < 50; ++i) step_opaque(n);
}
void unstoppable_by_tutti(int& n) {
    run_in_place(tutti::pass_context{}, tutti::sequential(polls{}, tutti::repeat(step{}, 50)), n);
}

} // extern "C"
