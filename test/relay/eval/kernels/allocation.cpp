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

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
namespace kernels = relay::kernels;
using test::tensor;
using tutti::test::allocations;

namespace {

constexpr relay::kernel_table table{kernels::annotation_kernels<>, kernels::create_kernels<>, kernels::dyn_kernels<>,
                                    kernels::index_kernels<>,      kernels::pad_kernels<>,    kernels::repeat_kernels<>,
                                    kernels::reshape_kernels<>,    kernels::shape_kernels<>,  kernels::slice_kernels<>,
                                    kernels::transpose_kernels<>,  kernels::tuple_kernels<>};

/// A call with arguments %a, %b, … in this order.
struct repeated_call {
    std::string_view text;
    std::vector<tensor> inputs;
    std::size_t results = 1;
};

/// Returns the number of allocations in the third run of a call.
std::size_t taken_again(const repeated_call& call) {
    const relay::ir_module m =
        relay::parse("#[version = \"0.0.5\"]\ndef @main(%a, %b, %c, %d, %e) { " + std::string(call.text) + " }");
    const relay::function& f = *m.find("main");
    const relay::expr_id body = f.graph.body(f.root);
    std::vector<const tensor*> inputs;
    for (const tensor& t : call.inputs) inputs.push_back(&t);
    std::vector<tensor> results(call.results);
    std::shared_ptr<void> kept;
    const relay::invocation invocation{.program = &f.graph,
                                       .attributes = f.graph.call_attributes(body),
                                       .inputs = inputs,
                                       .results = results,
                                       .kept = &kept};
    const auto rows = relay::kernel_set(table).rows_of(*f.graph.called_op(body));
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
    { const tensor t(test::dtype::float32, {3}); }
    CHECK(allocations - before > 0);
}

TEST_CASE("kernels: kernels that move elements allocate only in the first run", "[relay][eval]") {
    const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
    const tensor one = tensor::scalar(1);
    const tensor two({2}, {2, 3});
    const tensor zeros({2}, {0, 0});
    const tensor ones({2}, {1, 1});
    const tensor steps({2}, {2, 2});
    const repeated_call calls[]{
        {"reshape(%a, newshape=[-1, 0])", {x}},
        {"squeeze(%a)", {x}},
        {"transpose(%a, axes=None)", {x}},
        {"broadcast_to(%a, shape=[4, 2, 3])", {x}},
        {"repeat(%a, repeats=2, axis=1)", {x}},
        {"tile(%a, reps=[2, 2])", {x}},
        {R"(layout_transform(%a, src_layout="NC", dst_layout="NC3c"))", {x}},
        {"concatenate((%a, %b))", {x, x}},
        {"stack((%a, %b))", {x, x}},
        {"split(%a, indices_or_sections=3, axis=1)", {x}, 3},
        {"strided_slice(%a, begin=[0, 2], end=[2, 0], strides=[1, -1], axes=None)", {x}},
        {"strided_set(%a, %b, %c, %d, %e)", {x, ones.reshaped({1, 2}), zeros, two, steps}},
        {"nn.pad(%a, %b, pad_width=[[0, 1], [1, 1]])", {x, one}},
        {"nn.space_to_batch_nd(%a, block_shape=[3], paddings=[[1, 2]])", {x}},
        {"nn.batch_to_space_nd(%a, block_shape=[2], crops=[[1, 1]])", {x}},
        {R"(full(%a, shape=[2, 2], dtype="int8"))", {one}},
        {R"(shape_of(%a, dtype="int64"))", {x}},
        {R"(one_hot(%a, %b, %c, depth=4, dtype="float32"))", {x, one, one}},
        {"sparse_to_dense(%a, %b, %c, output_shape=[5])", {two, ones, one}},
        {R"(topk(%a, k=2, dtype="int32"))", {x}, 2},
        {R"(dyn.ones(%a, shape=None, dtype="int8"))", {two}},
        {"dyn.tile(%a, %b, reps=[])", {x, two}},
        {"dyn.strided_slice(%a, %b, %c, %d, begin=None, end=None, strides=None, axes=None)", {x, zeros, two, ones}},
    };
    for (const repeated_call& call : calls) {
        INFO(call.text);
        CHECK(taken_again(call) == 0);
    }
}
