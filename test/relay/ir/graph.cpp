#include <tutti/relay/ir/graph.hpp>

#include <tutti/relay/op/elementwise.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tutti::relay;

static_assert(std::is_nothrow_move_constructible_v<graph>);

namespace {

constexpr bool functions_have_params_and_body() {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id none = g.function({}, x);
    const std::array both{x, g.variable("y")};
    const expr_id two = g.function(both, none);
    return g.params(none).empty() && g.body(none) == x && g.operand_count(none) == 1 && g.params(two).size() == 2 &&
           g.params(two)[1] == both[1] && g.body(two) == none && g.operands(two).size() == 3;
}
static_assert(functions_have_params_and_body());

} // namespace

TEST_CASE("graph: a function has its parameters and its body, also without parameters", "[relay][graph]") {
    CHECK(functions_have_params_and_body());
}

TEST_CASE("graph: operands are as they were given", "[relay][graph]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id empty = g.tuple({});
    const std::array fields{x, empty, x};
    const expr_id tuple = g.tuple(fields);
    const expr_id call = g.call(g.global("f"), fields);
    const expr_id bare = g.call(g.global("f"), {});
    CHECK(g.operands(empty).empty());
    CHECK(std::vector(g.operands(tuple).begin(), g.operands(tuple).end()) == std::vector{x, empty, x});
    CHECK(g.arguments(call).size() == 3);
    CHECK(g.global_name(g.callee(call)) == "f");
    CHECK(g.arguments(bare).empty());
    CHECK(g.field(g.projection(tuple, 2)) == 2);
    CHECK(g.called_op(call) == nullptr);
    CHECK(g.called_op(tuple) == nullptr);
}

TEST_CASE("graph: a variable's annotation is not taken for an operand", "[relay][graph]") {
    graph g;
    const expr_id x = g.variable("x", g.types().tensor({}, dtype::int8));
    CHECK(g.operands(x).empty());
    CHECK(g.types().element(g.annotation(x)) == dtype::int8);
    g.set_annotation(x, type_id::none);
    CHECK(g.annotation(x) == type_id::none);
    CHECK(g.type(x) == type_id::none);
}

TEST_CASE("graph: a variable of a new name is one like others", "[relay][graph]") {
    graph g;
    const type_id type = g.types().tensor({}, dtype::int8);
    const expr_id x = g.variable_of_new_name("x", type);
    CHECK(g.variable_name(x) == "x");
    CHECK(g.annotation(x) == type);
    CHECK(g.annotation(g.variable_of_new_name("y")) == type_id::none);
    const std::uint32_t strings = g.strings().size();
    CHECK(g.variable_name(g.variable("x")) == "x"); // the name is found, not added
    CHECK(g.strings().size() == strings);
}

TEST_CASE("graph: an operator is one expression, a global one each time", "[relay][graph]") {
    graph g;
    const expr_id relu = g.op(definition<op::nn::relu>);
    CHECK(g.op(definition<op::nn::relu>) == relu);
    CHECK(g.op(definition<op::exp>) != relu);
    CHECK(g.op_definition(relu).name == "nn.relu");
    CHECK(g.global("f") != g.global("f"));
}

TEST_CASE("graph: a copy is independent, and shares the constants' elements", "[relay][graph]") {
    graph g;
    const expr_id c = g.constant(tensor(dtype::float32, {1000}));
    graph copy = g;
    copy.variable("new");
    CHECK(g.size() == 1);
    CHECK(copy.size() == 2);
    CHECK(copy.constant_value(c).same_elements(g.constant_value(c)));
    const graph moved = std::move(copy);
    CHECK(moved.size() == 2);
}

TEST_CASE("graph: expressions are added to an emptied graph under the same names, types and attributes",
          "[relay][graph]") {
    graph g;
    const type_id type = g.types().tensor(std::array{dim(2)}, dtype::float32);
    const expr_id x = g.variable("x", type);
    g.set_type(x, type);
    const std::array arguments{x};
    const std::array attributes{attr_value::of(g.strings().add("Primitive")), attr_value::of(dim(1))};
    const expr_id f = g.function(arguments, x, type, g.attrs().add(attributes));
    graph to = g.emptied();
    CHECK(to.size() == 0);
    const expr_id y = to.add_like(g, x, {});
    const std::array operands{y, y};
    const expr_id made = to.add_like(g, f, operands);
    CHECK(to.variable_name(y) == "x");
    CHECK(to.annotation(y) == type);
    CHECK(to.type(y) == type_id::none);
    CHECK(to.params(made)[0] == y);
    CHECK(to.result_annotation(made) == type);
    CHECK(has_attribute(to, made, "Primitive"));
    CHECK_FALSE(has_attribute(to, made, "Compiler"));
}

