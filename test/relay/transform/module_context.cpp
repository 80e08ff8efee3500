#include <tutti/relay/transform/module_context.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/instrument.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/unit.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

using namespace tutti;

namespace {

constexpr std::string_view program = "def @f(%x: float32) { add(%x, 1f) }\n"
                                     "def @main(%x: float32) { add(%x, add(1f, 2f)) }\n";

// Facts that a pass records about its context.
struct look {
    bool parallel = false;
    bool heard = false;
    tutti::change all = tutti::unchanged;
    std::size_t parts = 0;
};

// A pass that inspects its context, runs two passes in it, and emits a remark for each function.
struct looker {
    static constexpr pass_info info{.name = "Look"};

    look* seen;

    template <class Context>
    void operator()(relay::ir_module& m, Context& ctx) const {
        body(m, relay::as_module_context<relay::infer_type, relay::fold_constant>(ctx));
    }

    void body(relay::ir_module& m, relay::module_context&& ctx) const {
        seen->parallel = ctx.runs_at_once(m.size());
        seen->heard = ctx.notes().heard();
        ctx.run(relay::infer_type{}, m);
        ctx.run(relay::fold_constant{}, m);
        if (!seen->parallel) return ctx.notes().in("main").applied("looked");
        seen->all = ctx.for_each_part(m.size(), [&](std::size_t i, const relay::pass_notes& notes) {
            __atomic_add_fetch(&seen->parts, 1, __ATOMIC_RELAXED);
            notes.in(i == 0 ? "f" : "main").applied("looked");
            return i == 0 ? tutti::unchanged : tutti::changed;
        });
    }
};

// Records the passes that run, and their remarks.
struct listener {
    std::string* said;

    void run_before_pass(const auto&, const pass_info& info) { (*said += info.name) += '\n'; }
    void pass_remarked(const pass_info& info, const remark& r) {
        (((*said += info.name) += ": ") += r.where) += ": ";
        (*said += r.text) += '\n';
    }
};

} // namespace

TEST_CASE("module_context: runs passes in the context, and passes remarks on", "[relay][module_context]") {
    relay::ir_module m = relay::parse(program);
    std::string said;
    look seen;
    pass_context ctx{instruments(listener{&said})};
    with(ctx, [&](auto& scope) { scope.run(looker{&seen}, m); });
    CHECK(!seen.parallel);
    CHECK(seen.heard);
    CHECK(said.starts_with("Look\nInferType\nFoldConstant\n"));
    CHECK(said.ends_with("Look: main: looked\n"));
}

TEST_CASE("module_context: has no executor unless the context has one", "[relay][module_context]") {
    relay::ir_module m = relay::parse(program);
    look seen;
    thread_pool pool(2);
    pass_context ctx{on(pool)};
    with(ctx, [&](auto& scope) { scope.run(looker{&seen}, m); });
    CHECK(seen.parallel);
    CHECK(seen.parts == 2);
    CHECK(seen.all == tutti::changed);
    CHECK(!seen.heard);
}

TEST_CASE("module_context: is made from notes, too", "[relay][module_context]") {
    relay::ir_module m = relay::parse(program);
    const relay::pass_notes notes;
    auto ctx = relay::as_module_context(notes);
    CHECK(!ctx.runs_at_once(m.size()));
    CHECK(!ctx.notes().heard());
    STATIC_REQUIRE(std::is_base_of_v<relay::module_context, decltype(ctx)>);
}

TEST_CASE("module_context: running a pass that it was not given is an error", "[relay][module_context]") {
    relay::ir_module m = relay::parse(program);
    pass_context ctx;
    with(ctx, [&](auto& scope) {
        auto&& given = relay::as_module_context<relay::infer_type>(scope);
        relay::module_context& any = given;
        CHECK_THROWS_WITH(any.run(relay::fold_constant{}, m),
                          "the pass FoldConstant is not among those given to as_module_context");
    });
}
