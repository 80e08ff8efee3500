// A repeated call allocates no memory. It reuses the results and the kernel state of the previous run.

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/annotation.hpp>
#include <tutti/relay/eval/kernels/create.hpp>
#include <tutti/relay/eval/kernels/dyn.hpp>
#include <tutti/relay/eval/kernels/index.hpp>
#include <tutti/relay/eval/kernels/pad.hpp>
#include <tutti/relay/eval/kernels/repeat.hpp>
#include <tutti/relay/eval/kernels/reshape.hpp>
#include <tutti/relay/eval/kernels/shape.hpp>
#include <tutti/relay/eval/kernels/slice.hpp>
#include <tutti/relay/eval/kernels/transpose.hpp>
#include <tutti/relay/eval/kernels/tuple.hpp>

#include "../counted_allocations.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace relay = tutti::relay;
namespace kernels = relay::kernels;
using relay::builder;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;
using test::tensor;
using tutti::test::allocations;

namespace {

constexpr relay::kernel_table table{kernels::annotation_kernels<>, kernels::create_kernels<>, kernels::dyn_kernels<>,
                                    kernels::index_kernels<>,      kernels::pad_kernels<>,    kernels::repeat_kernels<>,
                                    kernels::reshape_kernels<>,    kernels::shape_kernels<>,  kernels::slice_kernels<>,
                                    kernels::transpose_kernels<>,  kernels::tuple_kernels<>};

/// Returns the number of allocations in the third run of a call that has `pieces` results.
template <class Build>
std::size_t taken_again(const std::vector<tensor>& inputs, Build build, std::size_t pieces = 1) {
    builder b;
    std::vector<expr> constants;
    std::vector<const tensor*> pointers;
    for (const tensor& t : inputs) {
        constants.push_back(b.constant(t));
        pointers.push_back(&t);
    }
    const expr call = build(b, std::span<const expr>(constants));
    std::vector<tensor> results(pieces);
    std::shared_ptr<void> kept;
    const relay::invocation invocation{.program = &b.graph(),
                                       .attributes = b.graph().call_attributes(call.id),
                                       .inputs = pointers,
                                       .results = results,
                                       .kept = &kept};
    const auto rows = relay::kernel_set(table).rows_of(*b.graph().called_op(call.id));
    REQUIRE(rows.size() == 1);
    const relay::kernel_function run = rows[0].run;
    REQUIRE(run(invocation));
    REQUIRE(run(invocation));
    const std::size_t before = allocations;
    run(invocation);
    return allocations - before;
}

} // namespace

TEST_CASE("kernels: this test notices when memory is taken", "[relay][eval]") {
    const std::size_t before = allocations;
    { const tensor t(dtype::float32, {3}); }
    CHECK(allocations - before > 0);
}

TEST_CASE("kernels: kernels that move elements allocate only in the first run", "[relay][eval]") {
    using arguments = std::span<const expr>;
    const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
    const tensor one = tensor::scalar(1);
    const tensor two({2}, {2, 3});
    const tensor zeros({2}, {0, 0});
    const tensor ones({2}, {1, 1});
    const tensor steps({2}, {2, 2});
    CHECK(taken_again({x}, [](builder&, arguments e) { return relay::reshape(e[0], {.newshape = {-1, 0}}); }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) { return relay::squeeze(e[0]); }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) { return relay::transpose(e[0]); }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) { return relay::broadcast_to(e[0], {.shape = dims{4, 2, 3}}); }) ==
          0);
    CHECK(taken_again({x}, [](builder&, arguments e) { return relay::repeat(e[0], {.repeats = 2, .axis = 1}); }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) { return relay::tile(e[0], {.reps = dims{2, 2}}); }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) {
              return relay::layout_transform(e[0], {.src_layout = "NC", .dst_layout = "NC3c"});
          }) == 0);
    CHECK(taken_again({x, x}, [](builder& b, arguments e) { return relay::concatenate(b.tuple({e[0], e[1]})); }) == 0);
    CHECK(taken_again({x, x}, [](builder& b, arguments e) { return relay::stack(b.tuple({e[0], e[1]})); }) == 0);
    CHECK(taken_again(
              {x}, [](builder&, arguments e) { return relay::split(e[0], {.indices_or_sections = 3, .axis = 1}); },
              3) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) {
              return relay::strided_slice(e[0], {.begin = dims{0, 2}, .end = dims{2, 0}, .strides = dims{1, -1}});
          }) == 0);
    CHECK(taken_again({x, ones.reshaped({1, 2}), zeros, two, steps},
                      [](builder&, arguments e) { return relay::strided_set(e[0], e[1], e[2], e[3], e[4]); }) == 0);
    CHECK(taken_again({x, one}, [](builder&, arguments e) {
              return relay::nn::pad(e[0], e[1], {.pad_width = std::vector<dims>{{0, 1}, {1, 1}}});
          }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) {
              return relay::nn::space_to_batch_nd(e[0], {.block_shape = {3}, .paddings = std::vector<dims>{{1, 2}}});
          }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) {
              return relay::nn::batch_to_space_nd(e[0], {.block_shape = {2}, .crops = std::vector<dims>{{1, 1}}});
          }) == 0);
    CHECK(taken_again({one}, [](builder&, arguments e) {
              return relay::full(e[0], {.shape = dims{2, 2}, .dtype = dtype::int8});
          }) == 0);
    CHECK(taken_again({x}, [](builder&, arguments e) { return relay::shape_of(e[0], {.dtype = dtype::int64}); }) == 0);
    CHECK(taken_again({x, one, one}, [](builder&, arguments e) {
              return relay::one_hot(e[0], e[1], e[2], {.depth = 4, .dtype = dtype::float32});
          }) == 0);
    CHECK(taken_again({two, ones, one}, [](builder&, arguments e) {
              return relay::sparse_to_dense(e[0], e[1], e[2], {.output_shape = dims{5}});
          }) == 0);
    CHECK(taken_again(
              {x},
              [](builder&, arguments e) {
                  return relay::topk(e[0], {.k = std::optional<dim>(2), .dtype = dtype::int32});
              },
              2) == 0);
    CHECK(taken_again({two}, [](builder&, arguments e) { return relay::dyn::ones(e[0], dtype::int8); }) == 0);
    CHECK(taken_again({x, two}, [](builder&, arguments e) { return relay::dyn::tile(e[0], e[1]); }) == 0);
    CHECK(taken_again({x, zeros, two, ones},
                      [](builder&, arguments e) { return relay::dyn::strided_slice(e[0], e[1], e[2], e[3]); }) == 0);
}
