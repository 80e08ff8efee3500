#include <tutti/relay/eval/leaves.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::type_id;

TEST_CASE("leaves: a tuple has the leaves of its fields, one field after the other", "[relay][eval]") {
    relay::type_table types;
    const type_id t = types.tensor(std::vector<relay::dim>{2}, relay::dtype::float32);
    const type_id f = types.function(std::vector{t}, t);
    const type_id none = types.tuple({});
    const type_id pair = types.tuple(std::vector{t, f});
    const type_id all = types.tuple(std::vector{pair, none, t, pair});
    const eval::type_leaves leaves(types);
    CHECK(leaves.count(t) == 1);
    CHECK(leaves.count(f) == 1);
    CHECK(leaves.count(none) == 0);
    CHECK(leaves.count(all) == 5);
    CHECK(leaves.before(all, 0) == 0);
    CHECK(leaves.before(all, 1) == 2);
    CHECK(leaves.before(all, 2) == 2);
    CHECK(leaves.before(all, 3) == 3);
    std::string names;
    leaves.for_each("x", all,
                    [&](const std::string& name, type_id type) { names += name + (type == t ? ":t " : ":f "); });
    CHECK(names == "x.0.0:t x.0.1:f x.2:t x.3.0:t x.3.1:f ");
}

TEST_CASE("leaves: a small type with too many of them is refused", "[relay][eval]") {
    relay::type_table types;
    type_id t = types.tensor({}, relay::dtype::float32);
    for (int i = 0; i < 100; ++i) t = types.tuple(std::vector{t, t});
    const eval::type_leaves leaves(types);
    CHECK_THROWS_AS(leaves.count(t), tutti::error);
    CHECK_THROWS_AS(leaves.for_each("x", t, [](const auto&, auto) {}), tutti::error);
}
