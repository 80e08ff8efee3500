#include <tutti/relay/op/invocation.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/op_def.hpp>

#include "support/catch.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using relay::tensor;

namespace user {

struct times_attributes {
    double by = 2;

    static constexpr tutti::option_list<&times_attributes::by> options{"by"};
};

struct times {
    static constexpr std::string_view name = "user.times";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = times_attributes;
    static constexpr auto pattern = relay::fusion_pattern::elementwise;
    static constexpr relay::type_id infer(relay::relation& r, const attributes&) { return r.argument(0); }
    static constexpr bool evaluate(const relay::invocation& call, const attributes& a) {
        if (call.input(0).type() != relay::dtype::float32) return false;
        call.result().reset(relay::dtype::float32, call.input(0).shape());
        for (std::size_t i = 0; i < call.input(0).elements<float>().size(); ++i)
            call.result().mutable_elements<float>()[i] = static_cast<float>(a.by) * call.input(0).elements<float>()[i];
        return true;
    }
};

} // namespace user

TEST_CASE("invocation: an operator's own kernel is given its attributes, and may decline", "[relay][invocation]") {
    relay::builder b;
    const relay::expr e = relay::call_op<user::times>({.by = 3}, b.variable("x", {2}));
    const relay::kernel_function run = relay::definition<user::times>.evaluate;
    REQUIRE(run != nullptr);
    const tensor x({2}, {1.0F, -2.0F});
    const std::array inputs{&x};
    std::array<tensor, 1> results;
    relay::invocation call{
        .program = &b.graph(), .attributes = b.graph().call_attributes(e.id), .inputs = inputs, .results = results};
    REQUIRE(run(call));
    CHECK(results[0].elements<float>()[0] == 3);
    CHECK(results[0].elements<float>()[1] == -6);

    const tensor whole({2}, {1, -2});
    const std::array others{&whole};
    call.inputs = others;
    CHECK_FALSE(run(call));
}
