// Injects allocation failures into the library's operations on programs. Each failure must surface as an error, leak
// nothing, and leave existing objects unchanged. This is a separate executable because it replaces the allocation
// operators.
//
// The tests inject a failure into a sample of the allocations. With TUTTI_EVERY_ALLOCATION=1, they test every
// allocation, about four times as many.

#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "relay/onnx/made_model.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constinit std::uint64_t allocations = 0, fails_at = 0; // `fails_at` counts from 1; 0 is no failure
constinit std::int64_t alive = 0;
constinit const char* doing = "nothing";

void* allocate(std::size_t size, std::size_t alignment) {
    if (++allocations == fails_at) return nullptr;
    void* const made = alignment <= alignof(std::max_align_t)
                           ? std::malloc(size == 0 ? 1 : size)
                           : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    alive += made != nullptr ? 1 : 0;
    return made;
}
void* allocate_or_throw(std::size_t size, std::size_t alignment) {
    void* const made = allocate(size, alignment);
    if (made == nullptr) throw std::bad_alloc{};
    return made;
}
void release(void* memory) noexcept {
    alive -= memory != nullptr ? 1 : 0;
    std::free(memory);
}

} // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t to) { return allocate_or_throw(size, std::size_t(to)); }
void* operator new[](std::size_t size, std::align_val_t to) { return allocate_or_throw(size, std::size_t(to)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace {

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;

// How a run ends if its n-th allocation fails.
enum class ending { well, without_memory, with_an_error, otherwise };

template <class Body>
ending run_failing(std::uint64_t n, Body& body) {
    allocations = 0;
    fails_at = n;
    ending how = ending::well;
    try {
        body();
    } catch (const std::bad_alloc&) {
        how = ending::without_memory;
    } catch (const tutti::error&) {
        how = ending::with_an_error;
    } catch (...) {
        how = ending::otherwise;
    }
    fails_at = 0;
    return how;
}

// Runs `body` many times, and lets another allocation fail each time. Checks `is_unchanged()` after each failure.
// `prepare` creates the object that `body` changes, and `discard` destroys it.
template <class Prepare, class Body, class Unchanged, class Discard>
void fail_allocations(const char* what, Prepare&& prepare, Body&& body, Unchanged&& is_unchanged, Discard&& discard) {
    doing = what;
    INFO(what);
    std::uint64_t count = 0;
    for (int i = 0; i < 2; ++i) { // the first run initialises static state
        prepare();
        REQUIRE(run_failing(0, body) == ending::well);
        count = allocations;
    }
    const bool all = std::getenv("TUTTI_EVERY_ALLOCATION") != nullptr;
    constexpr std::uint64_t sample = 40;
    const std::uint64_t step = all || count < sample ? 1 : count / sample;
    std::uint64_t failed = 0;
    for (std::uint64_t n = 1; n <= count; n += n <= 10 ? 1 : step) {
        INFO("allocation " << n << " of " << count);
        discard();
        const std::int64_t before = alive;
        prepare();
        const ending how = run_failing(n, body);
        const bool stayed = how == ending::well || is_unchanged();
        discard();
        const std::int64_t left = alive - before;
        failed += how == ending::well ? 0 : 1;
        REQUIRE(how != ending::otherwise);
        REQUIRE(left == 0);
        REQUIRE(stayed);
    }
    CHECK((count == 0 || failed > 0));
}

[[noreturn]] void say_and_abort() {
    std::fprintf(stderr, "std::terminate in %s, at allocation %llu\n", doing,
                 static_cast<unsigned long long>(fails_at));
    std::abort();
}

constexpr std::string_view program = R"(#[version = "0.0.5"]
type List[A] {
  Cons(A, List[A]),
  Nil,
}
def @helper(%a: Tensor[(1, 4, 6, 6), float32]) {
  nn.relu(%a)
}
def @main(%x: Tensor[(1, 4, 6, 6), float32], %w: Tensor[(4, 4, 3, 3), float32], %b: Tensor[(4), float32], %c: bool) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = nn.bias_add(%0, %b);
  %2 = @helper(%1);
  %3 = nn.batch_norm(%2, %b, %b, %b, %b);
  %4 = add(%3.0, multiply(2f, 3f));
  %5 = if (%c) { add(%4, 1f) } else { subtract(%4, 0f) };
  let %y = exp(%5);
  %6 = fn (%z: Tensor[(1, 4, 6, 6), float32]) { multiply(%z, %y) };
  %7 = (%6(%y), add(%y, %y), add(%y, %y), full(1f, shape=[2, 3]));
  (%7.0, %7.1, nn.softmax(%7.2), cast(cast(%7.3, dtype="int32"), dtype="int8"), meta[relay.Constant][0], @helper, Cons)
}
)";

relay::ir_module made(bool typed = true) {
    static const std::string whole =
        std::string(program) + "\n#[metadata]\n" +
        relay::write_metadata(std::vector<relay::tensor>{relay::tensor({2}, {1.0F, 2.0F})});
    relay::ir_module m = relay::parse(whole, {.metadata = relay::read_metadata});
    if (typed) relay::infer_types(m);
    return m;
}
std::string text_of(const relay::ir_module& m) { return relay::to_text(m, {.metadata = relay::write_metadata}); }

// Records the printed module after each pass.
struct note_states {
    std::vector<std::string>* states;
    void run_after_pass(const relay::ir_module& m, const tutti::pass_info&) { states->push_back(text_of(m)); }
};

const auto nothing = [] {};
const auto always = [] { return true; };

} // namespace

