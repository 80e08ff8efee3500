#include <tutti/relay/text/print/schedule.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "relay/open_function.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace tutti::relay;
using text::naming;
using text::schedule;
using kind = schedule::line_kind;

namespace {

// Returns the kind and the expression of each line of a block.
std::vector<std::pair<kind, expr_id>> lines(const schedule& s, std::uint32_t first) {
    std::vector<std::pair<kind, expr_id>> found;
    for (; first != schedule::none; first = s[first].next) found.emplace_back(s[first].kind, s[first].e);
    return found;
}

using expected = std::vector<std::pair<kind, expr_id>>;

} // namespace

TEST_CASE("schedule: a line precedes its first user, but need not follow its last operand directly",
          "[relay][schedule]") {
    builder b;
    const auto x = b.variable("x");
    const auto first = exp(x); // visited first, but its line follows that of `inner`
    const auto inner = log(x);
    const auto second = negative(inner);
    const auto sum = add(first, second);
    const function f = b.function({x}, sum);
    naming shared;
    schedule s(f.graph, f.root);
    s.name_all(shared);
    CHECK(lines(s, s.block(f.root)) ==
          expected{
              {kind::number, inner.id}, {kind::number, first.id}, {kind::number, second.id}, {kind::result, sum.id}});
    CHECK(s.number(inner.id) == 0);
    CHECK(s.number(first.id) == 1);
    CHECK(s.number(sum.id) == schedule::none);
}

TEST_CASE("schedule: a function's body is numbered on the first visit, and named before its arguments",
          "[relay][schedule]") {
    builder b;
    const auto x = b.variable("x");
    const auto p = b.variable("p");
    const auto q = b.variable("p");
    const auto inner = exp(p);
    const auto f = b.nested({p}, negative(inner));
    const auto g = b.nested({q}, exp(q));
    const auto argument = b.call(g, {x});
    const auto call = b.call(f, {argument});
    const function main = b.function({x}, call);
    naming shared;
    schedule s(main.graph, main.root);
    s.name_all(shared);
    CHECK(s.name(p.id) == "p");
    CHECK(s.name(q.id) == "p1");
    CHECK(s.number(inner.id) == 0);
    CHECK(lines(s, s.block(main.root)) ==
          expected{{kind::number, g.id}, {kind::number, argument.id}, {kind::number, f.id}, {kind::result, call.id}});
}

TEST_CASE("schedule: a result that something else uses too is bound first", "[relay][schedule]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = exp(x);
    const auto inner = b.nested({}, y);
    const auto call = b.call(inner, {y});
    const function f = b.function({x}, call);
    naming shared;
    schedule s(f.graph, f.root);
    s.name_all(shared);
    CHECK(lines(s, s.block(inner.id)) == expected{{kind::number, y.id}, {kind::result, y.id}});
    CHECK(lines(s, s.block(f.root)) == expected{{kind::number, inner.id}, {kind::result, call.id}});
}

TEST_CASE("schedule: a chain of lets is one block, an if has two", "[relay][schedule]") {
    builder b;
    const auto flag = b.variable("flag");
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto first = exp(flag);
    const auto value = negative(first);
    const auto second = exp(x);
    const auto last = b.let(y, negative(second), y);
    const auto chain = b.let(x, value, last);
    const auto choice = b.conditional(flag, chain, x);
    const function f = b.function({flag}, choice);
    naming shared;
    schedule s(f.graph, f.root);
    s.name_all(shared);
    CHECK(lines(s, s.block(choice.id)) == expected{{kind::number, first.id}, {kind::result, chain.id}});
    CHECK(lines(s, s.block(chain.id)) ==
          expected{{kind::let, chain.id}, {kind::number, second.id}, {kind::let, last.id}, {kind::result, y.id}});
    CHECK(lines(s, s.second_block(choice.id)) == expected{{kind::result, x.id}});
}

TEST_CASE("schedule: an if in an if's first branch leaves the second where it belongs", "[relay][schedule]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto inner = b.conditional(x, y, x);
    const auto outer = b.conditional(x, inner, y);
    const function f = b.function({x, y}, outer);
    naming shared;
    schedule s(f.graph, f.root);
    s.name_all(shared);
    CHECK(lines(s, s.block(outer.id)) == expected{{kind::result, inner.id}});
    CHECK(lines(s, s.second_block(outer.id)) == expected{{kind::result, y.id}});
    CHECK(lines(s, s.block(inner.id)) == expected{{kind::result, y.id}});
    CHECK(lines(s, s.second_block(inner.id)) == expected{{kind::result, x.id}});
}

