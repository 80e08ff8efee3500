#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "counted_allocations.hpp"
#include "programs.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace relay = tutti::relay;
using relay::tensor;
using tutti::test::allocations;
using tutti::test::program;

TEST_CASE("evaluator: a second run allocates nothing, with threads too, and gives the same bits", "[relay][eval]") {
    relay::builder b;
    const auto tensor_of = [](std::vector<std::int64_t> shape) {
        tensor t(relay::dtype::float32, std::move(shape));
        int n = 0;
        for (float& x : t.mutable_elements<float>()) x = static_cast<float>(n++ * 37 % 101 - 50) / 50;
        return t;
    };
    const auto x = b.variable("x", {1, 8, 24, 24});
    const auto conv = relay::nn::conv2d(x, b.constant(tensor_of({16, 8, 3, 3})), {.padding = {1, 1}});
    const auto y = relay::nn::relu(relay::nn::bias_add(conv, b.constant(tensor_of({16}))));
    const auto other = relay::sigmoid(relay::nn::conv2d(x, b.constant(tensor_of({16, 8, 1, 1}))));
    const auto both = relay::add(relay::nn::max_pool2d(y, {.pool_size = {3, 3}, .padding = {1, 1}}), other);
    const auto rows = relay::reshape(relay::exp(both), {.newshape = {16, 576}});
    const auto product = relay::nn::dense(relay::nn::softmax(rows), b.constant(tensor_of({40, 576})));
    const relay::ir_module m{
        b.function({x}, b.tuple({product, relay::sum(rows), relay::cast(product, {relay::dtype::int8})}))};

    const std::vector<tensor> inputs{tensor_of({1, 8, 24, 24})};
    std::vector<std::vector<float>> each;
    const auto check = [&](const relay::kernel_set& kernels) {
        for (const unsigned threads : {1U, 2U, 4U}) {
            tutti::thread_pool pool(threads);
            relay::evaluator e(m, kernels, {.on = pool});
            for (int run = 0; run < 6; ++run) {
                const std::size_t before = allocations;
                const std::span<const tensor> results = e.run(std::span<const tensor>(inputs));
                if (run > 0) CHECK(allocations - before == 0);
                each.emplace_back(results[0].elements<float>().begin(), results[0].elements<float>().end());
                CHECK(each.back() == each.front());
            }
            CHECK(e.memory().other == 0);
            CHECK(e.memory().planned <= e.memory().largest_alive * 11 / 10); // concurrent branches need a little more
        }
        each.clear();
    };
    check(relay::kernels::blocked());
    check(relay::kernels::reference());
}

TEST_CASE("evaluator: nor does one of branches at once, some of whose values share memory", "[relay][eval]") {
    const relay::ir_module m = program(R"(
def @main(%x: Tensor[(64, 96), float32]) {
  %0 = nn.softmax(reshape(nn.softmax(%x), newshape=[96, 64]));
  %1 = nn.softmax(squeeze(expand_dims(reshape(nn.softmax(exp(%x)), newshape=[96, 64]), axis=0)));
  sum(concatenate((%0, %1, %0, %1)))
})");
    tutti::thread_pool pool(2);
    relay::evaluator e(m, relay::kernels::blocked(), {.on = pool});
    const relay::detail::program flat =
        relay::detail::lower(e.module(), "main", relay::kernels::blocked(), {.forks = true});
    CHECK(std::ranges::count(flat.codes[flat.entry].steps, relay::detail::opcode::fork, &relay::detail::step::what) ==
          1);
    tensor x(relay::dtype::float32, {64, 96});
    std::ranges::fill(x.mutable_elements<float>(), 0.5F);
    for (int run = 0; run < 4; ++run) {
        const std::size_t before = allocations;
        e.run(std::span<const tensor>(&x, 1));
        if (run > 0) CHECK(allocations - before == 0);
    }
}

