#include <tutti/relay/eval/kernels/index.hpp>

#include "support.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace relay = tutti::relay;
using test::difference;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = relay::kernels::index_kernels<>;
const tensor x({2, 3}, {1.F, 3.F, 2.F, 6.F, 5.F, 4.F});

} // namespace

TEST_CASE("kernels/index: one_hot and sparse_to_dense take their attributes", "[relay][eval]") {
    const tensor places({2}, {1, 0});
    const tensor corners({2, 2}, {1, 0, 0, 1});
    const tensor values({2}, {7.F, 8.F});
    const test::call_row rows[]{
        {R"(one_hot(%a, 5, -1, depth=3, axis=0, dtype="float32"))", {places}, {3, 2}, {-1, 5, 5, -1, -1, -1}},
        {"sparse_to_dense(%a, %b, 0.5f, output_shape=[2, 2])", {corners, values}, {2, 2}, {0.5, 8, 7, 0.5}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/index: argsort gives all places in order", "[relay][eval]") {
    const test::call_row rows[]{
        {R"(argsort(%a, dtype="int32"))", {x}, {2, 3}, {0, 2, 1, 2, 1, 0}},
        {R"(argsort(%a, axis=0, is_ascend=False, dtype="int64"))", {x}, {2, 3}, {1, 1, 1, 0, 0, 0}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/index: take along an axis, or of all elements", "[relay][eval]") {
    const std::vector<tensor> inputs{x, tensor({2}, {-1, 4})};
    const test::call_row rows[]{
        {"take(%a, %b)", inputs, {2}, {1, 5}},
        {"take(%a, %b, axis=1)", inputs, {2, 2}, {1, 2, 6, 4}},
        {R"(take(%a, %b, axis=1, mode="wrap"))", inputs, {2, 2}, {2, 3, 4, 5}},
    };
    test::check(kernels, rows);
    CHECK(test::error_of([&] {
              test::first_of(kernels, R"(take(%a, %b, axis=1, mode="fast"))", inputs);
          }).find("take: index -1 along axis 1") != std::string::npos);
    for (const char* call : {R"(take(%a, %b, mode="other"))", "take(%a, %b, batch_dims=1, axis=1)"}) {
        INFO(call);
        CHECK_THROWS_WITH(test::first_of(kernels, call, inputs), "take: the kernel does not know this case");
    }
}

TEST_CASE("kernels/index: topk gives values, indices or both", "[relay][eval]") {
    const auto both = test::computed(kernels, R"(topk(%a, k=2, dtype="int64"))", {x});
    REQUIRE(both.size() == 2);
    CHECK(difference(both[0], {2, 2}, {3, 2, 6, 5}, 0) == "");
    CHECK(difference(both[1], {2, 2}, {1, 2, 0, 1}, 0) == "");
    const test::call_row rows[]{
        {R"(topk(%a, k=1, axis=0, ret_type="values", is_ascend=True))", {x}, {1, 3}, {1, 3, 2}},
        {R"(topk(%a, k=0, ret_type="indices", is_ascend=True, dtype="int32"))", {x}, {2, 3}, {0, 2, 1, 2, 1, 0}},
    };
    test::check(kernels, rows);
    CHECK_THROWS_WITH(test::first_of(kernels, R"(topk(%a, k=None, ret_type="values"))", {x}),
                      "topk: the kernel does not know this case");
}

TEST_CASE("kernels/index: topk keeps the memory that it sorts in", "[relay][eval]") {
    relay::builder b;
    const relay::expr call = relay::topk(b.constant(x), {.k = std::optional<relay::dim>(1), .ret_type = "values"});
    const std::array<const tensor*, 1> inputs{&x};
    std::array<tensor, 1> out;
    std::shared_ptr<void> kept;
    const relay::invocation invocation{.program = &b.graph(),
                                       .attributes = b.graph().call_attributes(call.id),
                                       .inputs = inputs,
                                       .results = out,
                                       .kept = &kept};
    const relay::kernel_table table{relay::kernels::index_kernels<>};
    const relay::kernel_function run = relay::kernel_set(table).rows_of(relay::definition<relay::op::topk>)[0].run;
    REQUIRE(run(invocation));
    const auto* first = kept.get();
    REQUIRE(first != nullptr);
    REQUIRE(run(invocation));
    CHECK(kept.get() == first);
    CHECK(difference(out[0], {2, 1}, {3, 6}, 0) == "");
}

TEST_CASE("kernels/index: sort and argwhere", "[relay][eval]") {
    const test::call_row rows[]{
        {"sort(%a)", {x}, {2, 3}, {1, 2, 3, 4, 5, 6}},
        {"sort(%a, axis=0, is_ascend=False)", {x}, {2, 3}, {6, 5, 4, 1, 3, 2}},
        {"argwhere(%a)", {tensor({2, 2}, {0, 3, 4, 0})}, {2, 2}, {0, 1, 1, 0}},
    };
    test::check(kernels, rows);
}