namespace {

constexpr bool compacting_keeps_what_stays() {
    graph g;
    const type_id type = g.types().tensor(std::array{dim(2)}, dtype::float32);
    const expr_id gone_constant = g.constant(tensor(dtype::float32, {2}));
    const expr_id gone_op = g.op(definition<op::nn::relu>);
    const expr_id x = g.variable("x", type);
    const expr_id exp = g.op(definition<op::exp>);
    const expr_id two = g.constant(tensor(dtype::float32, {2}));
    const expr_id gone_function = g.function({}, gone_op);
    const expr_id call = g.call(exp, std::array{x});
    const expr_id renamed = g.let(gone_constant, gone_function, call); // compacting replaces it by its body
    const expr_id f = g.function(std::array{x}, g.tuple(std::array{renamed, two, call}), type);
    const expr_id last = g.variable("unused");
    for (const expr_id e : {x, call, f}) g.set_type(e, type);
    g.set_location(call, {3, 4});
    tutti::vector<expr_id> becomes;
    for (std::uint32_t i = 0; i < g.size(); ++i) becomes.push_back(expr_id{i});
    for (const expr_id e : {gone_constant, gone_op, gone_function, last}) becomes[index(e)] = expr_id::none;
    becomes[index(renamed)] = call;
    g.compact(becomes);
    const auto now = [&](expr_id e) { return becomes[index(e)]; };
    const expr_id body = g.body(now(f));
    return g.size() == 6 && now(last) == expr_id::none && now(gone_op) == expr_id::none && now(renamed) == now(call) &&
           g.variable_name(now(x)) == "x" && g.annotation(now(x)) == type &&
           &g.op_definition(now(exp)) == &definition<op::exp> && g.callee(now(call)) == now(exp) &&
           g.arguments(now(call))[0] == now(x) && g.type(now(call)) == type &&
           g.location(now(call)) == source_location{3, 4} && g.location(now(two)).line == 0 &&
           g.operands(body).size() == 3 && g.operand(body, 0) == now(call) && g.operand(body, 1) == now(two) &&
           g.operand(body, 2) == now(call) && g.params(now(f))[0] == now(x) && g.result_annotation(now(f)) == type &&
           g.type(body) == type_id::none && g.constant_value(now(two)).shape()[0] == 2 &&
           // Nodes that are added later extend the compacted graph.
           g.op(definition<op::exp>) == now(exp) && g.op(definition<op::nn::relu>) == expr_id{6} &&
           g.constant(tensor(dtype::int8, {3})) == expr_id{7} && g.constant_value(expr_id{7}).shape()[0] == 3 &&
           g.constant_value(now(two)).shape()[0] == 2;
}
static_assert(compacting_keeps_what_stays());

} // namespace

TEST_CASE("graph: compacting removes unused nodes, and preserves the others", "[relay][graph]") {
    CHECK(compacting_keeps_what_stays());
}

TEST_CASE("graph: compacting takes out nothing, or everything", "[relay][graph]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id pair = g.tuple(std::array{x, x});
    tutti::vector<expr_id> becomes{x, pair};
    g.compact(becomes);
    CHECK(becomes == tutti::vector<expr_id>{x, pair});
    CHECK(g.operand(pair, 1) == x);
    becomes.assign(2, expr_id::none);
    g.compact(becomes);
    CHECK(g.size() == 0);
}

TEST_CASE("graph: an attribute of 0 or False is as good as none", "[relay][graph]") {
    graph g;
    const auto with_value = [&](attr_value value) {
        const std::array attributes{attr_value::of(g.strings().add("Primitive")), value};
        return g.function({}, g.tuple({}), type_id::none, g.attrs().add(attributes));
    };
    CHECK(has_nonzero_attribute(g, with_value(attr_value::of(dim(1))), "Primitive"));
    CHECK(has_nonzero_attribute(g, with_value(attr_value::of(true)), "Primitive"));
    CHECK_FALSE(has_nonzero_attribute(g, with_value(attr_value::of(dim(0))), "Primitive"));
    CHECK_FALSE(has_nonzero_attribute(g, with_value(attr_value::of(false)), "Primitive"));
    CHECK_FALSE(has_nonzero_attribute(g, with_value(attr_value::of(true)), "Inline"));
}