TEST_CASE("evaluator: values of unknown sizes get places when a run has shown these", "[relay][eval]") {
    // Either addend may have one row, which is broadcast. The branches of the `if` return different sizes.
    const relay::ir_module m = program(R"(
def @main(%x: Tensor[(?, 64), float32], %y: Tensor[(?, 64), float32], %one: bool) {
  %0 = exp(%x);
  %1 = tanh(%y);
  %2 = add(%0, %1);
  %3 = nn.softmax(%2);
  %4 = if (%one) { sum(multiply(%3, %2), axis=[0], keepdims=True) } else { multiply(%3, add(%2, sqrt(%3))) };
  %5 = nn.relu(concatenate((%4, %3)));
  (reshape(%5, newshape=[-1]), add(%5, %5), %1)
})");
    struct shapes {
        std::int64_t x, y;
        bool one;
    };
    const shapes all[]{{4, 4, true},  {4, 4, true},   {4, 4, true},   {1, 4, false}, {4, 1, false}, {9, 9, true},
                       {9, 1, true},  {1, 9, false},  {9, 9, false},  {9, 9, false}, {2, 2, true},  {2, 1, true},
                       {30, 1, true}, {1, 30, false}, {30, 30, true}, {3, 3, false}, {1, 1, true}};
    const auto rows = [](std::int64_t count, int n) {
        tensor t(relay::dtype::float32, {count, 64});
        for (float& x : t.mutable_elements<float>()) x = static_cast<float>(n++ * 37 % 101 - 50) / 50;
        return t;
    };
    const auto check = [&](const relay::kernel_set& kernels, unsigned threads) {
        tutti::thread_pool pool(threads);
        relay::evaluator e(m, kernels, {.on = pool});
        std::vector<tensor> kept;
        std::vector<std::vector<float>> as_kept;
        for (const shapes& s : all) {
            const std::vector<tensor> inputs{rows(s.x, 1), rows(s.y, 2), tensor::scalar(s.one)};
            relay::evaluator fresh(m, kernels);
            const auto expected = fresh.run(std::span<const tensor>(inputs));
            const auto results = e.run(std::span<const tensor>(inputs));
            for (std::size_t n = 0; n < 3; ++n) {
                CHECK(std::ranges::equal(results[n].shape(), expected[n].shape()));
                CHECK(std::ranges::equal(results[n].elements<float>(), expected[n].elements<float>()));
            }
            kept.push_back(results[kept.size() % 3]);
            as_kept.emplace_back(kept.back().elements<float>().begin(), kept.back().elements<float>().end());
        }
        for (std::size_t n = 0; n < kept.size(); ++n) CHECK(std::ranges::equal(kept[n].elements<float>(), as_kept[n]));
    };
    check(relay::kernels::blocked(), 1);
    check(relay::kernels::blocked(), 3);
    check(relay::kernels::reference(), 1);

    relay::evaluator e(m);
    const std::vector<tensor> inputs{rows(9, 1), rows(9, 2), tensor::scalar(true)};
    for (int run = 0; run < 4; ++run) {
        const std::size_t before = allocations;
        e.run(std::span<const tensor>(inputs));
        if (run > 0) CHECK(allocations - before == 0);
    }
    const relay::tensor_memory memory = e.memory();
    CHECK(memory.planned > 0);
    CHECK(memory.planned + memory.other <= memory.largest_alive * 11 / 10);
}

TEST_CASE("evaluator: nor does one of convolutions that no vector kernel computes", "[relay][eval]") {
    const relay::ir_module m = program(R"(
def @main(%x: Tensor[(1, 6, 8, 8), float64], %y: Tensor[(3, 3, 6, 6), float64], %z: Tensor[(1, 6, 8, 8), float16],
          %u: Tensor[(6, 5, 4, 4), float16], %v: Tensor[(1, 18, 6, 6), float64]) {
  %0 = nn.conv2d(%x, %y, kernel_layout="HWOI");
  %1 = nn.conv2d_transpose(%z, %u, strides=[2, 2], padding=[1, 1], kernel_layout="IOHW");
  %2 = nn.deformable_conv2d(%x, %v, %y, kernel_layout="HWOI");
  (%0, %1, %2, nn.batch_matmul(reshape(%2, newshape=[6, 6, 6]), reshape(%0, newshape=[6, 6, 6])))
})");
    const std::vector<tensor> inputs{
        tensor(relay::dtype::float64, {1, 6, 8, 8}), tensor(relay::dtype::float64, {3, 3, 6, 6}),
        tensor(relay::dtype::float16, {1, 6, 8, 8}), tensor(relay::dtype::float16, {6, 5, 4, 4}),
        tensor(relay::dtype::float64, {1, 18, 6, 6})};
    const auto check = [&](const relay::kernel_set& kernels) {
        relay::evaluator e(m, kernels);
        for (int run = 0; run < 4; ++run) {
            const std::size_t before = allocations;
            e.run(std::span<const tensor>(inputs));
            if (run > 0) CHECK(allocations - before == 0);
        }
    };
    check(relay::kernels::blocked());
    check(relay::kernels::reference());
}

