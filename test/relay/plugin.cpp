#include <tutti/relay/plugin.hpp>

#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

namespace relay = tutti::relay;

namespace {

struct own : relay::op::elementwise, relay::named<"my.own", relay::precision_rule::never> {};

std::string message(auto&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

} // namespace

TEST_CASE("extensions: has the built-in operators, and takes others once", "[relay][plugin]") {
    relay::extensions known;
    CHECK(known.operators.find("nn.relu") == &relay::definition<relay::op::nn::relu>);
    known.add_operators<own>();
    CHECK(known.operators.find("my.own") == &relay::definition<own>);
    CHECK(message([&] { known.add_operators<own>(); }) ==
          "operator my.own: the name is already taken; expected another name");
    CHECK(message([&] { known.add_operators<relay::op::nn::relu>(); }) ==
          "operator nn.relu: the name is already taken; expected another name");
}

TEST_CASE("extensions: kernel sets have names", "[relay][plugin]") {
    static const relay::kernel_set none;
    relay::extensions known;
    known.add_kernels("none", "no kernels", none).add_kernels("plain", "plain loops", relay::kernels::reference());
    CHECK(known.find_kernels("none")->kernels == &none);
    CHECK(known.find_kernels("other") == nullptr);
    CHECK(message([&] { known.add_kernels("none", "again", none); }) ==
          "set of kernels none: the name is already taken; expected another name");
}
