#include <tutti/relay/eval/chains.hpp>

#include <tutti/kernel/cast.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace relay = tutti::relay;
using relay::tensor;
using tutti::test::program;

namespace {

/// Returns the number of calls in each chain of a program. The prefix `k` marks a chain whose first call has its own
/// kernel.
std::string chains(const std::string& definitions) {
    relay::ir_module m = program(definitions);
    relay::infer_types(m);
    const relay::detail::program p = relay::detail::lower(m, "main", relay::kernels::blocked());
    std::string text;
    for (const relay::detail::op_chain& c : p.chains) {
        if (!text.empty()) text += ' ';
        text += (c.kernel_first ? "k" : "") + std::to_string(c.links.size() + (c.kernel_first ? 1 : 0));
    }
    return text;
}

struct watcher {
    int calls = 0;
    void after_call(const relay::op_def&, const relay::invocation&) { ++calls; }
};

std::vector<std::vector<double>> values(std::span<const tensor> results) {
    std::vector<std::vector<double>> all;
    for (const tensor& t : results) {
        tensor wide;
        tutti::kernel::cast(t, relay::dtype::float64, wide);
        all.emplace_back(wide.elements<double>().begin(), wide.elements<double>().end());
    }
    return all;
}

/// Returns random float32 numbers, or integers with random bits.
tensor any_input(std::mt19937& random, relay::dtype type, const std::vector<std::int64_t>& shape) {
    if (type != relay::dtype::float32) {
        tensor wide(relay::dtype::int32, shape);
        for (std::int32_t& x : wide.mutable_elements<std::int32_t>()) x = static_cast<std::int32_t>(random());
        tensor t;
        tutti::kernel::cast(wide, type, t);
        return t;
    }
    tensor t(type, shape);
    for (float& x : t.mutable_elements<float>()) x = std::uniform_real_distribution<float>(-2, 2)(random);
    return t;
}

/// True if a program computes bit-identical results with chains and call by call, on one thread and on several.
bool agrees(const std::string& definitions) {
    relay::evaluator e(program(definitions), relay::kernels::blocked());
    tutti::thread_pool pool(3);
    relay::evaluator threads(program(definitions), relay::kernels::blocked(), {.on = pool});
    std::vector<tensor> inputs;
    std::mt19937 random(1);
    for (const relay::parameter& p : e.parameters()) {
        std::vector<std::int64_t> shape;
        for (const relay::dim d : e.types().shape(p.type)) shape.push_back(d.value());
        inputs.push_back(any_input(random, e.types().element(p.type), shape));
    }
    watcher seen;
    const auto apart = values(e.run(inputs, seen));
    const auto together = values(e.run(inputs));
    for (int run = 0; run < 3; ++run)
        if (values(threads.run(inputs)) != together) return false;
    return seen.calls > 0 && apart == together;
}

} // namespace

TEST_CASE("chains: neighbouring calls whose results have one use go together", "[relay][eval]") {
    CHECK(chains("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(add(exp(%x), 1f)) }") == "3");
    CHECK(chains("def @main(%x: Tensor[(2, 3), float32]) { %0 = exp(%x); add(%0, %0) }").empty());
    CHECK(chains("def @main(%x: Tensor[(2, 3), float32]) { %0 = exp(%x); (negative(%0), %0) }").empty());
    CHECK(chains("def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32], %b: Tensor[(4), float32]) {"
                 " nn.relu(nn.bias_add(nn.dense(%x, %w, units=None), %b)) }") == "k3");
    // No chain forms if the shape changes, if an operator is not elementwise, or if a type is not supported.
    CHECK(chains("def @main(%x: Tensor[(1, 3), float32]) { add(exp(%x), ones(shape=[2, 3], dtype=\"float32\")) }")
              .empty());
    CHECK(chains("def @main(%x: Tensor[(2, 3), float32]) { transpose(exp(%x), axes=None) }").empty());
    CHECK(chains("def @main(%x: Tensor[(2, 1, 3), float32]) { exp(squeeze(%x, axis=[1])) }").empty());
    CHECK(chains("def @main(%x: Tensor[(2, 3), float64]) { exp(abs(%x)) }").empty());
    CHECK(chains("def @main(%x: Tensor[(?, 3), float32]) { exp(abs(%x)) }").empty());
    CHECK(chains("def @main(%x: Tensor[(0, 3), float32]) { exp(abs(%x)) }").empty());
    CHECK(chains("def @main(%x: Tensor[(2, 3), int8]) { nn.relu(add(%x, %x)) }").empty());
}

