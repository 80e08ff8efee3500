#include <tutti/relay/ir/structure.hpp>

#include <tutti/base/error.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/unit.hpp>

#include "relay/malformed.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace relay = tutti::relay;

namespace {

constexpr bool accepts_a_program() {
    relay::builder b;
    const relay::expr x = b.variable("x");
    const relay::function f = b.function({x}, b.tuple({x}));
    relay::check_well_formed(f);
    return true;
}
static_assert(accepts_a_program());

// Returns the error that a call throws; empty if there is none.
template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return {};
}

using traits = tutti::unit_traits<relay::ir_module>;

// An executor that claims to run two calls at once, so that the code for several threads is covered.
struct claims_two : tutti::inline_executor {
    static constexpr unsigned concurrency() { return 2; }
};

// Calls `f(name, call)` for each function that reads a program and must survive a malformed one.
template <class F>
void each_reader(const relay::ir_module& m, const relay::ir_module& good, const F& f) {
    f("to_text", [&] { traits::to_text(m); });
    f("to_text, functions at once", [&] {
        claims_two runs;
        static_cast<void>(relay::to_text(m, {.executor = runs}));
    });
    f("to_text of a part", [&] { traits::to_text(m, "main"), traits::to_text(m, "helper"); });
    f("to_full_text", [&] { traits::to_full_text(m); });
    f("fingerprint", [&] { traits::fingerprint(m); });
    f("count_operators", [&] { traits::count_operators(m); });
    f("graph", [&] { traits::graph(m); });
    f("verify", [&] { traits::verify(m); });
    f("structural_hash", [&] { relay::structural_hash(m); });
    f("structural_equal", [&] { static_cast<void>(relay::structural_equal(m, good)); });
    f("structural_equal, the other way", [&] { static_cast<void>(relay::structural_equal(good, m)); });
    f("structural_equal to a copy", [&] {
        const relay::ir_module copy = m;
        static_cast<void>(relay::structural_equal(copy, m));
    });
}

// Corrupts a random element of an array of a module.
template <class Elements>
void spoil(Elements& elements, std::mt19937& random) {
    if (elements.size() == 0) return;
    auto& element = elements[random() % elements.size()];
    auto* const bytes = reinterpret_cast<unsigned char*>(&element);
    const std::uint32_t size = sizeof element;
    switch (random() % 4) {
    case 0: // changes one bit
        bytes[random() % size] ^= static_cast<unsigned char>(1U << random() % 8);
        break;
    case 1: // replaces one byte
        bytes[random() % size] = static_cast<unsigned char>(random());
        break;
    case 2: // sets the low byte of a word to a small number, such as an id
        bytes[random() % size & ~3U] = static_cast<unsigned char>(random() % 40);
        break;
    default: // copies another element
        element = elements[random() % elements.size()];
    }
}
// Corrupts one of the arrays that hold ids or are indexed by them. Excludes the operator definitions, which are
// pointers.
void spoil(relay::ir_module& m, std::mt19937& random) {
    relay::graph& g = malformed::graph_of(m);
    switch (random() % 13) {
    case 0:
    case 1:
    case 2:
        return spoil(malformed::nodes_(g), random);
    case 3:
    case 4:
        return spoil(malformed::operands_(g), random);
    case 5:
        return spoil(malformed::functions_(g), random);
    case 6:
        return spoil(malformed::locations_(g), random);
    case 7:
        return spoil(malformed::types_(g.types()), random);
    case 8:
        return spoil(malformed::members_(g.types()), random);
    case 9:
        return spoil(malformed::ends_(g.strings()), random);
    case 10:
        return spoil(malformed::values_(g.attrs()), random);
    case 11:
        return spoil(malformed::ends_(g.attrs()), random);
    default:
        return spoil(malformed::fields_(m.data_types()), random);
    }
}

} // namespace

