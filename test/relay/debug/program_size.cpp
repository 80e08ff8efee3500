#include <tutti/relay/debug/program_size.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "edited.hpp"
#include "support/catch.hpp"

using namespace tutti::relay;

TEST_CASE("size_of: counts the parts of a program", "[relay][debug][program_size]") {
    const program_size size = size_of(parse_typed(R"(def @main(%x: Tensor[(2, 3), float32]) {
  %0 = fn (%y: Tensor[(2, 3), float32], Primitive=1) { add(%y, 2f) };
  let %a = %0(%x);
  (sum(%a, axis=[0]), 1f).0
})"));
    CHECK(size.calls == 3);
    CHECK(size.others == 5); // two functions, let, tuple, projection
    CHECK(size.leaves == 5);
    CHECK(size.values == 1);
    CHECK(size.attributes == 2);
    CHECK(size.elements == 2 * 6 + 6 + 2);
}

TEST_CASE("program_size: calls first", "[relay][debug][program_size]") {
    CHECK(program_size{.calls = 1, .elements = 100} < program_size{.calls = 2});
    CHECK(program_size{.calls = 1, .elements = 1} < program_size{.calls = 1, .elements = 2});
    CHECK(program_size{.others = 1} < program_size{.others = 2});
}