TEST_CASE("out of memory: parsing, printing and metadata end with an error", "[relay][out_of_memory]") {
    std::set_terminate(say_and_abort);
    const std::string text = text_of(made());
    fail_allocations(
        "parse", nothing, [&] { relay::parse(text, {.metadata = relay::read_metadata}); }, always, nothing);
    const relay::ir_module m = made();
    fail_allocations("to_text", nothing, [&] { text_of(m); }, always, nothing);
    const std::string section =
        R"({"root": 1, "nodes": [{"type_key": "a\n"}, {"type_key": "Map", "keys": ["relay.attrs.A"], "data": [2]},
            {"type_key": "Array", "data": [3]}, {"attrs": {"a": "4", "b": "5"}}, {"type_key": "Array", "data": [5]},
            {"type_key": "runtime.String", "repr_str": "x\t"}]})";
    fail_allocations("read_metadata", nothing, [&] { relay::read_metadata(section); }, always, nothing);
    fail_allocations(
        "a wrong text", nothing,
        [] {
            try {
                relay::parse("def @main(%x) { nn.rellu(%y) + }");
            } catch (const relay::parse_error&) { // the expected error
            }
        },
        always, nothing);
}

TEST_CASE("out of memory: types are inferred wholly or not at all", "[relay][out_of_memory]") {
    std::set_terminate(say_and_abort);
    const std::string before = text_of(made(false));
    std::optional<relay::ir_module> m;
    fail_allocations(
        "infer_types", [&] { m = made(false); }, [&] { relay::infer_types(*m); }, [&] { return text_of(*m) == before; },
        [&] { m.reset(); });
}

