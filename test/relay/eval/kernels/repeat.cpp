#include <tutti/relay/eval/kernels/repeat.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::repeat_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/repeat: elements, or all of a tensor, come several times", "[relay][eval]") {
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::repeat(e[0], {.repeats = 2, .axis = 0}); }),
                     {4, 3}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}, 0) == "");
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::repeat(e[0], {.repeats = 2, .axis = {}}); }),
                     {12}, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}, 0) == "");
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::tile(e[0], {.reps = dims{1, 2}}); }), {2, 6},
                     {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}, 0) == "");
}
