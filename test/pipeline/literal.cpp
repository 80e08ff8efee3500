#include <tutti/pipeline/literal.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/identity.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

#include <type_traits>

using tutti::pipeline;
using tutti::sequential;

namespace {

template <class A, class B>
constexpr bool same(const A&, const B&) {
    return std::is_same_v<A, B>;
}

constexpr auto text =
    pipeline<"Double,AddAmount{amount=2,times=3},seq(Double,seq[\"my own\",3](AddAmount{off=True})),seq()">(
        constant_passes);
constexpr auto written =
    sequential(double_it{}, add_amount{.amount = 2, .times = 3},
               sequential(double_it{}, sequential<"my own", 3>(add_amount{.off = true})), sequential());

constexpr tutti::passes<add_amount, times_adaptor, double_it, once_adaptor> with_adaptors{};

constexpr auto adapted = pipeline<"times{count=3}(AddAmount,Double),times[once](times(Double))">(with_adaptors);
constexpr auto adapted_by_hand =
    sequential(times_pass<decltype(sequential(add_amount{}, double_it{})), times_adaptor>{.inner = {}, .count = 3},
               times_pass<times_pass<double_it, times_adaptor>, once_adaptor>{.inner = {}, .count = 1});

constexpr int run(const auto& passes, int n) {
    return tutti::with(tutti::pass_context{tutti::opt_level<3>},
                       [&](auto& scope) { return scope.run(passes, int{n}); });
}

} // namespace

static_assert(same(text, written));
static_assert(same(pipeline<"">(constant_passes), sequential()));
static_assert(same(pipeline<" Double ">(tutti::passes<double_it>{}), sequential(double_it{})));
static_assert(run(text, 5) == 32);
static_assert(same(adapted, adapted_by_hand));
static_assert(run(adapted, 1) == run(adapted_by_hand, 1) && run(adapted, 1) == (((1 + 1) * 2 + 1) * 2 + 1) * 2 * 4);

TEST_CASE("pipeline: a text at compile time is the sequential written out", "[pass][pipeline]") {
    CHECK(same(text, written));
    CHECK(run(text, 5) == 32);
    CHECK(run(written, 5) == 32);
    CHECK(tutti::names_of(text) == tutti::names_of(written));
}

TEST_CASE("pipeline: extension points have names, and no members", "[pass][pipeline]") {
    constexpr auto points = pipeline<"point(a),fixpoint(Double, point( \"a b\" ))">(tutti::passes<double_it>{});
    CHECK(
        same(points, sequential(tutti::point<"a">{}, tutti::fixpoint(sequential(double_it{}, tutti::point<"a b">{})))));
    CHECK(same(pipeline<"point(Double),repeat(point(fixpoint))">(constant_passes), // names of passes, too
               sequential(tutti::point<"Double">{}, tutti::repeat(tutti::point<"fixpoint">{}, 2))));
}

TEST_CASE("pipeline: options of types that are not made at compile time", "[pass][pipeline]") {
    const auto converted = pipeline<"ConvertLayout{target=\"a b\",sizes=[1,-2],nn.conv2d=[NHWC,default]}">(
        tutti::passes<double_it, convert_layout>{});
    const auto by_hand = sequential(
        convert_layout{.target = "a b", .sizes = {1, -2}, .desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}});
    CHECK(same(converted, by_hand));
    int n = 5;
    tutti::with(tutti::pass_context{tutti::opt_level<3>}, [&](auto& scope) { scope.run(converted, n); });
    CHECK(n == 11);
}

TEST_CASE("pipeline: adaptors take their members, one as it is and several as a sequential", "[pass][pipeline]") {
    CHECK(same(adapted, adapted_by_hand));
    CHECK(run(adapted, 1) == 88);
}
