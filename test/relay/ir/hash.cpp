#include <tutti/relay/ir/hash.hpp>

#include <tutti/base/form.hpp>

#include "equality_cases.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

using namespace tutti::relay;

namespace {

TUTTI_CONSTEXPR function scaled(float factor, std::string_view name) {
    builder b;
    const expr x = b.variable(name, {2});
    return b.function({x}, multiply(x, b.constant(factor)));
}
#ifndef TUTTI_COMPILED
static_assert(structural_hash(scaled(1, "x")) == structural_hash(scaled(1, "y")));
static_assert(structural_hash(scaled(1, "x")) != structural_hash(scaled(2, "x")));
#endif

} // namespace

TEST_CASE("hash: equal for equal expressions, different for others", "[relay][hash]") {
    CHECK(structural_hash(scaled(1, "x")) == structural_hash(scaled(1, "y")));
    std::set<std::uint64_t> hashes;
    for (const equality_case& c : equality_cases()) {
        INFO(c.what);
        const std::uint64_t a = structural_hash(c.a, c.options);
        CHECK((a == structural_hash(c.b, c.options)) == c.equal);
        CHECK(a == structural_hash(function(c.a), c.options));
        hashes.insert(a);
    }
    CHECK(hashes.size() > 20);
}

TEST_CASE("hash: the same in every run", "[relay][hash]") {
    builder b;
    const expr x = b.variable("x", {1, dim::any()});
    const expr y = call_op<pick>({.mode = "last", .axis = -1, .scale = 0.5, .sizes = {1, 2}}, add(x, b.constant(1.5F)));
    const function f = b.function({x}, b.tuple({y, b.call(b.global("f"), {x})}));
    CHECK(structural_hash(f) == 0x7D2B445A8FACEC97);
}

TEST_CASE("hash: includes the names of a module's functions", "[relay][hash]") {
    const ir_module a(scaled(1, "x"));
    ir_module b;
    b.set("other", scaled(1, "x"));
    CHECK(structural_hash(a) == structural_hash(ir_module(scaled(1, "y"))));
    CHECK(structural_hash(a) != structural_hash(ir_module(scaled(1, "y")), {.names = true}));
    CHECK(structural_hash(a) != structural_hash(b));
    CHECK(structural_hash(a) != structural_hash(ir_module()));
}

TEST_CASE("hash: a million calls deep, without recursion", "[relay][hash]") {
    const auto chain = [](std::string_view name, bool end) {
        builder b;
        const expr x = b.variable(name);
        expr last = end ? negative(x) : x;
        for (int i = 0; i < 1'000'000; ++i) last = add(last, x);
        return structural_hash(b.function({x}, last));
    };
    CHECK(chain("x", false) == chain("y", false));
    CHECK(chain("x", false) != chain("x", true));
}
