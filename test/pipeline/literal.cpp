#include <tutti/pipeline/literal.hpp>

#include <tutti/pass/with.hpp>

#include "catch.hpp"
#include "described_passes.hpp"

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

constexpr int run(const auto& passes, int n) {
    return tutti::with(tutti::pass_context{tutti::opt_level<3>},
                       [&](auto& scope) { return scope.run(passes, int{n}); });
}

} // namespace

static_assert(same(text, written));
static_assert(same(pipeline<"">(constant_passes), sequential()));
static_assert(same(pipeline<" Double ">(tutti::passes<double_it>{}), sequential(double_it{})));
static_assert(run(text, 5) == 32);

TEST_CASE("pipeline: a text at compile time is the sequential written out", "[pass][pipeline]") {
    CHECK(same(text, written));
    CHECK(run(text, 5) == 32);
    CHECK(run(written, 5) == 32);
    CHECK(names_of(text) == names_of(written));
}