TEST_CASE("graph: an attribute is found behind a list and is not taken for its elements", "[relay][graph]") {
    graph g;
    const string_id name = g.strings().add("shape");
    const string_id element = g.strings().add("Primitive");
    const std::array attributes{attr_value::of(name), attr_value::list(1), attr_value::of(element),
                                attr_value::of(g.strings().add("last")), attr_value::of(true)};
    const expr_id f = g.function({}, g.tuple({}), type_id::none, g.attrs().add(attributes));
    CHECK(has_attribute(g, f, "shape"));
    CHECK(has_attribute(g, f, "last"));
    CHECK(find_attribute(g, f, "last") != nullptr);
    CHECK(find_attribute(g, f, "first") == nullptr);
    CHECK_FALSE(has_attribute(g, f, "Primitive"));
}

namespace {

constexpr bool sources_have_names() {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id exp = g.op(definition<op::exp>);
    const expr_id named = g.call(exp, std::array{x});
    const expr_id placed = g.call(exp, std::array{named});
    g.set_source_name(named, "conv1");
    g.set_location(placed, {3, 4});
    bool right = g.source_name(named) == "conv1" && g.location(named).line == 0 && g.has_source(named) &&
                 g.source_name(placed).empty() && g.has_source(placed) && !g.has_source(x) && g.source_name(x).empty();
    // The names are copied to a graph with the same strings, and to one with different strings.
    graph same = g.emptied();
    same.variable("x");
    const std::array<expr_id, 2> operands{exp, x};
    same.op(definition<op::exp>);
    right = right && same.source_name(same.add_like(g, named, operands)) == "conv1";
    graph other;
    const expr_id made[]{other.variable("y"), other.variable("z"), other.variable("w")};
    other.copy_source(made[0], g, named);
    other.copy_source(made[1], g, placed);
    other.copy_source(made[2], g, x);
    return right && other.source_name(made[0]) == "conv1" && other.location(made[1]) == source_location{3, 4} &&
           !other.has_source(made[2]);
}
static_assert(sources_have_names());

} // namespace

TEST_CASE("graph: an expression may have a source name, which copies keep", "[relay][graph]") {
    CHECK(sources_have_names());
}

TEST_CASE("graph: one that is cleared is as a new one", "[relay][graph]") {
    graph g;
    const std::array operands{g.variable("x"), g.constant(tensor::scalar(1.0F))};
    const expr_id call = g.call(g.op(definition<op::abs>), operands);
    g.set_location(g.function({}, call), {3, 4});
    g.clear();
    CHECK(g.size() == 0);
    CHECK(g.constants().empty());
    CHECK(g.strings().size() == 0);
    const expr_id y = g.variable("y");
    CHECK(index(y) == 0);
    CHECK(g.variable_name(y) == "y");
    CHECK(!g.has_source(y));
    CHECK(index(g.op(definition<op::abs>)) == 1);
}

TEST_CASE("graph: says which kinds of expressions there are", "[relay][graph]") {
    graph g;
    CHECK_FALSE(kinds_of(g).has(expr_kind::variable, expr_kind::ref_write));
    g.tuple(std::array{g.variable("x")});
    CHECK(kinds_of(g).has(expr_kind::variable));
    CHECK(kinds_of(g).has(expr_kind::let, expr_kind::tuple));
    CHECK_FALSE(kinds_of(g).has(expr_kind::let, expr_kind::call));
    g.ref_create(expr_id{1});
    CHECK(kinds_of(g).has(expr_kind::ref_create));
}

TEST_CASE("graph: reserved memory is allocated at once, and not copied", "[relay][graph]") {
    graph g;
    const expr_id x = g.variable("x");
    for (int i = 0; i < 10; ++i) g.set_location(g.tuple(std::array{x}), {1, 1});
    const graph exact = g;
    CHECK_FALSE(exact.has_much_room());
    g.reserve_for(300, 10);
    CHECK(g.has_much_room());
    const expr_id* const operands = g.operands(expr_id{1}).data();
    for (int i = 0; i < 200; ++i) g.tuple(std::array{x});
    CHECK(g.operands(expr_id{1}).data() == operands);
    CHECK_FALSE(graph(g).has_much_room());
}
