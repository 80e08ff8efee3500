#include <tutti/pipeline/writing.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pipeline/literal.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

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

namespace {

struct needs_double {
    static constexpr tutti::pass_info info{.name = "NeedsDouble"};
    using required = tutti::passes<double_it>;
    void operator()(int&) const {}
};
struct needs_both {
    static constexpr tutti::pass_info info{.name = "NeedsBoth"};
    using required = tutti::passes<needs_double>;
    void operator()(int&) const {}
};

} // namespace

TEST_CASE("write_pipeline: a resolved pipeline is read back unchanged", "[pipeline][writing]") {
    constexpr tutti::passes<double_it, needs_double, needs_both, add_amount> known;
    const auto flat = tutti::resolve(sequential(needs_both{}, add_amount{.times = 2}));
    const auto read_flat = tutti::pipeline<"resolved(Double,NeedsDouble,NeedsBoth,AddAmount{times=2})">(known);
    CHECK(std::is_same_v<decltype(sequential(flat)), std::remove_const_t<decltype(read_flat)>>);
    CHECK(write_pipeline(flat) == write_pipeline(read_flat));
    CHECK(write_pipeline(flat) == "resolved(Double,NeedsDouble,NeedsBoth,AddAmount{times=2})");

    const auto nested = tutti::resolve(
        sequential<"all", 1>(sequential(needs_both{}, double_it{}), tutti::fixpoint(needs_double{}), double_it{}));
    const auto read_nested =
        tutti::pipeline<"resolved[all,1](seq(Double,NeedsDouble,NeedsBoth),fixpoint(seq(NeedsDouble)),Double)">(known);
    CHECK(std::is_same_v<decltype(sequential(nested)), std::remove_const_t<decltype(read_nested)>>);
    CHECK(write_pipeline(nested) == write_pipeline(read_nested));
}

TEST_CASE("write_pipeline: refuses pipelines that would not be read back", "[pipeline][writing]") {
    CHECK_THROWS_WITH(write_pipeline(sequential<"below", -1>(double_it{})),
                      Catch::Contains("the sequential below has level -1"));
    CHECK_THROWS_WITH(write_pipeline(runtime::sequential<int>{{double_it{}}, "below", -1}),
                      Catch::Contains("expected 0 or more"));
    runtime::sequential<int> deep{{double_it{}}, "innermost"};
    for (int i = 0; i < 63; ++i) deep = runtime::sequential<int>{{deep}, "S"};
    const std::string text = write_pipeline(deep);
    CHECK(write_pipeline(runtime::parse_pipeline(text, runtime::registry<int>{constant_passes})) == text);
    CHECK_THROWS_WITH(write_pipeline(runtime::sequential<int>{{deep}, "S"}),
                      Catch::Contains("at most 64 nested passes"));
}
