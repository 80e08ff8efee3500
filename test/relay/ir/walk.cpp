#include <tutti/relay/ir/walk.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>

using namespace tutti::relay;

namespace {

constexpr bool meets_operands_first_and_each_once() {
    builder b;
    const auto x = b.variable("x");
    const auto unused = b.tuple({x});
    const auto a = b.tuple({x, x});
    const auto c = b.tuple({a[1], a, x});
    const auto order = post_order(b.graph(), c.id);
    return unused.id != c.id && order == plain_vector<expr_id>{x.id, a.id, b.graph().operand(c.id, 0), c.id};
}
static_assert(meets_operands_first_and_each_once());

constexpr bool enters_users_first_and_leaves_them_last() {
    builder b;
    const auto x = b.variable("x");
    const auto a = b.tuple({x, x});
    const auto c = b.tuple({a, x, a});
    plain_vector<expr_id> entered;
    plain_vector<expr_id> left;
    each_once first_time(b.graph().size());
    const auto enter = [&](expr_id e) {
        if (!first_time(e)) return false;
        entered.push_back(e);
        return true;
    };
    walk(b.graph(), c.id, enter, [&](expr_id e) { left.push_back(e); });
    return entered == plain_vector<expr_id>{c.id, a.id, x.id} && left == plain_vector<expr_id>{x.id, a.id, c.id};
}
static_assert(enters_users_first_and_leaves_them_last());

// A walk requests an operand only after it has left the previous operand. The nodes may be plain numbers.
constexpr bool asks_for_operands_one_after_the_other() {
    constexpr std::uint32_t none = 0xFFFFFFFFU;
    plain_vector<std::uint32_t> met;
    const auto operand = [&](std::uint32_t n, std::uint32_t i) {
        met.push_back(10 * n + i);
        return n != 0 && i < 2 ? n - 1 - i % n : none; // 2 has the operands 1 and 0; 1 has 0 and 0
    };
    walk(2U, operand, each_once(3), [&](std::uint32_t n) { met.push_back(100 + n); });
    return met == plain_vector<std::uint32_t>{20, 10, 0, 100, 11, 12, 101, 21, 22, 102};
}
static_assert(asks_for_operands_one_after_the_other());

constexpr bool counts_uses_operand_by_operand() {
    builder b;
    const auto x = b.variable("x");
    const auto a = b.tuple({x, x});
    const auto c = b.tuple({a, x});
    const auto uses = count_uses(b.graph(), post_order(b.graph(), c.id));
    return uses[index(x.id)] == 3 && uses[index(a.id)] == 1 && uses[index(c.id)] == 0;
}
static_assert(counts_uses_operand_by_operand());

// The specialised walk visits expressions in the order of the generic walk.
constexpr bool is_the_same_order_as_that_of_a_walk(std::uint32_t seed) {
    builder b;
    plain_vector<expr> made;
    for (std::uint32_t i = 0; i < 60; ++i) {
        const auto some = [&] { return made[(seed = seed * 1664525U + 1013904223U) / 7 % made.size()]; };
        if (i % 7 == 0)
            made.push_back(b.variable("x"));
        else if (i % 5 == 1)
            made.push_back(b.tuple({}));
        else
            made.push_back(i % 3 == 0 ? b.tuple({some(), some(), some()}) : b.let(made[0], some(), some()));
    }
    const graph& g = b.graph();
    bool right = true;
    for (const expr& root : made) {
        const auto order = post_order(g, root.id);
        right = right && order == post_order(g, root.id, [](expr_id) { return expr_id::none; });
        std::size_t met = 0;
        expr_id last = expr_id::none;
        const auto from_root = for_each_from(g, root.id, [&](expr_id e) {
            right = right && e < last;
            last = e;
            ++met;
            bool found = false;
            for (const expr_id o : order) found = found || o == e;
            right = right && found;
        });
        right = right && met == order.size() && from_root.size() == index(root.id) + 1;
        std::size_t marked = 0;
        for (const char mark : from_root) marked += mark != 0 ? 1U : 0U;
        right = right && marked == met;
    }
    return right;
}
static_assert(is_the_same_order_as_that_of_a_walk(1));

// Expressions that a function encloses are marked, unless the function is unused.
constexpr bool marks_what_is_enclosed() {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto inner = b.tuple({x});
    const auto f = b.nested({x}, inner);
    const auto other = b.tuple({y});
    const auto unused = b.nested({}, other);
    const auto root = b.tuple({b.call(f, {other}), y});
    const auto is_function = [&](expr_id e) { return b.graph().kind(e) == expr_kind::function; };
    const enclosed_expressions in(b.graph(), root.id, is_function);
    const enclosed_expressions nothing(b.graph(), root.id, [](expr_id) { return false; });
    return in.contain(f.id) && in.contain(inner.id) && in.contain(x.id) && !in.contain(other.id) && !in.contain(y.id) &&
           !in.contain(root.id) && !in.contain(unused.id) && !nothing.contain(f.id);
}
static_assert(marks_what_is_enclosed());

} // namespace

