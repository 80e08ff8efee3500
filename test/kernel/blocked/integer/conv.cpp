#include <tutti/kernel/blocked/integer/conv.hpp>

#include <tutti/kernel/conv.hpp>
#include <tutti/parallel/thread_pool.hpp>

#include "kernel/blocked/integer_problem.hpp"
#include "kernel/conv_problem.hpp"
#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::conv_options;
using kernel::dtype;
using kernel::tensor;
using test::conv_problem;
using test::integer_problem;

namespace {

// Describes the fault in the result, or returns "". Tests prepacked weights, and weights that the kernel packs in the
// memory. Sets `left` if the kernel does not support the case.
std::string difference(const integer_problem& p, const tensor& data, const tensor& weight, const conv_options& options,
                       blocked::integer_memory& memory, tutti::executor_ref on, bool& left) {
    const auto axis =
        static_cast<std::int64_t>(kernel::detail::with_layouts(options, data, weight).weight_layout.find('O'));
    const tensor expected = test::made([&](tensor& out) {
        kernel::conv(p.less(data, p.data_zero, -1), p.less(weight, p.weight_zero, axis), options, out);
    });
    const blocked::integer_weights packed = blocked::packed_conv_integers(data, weight, p.zeros(), options);
    for (const blocked::integer_weights* by : {&packed, static_cast<const blocked::integer_weights*>(nullptr)}) {
        tensor got;
        left = !blocked::conv_integers({data, weight, p.zeros()}, options, got, memory, {{.on = on}, by});
        if (left) return {};
        const std::string found = test::difference_of_integers(got, expected);
        if (!found.empty()) return (by == nullptr ? "packed by itself: " : "packed before: ") + found;
    }
    return {};
}

} // namespace

TEST_CASE(
    "blocked/integer_conv: agrees with the reference kernel for all types, zero points, strides, padding, groups and layouts",
    "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    blocked::integer_memory memory; // kept from previous calls
    int computed = 0;
    for (int round = test::rounds(300); round > 0; --round) {
        conv_problem p = test::any_conv(random);
        const bool by_channel = random.integer(0, 3) == 0;
        if (by_channel) {
            p.options.groups = p.data[1];
            p.weight[1] = 1;
            p.weight[0] = p.data[1];
            if (p.data[1] == 0) continue;
            p.options.data_layout = kernel::usual_layout(kernel::lettered::data, p.rank);
            p.options.out_layout = p.options.data_layout;
            p.options.weight_layout = kernel::usual_layout(kernel::lettered::weight, p.rank);
        } else {
            p.weight[0] *= 4;
        }
        p.options.out = dtype::int32;
        const bool in_blocks = p.options.weight_layout.find_first_of("0123456789") != std::string_view::npos;
        const integer_problem q(random, in_blocks ? 1 : p.weight[0]);
        const tensor data =
            test::any_integers(random, q.data_type, test::data_in(p.options.data_layout, p.data).shape());
        const tensor weight =
            test::any_integers(random, q.weight_type, test::weight_in(p.options.weight_layout, p.weight).shape());
        INFO(test::text(p) << ", " << kernel::text(data) << " by " << kernel::text(weight) << ", zero points "
                           << q.with_zeros);
        bool left = false;
        const bool alone = random.integer(0, 1) == 0;
        CHECK(difference(q, data, weight, p.options, memory, alone ? tutti::executor_ref{} : pool, left) == "");
        computed += left ? 0 : 1;
    }
    CHECK(computed > 50);
}

TEST_CASE("blocked/integer_conv: more channels, pixels and products than a block holds", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    blocked::integer_memory memory;
    for (const std::int64_t channels : {13, 50})
        for (const std::int64_t width : {1, 7, 24, 41}) {
            const integer_problem q(random, channels * 4);
            const tensor data = test::any_integers(random, q.data_type, {1, 270, 9, width});
            const tensor weight = test::any_integers(random, q.weight_type, {channels * 4, 270, 3, 1});
            INFO(channels << " channels, width " << width);
            bool left = false;
            CHECK(difference(q, data, weight,
                             {.strides = {1, 2}, .before = {1, 0}, .after = {1, 0}, .out = dtype::int32}, memory, {},
                             left) == "");
            CHECK(!left);
        }
}

TEST_CASE("blocked/integer_conv: weights and zero points that change are seen", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = test::any_integers(random, dtype::uint8, {1, 8, 5, 5});
    const conv_options options{.out = dtype::int32};
    blocked::integer_memory memory;
    for (int i = 0; i < 6; ++i) {
        integer_problem q(random, 16);
        q.data_type = dtype::uint8;
        q.with_zeros = true;
        const tensor weight = test::any_integers(random, dtype::int8, {16, 8, 3, 3});
        for (int run = 0; run < 3; ++run) {
            bool left = false;
            CHECK(difference(q, data, weight, options, memory, {}, left) == "");
        }
    }
}

TEST_CASE("blocked/integer_conv: declines values beyond int16, other results, and few channels", "[kernel][blocked]") {
    tensor out;
    blocked::integer_memory memory;
    const tensor bytes(dtype::int8, {1, 16, 3, 3});
    const tensor weights(dtype::int8, {16, 16, 1, 1});
    CHECK(blocked::conv_integers({bytes, weights, {}}, {.out = dtype::int32}, out, memory));
    CHECK(!blocked::conv_integers({bytes, weights, {}}, {.out = dtype::int8}, out, memory));
    CHECK(!blocked::conv_integers({bytes, weights, {}}, {}, out, memory));
    const tensor wide(dtype::int32, {1, 16, 3, 3});
    CHECK(!blocked::conv_integers({wide, weights, {}}, {.out = dtype::int32}, out, memory));
    const tensor far = tensor::scalar(std::int32_t{40'000});
    CHECK(!blocked::conv_integers({bytes, weights, {&far, nullptr}}, {.out = dtype::int32}, out, memory));
    CHECK(!blocked::conv_integers({bytes, weights, {nullptr, &far}}, {.out = dtype::int32}, out, memory));
    const tensor several(dtype::int32, {2});
    CHECK(!blocked::conv_integers({bytes, weights, {&several, nullptr}}, {.out = dtype::int32}, out, memory));
    CHECK(!blocked::conv_integers({bytes, weights, {nullptr, &several}}, {.out = dtype::int32}, out, memory));
    const tensor few(dtype::int8, {2, 16, 1, 1});
    CHECK(!blocked::conv_integers({bytes, few, {}}, {.out = dtype::int32}, out, memory));
    CHECK(test::error_of([&] {
              blocked::conv_integers({bytes, tensor(dtype::int8, {16, 3, 1, 1}), {}}, {.out = dtype::int32}, out,
                                     memory);
          }).find("kernel::conv: data is (1, 16, 3, 3)") != std::string::npos);
}