TEST_CASE("structure: every reader refuses an unreadable program", "[relay][structure]") {
    const relay::ir_module good = malformed::program();
    CHECK(refusal([&] { relay::check_well_formed(good); }).empty());
    for (const malformed::malformation& each : malformed::all()) {
        relay::ir_module m = good;
        each.to(m);
        const std::string said = refusal([&] { relay::check_well_formed(m); });
        INFO(each.name << ": " << said);
        CHECK(said.empty() == (each.how == malformed::damage::wrong));
        each_reader(m, good, [&](std::string_view reader, const auto& call) {
            INFO(reader);
            const std::string refused = refusal(call);
            if (each.how == malformed::damage::wrong)
                CHECK((!refused.empty() || reader != "verify"));
            else if (reader != "to_text of a part" && !reader.starts_with("structural_equal") && reader != "verify")
                CHECK(refused == said);
        });
    }
}

TEST_CASE("structure: errors name the expression, the function and the pass", "[relay][structure]") {
    relay::ir_module m = malformed::program();
    malformed::operand(malformed::graph_of(m), malformed::op_call(malformed::graph_of(m)), 1) = relay::expr_id::none;
    const std::string said = "call at 10:12: has an operand that does not come before it; expected operands before "
                             "their users";
    CHECK(refusal([&] { relay::check_well_formed(malformed::main_of(m)); }) == said);
    CHECK(refusal([&] { relay::check_well_formed(m); }) == "@main: " + said);
    CHECK(refusal([&] { traits::check_structure(m, "Break"); }) == "after Break: @main: " + said);
}

TEST_CASE("structure: a text of many expressions is refused for any of them", "[relay][structure]") {
    relay::builder b;
    const relay::expr x = b.variable("x");
    relay::expr last = b.tuple({x});
    for (int i = 0; i < 1500; ++i) last = b.tuple({last, x});
    const relay::function good = b.function({x}, last);
    REQUIRE(relay::to_text(good).find("%1499") != std::string::npos);
    for (const std::uint32_t at : {1U, 2U, 511U, 512U, 513U, 1024U, 1025U, index(good.root) - 1}) {
        relay::function f = good;
        malformed::operand(f.graph, relay::expr_id{at}, 0) = relay::expr_id{at};
        const std::string said = refusal([&] { relay::check_well_formed(f); });
        CHECK(said.find("has an operand that does not come before it") != std::string::npos);
        CHECK(refusal([&] { static_cast<void>(relay::to_text(f)); }) == said);
        CHECK(refusal([&] { static_cast<void>(relay::to_text(relay::ir_module(f))); }) == "@main: " + said);
    }
}

// The environment variables TUTTI_SPOILT_PROGRAMS and TUTTI_SPOILT_SEED set the number of programs and the first seed.
TEST_CASE("structure: what reads a program survives any bytes in it", "[relay][structure]") {
    const char* const wanted = std::getenv("TUTTI_SPOILT_PROGRAMS");
    const std::uint32_t programs = wanted ? static_cast<std::uint32_t>(std::atol(wanted)) : 2000;
    const relay::ir_module good = malformed::program();
    std::uint32_t refused = 0;
    const char* const begin = std::getenv("TUTTI_SPOILT_SEED");
    const std::uint32_t first = begin ? static_cast<std::uint32_t>(std::atol(begin)) : 1;
    for (std::uint32_t seed = first; seed < first + programs; ++seed) {
        std::mt19937 random{seed};
        relay::ir_module m = good;
        for (std::uint32_t times = 1 + static_cast<std::uint32_t>(random() % 3); times > 0; --times) spoil(m, random);
        INFO("seed " << seed);
        std::string what;
        each_reader(m, good, [&](std::string_view, const auto& call) {
            if (const std::string said = refusal(call); !said.empty()) what = said;
        });
        refused += what.empty() ? 0 : 1;
    }
    if (programs < 1000) return; // too few programs to predict how many are refused
    CHECK(refused > programs / 4);
    CHECK(refused < programs);
}
