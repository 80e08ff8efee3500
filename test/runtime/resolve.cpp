#include <tutti/runtime/resolve.hpp>

#include <tutti/pipeline/literal.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

namespace runtime = tutti::runtime;

namespace {
// A pass that appends its digit to the unit.
template <int Digit, class... Required>
struct digit {
    static constexpr char name[2] = {static_cast<char>('0' + Digit), 0};
    static constexpr tutti::pass_info info{.name = name};
    using required = tutti::passes<Required...>;
    void operator()(int& n) const { n = n * 10 + Digit; }
};
using one = digit<1>;
using two = digit<2, one>;
using three = digit<3, two>;

struct knot;
struct tied {
    static constexpr tutti::pass_info info{.name = "Tied"};
    using required = tutti::passes<knot>;
    void operator()(int&) const {}
};
struct knot {
    static constexpr tutti::pass_info info{.name = "Knot"};
    using required = tutti::passes<tied>;
    void operator()(int&) const {}
};

const runtime::registry<int>& known() {
    static const runtime::registry<int> all{tutti::passes<one, two, three>{}};
    return all;
}
int run(const auto& pipeline, const setup& s = {}) {
    auto ctx = erased_layer::context<int>(s);
    return tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, 0); });
}
} // namespace

TEST_CASE("runtime::resolve: a resolved text runs required passes, as a literal does", "[runtime][resolve]") {
    const auto read = runtime::parse_pipeline("resolved(3)", known());
    CHECK(tutti::write_pipeline(read) == "resolved(1,2,3)");
    CHECK(run(read) == 123);
    CHECK(run(tutti::pipeline<"resolved(3)">(tutti::passes<one, two, three>{})) == 123);
    // The passes within repeat may not have run, so 1 and 2 run again before 3. The 1 at the end moves there.
    CHECK(run(runtime::parse_pipeline("resolved(repeat(2),3,1)", known())) == 1212123);
    CHECK(run(tutti::pipeline<"resolved(repeat(2),3,1)">(tutti::passes<one, two, three>{})) == 1212123);
    const runtime::sequential<int> again = runtime::resolve(runtime::resolve(runtime::sequential<int>{{three{}}}));
    CHECK(tutti::write_pipeline(again) == "resolved(1,2,3)");
}

TEST_CASE("runtime::resolve: passes are distinguished by type, not by name", "[runtime][resolve]") {
    // The sequential has the name of a pass that a later pass requires.
    const char* const text = "resolved(seq[1,3](3),3)";
    const auto read = runtime::parse_pipeline(text, known());
    const auto literal = tutti::pipeline<"resolved(seq[1,3](3),3)">(tutti::passes<one, two, three>{});
    for (const setup& s : {setup{}, setup{.opt_level = 3}, setup{.disabled = {"1"}}})
        CHECK(run(read, s) == run(literal, s));
    CHECK(run(read) == 123); // the sequential is above the level
}

TEST_CASE("resolved: a stage is not needed by one that has the same pass", "[runtime][resolve]") {
    const auto literal = tutti::resolve(
        tutti::sequential(tutti::resolve(tutti::sequential<"sequential", 3>(one{})), tutti::sequential(two{})));
    const auto read = runtime::parse_pipeline("resolved(resolved[sequential,3](1),seq(2))", known());
    CHECK(tutti::write_pipeline(literal) == tutti::write_pipeline(read));
    CHECK(run(literal) == 12);
    CHECK(run(read) == 12);
}

TEST_CASE("runtime::resolve: passes that require each other are an error", "[runtime][resolve]") {
    CHECK_THROWS_WITH(runtime::resolve(runtime::sequential<int>{{tied{}}}),
                      Catch::Contains("passes require each other in a cycle"));
}
