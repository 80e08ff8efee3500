#include <tutti/relay/transform/module_division.hpp>

#include <tutti/cache/cached.hpp>
#include <tutti/cache/folder_cache.hpp>
#include <tutti/cache/memory_cache.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/lambda_lift.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace relay = tutti::relay;

namespace {

constexpr std::string_view program = R"(
def @declared(%x: Tensor[(4), float32]) -> Tensor[(4), float32] { add(%x, multiply(2f, 3f)) }
def @open(%x: Tensor[(4), float32]) { reshape(%x, newshape=[2, 2]) }
def @calls_declared(%x: Tensor[(4), float32]) { negative(@declared(exp(%x))) }
def @calls_open(%x: Tensor[(4), float32]) { exp(@open(negative(%x))) }
def @other(%x: Tensor[(4), float32]) { add(exp(%x), exp(%x)) }
def @even(%n: int32) -> int32 { if (equal(%n, 0)) { 1 } else { @odd(subtract(%n, add(0, 1))) } }
def @odd(%n: int32) -> int32 { if (equal(%n, 0)) { 0 } else { @even(subtract(%n, 1)) } }
)";

const auto pipeline = tutti::sequential(relay::infer_type{}, relay::eliminate_common_subexpr{}, relay::fold_constant{},
                                        relay::simplify_expr{}, relay::fuse_ops{});

std::string replaced(std::string_view before, std::string_view after) {
    std::string text(program);
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    return text.replace(at, before.size(), after);
}
void run(const auto& pass, relay::ir_module& m) {
    tutti::with(tutti::pass_context{tutti::opt_level<3>}, [&](auto& scope) { scope.run(pass, m); });
}
std::string uncached(const std::string& text) {
    relay::ir_module m = relay::parse(text);
    run(pipeline, m);
    return relay::to_text(m);
}
// Runs the pipeline with a cache, checks the result, and returns the number of functions that were computed.
std::uint64_t computed(tutti::result_cache& cache, const std::string& text, bool erased = false) {
    relay::ir_module m = relay::parse(text);
    const std::uint64_t before = cache.counts().missing;
    if (erased) {
        const tutti::runtime::any_pass<relay::ir_module> any = tutti::cached(cache, pipeline);
        tutti::runtime::pass_context<relay::ir_module> ctx{{.opt_level = 3}};
        tutti::with(ctx, [&](auto& scope) { scope.run(any, m); });
    } else {
        run(tutti::cached(cache, pipeline), m);
    }
    CHECK(relay::to_text(m) == uncached(text));
    return cache.counts().missing - before;
}

} // namespace

TEST_CASE("module_division: only functions that changed, or whose callee's type changed, are computed again",
          "[relay][transform][module_division]") {
    for (const bool erased : {false, true}) {
        tutti::memory_cache cache;
        CHECK(computed(cache, std::string(program), erased) == 7);
        CHECK(computed(cache, std::string(program), erased) == 0);
        CHECK(computed(cache, "\n\n\n" + std::string(program), erased) == 0); // on other lines
        CHECK(computed(cache, replaced("multiply(2f, 3f)", "multiply(2f, 4f)"), erased) == 1);
        CHECK(computed(cache, replaced("newshape=[2, 2]", "newshape=[4, 1]"), erased) == 2); // and its caller
        CHECK(computed(cache, replaced("add(0, 1)", "add(1, 1)"), erased) == 1);
        CHECK(computed(cache, replaced("add(exp(%x), exp(%x))", "multiply(exp(%x), exp(%x))"), erased) == 1);
        CHECK(computed(cache, replaced("def @other", "def @another"), erased) == 1);
        CHECK(computed(cache, std::string(program) + "def @new(%x: int32) { @even(%x) }", erased) == 1);
    }
}

TEST_CASE("module_division: recursive functions without declared types have a key together",
          "[relay][transform][module_division]") {
    tutti::memory_cache cache;
    const std::string text = replaced("@even(%n: int32) -> int32", "@even(%n: Tensor[(?), int32]) -> int32");
    relay::ir_module m = relay::parse(text), other = relay::parse(text);
    relay::module_division before(m), same(other);
    relay::ir_module changed = relay::parse(text + "def @more(%x: int32) { %x }");
    relay::module_division more(changed);
    REQUIRE(before.is_whole());
    for (std::size_t i = 0; i < m.size(); ++i) CHECK(before.key(i) == same.key(i));
    CHECK(more.key(changed.place_of("odd")) == before.key(m.place_of("odd")));
}

