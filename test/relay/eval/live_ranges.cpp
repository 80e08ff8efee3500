#include <tutti/relay/eval/live_ranges.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <random>
#include <string>

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;

namespace {

eval::memory_plan plan_of(const relay::kernel_set& kernels, const std::string& definitions) {
    relay::ir_module m = tutti::test::program(definitions);
    relay::infer_types(m);
    return eval::lower(m, "main", kernels).memory;
}
eval::memory_plan plan_of(const std::string& definitions) { return plan_of(relay::kernels::reference(), definitions); }

/// Returns the buffer of each result, or `-` for a result without a buffer. The suffix `*` marks a result that escapes.
std::string buffers(const relay::kernel_set& kernels, const std::string& definitions) {
    const eval::memory_plan plan = plan_of(kernels, definitions);
    std::string text;
    for (const std::uint32_t s : plan.buffer_of) {
        if (!text.empty()) text += ' ';
        text += s == eval::buffer::none ? "-" : std::to_string(s) + (plan.buffers[s].leaves ? "*" : "");
    }
    return text;
}

std::string buffers(const std::string& definitions) { return buffers(relay::kernels::reference(), definitions); }

const std::string x = "def @main(%x: Tensor[(2, 3), float32]) {";

} // namespace

TEST_CASE("live_ranges: a result is written over an operand that dies", "[relay][eval]") {
    CHECK(buffers(x + "transpose(exp(%x), axes=None) }") == "0 1*");
    CHECK(buffers(x + "log(exp(%x)) }") == "0* 0*");
    CHECK(buffers(x + "%0 = exp(%x); add(log(%0), %0) }") == "0 1* 1*"); // written over the first operand that dies
    CHECK(buffers(x + "%0 = exp(%x); add(%0, %0) }") == "0* 0*");
    CHECK(buffers(x + "%0 = exp(%x); (log(%0), %0) }") == "0* 1*");
    CHECK(buffers("def @main(%x: Tensor[(2, 3), int32], %b: Tensor[(3), int32]) { nn.bias_add(abs(%x), %b) }") ==
          "0* 0*");
    // Results are not written over inputs, which belong to the caller, or constants, which belong to the program.
    CHECK(buffers(x + "add(%x, 1f) }") == "0*");
    // A result is not written over an operand that has another shape or type.
    CHECK(buffers(x + "%0 = sum(exp(%x), axis=[0]); add(%0, %x) }") == "0 1 2*");
    CHECK(buffers(x + "less(exp(%x), %x) }") == "0 1*");
    CHECK(buffers("def @main(%x: Tensor[(2, 3), int32]) { cast(negative(%x), dtype=\"float32\") }") == "0 1*");
    // A result is not written over an operand if the kernel does not declare support for it.
    CHECK(buffers(x + "nn.softmax(exp(%x)) }") == "0 1*");
}

TEST_CASE("live_ranges: values that share memory have the same buffer", "[relay][eval]") {
    CHECK(buffers(x + "%0 = exp(%x); %1 = reshape(%0, newshape=[6]); (sum(%0), sum(%1)) }") == "0 1* 0 2*");
    CHECK(buffers(x + "%0 = exp(%x); %1 = expand_dims(%0, axis=0); %2 = log(%0); (%2, sum(%1)) }") == "0 1* 0 2*");
    CHECK(buffers(x + "squeeze(reshape(exp(%x), newshape=[1, 6])) }") == "0* 0* 0*");
    CHECK(buffers(x + "log(reshape(exp(%x), newshape=[6])) }") == "0* 0* 0*");
    CHECK(buffers(x + "cast(exp(%x), dtype=\"float32\") }") == "0* 0*");
    // The result may share the memory of a parameter, but the plan does not rely on it.
    CHECK(plan_of(x + "reshape(%x, newshape=[6]) }").shares[0] == 0);
}