TEST_CASE("chains: none goes over the branches of an if", "[relay][eval]") {
    CHECK(chains("def @main(%c: bool, %x: Tensor[(2), float32]) {"
                 " %0 = if (%c) { exp(%x) } else { abs(%x) }; negative(%0) }")
              .empty());
    CHECK(chains("def @main(%c: bool, %x: Tensor[(2), float32]) {"
                 " if (%c) { negative(exp(%x)) } else { abs(%x) } }") == "2");
}

TEST_CASE("chains: chains of called functions", "[relay][eval]") {
    CHECK(chains("def @main(%x: Tensor[(2, 3), float32]) {"
                 " let %f = fn(%a: Tensor[(2, 3), float32], Primitive=1) { nn.relu(exp(%a)) }; %f(%x) }") == "2");
}

TEST_CASE("chains: results are the same as call by call", "[relay][eval]") {
    const std::string x = "def @main(%x: Tensor[(2, 700, 3), float32], %y: Tensor[(700, 1), float32], "
                          "%z: Tensor[(3), float32], %s: float32) { ";
    CHECK(agrees(x + "nn.relu(add(multiply(%x, %y), %z)) }"));
    CHECK(agrees(x + "subtract(%z, divide(%y, exp(%x))) }"));
    CHECK(agrees(x + "clip(maximum(tanh(%x), %s), a_min=-0.5f, a_max=0.75f) }"));
    CHECK(agrees(x + "sigmoid(nn.leaky_relu(nn.bias_add(%x, %z, axis=-1), alpha=0.125f)) }"));
    CHECK(agrees(x + "add(nn.prelu(negative(%x), %z, axis=2), %x) }"));
    CHECK(agrees("def @main(%a: Tensor[(4, 1), float32], %b: Tensor[(1, 5), float32]) { nn.relu(add(%a, %b)) }"));
    CHECK(agrees("def @main(%a: float32) { nn.relu(negative(%a)) }"));
}

TEST_CASE("chains: a kernel's result and the steps after it", "[relay][eval]") {
    const std::string image = "def @main(%x: Tensor[(1, 5, 9, 11), float32], %w: Tensor[(7, 5, 3, 3), float32], "
                              "%b: Tensor[(7, 1, 1), float32], %r: Tensor[(1, 7, 9, 11), float32]) { "
                              "%0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1]); ";
    CHECK(agrees(image + "nn.relu(add(add(%0, %b), %r)) }"));
    CHECK(agrees(image + "add(%r, multiply(%0, %b)) }"));
    CHECK(agrees("def @main(%x: Tensor[(1, 6, 9, 9), float32], %w: Tensor[(6, 1, 3, 3), float32], "
                 "%b: Tensor[(6), float32]) { nn.relu(nn.bias_add(nn.conv2d(%x, %w, groups=6), %b)) }"));
    CHECK(agrees("def @main(%x: Tensor[(1, 9, 9, 6), float32], %w: Tensor[(3, 3, 6, 8), float32], "
                 "%b: Tensor[(8), float32]) { sigmoid(nn.bias_add(nn.conv2d(%x, %w, data_layout=\"NHWC\", "
                 "kernel_layout=\"HWIO\"), %b, axis=3)) }"));
    for (const char* rows : {"3", "40"})
        CHECK(agrees("def @main(%x: Tensor[(" + std::string(rows) +
                     ", 30), float32], %w: Tensor[(70, 30), float32], "
                     "%b: Tensor[(70), float32]) { nn.relu(add(nn.dense(%x, %w, units=None), %b)) }"));
    CHECK(agrees("def @main(%x: Tensor[(1, 4, 9, 9), float32]) { nn.relu(nn.max_pool2d(%x, pool_size=[1, 1])) }"));
    CHECK(agrees("def @main(%a: Tensor[(2, 30, 20), float32], %b: Tensor[(2, 25, 20), float32]) { "
                 "multiply(nn.batch_matmul(%a, %b, transpose_b=True), 0.5f) }"));
}

