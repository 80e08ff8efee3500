#include <tutti/pipeline/writing.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/runtime/sequential.hpp>

#include "catch.hpp"
#include "described_passes.hpp"

namespace runtime = tutti::runtime;
using tutti::sequential;
using tutti::write_pipeline;

TEST_CASE("write_pipeline: static pipelines and their erased twins have the same text", "[pipeline][writing]") {
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
    CHECK(both(times_adaptor::make(double_it{})) == "times(Double)");
    CHECK(both(once_adaptor::make(double_it{})) == "times[once](Double)");
    CHECK(both(times_adaptor::make(sequential(double_it{}, add_amount{.times = 3}))) ==
          "times(Double,AddAmount{times=3})");
    CHECK(both(times_adaptor::make(sequential())) == "times()");
    CHECK(both(times_adaptor::make(sequential(double_it{}))) == "times(seq(Double))");
    CHECK(both(times_adaptor::make(sequential<"x">(double_it{}, double_it{}))) == "times(seq[x](Double,Double))");
    CHECK(both(tutti::make_pass<"seq(">([](int n) { return n; })) == R"("seq(")");
}

TEST_CASE("write_pipeline: sequentials made at run time", "[pipeline][writing]") {
    const runtime::sequential<int> inner{{double_it{}, add_amount{.amount = 2}}};
    CHECK(write_pipeline(inner) == "Double,AddAmount{amount=2}");
    CHECK(write_pipeline(
              runtime::sequential<int>{{inner, convert_layout{.desired_layouts = {{"nn.conv2d", {"NHWC"}}}}}}) ==
          "seq(Double,AddAmount{amount=2}),ConvertLayout{nn.conv2d=[NHWC]}");
    CHECK(write_pipeline(runtime::sequential<int>{{inner}, "outer", 1}) ==
          "seq[outer,1](seq(Double,AddAmount{amount=2}))");
}
