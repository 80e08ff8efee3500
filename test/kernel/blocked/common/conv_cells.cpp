#include <tutti/kernel/blocked/common/conv_cells.hpp>

#include <tutti/kernel/blocked/common/conv.hpp>
#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/parallel/thread_pool.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>

namespace kernel = tutti::kernel;
using kernel::tensor;
using kernel::blocked::detail::conv_cells;
using test::shape_t;

namespace {

bool suits(const tensor& data, const tensor& weight, const kernel::conv_options& options) {
    const kernel::conv_options o = kernel::detail::with_layouts(options, data, weight);
    auto p = kernel::detail::plan_conv("test", data, weight, o);
    kernel::place_result("test", o.out_layout, p.out);
    return conv_cells::suits(p);
}

tensor computed(const tensor& data, const tensor& weight, const kernel::conv_options& options,
                const kernel::call_means& means = {}) {
    return test::made([&](tensor& out) {
        kernel::blocked::conv_memory memory;
        REQUIRE(kernel::blocked::conv(data, weight, options, out, memory, {means}));
    });
}

} // namespace

TEST_CASE("blocked/conv_cells: any windows agree with the definition, with the same bits on threads",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    int tried = 0;
    for (int round = test::rounds(150); round > 0; --round) {
        const std::int64_t groups = random.integer(1, 2);
        const std::int64_t channels = random.integer(1, random.integer(0, 3) == 0 ? 40 : 4);
        const std::int64_t tall = random.integer(1, 5);
        const std::int64_t wide = random.integer(tall == 1 ? 2 : 1, 5);
        const kernel::conv_options o{.strides = {random.integer(1, 3), random.integer(1, 3)},
                                     .dilation = {random.integer(1, 2), random.integer(1, 2)},
                                     .before = {random.integer(0, 5), random.integer(0, 5)},
                                     .after = {random.integer(0, 5), random.integer(0, 5)},
                                     .groups = groups};
        const tensor data = random.filled<float>(
            {random.integer(1, 2), channels * groups, random.integer(9, 20), random.integer(9, 60)});
        const tensor weight = random.filled<float>({random.integer(6, 20) * groups, channels, tall, wide});
        if (!suits(data, weight, o)) continue;
        ++tried;
        const tensor got = computed(data, weight, o);
        const tensor expected = test::made([&](tensor& out) { kernel::conv(data, weight, o, out); });
        INFO(kernel::text(data) << " by " << kernel::text(weight));
        CHECK(test::difference(got, shape_t(expected.shape().begin(), expected.shape().end()), test::values(expected),
                               1e-5) == "");
        CHECK(test::values(computed(data, weight, o, {nullptr, pool})) == test::values(got));
    }
    CHECK(tried > test::rounds(150) / 2);
}

TEST_CASE("blocked/conv_cells: more channels than a lane takes, and an epilogue on each band", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(2);
    const tensor data = random.filled<float>({1, 30, 16, 16});
    const tensor weight = random.filled<float>({200, 30, 3, 3});
    const kernel::conv_options o{.before = {1, 1}, .after = {1, 1}};
    REQUIRE(suits(data, weight, o));
    const tensor plain = computed(data, weight, o);
    const kernel::epilogue_step steps[]{{.what = kernel::block::one<kernel::element::relu>}};
    kernel::epilogue after(steps);
    const tensor got = computed(data, weight, o, {&after, pool});
    CHECK(after.taken());
    for (std::int64_t i = 0; i < plain.size(); ++i)
        if (got.data<float>()[i] != (plain.data<float>()[i] > 0 ? plain.data<float>()[i] : 0)) FAIL("element " << i);
}

TEST_CASE("blocked/conv_cells: leaves single cells, blocks and rows that vectors do not fill", "[kernel][blocked]") {
    const auto zeros = [](auto... sizes) { return tensor(kernel::dtype::float32, {sizes...}); };
    CHECK(suits(zeros(1, 3, 9, 64), zeros(8, 3, 3, 3), {.before = {1, 1}, .after = {1, 1}}));
    CHECK(!suits(zeros(1, 3, 9, 64), zeros(8, 3, 1, 1), {}));
    CHECK(!suits(zeros(1, 3, 9, 17), zeros(512, 3, 3, 3), {.before = {1, 1}, .after = {1, 1}}));
    CHECK(!suits(zeros(1, 9, 64, 3), zeros(8, 3, 3, 3), {.data_layout = "NHWC"}));
}
