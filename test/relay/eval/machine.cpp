#include <tutti/relay/eval/machine.hpp>

#include <tutti/relay/eval/evaluator.hpp>

#include "lowered.hpp"
#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::tensor;

namespace {

std::vector<float> run(eval::machine& m, std::vector<tensor> inputs) {
    std::vector<const tensor*> places;
    for (const tensor& t : inputs) places.push_back(&t);
    relay::no_observer nobody;
    std::vector<float> all;
    for (const tensor& t : m.run(places, nobody)) all.push_back(t.elements<float>()[0]);
    return all;
}

} // namespace

TEST_CASE("machine: branches, closures and calls need no kernel", "[relay][eval]") {
    const tutti::test::lowered l(R"(
def @pick(%c: bool, %x: float32, %y: float32) { if (%c) { %x } else { %y } }
def @main(%c: bool, %x: float32, %y: float32) {
  %0 = fn (%z: float32) { (%z, %x) };
  %1 = @pick(%c, %y, 7f);
  (%0(%1), 2f)
})");
    eval::machine m(l.program, l.module, 10);
    for (int times = 0; times < 2; ++times) {
        CHECK(run(m, {tensor::scalar(true), tensor::scalar(1.F), tensor::scalar(2.F)}) == std::vector<float>{2, 1, 2});
        CHECK(run(m, {tensor::scalar(false), tensor::scalar(1.F), tensor::scalar(2.F)}) == std::vector<float>{7, 1, 2});
    }
}

TEST_CASE("machine: a run that ends early lets go of its inputs", "[relay][eval]") {
    const tutti::test::lowered l("def @f(%x: float32) -> float32 { @f(%x) } def @main(%x: float32) { @f(%x) }");
    eval::machine m(l.program, l.module, 10);
    const tensor input = tensor::scalar(1.F);
    const tensor* inputs[]{&input};
    relay::no_observer nobody;
    CHECK_THROWS_WITH(m.run(inputs, nobody), Catch::Matchers::Contains("no more than 10 calls"));
    CHECK_FALSE(input.is_shared());
}
