#include <tutti/pass/point.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/runtime/sequential.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <memory>
#include <string>

namespace {

constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });
constexpr tutti::point<"here"> here{};

struct owner {
    std::unique_ptr<int> part;
};

template <class Layer>
std::string events(const auto& pipeline, const setup& how = {}) {
    std::string text;
    full_recorder seen{"", text, recording::hooks_and_passes};
    auto context = Layer::template context<int>(how, seen);
    int n = 1;
    Layer::with(context, [&](auto& scope) { scope.run(pipeline, n); });
    return text + std::to_string(n);
}

} // namespace

static_assert(tutti::with(tutti::pass_context{},
                          [](auto& scope) { return scope.run(tutti::sequential(next, here, twice), 1); }) == 4);

TEMPLATE_TEST_CASE("point: no instrument sees it", "[pass][point]", static_layer, erased_layer) {
    const std::string plain = events<TestType>(tutti::sequential(next, twice));
    CHECK(events<TestType>(tutti::sequential(here, next, here, twice, here)) == plain);
    const setup disabled{.opt_level = 0, .disabled = {"here"}, .required = {"here"}};
    CHECK(events<TestType>(tutti::sequential(next, here, twice), disabled) == plain);
    CHECK(events<TestType>(tutti::resolve(tutti::sequential(next, here, twice))) == plain);
    CHECK(events<TestType>(tutti::sequential(tutti::fixpoint(here), tutti::repeat(here, 3))) ==
          events<TestType>(tutti::sequential(tutti::fixpoint(tutti::sequential<"here">(), 0),
                                             tutti::repeat(tutti::sequential<"here">(), 0))));
}

TEST_CASE("point: no instrument sees it in a run-time pipeline", "[pass][point]") {
    using list = tutti::runtime::sequential<int>;
    const std::string plain = events<erased_layer>(list{{next, twice}});
    CHECK(events<erased_layer>(list{{here, next, twice, here}}) == plain);
    CHECK(events<erased_layer>(list{{here, next, here, twice}, "sequential", 0, tutti::requirements::transitive}) ==
          plain);
    CHECK(events<erased_layer>(tutti::runtime::any_pass<int>{tutti::sequential(next, here, twice)}) == plain);
}

TEMPLATE_TEST_CASE("point: units need not be copyable", "[pass][point]", static_layer, erased_layer) {
    const auto grow = tutti::make_pass<"Grow">([](owner o) {
        ++*o.part;
        return o;
    });
    auto context = TestType::template context<owner>(setup{});
    const owner made = TestType::with(context, [&](auto& scope) {
        return scope.run(tutti::sequential(here, grow, here), owner{std::make_unique<int>(1)});
    });
    CHECK(*made.part == 2);
}

TEMPLATE_TEST_CASE("point: it changes nothing", "[pass][point]", static_layer, erased_layer) {
    auto context = TestType::template context<int>(setup{});
    int n = 1;
    CHECK(TestType::with(context, [&](auto& scope) -> tutti::change {
              return scope.run(tutti::sequential(here, here), n);
          }) == tutti::unchanged);
}
