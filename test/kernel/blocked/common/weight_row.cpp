#include <tutti/kernel/blocked/common/weight_row.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <string_view>

namespace kernel = tutti::kernel;
using kernel::lettered;
using kernel::blocked::detail::weight_row;
using test::shape_t;

namespace {

weight_row row(std::string_view layout, const shape_t& shape) {
    return weight_row(kernel::axes_in("k", "weight", lettered::weight, layout, shape));
}

} // namespace

TEST_CASE("blocked/weight_row: detects weights that are stored in rows", "[kernel][blocked]") {
    CHECK(row("OIHW", {2, 3, 5, 7}).good);
    CHECK(row("OIHW", {2, 3, 5, 7}).channels_first);
    CHECK(row("OHWI", {2, 3, 5, 7}).good);
    CHECK(!row("OHWI", {2, 3, 5, 7}).channels_first);
    CHECK(row("HWIO", {2, 3, 5, 7}).step == 7);
    CHECK(!row("HWOI", {2, 3, 5, 7}).good);
    CHECK(row("HWOI", {1, 1, 5, 7}).good);
    CHECK(!row("IOHW", {2, 3, 5, 7}).good);
    CHECK(!row("OIHW2i", {2, 3, 5, 7, 2}).good);
}

TEST_CASE("blocked/weight_row: others are copied to be in one", "[kernel][blocked]") {
    const kernel::tensor weight({2, 2, 1, 2}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F});
    kernel::lettered_axes axes = kernel::axes_in("k", "weight", lettered::weight, "IOHW", weight.shape());
    CHECK(!weight_row(axes).good);
    kernel::tensor rows;
    const kernel::tensor& packed = kernel::blocked::detail::pack_weight(axes, weight, 0, rows);
    CHECK(&packed == &rows);
    CHECK(weight_row(axes).good);
    CHECK(test::difference(rows, {2, 2, 1, 1, 2}, {1, 2, 5, 6, 3, 4, 7, 8}, 0) == "");
}
