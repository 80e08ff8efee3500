#include <tutti/pass.hpp>

#include <memory>

// Pairs of functions NAME_by_hand and NAME_by_tutti: run.py checks that a compiler makes the same
// instructions of both.

extern "C" {
int infer_opaque(int);
int fold_opaque(int);
int fuse_opaque(int);
void scale_opaque(int&);
void told_opaque(const int&);
void entered_opaque();
}

struct owner {
    std::unique_ptr<int> part;
};
owner grow_opaque(owner);
void prune_opaque(owner&);

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

} // namespace

extern "C" {

// by value
int values_by_hand(int n) { return fuse_opaque(infer_opaque(infer_opaque(n)) + 5); }
int values_by_tutti(int n) {
    return run(tutti::pass_context{tutti::opt_level<3>}, tutti::sequential(infer{}, infer{}, fuse{.by = 5}), n);
}

// in place, and mixed
void places_by_hand(int& n) {
    scale_opaque(n);
    scale_opaque(n);
    n = infer_opaque(n);
    scale_opaque(n);
}
void places_by_tutti(int& n) {
    run_in_place(tutti::pass_context{}, tutti::sequential(scale{}, scale{}, infer{}, scale{}), n);
}

// nested sequentials, required passes, passes that run passes
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

// what is disabled by type or by name, or is above the level, leaves no code; what is required runs
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

// a level given as a value that the compiler sees costs nothing either
int seen_level_by_hand(int n) { return fuse_opaque(n + 1); }
int seen_level_by_tutti(int n) {
    return run(tutti::pass_context{tutti::opt_level(3), tutti::disable("Scale")}, tutti::sequential(scale{}, fuse{}),
               n);
}

// required passes resolved before
int resolved_by_hand(int n) { return fold_opaque(infer_opaque(n)); }
int resolved_by_tutti(int n) { return run(tutti::pass_context{}, tutti::resolve(tutti::sequential(fold{})), n); }

// a unit that owns, in place
void owned_in_place_by_hand(owner& o) {
    prune_opaque(o);
    prune_opaque(o);
}
void owned_in_place_by_tutti(owner& o) { run_in_place(tutti::pass_context{}, tutti::sequential(prune{}, prune{}), o); }

// the same by value: each statement moves the unit on, into the pass
owner owned_by_hand(owner o) {
    owner a = grow{}(std::move(o));
    owner b = grow{}(std::move(a));
    return b;
}
owner owned_by_tutti(owner o) {
    return tutti::with(tutti::pass_context{},
                       [&](auto& scope) { return scope.run(tutti::sequential(grow{}, grow{}), std::move(o)); });
}

// an instrument with one hook: that call and nothing for the other hooks
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

// many
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

} // extern "C"
