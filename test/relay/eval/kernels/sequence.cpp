#include <tutti/relay/eval/kernels/sequence.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::sequence_kernels<>;
const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/sequence: the operators take their attributes", "[relay][eval]") {
    const test::call_row rows[]{
        {"reverse(%a, axis=-1)", {x}, {2, 3}, {3, 2, 1, 6, 5, 4}},
        {"reverse_sequence(%a, %b)", {x, tensor({2}, {3, 2})}, {2, 3}, {3, 2, 1, 5, 4, 6}},
        {"reverse_sequence(%a, %b, seq_axis=0, batch_axis=1)", {x, tensor({3}, {1, 2, 0})}, {2, 3}, {1, 5, 3, 4, 2, 6}},
        {"sequence_mask(%a, %b, mask_value=-1, axis=1)", {x, tensor({2}, {1, 2})}, {2, 3}, {1, -1, -1, 4, 5, -1}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/sequence: nn.fifo_buffer shifts along its axis", "[relay][eval]") {
    const tensor out = test::first_of(kernels, "nn.fifo_buffer(%a, %b, axis=1)", {tensor({2, 1}, {7.F, 8.F}), x});
    CHECK(test::difference(out, {2, 3}, {2, 3, 7, 5, 6, 8}, 0) == "");
}
