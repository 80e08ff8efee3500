#include <tutti/relay/eval/kernels/tuple.hpp>

#include "support.hpp"

#include <array>
#include <vector>

using test::computed;
using test::difference;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::tuple_kernels<>;
const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
const tensor y({2, 1}, {7, 8});

} // namespace

TEST_CASE("kernels/tuple: tuples are joined, and tensors split into them", "[relay][eval]") {
    const test::call_row rows[]{
        {"concatenate((%a, %b), axis=-1)", {x, y}, {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8}},
        {"stack((%a, %b), axis=-1)", {y, y}, {2, 1, 2}, {7, 7, 8, 8}},
    };
    test::check(kernels, rows);
    const std::vector<tensor> even = computed(kernels, "split(%a, indices_or_sections=3, axis=-1)", {x});
    REQUIRE(even.size() == 3);
    CHECK(difference(even[2], {2, 1}, {3, 6}, 0) == "");
    const std::vector<tensor> places = computed(kernels, "split(%a, indices_or_sections=[1, 1], axis=1)", {x});
    REQUIRE(places.size() == 3);
    CHECK(difference(places[0], {2, 1}, {1, 4}, 0) == "");
    CHECK(difference(places[1], {2, 0}, {}, 0) == "");
    CHECK(difference(places[2], {2, 2}, {2, 3, 5, 6}, 0) == "");
}

TEST_CASE("kernels/tuple: a split into another number of parts than the attribute says is an error", "[relay][eval]") {
    const std::array inputs{&x};
    std::array<tensor, 2> parts;
    CHECK(test::error_of([&] {
              tutti::relay::kernels::detail::split({.inputs = inputs, .results = parts},
                                                   {.indices_or_sections = 3, .axis = 1});
          }) == "kernel::split: 2 parts of data (2, 3) int32; expected as many as the attribute says");
}

TEST_CASE("kernels/tuple: meshgrid goes by rows or by coordinates", "[relay][eval]") {
    const std::vector<tensor> inputs{tensor({2}, {1, 2}), tensor({3}, {3, 4, 5})};
    const std::vector<tensor> ij = computed(kernels, R"(meshgrid((%a, %b), indexing="ij"))", inputs);
    CHECK(difference(ij.at(0), {2, 3}, {1, 1, 1, 2, 2, 2}, 0) == "");
    CHECK(difference(ij.at(1), {2, 3}, {3, 4, 5, 3, 4, 5}, 0) == "");
    const std::vector<tensor> xy = computed(kernels, R"(meshgrid((%a, %b), indexing="xy"))", inputs);
    CHECK(difference(xy.at(0), {3, 2}, {1, 2, 1, 2, 1, 2}, 0) == "");
    CHECK(difference(xy.at(1), {3, 2}, {3, 3, 4, 4, 5, 5}, 0) == "");
}
