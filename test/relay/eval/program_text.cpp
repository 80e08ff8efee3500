#include <tutti/relay/eval/program_text.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

namespace relay = tutti::relay;

namespace {

std::string plan(std::string_view program, const relay::evaluate_options& options = {}) {
    return relay::evaluator(relay::parse(program), options).plan();
}

} // namespace

TEST_CASE("program_text: shows chains, aliases, live ranges and places", "[relay][eval]") {
    CHECK(plan(R"(
def @main(%x: Tensor[(1, 16, 9, 9), float32], %w: Tensor[(16, 16, 3, 3), float32], %b: Tensor[(16), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1]);
  %1 = nn.bias_add(%0, %b);
  %2 = nn.relu(%1);
  %3 = reshape(%2, newshape=[1, -1]);
  %4 = nn.softmax(%3);
  (exp(nn.softmax(%4)), %4)
}
)") == R"(entry 0, @main: 10 slots, 3 of them parameters
     0  release
     1  kernel with epilogue: nn.conv2d(%0, %1); nn.bias_add(^, %2); nn.relu(^) -> %5  in b0  frees %0, %1, %2
     2  reshape(%5) -> %6  in b0, shared with its operand  frees %5
     3  nn.softmax(%6) -> %7  in b1  frees %6
     4  kernel with epilogue: nn.softmax(%7); exp(^) -> %9  in b2
     5  return %9, %7  frees %9, %7
buffer b0: 5184 bytes, live from 1 to 3, at 0 in piece 2
buffer b1: 5184 bytes, live from 3 to 5, at 0 in piece 1
buffer b2: 5184 bytes, live from 4 to 5, at 0 in piece 2
memory: 0 bytes in the arena, 10368 in pieces for results; at most 10368 are live
)");
}

TEST_CASE("program_text: shows the operands of a chain in order", "[relay][eval]") {
    const std::string text = plan("def @main(%x: Tensor[(2, 3), float32]) { subtract(1f, divide(exp(%x), %x)) }");
    CHECK(text.find("  chain: exp(%0); divide(^, %0); subtract(c0, ^) -> %3  in b0  frees %0\n") != std::string::npos);
}

TEST_CASE("program_text: shows which operand a result overwrites", "[relay][eval]") {
    const std::string text = plan("def @main(%x: Tensor[(2, 3), float64]) { add(exp(negative(%x)), %x) }");
    CHECK(text.find("  exp(%1) -> %2  in b0 over %1  frees %1\n") != std::string::npos);
    CHECK(text.find("  add(%2, %0) -> %3  in b0 over %2  frees %2, %0\n") != std::string::npos);
}

TEST_CASE("program_text: shows branches that run in parallel", "[relay][eval]") {
    tutti::thread_pool pool(2);
    const std::string_view program = R"(
def @main(%x: Tensor[(64, 1024), float32], %w: Tensor[(512, 1024), float32]) {
  %0 = nn.dense(%x, %w, units=512);
  %1 = nn.dense(tanh(%x), %w, units=512);
  concatenate((%0, %1), axis=1)
}
)";
    CHECK(plan(program, {.on = pool}) == R"(entry 0, @main: 6 slots, 2 of them parameters
     0  release
     1  fork, 2 branches
  branch
     2  nn.dense(%0, %1) -> %2  in b0
  branch
     3  tanh(%0) -> %3  in b1  frees %0
     4  nn.dense(%3, %1) -> %4  in b2  frees %3, %1
  join
     5  concatenate(%2, %4) -> %5  in b3  frees %2, %4
     6  return %5  frees %5
buffer b0: 131072 bytes, live from 2 to 5, at 0 in the arena
buffer b1: 262144 bytes, live from 3 to 4, at 0 in piece 1
buffer b2: 131072 bytes, live from 4 to 5, at 131072 in the arena
buffer b3: 262144 bytes, live from 5 to 6, at 0 in piece 1
memory: 262144 bytes in the arena, 262144 in pieces for results; at most 524288 are live
)");
    CHECK(plan(program).find("fork") == std::string::npos);
}

TEST_CASE("program_text: shows functions, closures and jumps", "[relay][eval]") {
    CHECK(plan(R"(
def @f(%x: Tensor[(?), float32], %b: bool) -> Tensor[(?), float32] { if (%b) { exp(%x) } else { @f(exp(%x), True) } }
def @main(%x: Tensor[(?), float32]) {
  let %g = fn (%y: Tensor[(?), float32]) { add(%x, %y) };
  %g(@f(%x, False))
}
)") == R"(function 0, @f: 6 slots, 2 of them parameters
     0  release
     1  jump to 6 unless %1  frees %1
     2  release
     3  exp(%0) -> %2  frees %0
     4  move %2 -> %5  frees %2
     5  jump to 10
     6  release
     7  exp(%0) -> %3  frees %0
     8  call function 0(%3, c2) -> %4  frees %3
     9  move %4 -> %5  frees %4
    10  return %5  frees %5
entry 1, @main: 4 slots, 1 of them parameters
     0  release
     1  closure of function 2(%0) -> %1
     2  call function 0(%0, c1) -> %2  frees %0
     3  call %1(%2) -> %3  frees %1, %2
     4  return %3  frees %3
function 2, @main: 3 slots, 1 of them parameters
     0  release
     1  add(%1, %0) -> %2  frees %1, %0
     2  return %2  frees %2
memory: allocated at run time
)");
}

TEST_CASE("program_text: shows matches of data types", "[relay][eval]") {
    const std::string text = plan(R"(
type Shape { Square(float32), Point }
def @area(%s: Shape) -> float32 { match (%s) { Square(%a) => multiply(%a, %a), Point => 0f } }
def @main(%a: float32) { @area(Square(%a)) }
)");
    CHECK(text.find("match pattern ") != std::string::npos);
    CHECK(text.find("unpack pattern ") != std::string::npos);
    CHECK(text.find("closure of function ") != std::string::npos);
    CHECK(text.ends_with("memory: allocated at run time\n"));
}

TEST_CASE("program_text: buffers of unknown sizes are planned after a run", "[relay][eval]") {
    relay::evaluator e(relay::parse("def @main(%x: Tensor[(?), float32]) { tanh(negative(nn.softmax(exp(%x)))) }"));
    CHECK(e.plan().ends_with("memory: allocated at run time\n"));
    const relay::tensor x({4}, {1.F, 2.F, 3.F, 4.F});
    e.run({&x, 1});
    e.run({&x, 1});
    CHECK(e.plan().find("buffer b0: 16 bytes, live from 1 to ") != std::string::npos);
    CHECK(e.plan().find(" in the arena") != std::string::npos);
}
