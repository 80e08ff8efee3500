#include <tutti/pipeline/writing.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/runtime/sequential.hpp>

#include "catch.hpp"
#include "described_passes.hpp"

namespace runtime = tutti::runtime;
using runtime::write_pipeline;
using tutti::sequential;

TEST_CASE("write_pipeline: static pipelines and their erased twins have the same text", "[runtime][write_pipeline]") {
    const auto both = [](const auto& pipeline) {
        const std::string text = write_pipeline(pipeline);
        CHECK(write_pipeline(runtime::any_pass<int>{pipeline}) == text);
        return text;
    };
    CHECK(both(double_it{}) == "Double");
    CHECK(both(add_amount{.times = 3}) == "AddAmount{times=3}");
    CHECK(both(sequential()) == "");
    CHECK(both(sequential(double_it{}, add_amount{.off = true})) == "Double,AddAmount{off=True}");
    CHECK(both(sequential(sequential())) == "seq()");
    CHECK(both(sequential(sequential(double_it{}), sequential<"a b">(sequential<"x", 3>()))) ==
          R"(seq(Double),seq["a b"](seq[x,3]()))");
    CHECK(both(sequential<"sequential", 2>(double_it{})) == "seq[sequential,2](Double)");
    CHECK(both(tutti::make_pass<"my pass">([](int n) { return n; })) == R"("my pass")");
    CHECK(both(tutti::make_pass<"seq(">([](int n) { return n; })) == R"("seq(")");
}

TEST_CASE("write_pipeline: sequentials made at run time", "[runtime][write_pipeline]") {
    const runtime::sequential<int> inner{{double_it{}, add_amount{.amount = 2}}};
    CHECK(write_pipeline(inner) == "Double,AddAmount{amount=2}");
    CHECK(write_pipeline(
              runtime::sequential<int>{{inner, convert_layout{.desired_layouts = {{"nn.conv2d", {"NHWC"}}}}}}) ==
          "seq(Double,AddAmount{amount=2}),ConvertLayout{nn.conv2d=[NHWC]}");
    CHECK(write_pipeline(runtime::sequential<int>{{inner}, "outer", 1}) ==
          "seq[outer,1](seq(Double,AddAmount{amount=2}))");
}
