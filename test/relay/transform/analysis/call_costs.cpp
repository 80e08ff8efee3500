#include <tutti/relay/transform/analysis/call_costs.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

relay::ir_module program(const std::string& text) {
    relay::ir_module m = relay::parse(text);
    relay::infer_types(m);
    return m;
}

tutti::vector<relay::call_cost> costs(const std::string& parameters, const std::string& body) {
    static relay::ir_module m; // static, since the costs refer to its operators' names
    m = program("def @main(" + parameters + ") { " + body + " }");
    return relay::call_costs(m);
}

std::uint64_t products(const std::string& parameters, const std::string& body) {
    std::uint64_t sum = 0;
    for (const relay::call_cost& each : costs(parameters, body)) sum += each.multiply_accumulates;
    return sum;
}

} // namespace

TEST_CASE("call_costs: products of convolutions, in any layout", "[relay][analysis]") {
    const std::string image = "%x: Tensor[(1, 6, 10, 12), float32], ";
    CHECK(products(image + "%w: Tensor[(8, 6, 3, 3), float32]", "nn.conv2d(%x, %w, padding=[1, 1])") ==
          8 * 10 * 12 * 6 * 9);
    CHECK(products(image + "%w: Tensor[(8, 6, 3, 3), float32]", "nn.conv2d(%x, %w, strides=[2, 2])") ==
          8 * 4 * 5 * 6 * 9);
    CHECK(products(image + "%w: Tensor[(8, 3, 3, 3), float32]", "nn.conv2d(%x, %w, groups=2)") == 8 * 8 * 10 * 3 * 9);
    CHECK(products(image + "%w: Tensor[(6, 1, 3, 3), float32]",
                   "nn.conv2d(%x, %w, groups=6, channels=6, kernel_size=[3, 3])") == 6 * 8 * 10 * 9);
    CHECK(products("%x: Tensor[(1, 10, 12, 6), float32], %w: Tensor[(3, 3, 6, 8), float32]",
                   R"(nn.conv2d(%x, %w, padding=[1, 1], data_layout="NHWC", kernel_layout="HWIO"))") ==
          8 * 10 * 12 * 6 * 9);
    CHECK(products("%x: Tensor[(2, 4, 9), float32], %w: Tensor[(5, 4, 3), float32]", "nn.conv1d(%x, %w)") ==
          2 * 5 * 7 * 4 * 3);
    CHECK(products("%x: Tensor[(1, 2, 4, 4, 4), float32], %w: Tensor[(3, 2, 2, 2, 2), float32]", "nn.conv3d(%x, %w)") ==
          3 * 27 * 2 * 8);
    CHECK(products(image + "%w: Tensor[(4, 6, 2, 2), float32]",
                   "nn.conv2d_transpose(%x, %w, channels=4, kernel_size=[2, 2], strides=[2, 2])") ==
          6 * 10 * 12 * 4 * 4);
}

TEST_CASE("call_costs: products of matrices and einsum", "[relay][analysis]") {
    CHECK(products("%x: Tensor[(3, 5), float32], %w: Tensor[(7, 5), float32]", "nn.dense(%x, %w, units=None)") ==
          3 * 7 * 5);
    CHECK(products("%x: Tensor[(5, 3), float32], %w: Tensor[(5, 7), float32]",
                   "nn.matmul(%x, %w, units=None, transpose_a=True)") == 3 * 7 * 5);
    CHECK(products("%x: Tensor[(2, 3, 5), float32], %w: Tensor[(2, 7, 5), float32]",
                   "nn.batch_matmul(%x, %w, transpose_b=True)") == 2 * 3 * 7 * 5);
    const std::string both = "%x: Tensor[(2, 3, 5), float32], %w: Tensor[(5, 7), float32]";
    for (const char* equation : {"bij,jk->bik", "bij,jk", "...j,jk->...k", "b i j , j k -> b i k"})
        CHECK(products(both, "einsum((%x, %w), equation=\"" + std::string(equation) + "\")") == 2 * 3 * 7 * 5);
    CHECK(products("%x: Tensor[(4), float32]", "nn.relu(%x)") == 0);
}

TEST_CASE("call_costs: constants count where they are used first, and scalars not at all", "[relay][analysis]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto one = b.constant(relay::tensor({2}, {1.0F, 2.0F}));
    relay::ir_module m(b.function({x}, relay::add(relay::add(relay::add(x, one), one), b.constant(0.5F))));
    relay::infer_types(m);
    std::uint64_t parameters = 0, bytes = 0;
    for (const relay::call_cost& each : relay::call_costs(m)) {
        parameters += each.parameters;
        bytes += each.parameter_bytes;
        CHECK(each.result_bytes == 8);
        CHECK(each.is_known);
    }
    CHECK(parameters == 2);
    CHECK(bytes == 8);
}

TEST_CASE("call_costs: what depends on constants only is an operand, not a call", "[relay][analysis]") {
    const auto found = costs("%x: Tensor[(2, 3), float32]",
                             R"(
        %0 = ones(shape=[3, 4], dtype="float32");
        %1 = transpose(%0, axes=None);
        %2 = split(ones(shape=[2, 4], dtype="float32"), indices_or_sections=2, axis=0);
        %3 = nn.dense(%x, %1, units=None);
        (add(%3, %2.0), subtract(%3, %2.1), nn.dense(%x, %1, units=None)))");
    REQUIRE(found.size() == 4);
    std::uint64_t parameters = 0;
    for (const relay::call_cost& each : found) parameters += each.parameters;
    CHECK(parameters == 12 + 4 + 4);
    CHECK(found[0].op->name == "nn.dense");
    CHECK(found[0].parameter_bytes == 48);
}

TEST_CASE("call_costs: unknown sizes", "[relay][analysis]") {
    const auto found =
        costs("%x: Tensor[(?, 5), float32], %w: Tensor[(7, 5), float32]", "nn.dense(nn.relu(%x), %w, units=None)");
    REQUIRE(found.size() == 2);
    CHECK_FALSE(found[0].is_known);
    CHECK_FALSE(found[1].is_known);
    CHECK(found[1].multiply_accumulates == 0);
}

TEST_CASE("call_costs: functions that main reaches count once", "[relay][analysis]") {
    const relay::ir_module m = program(R"(
        def @unused(%x: Tensor[(2, 2), float32]) { nn.dense(%x, %x, units=None) }
        def @twice(%x: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] { nn.dense(@twice(%x), %x, units=None) }
        def @main(%x: Tensor[(2, 2), float32]) {
          %0 = fn (%y: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] { nn.relu(%y) };
          @twice(@twice(%0(%x)))
        })");
    const auto found = relay::call_costs(m);
    REQUIRE(found.size() == 2);
    CHECK(found[0].function == "main");
    CHECK(found[0].op->name == "nn.relu");
    CHECK(found[0].result_bytes == 16);
    CHECK(found[1].function == "twice");
    CHECK(found[1].multiply_accumulates == 8);
}

TEST_CASE("call_costs: a module without main has no calls", "[relay][analysis]") {
    CHECK(relay::call_costs(relay::ir_module()).empty());
}
