#include <tutti/relay/eval/op_caller.hpp>

#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::invocation;
using relay::tensor;

namespace {

// One operator call, whose input is in the first slot.
struct one_call {
    one_call(std::string_view text, relay::kernel_function kernel) : module(tutti::test::program(text)) {
        relay::infer_types(module);
        const relay::graph& g = module.find("main")->graph;
        const relay::expr_id call = g.body(module.find("main")->root);
        calls.push_back({g.called_op(call), 0, &g, call});
        kernels.push_back({.op = calls[0].op});
        if (kernel != nullptr) kernels[0].rows.push_back({.op = calls[0].op, .run = kernel});
        slot = pool.permanent();
        slot->value = tensor({2}, {1.F, 2.F});
    }

    std::span<eval::cell* const> call() {
        const eval::operand_values inputs{operands, &slot, nullptr};
        const std::span<eval::cell*> given = caller().call(space, pool, 0, inputs, observer);
        for (std::size_t n = 0; n < given.size(); ++n)
            given[n] = caller().results().note(pool, 0, n, given.size(), inputs, given[n]);
        return given;
    }

    eval::op_caller& caller() {
        if (made == nullptr) made = std::make_unique<eval::op_caller>(module, calls, kernels);
        return *made;
    }

    std::string refusal() {
        try {
            call();
        } catch (const tutti::error& e) {
            return e.what();
        }
        return "(not refused)";
    }

    relay::ir_module module;
    std::vector<eval::op_call> calls;
    std::vector<eval::op_kernels> kernels;
    eval::call_space space;
    eval::cell_pool pool;
    eval::cell* slot = nullptr;
    std::vector<eval::operand_id> operands{0};
    std::unique_ptr<eval::op_caller> made;
    relay::no_observer observer;
};

constexpr const char* relu = "def @main(%x: Tensor[(2), float32]) { nn.relu(%x) }";

} // namespace

TEST_CASE("op_caller: results are in memory of the pool, and one cell is reused", "[relay][eval]") {
    one_call c(relu, [](const invocation& i) {
        i.result().reset(relay::dtype::float32, i.input(0).shape());
        std::ranges::fill(i.result().mutable_elements<float>(), 3.F);
        return true;
    });
    eval::cell* first = c.call()[0];
    CHECK(first->value.elements<float>()[1] == 3);
    CHECK(first->users == 1);
    CHECK(first->capacity >= 8);
    c.pool.release(first);
    c.pool.rewind();
    CHECK(c.call()[0] == first);
}

TEST_CASE("op_caller: a result that shares an input's memory keeps that one", "[relay][eval]") {
    one_call c(relu, [](const invocation& i) {
        i.result().share(i.input(0), i.input(0).shape());
        return true;
    });
    for (int run = 0; run < 2; ++run) {
        eval::cell* made = c.call()[0];
        CHECK(made->owner == c.slot);
        CHECK(c.slot->users == 2);
        c.pool.release(made);
        CHECK(c.slot->users == 1);
        c.pool.rewind();
    }
}

TEST_CASE("op_caller: each result of a tuple has a cell of its own", "[relay][eval]") {
    one_call c("def @main(%x: Tensor[(2), float32]) { split(%x, indices_or_sections=2) }", [](const invocation& i) {
        for (std::size_t n = 0; n < 2; ++n) {
            i.result(n).reset(relay::dtype::float32, std::vector<std::int64_t>{1});
            i.result(n).mutable_elements<float>()[0] = i.input(0).elements<float>()[n];
        }
        return true;
    });
    const auto made = c.call();
    REQUIRE(made.size() == 2);
    CHECK(made[0]->value.elements<float>()[0] == 1);
    CHECK(made[1]->value.elements<float>()[0] == 2);
}

TEST_CASE("op_caller: an error names the function and the operator", "[relay][eval]") {
    one_call none(relu, nullptr);
    CHECK(none.refusal().find("@main: nn.relu: has no kernel") == 0);
    one_call refuses(relu, [](const invocation&) { return false; });
    CHECK(refuses.refusal().find("has no kernel for this case: of Tensor[(2), float32]") != std::string::npos);
    one_call lies(relu, [](const invocation& i) {
        i.result() = tensor::scalar(1);
        return true;
    });
    CHECK(lies.refusal().find("its kernel returned int32; expected Tensor[(2), float32]") != std::string::npos);
}

TEST_CASE("op_caller: a call that fails leaves nothing taken", "[relay][eval]") {
    one_call c(relu, [](const invocation& i) -> bool {
        i.result().share(i.input(0), i.input(0).shape());
        throw tutti::error("a kernel", "fails");
    });
    for (int run = 0; run < 3; ++run) {
        CHECK(c.refusal().find("a kernel: fails") != std::string::npos);
        CHECK(c.slot->users == 1);
        c.pool.rewind();
    }
    CHECK(c.pool.size() <= 3);
}

TEST_CASE("op_caller: a call that lacks memory while others run is to be tried again", "[relay][eval]") {
    one_call c(relu, [](const invocation& i) {
        const tensor much(relay::dtype::float32, {1000});
        i.result().reset(relay::dtype::float32, i.input(0).shape());
        return true;
    });
    tutti::kernel::allowance little({"x", "bytes", {}, 400}, {"x", "steps", {}, 1'000'000});
    const tutti::kernel::allowance::use here(little);
    c.space.alone = false;
    CHECK_THROWS_AS(c.call(), eval::lacks_memory);
    c.space.alone = true;
    CHECK(c.refusal().find("x: more than 400 bytes") != std::string::npos);
}