TEST_CASE("live_ranges: a chain is one step, over its first operand if no other step reads it", "[relay][eval]") {
    using relay::kernels::blocked;
    CHECK(buffers(blocked(), x + "%0 = transpose(%x, axes=[1, 0]); exp(add(%0, 1f)) }") == "0* 0*");
    CHECK(buffers(blocked(), x + "%0 = transpose(%x, axes=[1, 0]); add(exp(%0), %0) }") == "0 1*");
    CHECK(buffers(blocked(),
                  x + "%0 = transpose(%x, axes=[1, 0]); %1 = reshape(%0, newshape=[3, 2]); add(%1, exp(%0)) }") ==
          "0 0 1*");
}

TEST_CASE("live_ranges: values that escape or have no known size are not planned", "[relay][eval]") {
    CHECK(buffers("def @f(%y: Tensor[(2, 3), float32]) { (%y, %y) }" + x +
                  "%0 = exp(%x); %1 = @f(%0); add(%1.0, log(%1.1)) }") == "- 0* 0*");
    CHECK(buffers(x + "%0 = exp(%x); %1 = sum(%0); %2 = cast(%1, dtype=\"bool\"); %3 = if (%2) { log(%0) } else"
                      " { %0 }; negative(%3) }")
              .find("-") != std::string::npos);
    CHECK(buffers("def @main(%x: Tensor[(?, 3), float32]) { sum(exp(%x)) }") == "- 0*");
    CHECK(buffers("def @main(%n: int32) -> int32 { @main(add(%n, 1)) }").empty()); // may have several frames at once
}

TEST_CASE("live_ranges: the largest set of values that are alive at once, operands with results", "[relay][eval]") {
    CHECK(plan_of(x + "transpose(log(exp(%x)), axes=None) }").largest == 48);
    CHECK(plan_of(x + "%0 = exp(%x); add(transpose(log(%0), axes=None), transpose(%0, axes=None)) }").largest == 72);
    CHECK(plan_of(relay::kernels::blocked(), x + "log(exp(%x)) }").largest == 24);
}

TEST_CASE("live_ranges: random programs take at most a tenth more than the peak of live bytes and results",
          "[relay][eval]") {
    std::mt19937 random(2);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    std::uint64_t total = 0;
    std::uint64_t total_alive = 0;
    for (int program = 0; program < 40; ++program) {
        // The operators keep, cut, reverse and concatenate rows of 16 elements.
        std::string text = "def @main(%x: Tensor[(4, 16), float32]) {\n";
        std::vector<std::size_t> rows{4};
        const auto name = [](std::size_t n) { return n == 0 ? std::string("%x") : "%" + std::to_string(n); };
        for (std::size_t n = 1; n < 60; ++n) {
            const std::size_t a = n - 1 - below(std::min<std::size_t>(n, 4));
            const std::size_t b = n - 1 - below(std::min<std::size_t>(n, 4));
            text += "  " + name(n) + " = ";
            switch (below(4)) {
            case 0:
                text += "exp(" + name(a) + ")";
                rows.push_back(rows[a]);
                break;
            case 1:
                text += "strided_slice(" + name(a) + ", begin=[0], end=[" + std::to_string((rows[a] + 1) / 2) +
                        "], strides=[1], axes=None)";
                rows.push_back((rows[a] + 1) / 2);
                break;
            case 2:
                text += "reverse(" + name(a) + ", axis=0)";
                rows.push_back(rows[a]);
                break;
            default:
                if (rows[a] + rows[b] > 200) {
                    text += "exp(" + name(a) + ")";
                    rows.push_back(rows[a]);
                    break;
                }
                text += "concatenate((" + name(a) + ", " + name(b) + "))";
                rows.push_back(rows[a] + rows[b]);
            }
            text += ";\n";
        }
        text += "  (%59, %58, %57)\n}";
        const eval::memory_plan plan = plan_of(text);
        INFO(text);
        std::uint64_t results = 0;
        for (std::size_t piece = 1; piece < plan.pieces.size(); ++piece) results += plan.pieces[piece];
        CHECK(static_cast<double>(plan.bytes() - results) <= 1.1 * static_cast<double>(plan.largest));
        total += plan.bytes();
        total_alive += plan.largest;
    }
    CHECK(static_cast<double>(total) <= 1.2 * static_cast<double>(total_alive));
}