TEST_CASE("out of memory: a pass leaves the module unchanged", "[relay][out_of_memory]") {
    std::set_terminate(say_and_abort);
    const auto known = relay::registered_passes([](std::string_view) {});
    const auto run = [&](const char* pass, relay::ir_module& m, runtime::pass_context<relay::ir_module>& ctx) {
        const auto pipeline = runtime::parse_pipeline(pass, known);
        tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    };
    // Returns the module's states around the passes that a pass runs. If the pass fails, its required passes or members
    // may already have changed the module.
    const auto states_of = [&](const char* pass) {
        relay::ir_module m = made();
        std::vector<std::string> states{text_of(m)};
        runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4, .instruments = {note_states{&states}}}};
        run(pass, m, ctx);
        return states;
    };
    for (const char* pass : {"AlterOpLayout",
                             "BackwardFoldScaleAxis",
                             "CanonicalizeCast",
                             "CanonicalizeOps",
                             "CombineParallelBatchMatmul",
                             "CombineParallelConv2D",
                             "CombineParallelDense",
                             "ConvertLayout{nn.conv2d=[NHWC,default]}",
                             "DeadCodeElimination",
                             "DefuseOps",
                             "DivToMul",
                             "DynamicToStatic",
                             "EliminateCommonSubexpr",
                             "EtaExpand{expand_constructor=True,expand_global_var=True}",
                             "FakeQuantizationToInteger",
                             "FastMath",
                             "FlattenAtrousConv",
                             "FoldConstant",
                             "FoldExplicitPadding",
                             "FoldScaleAxis",
                             "ForwardFoldScaleAxis",
                             "FuseOps",
                             "InferType",
                             "Inline",
                             "LambdaLift",
                             "RemoveUnusedFunctions",
                             "SimplifyExpr",
                             "SimplifyInference",
                             "SplitArgs{max_function_args=5}",
                             "ToANormalForm",
                             "ToBasicBlockNormalForm",
                             "ToGraphNormalForm",
                             "ToMixedPrecision"}) {
        const std::vector<std::string> states = states_of(pass);
        std::optional<relay::ir_module> m;
        const auto body = [&] {
            runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
            run(pass, *m, ctx);
        };
        fail_allocations(
            pass, [&] { m = made(); }, body,
            [&] { return std::find(states.begin(), states.end(), text_of(*m)) != states.end(); }, [&] { m.reset(); });
    }
}

TEST_CASE("out of memory: an evaluation ends with an error, and the next one is right", "[relay][out_of_memory]") {
    std::set_terminate(say_and_abort);
    relay::ir_module m = relay::parse(R"(
def @main(%n: Tensor[(), int32], %x: Tensor[(2, 3), float32]) {
  let %f = fn (%i: Tensor[(), int32], %y: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
    if (less(%i, 1)) { %y } else { %f(subtract(%i, 1), add(reshape(reshape(%y, newshape=[3, 2]), newshape=[2, 3]), %x)) }
  };
  %0 = (%f(%n, %x), fn () { exp(%x) }());
  (%0.0, %0.1, split(%x, indices_or_sections=3, axis=1).1)
}
)");
    const relay::tensor inputs[]{relay::tensor::scalar(3), relay::tensor({2, 3}, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F})};
    relay::evaluator whole(m);
    const float expected = whole.run(std::span<const relay::tensor>(inputs))[0].elements<float>()[0];
    fail_allocations(
        "evaluate", nothing,
        [&] {
            relay::evaluator e(m);
            e.run(std::span<const relay::tensor>(inputs));
            e.run(std::span<const relay::tensor>(inputs));
        },
        always, nothing);
    // An evaluator can be used again after each failure.
    relay::evaluator again(m);
    for (std::uint64_t n = 1; n < 400; ++n) {
        INFO("allocation " << n);
        const auto first = [&] { again.run(std::span<const relay::tensor>(inputs)); };
        relay::evaluator fresh(m);
        const auto body = [&] { fresh.run(std::span<const relay::tensor>(inputs)); };
        REQUIRE(run_failing(n, body) != ending::otherwise);
        REQUIRE(run_failing(0, body) == ending::well);
        REQUIRE(fresh.run(std::span<const relay::tensor>(inputs))[0].elements<float>()[0] == expected);
        if (n == 1) first();
    }
}

TEST_CASE("out of memory: an import ends with an error", "[relay][out_of_memory]") {
    std::set_terminate(say_and_abort);
    using namespace tutti::test;
    made_model model;
    model.input("x", {1, 3}).node("Relu", {"x"}, {"a"}, {}, "first").node("Add", {"a", "x"}, {"b"});
    model.node("Transpose", {"b"}, {"c"}, {integers_attribute("perm", {1, 0})}).node("Softmax", {"c"}, {"d"});
    model.node("Shape", {"d"}, {"s"}).node("Reshape", {"d", "s"}, {"e"}).output("e");
    const relay::onnx::model read = model_of(model);
    fail_allocations("import_model", nothing, [&] { relay::onnx::import_model(read); }, always, nothing);
}
