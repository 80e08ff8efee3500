#include <tutti/relay/eval/kernels/sparse.hpp>

#include "support.hpp"

using test::difference;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::sparse_kernels<>;

} // namespace

TEST_CASE("kernels/sparse: shapes and rows", "[relay][eval]") {
    const auto reshaped = test::computed(kernels, "sparse_reshape(%a, %b, %c)",
                                         {tensor({1, 2}, {1, 2}), tensor({2}, {2, 3}), tensor({1}, {-1})});
    CHECK(difference(reshaped[0], {1, 1}, {5}, 0) == "");
    CHECK(difference(reshaped[1], {1}, {6}, 0) == "");
    const auto filled = test::computed(kernels, "sparse_fill_empty_rows(%a, %b, %c, %d)",
                                       {tensor({1, 1}, {1}), tensor({1}, {7}), tensor({1}, {3}), tensor({1}, {9})});
    CHECK(difference(filled[0], {3, 1}, {0, 1, 2}, 0) == "");
    CHECK(difference(filled[1], {3}, {9, 7, 9}, 0) == "");
    CHECK(difference(filled[2], {3}, {1, 0, 1}, 0) == "");
}
