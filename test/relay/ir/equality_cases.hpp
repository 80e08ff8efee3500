#pragma once

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>

#include "relay/open_function.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// An operator with attributes, so that the cases do not depend on the operators of the library.
struct pick_attributes {
    std::string_view mode = "first";
    std::int64_t axis = 0;
    double scale = 1;
    tutti::relay::dims sizes{};

    static constexpr tutti::option_list<&pick_attributes::mode, &pick_attributes::axis, &pick_attributes::scale,
                                        &pick_attributes::sizes>
        options{"mode", "axis", "scale", "sizes"};
};

struct pick {
    static constexpr std::string_view name = "pick";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = pick_attributes;
    static constexpr auto pattern = tutti::relay::fusion_pattern::opaque;
    static constexpr tutti::relay::type_id infer(tutti::relay::relation& r, const attributes&) { return r.argument(0); }
};

/// Two programs. `equal` is true if they are structurally equal under these options.
struct equality_case {
    std::string_view what;
    bool equal;
    tutti::relay::function a;
    tutti::relay::function b;
    tutti::relay::equality_options options{};
};

/// Returns pairs of programs that must or must not compare equal, for tests of equality and hashes.
inline std::vector<equality_case> equality_cases() {
    using namespace tutti::relay;
    std::vector<equality_case> cases;
    const auto made = [](auto build) {
        builder b;
        return build(b);
    };
    const auto add_case = [&](std::string_view what, bool equal, auto build_a, auto build_b,
                              equality_options options = {}) {
        cases.push_back({what, equal, made(build_a), made(build_b), options});
    };
    const auto function_of = [](std::string_view first, std::string_view second, auto body) {
        return [=](builder& b) {
            const expr x = b.variable(first, {2, 3});
            const expr y = b.variable(second, {2, 3});
            return tutti::test::open_function(b, {x, y}, body(b, x, y));
        };
    };
    // Both programs have parameters x and y. Only the bodies differ.
    const auto add_bodies = [&](std::string_view what, bool equal, auto body_a, auto body_b,
                                equality_options options = {}) {
        add_case(what, equal, function_of("x", "y", body_a), function_of("x", "y", body_b), options);
    };
    const auto sum = [](builder&, expr x, expr y) { return add(x, y); };

    add_bodies("the same program", true, sum, sum);
    add_bodies(
        "other ids for expressions, types, strings and attributes", true,
        [](builder&, expr x, expr y) { return add(call_op<pick>({.mode = "last"}, x), y); },
        [](builder& b, expr x, expr y) {
            b.variable("unused", {7});
            call_op<pick>({.mode = "middle", .sizes = {1, 2}}, y);
            const expr right = y;
            return add(call_op<pick>({.mode = "last"}, x), right);
        });
    add_bodies("arguments the other way round", false, sum, [](builder&, expr x, expr y) { return add(y, x); });
    add_bodies("another operator", false, sum, [](builder&, expr x, expr y) { return subtract(x, y); });
    add_bodies(
        "another parameter", false, [](builder&, expr x, expr) { return x; }, [](builder&, expr, expr y) { return y; });
    add_bodies("one expression more", false, sum, [](builder&, expr x, expr y) { return negative(add(x, y)); });
    add_bodies("the same argument twice", false, sum, [](builder&, expr x, expr) { return add(x, x); });

    add_case("other names", true, function_of("x", "y", sum), function_of("a", "b", sum));
    add_case("other names, and names count", false, function_of("x", "y", sum), function_of("x", "b", sum),
             {.names = true});
    add_case("the same names, and names count", true, function_of("x", "y", sum), function_of("x", "y", sum),
             {.names = true});
    add_case("names the other way round, uses too", true, function_of("x", "y", sum), function_of("y", "x", sum));

    const auto shared = [](builder&, expr x, expr y) {
        const expr both = add(x, y);
        return add(both, both);
    };
    const auto separate = [](builder&, expr x, expr y) { return add(add(x, y), add(x, y)); };
    add_bodies("both share", true, shared, shared);
    add_bodies("one shares what the other has twice", false, shared, separate);
    add_bodies(
        "they share different ones of equal expressions", false,
        [](builder& b, expr x, expr) {
            const expr p = negative(x);
            const expr q = negative(x);
            return b.tuple({p, q, p});
        },
        [](builder& b, expr x, expr) {
            const expr p = negative(x);
            const expr q = negative(x);
            return b.tuple({p, q, q});
        });

    const auto picked = [](pick_attributes attributes) {
        return [=](builder&, expr x, expr) { return call_op<pick>(attributes, x); };
    };
    add_bodies("the same attributes", true, picked({.mode = "last", .sizes = {1, dim::any()}}),
               picked({.mode = "last", .sizes = {1, dim::any()}}));
    add_bodies("another string", false, picked({.mode = "last"}), picked({.mode = "first"}));
    add_bodies("another number", false, picked({.axis = 1}), picked({.axis = 2}));
    add_bodies("another floating number", false, picked({.scale = 0.5}), picked({.scale = 0.25}));
    add_bodies("another list", false, picked({.sizes = {1, 2}}), picked({.sizes = {1, 3}}));
    add_bodies("a shorter list", false, picked({.sizes = {1, 2}}), picked({.sizes = {1}}));
    add_bodies("a number of another width", false, picked({.sizes = {5}}), picked({.sizes = {dim::wide(5)}}));

    const auto with_constants = [](float first, float second) {
        return [=](builder& b, expr, expr) { return add(b.constant(first), b.constant(second)); };
    };
    add_bodies("constants of the same values", true, with_constants(1, 2), with_constants(1, 2));
    add_bodies("another constant", false, with_constants(1, 2), with_constants(1, 3));
    add_bodies(
        "a constant of another type", false, [](builder& b, expr, expr) { return b.constant(std::int32_t{1}); },
        [](builder& b, expr, expr) { return b.constant(std::int64_t{1}); });
    add_bodies("a constant that is shared", true, with_constants(1, 1), [](builder& b, expr, expr) {
        const expr one = b.constant(1.0F);
        return add(one, one);
    });

    const auto let_of = [](std::string_view name, auto body) {
        return [=](builder& b, expr x, expr y) {
            const expr v = b.variable(name);
            return b.let(v, add(x, y), body(v, x));
        };
    };
    const auto product = [](expr v, expr x) { return multiply(v, x); };
    add_bodies("a let of another name", true, let_of("v", product), let_of("w", product));
    add_bodies("a let of another name, and names count", false, let_of("v", product), let_of("w", product),
               {.names = true});
    add_bodies("a let's variable or a parameter", false, let_of("v", product),
               let_of("v", [](expr, expr x) { return multiply(x, x); }));
    const auto two_lets = [](bool first) {
        return [=](builder& b, expr x, expr y) {
            const expr v = b.variable("v");
            const expr w = b.variable("w");
            return b.let(v, negative(x), b.let(w, negative(y), first ? v : w));
        };
    };
    add_bodies("the inner or the outer let's variable", false, two_lets(true), two_lets(false));
    const auto recursive = [](std::string_view name) {
        return [=](builder& b, expr x, expr) {
            const expr f = b.variable(name);
            const expr p = b.variable("p");
            return b.let(f, b.nested({p}, b.call(f, {p})), b.call(f, {x}));
        };
    };
    add_bodies("a recursive function of another name", true, recursive("f"), recursive("loop"));
    const auto nested = [](bool outer) {
        return [=](builder& b, expr x, expr) {
            const expr p = b.variable("p");
            return b.nested({p}, outer ? x : p);
        };
    };
    add_bodies("the inner or the outer function's parameter", false, nested(true), nested(false));

    const auto condition = [](bool order) {
        return
            [=](builder& b, expr x, expr y) { return b.conditional(b.constant(true), order ? x : y, order ? y : x); };
    };
    add_bodies("an if", true, condition(true), condition(true));
    add_bodies("branches the other way round", false, condition(true), condition(false));
    const auto field = [](std::uint32_t n) { return [=](builder& b, expr x, expr y) { return b.tuple({x, y})[n]; }; };
    add_bodies("a field", true, field(1), field(1));
    add_bodies("another field", false, field(0), field(1));
    add_bodies(
        "a tuple of fewer fields", false, [](builder& b, expr x, expr y) { return b.tuple({x, y}); },
        [](builder& b, expr x, expr) { return b.tuple({x}); });
    add_bodies(
        "empty tuples", true, [](builder& b, expr, expr) { return b.tuple({}); },
        [](builder& b, expr, expr) { return b.tuple({}); });
    const auto calls = [](std::string_view name) {
        return [=](builder& b, expr x, expr) { return b.call(b.global(name), {x}); };
    };
    add_bodies("a call of the same function", true, calls("f"), calls("f"));
    add_bodies("a call of another function", false, calls("f"), calls("g"));

    const auto parameter = [](auto declare) {
        return [=](builder& b) {
            const expr x = declare(b);
            return b.function({x}, x);
        };
    };
    const auto of_shape = [&](std::vector<dim> shape, dtype element = dtype::float32) {
        return parameter([=](builder& b) { return b.variable("x", shape, element); });
    };
    const auto of_tuple = [&](std::vector<dim> shape) {
        return parameter([=](builder& b) -> expr {
            type_table& types = b.graph().types();
            types.tensor({}, dtype::int8);
            const type_id member = types.tensor(shape, dtype::float32);
            const type_id members[]{member, types.function({}, member)};
            return {&b.graph(), b.graph().variable("x", types.tuple(members))};
        });
    };
    add_case("another shape", false, of_shape({1, 2}), of_shape({1, 3}));
    add_case("another element type", false, of_shape({1}), of_shape({1}, dtype::float16));
    add_case("a dimension that is not known", false, of_shape({1}), of_shape({dim::any()}));
    add_case("a dimension of another width", false, of_shape({1}), of_shape({dim::wide(1)}));
    add_case("no declared type", false, of_shape({1}), parameter([](builder& b) { return b.variable("x"); }));
    add_case("the same tuple type", true, of_tuple({1, 2}), of_tuple({1, 2}));
    add_case("another type deep in a tuple type", false, of_tuple({1, 2}), of_tuple({1, 3}));
    add_case("a tensor or a tuple type", false, of_shape({1, 2}), of_tuple({1, 2}));

    const auto with_attribute = [](std::string_view name, std::int64_t value, bool result = false) {
        return [=](builder& b) {
            const expr x = b.variable("x");
            graph g = std::move(b.graph());
            const attr_value list[]{attr_value::of(g.strings().add(name)), attr_value::of(dim(value))};
            const type_id type = result ? g.types().tensor({}, dtype::float32) : type_id::none;
            const expr_id params[]{x.id};
            const expr_id root = g.function(params, x.id, type, name.empty() ? attrs_id::none : g.attrs().add(list));
            return function{std::move(g), root};
        };
    };
    add_case("the same function attribute", true, with_attribute("Primitive", 1), with_attribute("Primitive", 1));
    add_case("another function attribute", false, with_attribute("Primitive", 1), with_attribute("Inline", 1));
    add_case("another value of a function attribute", false, with_attribute("Primitive", 1),
             with_attribute("Primitive", 2));
    add_case("no function attribute", false, with_attribute("Primitive", 1), with_attribute("", 0));
    add_case("a declared result", false, with_attribute("", 0), with_attribute("", 0, true));

    const auto free = [](std::string_view first, std::string_view second) {
        return [=](builder& b, expr, expr) {
            const expr u = b.variable(first);
            return b.tuple({u, first == second ? u : b.variable(second), u});
        };
    };
    const equality_options mapped{.map_free_variables = true};
    add_bodies("free variables of the same names", true, free("u", "v"), free("u", "v"));
    add_bodies("free variables of other names", false, free("u", "v"), free("v", "u"));
    add_bodies("free variables of other names, mapped", true, free("u", "v"), free("v", "w"), mapped);
    add_bodies("one free variable for two", false, free("u", "v"), free("u", "u"), mapped);
    add_bodies(
        "a free variable or a parameter", false, [](builder& b, expr, expr) { return b.variable("x", {2, 3}); },
        [](builder&, expr x, expr) { return x; }, mapped);

    const auto noted = [](builder& b, expr x, expr y) {
        const expr both = add(x, y);
        b.graph().set_type(both.id, b.graph().types().tensor({}, dtype::float32));
        return both;
    };
    add_bodies("an inferred type", true, sum, noted);
    add_bodies("an inferred type, and these count", false, sum, noted, {.inferred_types = true});
    add_bodies("the same inferred type", true, noted, noted, {.inferred_types = true});
    add_bodies("another place in the text", true, sum, [](builder& b, expr x, expr y) {
        const expr both = add(x, y);
        b.graph().set_location(both.id, {3, 14});
        return both;
    });
    return cases;
}