TEST_CASE("walk: enters users before operands and leaves them behind these", "[relay][walk]") {
    CHECK(enters_users_first_and_leaves_them_last());
    CHECK(asks_for_operands_one_after_the_other());
}

TEST_CASE("walk: the specialised walk has the order of the generic one, and from the top visits the same",
          "[relay][walk]") {
    for (std::uint32_t seed = 0; seed < 50; ++seed) CHECK(is_the_same_order_as_that_of_a_walk(seed));
}

TEST_CASE("walk: counts uses", "[relay][walk]") { CHECK(counts_uses_operand_by_operand()); }

TEST_CASE("walk: marks the expressions that some expressions enclose", "[relay][walk]") {
    CHECK(marks_what_is_enclosed());
}

TEST_CASE("walk: meets operands before users and each expression once", "[relay][walk]") {
    CHECK(meets_operands_first_and_each_once());
}

TEST_CASE("walk: a let's variable comes before its value, and the value before the body", "[relay][walk]") {
    builder b;
    const auto x = b.variable("x");
    const auto value = b.constant(1.0F);
    const auto body = b.tuple({x});
    const auto let = b.let(x, value, body);
    CHECK(post_order(b.graph(), let.id) == plain_vector<expr_id>{x.id, value.id, body.id, let.id});
}

TEST_CASE("walk: supports other orders", "[relay][walk]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto both = b.tuple({x, y});
    const auto before = [&](expr_id e) { return e == x.id ? y.id : expr_id::none; };
    CHECK(post_order(b.graph(), both.id, before) == plain_vector<expr_id>{y.id, x.id, both.id});
}

TEST_CASE("walk: free variables are those that neither parameters nor lets bind", "[relay][walk]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto z = b.variable("z");
    const auto captured = b.variable("captured");
    const auto f = b.nested({x}, b.tuple({x, captured}));
    const auto body = b.let(y, z, b.call(f, {y}));
    CHECK(free_variables(b.graph(), body.id) == plain_vector<expr_id>{z.id, captured.id});
    CHECK(free_variables(b.graph(), f.id) == plain_vector<expr_id>{captured.id});
    CHECK(free_variables(b.graph(), b.nested({z, captured}, body).id).empty());
}

TEST_CASE("walk: goes a million expressions deep, along operands, functions and shared halves", "[relay][walk][deep]") {
    constexpr std::size_t depth = 1'000'000;
    graph g;
    expr_id e = g.variable("x");
    for (std::size_t i = 0; i < depth; ++i) {
        const std::array both{e, e}; // doubles the number of paths
        e = i % 3 == 0 ? g.function({}, e) : i % 3 == 1 ? g.tuple(both) : g.projection(e, 0);
    }
    CHECK(post_order(g, e).size() == depth + 1);
    CHECK(free_variables(g, e).size() == 1);
}