TEST_CASE("schedule: a free variable is declared where it is first needed, once", "[relay][schedule]") {
    builder b;
    const auto free = b.variable("free");
    const auto y = exp(free);
    const auto sum = add(y, free);
    const function f = tutti::test::open_function(b, {}, sum);
    naming shared;
    schedule s(f.graph, f.root);
    s.name_all(shared);
    CHECK(lines(s, s.block(f.root)) ==
          expected{{kind::free_variable, free.id}, {kind::number, y.id}, {kind::result, sum.id}});
}

TEST_CASE("schedule: numbers are left out for literals, and constants numbered as they are met", "[relay][schedule]") {
    builder b;
    const auto literal = b.constant(1.0F);
    const auto first = b.constant(tensor(dtype::float32, {2}));
    const auto second = b.constant(tensor(dtype::int8, {}));
    const auto pair = b.tuple({add(literal, second), first});
    const function f = b.function({}, pair);
    naming shared;
    schedule s(f.graph, f.root);
    s.name_all(shared);
    CHECK(s.number(literal.id) == schedule::none);
    CHECK(s.constant_number(second.id) == 0);
    CHECK(s.constant_number(first.id) == 1);
}

TEST_CASE("schedule: one that is named behind others has the next names and numbers", "[relay][schedule]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = exp(x);
    const auto constant = b.constant(tensor(dtype::float32, {2}));
    const function f = b.function({x}, b.tuple({y, y, constant, constant}));
    naming shared;
    shared.next_name("x");
    shared.take_numbers(7);
    shared.number_of(tensor(dtype::int8, {3}));
    schedule first(f.graph, f.root);
    schedule second(f.graph, f.root);
    first.name_all(shared);
    second.name_all(shared);
    CHECK(first.name(x.id) == "x1");
    CHECK(second.name(x.id) == "x2");
    CHECK(first.number(y.id) == 7);
    CHECK(second.number(y.id) == 8);
    CHECK(first.constant_number(constant.id) == 1);
    CHECK(second.constant_number(constant.id) == 1); // the same constant has the same number
    CHECK(shared.constants().size() == 2);
    CHECK_FALSE(first.keeps_attributes());
}

namespace {

// Calls whose operands are x or previous calls. They can be created in any order in which operands precede users.
struct call_graph {
    std::vector<std::vector<std::size_t>> operands; // 0: x; otherwise 1 + the index of a previous call

    // Creates all calls. `pick` selects the next one among the calls whose operands exist.
    template <class Pick>
    function made(Pick pick) const {
        function f;
        const expr_id x = f.graph.variable("x");
        const expr_id op = f.graph.op(definition<tutti::relay::op::add>);
        std::vector<expr_id> made(operands.size() + 1, expr_id::none);
        made[0] = x;
        for (std::size_t round = 0; round < operands.size(); ++round) {
            std::vector<std::size_t> ready;
            for (std::size_t i = 0; i < operands.size(); ++i)
                if (made[i + 1] == expr_id::none &&
                    std::ranges::all_of(operands[i], [&](std::size_t o) { return made[o] != expr_id::none; }))
                    ready.push_back(i);
            const std::size_t next = ready[pick(ready.size())];
            std::vector<expr_id> given;
            for (const std::size_t o : operands[next]) given.push_back(made[o]);
            made[next + 1] = f.graph.call(op, given);
        }
        const expr_id params[]{x};
        f.root = f.graph.function(params, made.back());
        return f;
    }
};

// Returns the number of each line of a function, with the numbers of its operands.
std::string text_of(const function& f) {
    naming shared;
    schedule s(f.graph, f.root);
    s.name_all(shared);
    std::string text;
    for (std::uint32_t at = s.block(f.root); at != schedule::none; at = s[at].next) {
        text += std::to_string(s.number(s[at].e)) + ':';
        for (const expr_id o : f.graph.arguments(s[at].e))
            text += ' ' + (f.graph.kind(o) == expr_kind::variable ? "x" : std::to_string(s.number(o)));
        text += '\n';
    }
    return text;
}

} // namespace

TEST_CASE("schedule: lines do not depend on the order of the ids", "[relay][schedule]") {
    std::mt19937 random(1);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    for (int round = 0; round < 2000; ++round) {
        call_graph c;
        const std::size_t size = 1 + below(9);
        for (std::size_t i = 0; i < size; ++i) {
            std::vector<std::size_t> given(1 + below(3));
            for (std::size_t& o : given)
                o = i - below(std::min<std::size_t>(i + 1, 3)); // recent calls, so that few are unused
            c.operands.push_back(given);
        }
        const std::string expected = text_of(c.made([](std::size_t) { return std::size_t{0}; }));
        for (int order = 0; order < 4; ++order) CHECK(text_of(c.made(below)) == expected);
    }
}
