#include <tutti/kernel/blocked/common/conv.hpp>

#include <tutti/kernel/conv.hpp>

#include "kernel/conv_problem.hpp"
#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace kernel = tutti::kernel;
using kernel::conv_options;
using kernel::dtype;
using kernel::tensor;
using test::conv_problem;
using test::shape_t;

namespace {

// Describes the fault in the result, or returns "". Sets `left` if the kernel does not support the case.
std::string difference(const tensor& data, const tensor& weight, const conv_options& options,
                       kernel::blocked::conv_memory& memory, bool& left) {
    bool known = false;
    const tensor got =
        test::made([&](tensor& to) { known = kernel::blocked::conv(data, weight, options, to, memory); });
    left = !known;
    if (left) return {};
    const tensor expected = test::made([&](auto&... a) { kernel::conv(data, weight, options, a...); });
    return test::difference(got, shape_t(expected.shape().begin(), expected.shape().end()), test::values(expected),
                            1e-5);
}

std::string difference(const tensor& data, const tensor& weight, const conv_options& options) {
    kernel::blocked::conv_memory memory;
    bool left = false;
    const std::string found = difference(data, weight, options, memory, left);
    return left ? "left to others" : found;
}

} // namespace

TEST_CASE("blocked/conv: any strides, padding, dilation, groups and layouts agree with the definition",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    int computed = 0;
    kernel::blocked::conv_memory memory; // kept from previous calls
    for (int round = test::rounds(300); round > 0; --round) {
        conv_problem p = test::any_conv(random);
        if (random.integer(0, 3) == 0) { // depthwise
            p.options.groups = p.data[1];
            p.weight[1] = 1;
            p.weight[0] = p.data[1] * random.integer(1, 2);
            if (p.data[1] == 0) continue;
            for (std::size_t i = 0; i < p.rank; ++i) p.data[5 - p.rank + i] += random.integer(0, 3) == 0 ? 40 : 0;
            p.options.data_layout = p.rank == 1 ? "NWC" : p.rank == 2 ? "NHWC" : "NCDHW";
            if (random.integer(0, 1) == 0) p.options.data_layout = kernel::usual_layout(kernel::lettered::data, p.rank);
            p.options.out_layout = p.options.data_layout;
            p.options.weight_layout = kernel::usual_layout(kernel::lettered::weight, p.rank);
        }
        const tensor data = random.filled<float>(test::data_in(p.options.data_layout, p.data).shape());
        const tensor weight = random.filled<float>(test::weight_in(p.options.weight_layout, p.weight).shape());
        INFO(test::text(p));
        bool left = false;
        CHECK(difference(data, weight, p.options, memory, left) == "");
        computed += left ? 0 : 1;
    }
    CHECK(computed > 50);
}

TEST_CASE("blocked/conv: more channels, pixels and products than a block holds", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::int64_t channels : {1, 4, 13, 50})
        for (const std::int64_t width : {1, 7, 24, 41}) {
            const tensor data = random.filled<float>({1, 70, 9, width});
            const tensor weight = random.filled<float>({channels * 4, 70, 3, 1});
            INFO(channels << " channels, width " << width);
            CHECK(difference(data, weight, {.strides = {1, 2}, .before = {1, 0}, .after = {1, 0}}) == "");
        }
    const tensor data = random.filled<float>({2, 600, 5, 5});
    CHECK(difference(data, random.filled<float>({24, 300, 1, 1}), {.groups = 2}) == "");
}

TEST_CASE("blocked/conv: each channel by itself, in both layouts", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::int64_t channels : {2, 3, 40, 67})
        for (const std::int64_t stride : {1, 2, 3})
            for (const std::int64_t dilation : {1, 2}) {
                conv_options options{.strides = {stride, stride},
                                     .dilation = {dilation, dilation},
                                     .before = {1, 2},
                                     .after = {1, 0},
                                     .groups = channels};
                INFO(channels << " channels, stride " << stride << ", dilation " << dilation);
                CHECK(difference(random.filled<float>({1, channels, 14, 35}), random.filled<float>({channels, 1, 3, 3}),
                                 options) == "");
                options.data_layout = "NHWC";
                options.weight_layout = "HWOI";
                CHECK(difference(random.filled<float>({1, 14, 35, channels}), random.filled<float>({3, 3, channels, 1}),
                                 options) == "");
            }
}

TEST_CASE("blocked/conv: padding takes part, and weights that change are seen", "[kernel][blocked]") {
    const tensor one({1, 1, 1, 1}, {1.F});
    tensor weight(dtype::float32, {4, 1, 1, 2});
    for (float& x : weight.mutable_elements<float>()) x = INFINITY;
    tensor out;
    kernel::blocked::conv_memory memory;
    REQUIRE(kernel::blocked::conv(one, weight, {.before = {0, 1}}, out, memory));
    CHECK(std::isnan(out.elements<float>()[0]));
    tensor finite(dtype::float32, {4, 1, 1, 2});
    for (float& x : finite.mutable_elements<float>()) x = 2;
    for (int i = 0; i < 3; ++i) {
        REQUIRE(kernel::blocked::conv(one, finite, {.before = {0, 1}}, out, memory));
        CHECK(out.elements<float>()[0] == 2);
    }
}

TEST_CASE("blocked/conv: declines other element types, and refuses mismatched shapes", "[kernel][blocked]") {
    tensor out;
    kernel::blocked::conv_memory memory;
    const tensor whole(dtype::int8, {1, 4, 3, 3});
    CHECK(!kernel::blocked::conv(whole, whole, {}, out, memory));
    CHECK(test::error_of([&] {
              kernel::blocked::conv(tensor(dtype::float32, {1, 4, 3, 3}), tensor(dtype::float32, {4, 3, 1, 1}), {}, out,
                                    memory);
          }).find("kernel::conv: data is (1, 4, 3, 3)") != std::string::npos);
}