TEST_CASE("evaluator: nor does one of a quantised network, with threads too", "[relay][eval]") {
    const relay::ir_module m = program(R"(
def @main(%x: Tensor[(1, 24, 30, 30), float32], %s: Tensor[(24), float32], %z: Tensor[(24), int32],
          %w: Tensor[(16, 24, 3, 3), int8], %b: Tensor[(24, 1, 3, 3), int8], %d: Tensor[(40, 30), int8]) {
  %0 = qnn.quantize(%x, %s, %z, out_dtype="uint8", axis=1);
  %1 = nn.max_pool2d(%0, pool_size=[3, 3], padding=[1, 1, 1, 1]);
  %2 = qnn.requantize(%1, %s, %z, 0.05f, 3, axis=1, out_dtype="uint8");
  %3 = qnn.add(%2, %2, 0.05f, 3, 0.05f, 3, 0.1f, 5);
  %4 = qnn.concatenate((%3, %2), (0.1f, 0.05f), (5, 3), 0.1f, 4, axis=1);
  %5 = qnn.conv2d(%2, %w, 3, 0, 0.05f, 0.5f, padding=[1, 1, 1, 1], channels=16, kernel_size=[3, 3], out_dtype="int32");
  %6 = qnn.conv2d(%2, %b, 3, 0, 0.05f, 0.5f, padding=[1, 1, 1, 1], groups=24, channels=24, kernel_size=[3, 3], out_dtype="int32");
  %7 = qnn.dense(reshape(%2, newshape=[720, 30]), %d, 3, 0, 0.05f, 0.5f, units=40, out_dtype="int32");
  %8 = nn.relu(subtract(%5, 700));
  (clip(%4, a_min=3f, a_max=200f), qnn.dequantize(%4, 0.1f, 4), %8, %6, cast(cast(%7, dtype="int8"), dtype="int32"))
})");
    std::vector<tensor> inputs{tensor(relay::dtype::float32, {1, 24, 30, 30}),
                               tensor(relay::dtype::float32, {24}),
                               tensor(relay::dtype::int32, {24}),
                               tensor(relay::dtype::int8, {16, 24, 3, 3}),
                               tensor(relay::dtype::int8, {24, 1, 3, 3}),
                               tensor(relay::dtype::int8, {40, 30})};
    int n = 0;
    for (std::size_t i = 3; i < 6; ++i)
        for (std::int8_t& x : inputs[i].mutable_elements<std::int8_t>())
            x = static_cast<std::int8_t>(n++ * 37 % 255 - 127);
    for (float& x : inputs[0].mutable_elements<float>()) x = static_cast<float>(n++ * 37 % 101 - 50) / 50;
    for (float& x : inputs[1].mutable_elements<float>()) x = static_cast<float>(n++ % 7 + 1) / 100;
    for (std::int32_t& x : inputs[2].mutable_elements<std::int32_t>()) x = n++ % 200;
    relay::evaluator plain(m, relay::kernels::reference());
    const std::span<const tensor> expected = plain.run(std::span<const tensor>(inputs));
    for (const unsigned threads : {1U, 2U, 3U}) {
        tutti::thread_pool pool(threads);
        relay::evaluator e(m, relay::kernels::blocked(), {.on = pool});
        for (int run = 0; run < 4; ++run) {
            const std::size_t before = allocations;
            const std::span<const tensor> results = e.run(std::span<const tensor>(inputs));
            if (run > 0) CHECK(allocations - before == 0);
            CHECK(std::ranges::equal(results[0].elements<std::uint8_t>(), expected[0].elements<std::uint8_t>()));
            CHECK(std::ranges::equal(results[1].elements<float>(), expected[1].elements<float>()));
            for (std::size_t i = 2; i < 5; ++i)
                CHECK(std::ranges::equal(results[i].elements<std::int32_t>(), expected[i].elements<std::int32_t>()));
        }
    }
}