TEST_CASE("module_division: passes that add functions, or say nothing about them, are refused by name",
          "[relay][transform][module_division]") {
    tutti::memory_cache cache;
    relay::ir_module m = relay::parse(program);
    const std::string before = relay::to_text(m);
    CHECK_THROWS_WITH(run(tutti::cached(cache, relay::lambda_lift{}), m),
                      Catch::Matchers::StartsWith("cached, pass LambdaLift: its result for a part may depend on more"));
    CHECK(relay::to_text(m) == before);
}

TEST_CASE("module_division: a run that fails leaves the module unchanged", "[relay][transform][module_division]") {
    tutti::memory_cache cache;
    computed(cache, std::string(program));
    relay::ir_module m = relay::parse(replaced("newshape=[2, 2]", "newshape=[3, 2]"));
    const std::string before = relay::to_text(m);
    CHECK_THROWS_AS(run(tutti::cached(cache, pipeline), m), tutti::error);
    CHECK(relay::to_text(m) == before);
}

TEST_CASE("module_division: FoldConstant's limit for all functions together is kept",
          "[relay][transform][module_division]") {
    std::string text;
    for (char name = 'a'; name <= 'j'; ++name)
        text += std::string("def @") + name + "() { zeros(shape=[" + std::to_string(100 + name) +
                "], dtype=\"float32\") }\n";
    const auto folds = tutti::sequential(relay::infer_type{}, relay::fold_constant{.max_bytes = 3000});
    tutti::memory_cache cache;
    std::size_t added = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1), ++added) {
        relay::ir_module m = relay::parse(text.substr(0, end + 1)), other = m;
        run(tutti::cached(cache, folds), m); // one function more each time
        run(folds, other);
        CHECK(relay::to_text(m) == relay::to_text(other));
    }
    CHECK(added == 10);
}

TEST_CASE("module_division: damaged results are computed again", "[relay][transform][module_division]") {
    // A cache that truncates the results that it returns.
    struct damaging final : tutti::result_cache {
        tutti::memory_cache inner;
        std::size_t at = 0;

        tutti::cached_bytes find(const tutti::result_key& key) override {
            tutti::cached_bytes found = inner.find(key);
            if (!found || found.bytes.empty()) return found;
            auto bad = std::make_shared<std::string>(found.bytes);
            bad->resize(at % bad->size());
            return {bad, *bad};
        }
        void store(const tutti::digest& run, std::span<tutti::fresh_result> fresh) override { inner.store(run, fresh); }
        void note_damaged(const tutti::result_key&) override { ++damaged; }
        tutti::cache_counts counts() const override { return {.damaged = damaged}; }
        std::uint64_t damaged = 0;
    } cache;
    relay::ir_module m = relay::parse(program);
    run(tutti::cached(cache, pipeline), m);
    const std::string expected = relay::to_text(m);
    for (cache.at = 0; cache.at < 900; cache.at += 7) {
        relay::ir_module again = relay::parse(program);
        run(tutti::cached(cache, pipeline), again);
        CHECK(relay::to_text(again) == expected);
    }
    CHECK(cache.damaged != 0);
}

TEST_CASE("module_division: two processes share a folder", "[relay][transform][module_division]") {
    const std::string folder =
        (std::filesystem::temp_directory_path() / ("tutti-division-" + std::to_string(getpid()))).string();
    for (int process = 0; process < 2; ++process)
        if (fork() == 0) {
            bool good = true;
            for (int round = 0; round < 5; ++round) {
                tutti::folder_cache cache(folder);
                const std::string text =
                    replaced("multiply(2f, 3f)", "multiply(2f, " + std::to_string(round + process) + "f)");
                relay::ir_module m = relay::parse(text);
                run(tutti::cached(cache, pipeline), m);
                good = good && relay::to_text(m) == uncached(text) && cache.counts().damaged == 0;
            }
            std::_Exit(good ? 0 : 1);
        }
    for (int process = 0; process < 2; ++process) {
        int status = 1;
        wait(&status);
        CHECK(status == 0);
    }
    tutti::folder_cache cache(folder);
    CHECK(computed(cache, replaced("multiply(2f, 3f)", "multiply(2f, 4f)")) == 0);
    std::filesystem::remove_all(folder);
}
