#include <tutti/relay/eval/kernels/tuple.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <array>
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
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::tuple_kernels<>, inputs, build);
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
const tensor y({2, 1}, {7, 8});

} // namespace

TEST_CASE("kernels/tuple: tuples are joined, and tensors split into them", "[relay][eval]") {
    CHECK(difference(
              results({x, y}, [](builder& b,
                                 arguments e) { return relay::concatenate(b.tuple({e[0], e[1]}), {.axis = -1}); })[0],
              {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8}, 0) == "");
    CHECK(difference(results({y, y}, [](builder& b,
                                        arguments e) { return relay::stack(b.tuple({e[0], e[1]}), {.axis = -1}); })[0],
                     {2, 1, 2}, {7, 7, 8, 8}, 0) == "");
    const auto even =
        results({x}, [](builder&, arguments e) { return relay::split(e[0], {.indices_or_sections = 3, .axis = -1}); });
    REQUIRE(even.size() == 3);
    CHECK(difference(even[2], {2, 1}, {3, 6}, 0) == "");
    const auto places = results({x}, [](builder&, arguments e) {
        return relay::split(e[0], {.indices_or_sections = relay::one_or_more(dims{1, 1}), .axis = 1});
    });
    REQUIRE(places.size() == 3);
    CHECK(difference(places[0], {2, 1}, {1, 4}, 0) == "");
    CHECK(difference(places[1], {2, 0}, {}, 0) == "");
    CHECK(difference(places[2], {2, 2}, {2, 3, 5, 6}, 0) == "");
}

TEST_CASE("kernels/tuple: a split into another number of parts than the attribute says is an error", "[relay][eval]") {
    builder b;
    const expr call = relay::split(b.constant(x), {.indices_or_sections = 3, .axis = 1});
    const std::array<const tensor*, 1> inputs{&x};
    std::array<tensor, 2> parts;
    const relay::invocation invocation{
        .program = &b.graph(), .attributes = b.graph().call_attributes(call.id), .inputs = inputs, .results = parts};
    CHECK(test::error_of([&] { relay::kernels::detail::split(invocation, {.indices_or_sections = 3, .axis = 1}); }) ==
          "kernel::split: 2 parts of data (2, 3) int32; expected as many as the attribute says");
}

TEST_CASE("kernels/tuple: meshgrid goes by rows or by coordinates", "[relay][eval]") {
    const auto grids = [](std::string_view indexing) {
        return results({tensor({2}, {1, 2}), tensor({3}, {3, 4, 5})}, [&](builder& b, arguments e) {
            return relay::meshgrid(b.tuple({e[0], e[1]}), {.indexing = indexing});
        });
    };
    CHECK(difference(grids("ij")[0], {2, 3}, {1, 1, 1, 2, 2, 2}, 0) == "");
    CHECK(difference(grids("ij")[1], {2, 3}, {3, 4, 5, 3, 4, 5}, 0) == "");
    CHECK(difference(grids("xy")[0], {3, 2}, {1, 2, 1, 2, 1, 2}, 0) == "");
    CHECK(difference(grids("xy")[1], {3, 2}, {3, 3, 4, 4, 5, 5}, 0) == "");
}
