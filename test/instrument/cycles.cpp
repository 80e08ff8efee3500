#include <tutti/instrument/cycles.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/result.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

#include <string>
#include <vector>

using tutti::instrument::cycles;

namespace {

// Passes over loops, which have a fingerprint. They do not report whether they changed the loop.
const auto up = tutti::make_pass<"Up">([](auto& c) { ++c.trips; });
const auto down = tutti::make_pass<"Down">([](auto& c) { --c.trips; });
const auto stay = tutti::make_pass<"Stay">([](auto&) {});
const auto turn = tutti::make_pass<"Turn">([](auto& c) { c.trips = c.trips == 3 ? 1 : c.trips + 1; });
const auto refuse = tutti::make_pass<"Refuse">([](auto&) { throw tutti::error{"Refuse", "cannot"}; });

std::string text_of(const cycles& found) {
    std::string text;
    for (const auto& each : found.found()) text += to_text(each) + '\n';
    return text;
}

template <class Layer, class Unit = loop>
std::string found_in(const auto& pipeline) {
    cycles found;
    auto ctx = Layer::template context<Unit>({}, found);
    Unit c;
    try {
        Layer::with(ctx, [&](auto& scope) { scope.run(pipeline, c); });
    } catch (const tutti::pass_error&) {
    } catch (const tutti::error&) {}
    return text_of(found);
}

} // namespace

TEMPLATE_TEST_CASE("cycles: names the passes that undo each other", "[instrument][cycles]", static_layer,
                   erased_layer) {
    const auto both = tutti::sequential(up, stay, tutti::sequential<"Inner">(down));
    CHECK(found_in<TestType>(tutti::fixpoint(both)) == ""); // nothing changes in the whole round
    CHECK(found_in<TestType>(tutti::fixpoint(turn, 7)) ==
          "Turn undoes its own changes: each 3 rounds leave the same unit, after 7 rounds\n");
    CHECK(found_in<TestType>(tutti::fixpoint(turn, 1000)) ==
          "Turn undoes its own changes: each 3 rounds leave the same unit, after 1000 rounds\n");
    CHECK(found_in<TestType>(tutti::fixpoint(tutti::sequential(turn, stay, up), 2)) ==
          "Turn and Up changed the unit in the last of 2 rounds\n");
    const auto swing = tutti::make_pass<"Swing">([](auto& c) { c.trips = c.trips > 5 ? 0 : c.trips; });
    CHECK(found_in<TestType>(tutti::sequential(stay, tutti::fixpoint(tutti::sequential(up, swing), 20), stay)) ==
          "Up and Swing undo each other: each 6 rounds leave the same unit, after 20 rounds\n");
}

TEMPLATE_TEST_CASE("cycles: a limit that fails, is ignored, or was not reached", "[instrument][cycles]", static_layer,
                   erased_layer) {
    using tutti::on_limit;
    CHECK(found_in<TestType>(tutti::fixpoint(up, 1, on_limit::fail)) == "Up changed the unit in the last of 1 round\n");
    CHECK(found_in<TestType>(tutti::fixpoint(up, 3, on_limit::silent)) == "");
    CHECK(found_in<TestType>(tutti::fixpoint(up, 0)) == "");
    CHECK(found_in<TestType>(tutti::fixpoint(tutti::sequential(up, refuse), 3)) == "");
    CHECK(found_in<TestType>(tutti::fixpoint(tutti::fixpoint(up, 2), 2)) ==
          "Up changed the unit in the last of 2 rounds\nUp changed the unit in the last of 2 rounds\n"
          "Up changed the unit in the last of 2 rounds\n");
}

TEMPLATE_TEST_CASE("cycles: of units without a fingerprint", "[instrument][cycles]", static_layer, erased_layer) {
    const auto knows = tutti::make_pass<"Knows">([](function& c) { return ++c.cost, tutti::changed; });
    const auto rests = tutti::make_pass<"Rests">([](function&) { return tutti::unchanged; });
    CHECK(found_in<TestType, function>(tutti::fixpoint(tutti::sequential(knows, rests), 3)) ==
          "Knows changed the unit in the last of 3 rounds\n");
}

TEST_CASE("cycles: of fixpoints over parts that are transformed in parallel", "[instrument][cycles]") {
    cycles found;
    tutti::thread_pool pool{4};
    tutti::pass_context ctx{tutti::on(pool), tutti::instruments(found)};
    function c{.loops = std::vector<loop>(40)};
    tutti::with(
        ctx, [&](auto& scope) { scope.run(tutti::each<loop>(tutti::fixpoint(tutti::sequential(turn, stay), 4)), c); });
    REQUIRE(found.found().size() == 40);
    for (const auto& each : found.found())
        CHECK(to_text(each) == "Turn undoes its own changes: each 3 rounds leave the same unit, after 4 rounds");
}