TEST_CASE("chains: int32, whose sums wrap", "[relay][eval]") {
    const std::string x = "def @main(%x: Tensor[(2, 700, 3), int32], %y: Tensor[(700, 1), int32], "
                          "%z: Tensor[(3), int32], %s: int32) { ";
    CHECK(chains(x + "nn.relu(add(multiply(%x, %y), %z)) }") == "3");
    CHECK(agrees(x + "nn.relu(add(multiply(%x, %y), %z)) }"));
    CHECK(agrees(x + "subtract(%z, minimum(%y, maximum(%x, %s))) }"));
    CHECK(agrees(x + "clip(nn.bias_add(%x, %z, axis=-1), a_min=-1000000000f, a_max=3000000000f) }"));
    // int32 has no value between these bounds, so the calls cannot be steps of a chain.
    CHECK(chains(x + "clip(add(%x, %z), a_min=3000000000f, a_max=4000000000f) }").empty());
    CHECK(agrees(x + "clip(add(%x, %z), a_min=3000000000f, a_max=4000000000f) }"));
    CHECK(chains(x + "abs(add(%x, %z)) }").empty());
}

TEST_CASE("chains: the steps after an integer product", "[relay][eval]") {
    const std::string image = "def @main(%x: Tensor[(1, 5, 9, 11), uint8], %w: Tensor[(7, 5, 3, 3), int8], "
                              "%b: Tensor[(7), int32], %r: Tensor[(1, 7, 9, 11), int32]) { "
                              "%0 = nn.bias_add(nn.conv2d(%x, %w, padding=[1, 1, 1, 1], out_dtype=\"int32\"), %b); ";
    CHECK(chains(image + "maximum(add(%r, %0), 0) }") == "k4");
    CHECK(agrees(image + "maximum(add(%r, %0), 0) }"));
    CHECK(agrees("def @main(%x: Tensor[(1, 6, 9, 9), int8], %w: Tensor[(6, 1, 3, 3), int8], %b: Tensor[(6), int32]) { "
                 "nn.relu(nn.bias_add(nn.conv2d(%x, %w, groups=6, out_dtype=\"int32\"), %b)) }"));
    CHECK(agrees("def @main(%x: Tensor[(1, 9, 9, 6), uint8], %w: Tensor[(3, 3, 6, 20), int8], %b: Tensor[(20), int32])"
                 " { nn.relu(nn.bias_add(qnn.conv2d(%x, %w, 7, 0, 0.5f, 0.25f, data_layout=\"NHWC\", "
                 "kernel_layout=\"HWIO\", out_dtype=\"int32\", channels=20, kernel_size=[3, 3]), %b, axis=3)) }"));
    for (const char* type : {"int8", "int64"}) // computed by the reference kernel
        CHECK(agrees("def @main(%x: Tensor[(40, 30), " + std::string(type) + "], %w: Tensor[(70, 30), " + type +
                     "], %b: Tensor[(70), int32]) { "
                     "nn.relu(add(nn.dense(%x, %w, units=None, out_dtype=\"int32\"), %b)) }"));
    CHECK(agrees("def @main(%x: Tensor[(1, 4, 9, 9), int32]) { nn.relu(nn.max_pool2d(%x, pool_size=[1, 1])) }"));
    CHECK(agrees("def @main(%a: Tensor[(2, 30, 20), int8], %b: Tensor[(2, 25, 20), int8]) { "
                 "multiply(nn.batch_matmul(%a, %b, transpose_b=True, out_dtype=\"int32\"), 5) }"));
}
