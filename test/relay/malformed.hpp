#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

// Malformed programs, which no parser or pass of the library produces. They are for tests of functions that must
// survive such programs.

namespace malformed {

namespace relay = tutti::relay;

// Gives access to private members, such as the arrays of a graph. An explicit instantiation may name private members.
template <class Tag, auto Member>
struct reveal {
    friend constexpr auto member_of(Tag) { return Member; }
};
#define MALFORMED_MEMBER(Class, Member)                                                                                \
    struct Class##_##Member {                                                                                          \
        friend constexpr auto member_of(Class##_##Member);                                                             \
    };                                                                                                                 \
    template struct reveal<Class##_##Member, &relay::Class::Member>;                                                   \
    inline auto& Member(relay::Class& c) { return c.*member_of(Class##_##Member{}); }
MALFORMED_MEMBER(graph, nodes_)
MALFORMED_MEMBER(graph, operands_)
MALFORMED_MEMBER(graph, ops_)
MALFORMED_MEMBER(graph, functions_)
MALFORMED_MEMBER(graph, locations_)
MALFORMED_MEMBER(type_table, types_)
MALFORMED_MEMBER(type_table, dims_)
MALFORMED_MEMBER(type_table, members_)
MALFORMED_MEMBER(string_table, ends_)
MALFORMED_MEMBER(string_table, characters_)
MALFORMED_MEMBER(attr_table, values_)
MALFORMED_MEMBER(data_types, fields_)
MALFORMED_MEMBER(attr_table, ends_)
MALFORMED_MEMBER(data_types, definitions_)
MALFORMED_MEMBER(data_types, constructors_)
#undef MALFORMED_MEMBER

// A program with all kinds of expressions and inferred types.
inline relay::ir_module program() {
    relay::ir_module m = relay::parse(R"(#[version = "0.0.5"]
type List[A] {
  Cons(A, List[A]),
  Nil,
}
def @helper(%a: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] {
  nn.relu(%a)
}
def @main(%x: Tensor[(2, 2), float32], %c: bool, %l: List[int32]) {
  let %y = add(%x, 1f);
  %0 = (%y, %x);
  %1 = if (%c) {
    %0.0
  } else {
    @helper(%y)
  };
  %2 = fn (%p: Tensor[(2, 2), float32], Primitive=1) -> Tensor[(2, 2), float32] {
    nn.softmax(%p, axis=1)
  };
  %3 = match (%l) {
    Cons(%h, _) => {
      %h
    },
    Nil => {
      3
    },
  };
  %4 = ref(%x);
  %5 = ref_write(%4, %y);
  %6 = ref_read(%4);
  (%2(%1), %3, %5, %6, sum(%x, axis=[0, 1]))
}
)");
    relay::infer_types(m);
    return m;
}

// Returns the first expression of a kind. `last` returns the last one.
inline relay::expr_id first(const relay::graph& g, relay::expr_kind kind) {
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (g.kind(relay::expr_id{i}) == kind) return relay::expr_id{i};
    return relay::expr_id::none;
}
inline relay::expr_id last(const relay::graph& g, relay::expr_kind kind) {
    for (std::uint32_t i = g.size(); i-- > 0;)
        if (g.kind(relay::expr_id{i}) == kind) return relay::expr_id{i};
    return relay::expr_id::none;
}
// Returns the first operator call with attributes, or without attributes if `attributes` is false.
inline relay::expr_id op_call(const relay::graph& g, bool attributes = false) {
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (const relay::expr_id e{i}; g.called_op(e) && (g.call_attributes(e) != relay::attrs_id::none) == attributes)
            return e;
    return relay::expr_id::none;
}

inline auto& node(relay::graph& g, relay::expr_id e) { return nodes_(g)[index(e)]; }
inline relay::expr_id& operand(relay::graph& g, relay::expr_id e, std::uint32_t i) {
    return operands_(g)[node(g, e).first + i];
}
inline void set_count(relay::graph& g, relay::expr_id e, std::uint32_t count) {
    node(g, e).head = (node(g, e).head & 0xFFU) | count << 8;
}

// The severity of a malformation. Functions that read programs refuse an `unreadable` program. They accept a `wrong`
// program, and verification reports the fault.
enum class damage { unreadable, wrong };

struct malformation {
    std::string_view name;
    damage how;
    void (*to)(relay::ir_module&);
};

inline relay::function& main_of(relay::ir_module& m) { return *m.find("main"); }
inline relay::graph& graph_of(relay::ir_module& m) { return main_of(m).graph; }

inline std::span<const malformation> all() {
    using relay::expr_id;
    using relay::expr_kind;
    using module = relay::ir_module;
    constexpr std::uint32_t far = 1000000;
    static constexpr malformation table[]{
        {"root out of range", damage::unreadable, [](module& m) { main_of(m).root = expr_id{far}; }},
        {"no root", damage::unreadable, [](module& m) { main_of(m).root = expr_id::none; }},
        {"root that is no function", damage::unreadable, [](module& m) { main_of(m).root = op_call(graph_of(m)); }},
        {"operand out of range", damage::unreadable,
         [](module& m) { operand(graph_of(m), op_call(graph_of(m)), 1) = expr_id{far}; }},
        {"operand none", damage::unreadable,
         [](module& m) { operand(graph_of(m), op_call(graph_of(m)), 1) = expr_id::none; }},
        {"call of itself", damage::unreadable,
         [](module& m) {
             const expr_id e = op_call(graph_of(m));
             operand(graph_of(m), e, 0) = e;
         }},
        {"argument of itself", damage::unreadable,
         [](module& m) {
             const expr_id e = op_call(graph_of(m));
             operand(graph_of(m), e, 1) = e;
         }},
        {"cycle of two", damage::unreadable,
         [](module& m) {
             relay::graph& g = graph_of(m);
             const expr_id tuple = first(g, expr_kind::tuple), field = first(g, expr_kind::projection);
             operand(g, tuple, 0) = field;
             operand(g, field, 0) = tuple;
         }},
        {"cycle through the root", damage::unreadable,
         [](module& m) {
             relay::graph& g = graph_of(m);
             operand(g, first(g, expr_kind::tuple), 1) = main_of(m).root;
         }},
        {"cycle through the module's function made by the interface", damage::unreadable,
         [](module& m) {
             relay::graph g;
             const expr_id x = g.variable("x");
             const expr_id later = g.tuple(std::array{expr_id{2}});
             const expr_id loop = g.tuple(std::array{later});
             main_of(m) = {g, g.function(std::array{x}, loop)};
             main_of(m).root = expr_id{3};
         }},
        {"type out of range", damage::unreadable,
         [](module& m) { graph_of(m).set_type(op_call(graph_of(m)), relay::type_id{far}); }},
        {"annotation out of range", damage::unreadable,
         [](module& m) { graph_of(m).set_annotation(first(graph_of(m), expr_kind::variable), relay::type_id{far}); }},
        {"result type out of range", damage::unreadable,
         [](module& m) { graph_of(m).set_result_annotation(main_of(m).root, relay::type_id{far}); }},
        {"type of no kind", damage::unreadable,
         [](module& m) { types_(graph_of(m).types())[0].kind = static_cast<relay::type_kind>(77); }},
        {"type with members out of range", damage::unreadable,
         [](module& m) {
             for (auto& t : types_(graph_of(m).types()))
                 if (t.kind == relay::type_kind::tuple) t.first = far;
         }},
        {"type with dimensions out of range", damage::unreadable,
         [](module& m) { types_(graph_of(m).types())[0].count = far; }},
        {"type that is made of itself", damage::unreadable,
         [](module& m) {
             relay::type_table& types = graph_of(m).types();
             for (std::uint32_t i = 0; i < types.size(); ++i)
                 if (auto& t = types_(types)[i]; t.kind == relay::type_kind::tuple && t.count != 0)
                     members_(types)[t.first] = relay::type_id{i};
         }},
        {"type of no elements that there are", damage::unreadable,
         [](module& m) {
             for (auto& t : types_(graph_of(m).types())) t.element = static_cast<tutti::kernel::dtype>(0xFF);
         }},
        {"parameter that is no variable", damage::unreadable,
         [](module& m) { operand(graph_of(m), main_of(m).root, 0) = op_call(graph_of(m)); }},
        {"parameter of a nested function that is no variable", damage::unreadable,
         [](module& m) { operand(graph_of(m), first(graph_of(m), expr_kind::function), 0) = op_call(graph_of(m)); }},
        {"constant out of range", damage::unreadable,
         [](module& m) { node(graph_of(m), first(graph_of(m), expr_kind::constant)).payload = far; }},
        {"operator out of range", damage::unreadable,
         [](module& m) { node(graph_of(m), first(graph_of(m), expr_kind::op)).payload = far; }},
        {"operator without a description", damage::unreadable,
         [](module& m) { ops_(graph_of(m))[0].definition = nullptr; }},
        {"expression of no kind", damage::unreadable,
         [](module& m) { node(graph_of(m), op_call(graph_of(m))).head |= 0xFFU; }},
        {"call without a callee", damage::unreadable,
         [](module& m) { set_count(graph_of(m), op_call(graph_of(m)), 0); }},
        {"if without branches", damage::unreadable,
         [](module& m) { set_count(graph_of(m), first(graph_of(m), expr_kind::conditional), 1); }},
        {"function without a body", damage::unreadable, [](module& m) { set_count(graph_of(m), main_of(m).root, 0); }},
        {"operands beyond the list", damage::unreadable,
         [](module& m) { node(graph_of(m), op_call(graph_of(m))).first = far; }},
        {"more operands than there are", damage::unreadable,
         [](module& m) { set_count(graph_of(m), last(graph_of(m), expr_kind::tuple), 0xFFFFFF); }},
        {"let of no variable", damage::unreadable,
         [](module& m) { operand(graph_of(m), first(graph_of(m), expr_kind::let), 0) = op_call(graph_of(m)); }},
        {"patterns out of range", damage::unreadable,
         [](module& m) { node(graph_of(m), first(graph_of(m), expr_kind::match)).payload = far; }},
        {"match with fewer clauses than patterns", damage::unreadable,
         [](module& m) { set_count(graph_of(m), first(graph_of(m), expr_kind::match), 2); }},
        {"pattern that binds no variable", damage::unreadable,
         [](module& m) { operand(graph_of(m), first(graph_of(m), expr_kind::match), 1) = op_call(graph_of(m)); }},
        {"variable without a name", damage::unreadable,
         [](module& m) { node(graph_of(m), first(graph_of(m), expr_kind::variable)).payload = far; }},
        {"function of the module without a name", damage::unreadable,
         [](module& m) { node(graph_of(m), first(graph_of(m), expr_kind::global)).payload = far; }},
        {"constructor without a name", damage::unreadable,
         [](module& m) {
             auto& changed = node(graph_of(m), op_call(graph_of(m)));
             changed.head = static_cast<std::uint32_t>(expr_kind::constructor);
             changed.payload = far;
         }},
        {"attributes out of range", damage::unreadable,
         [](module& m) { node(graph_of(m), op_call(graph_of(m))).payload = far; }},
        {"attributes of a function out of range", damage::unreadable,
         [](module& m) { functions_(graph_of(m))[0].attributes = relay::attrs_id{far}; }},
        {"function out of range", damage::unreadable,
         [](module& m) { node(graph_of(m), first(graph_of(m), expr_kind::function)).payload = far; }},
        {"type parameters that are none", damage::unreadable,
         [](module& m) { functions_(graph_of(m))[0].type_params = relay::type_id{0}; }},
        {"attribute with a string out of range", damage::unreadable,
         [](module& m) {
             for (relay::attr_value& v : values_(graph_of(m).attrs()))
                 if (v.kind == relay::attr_kind::string) v.bits = far;
         }},
        {"attribute that is a list without its elements", damage::unreadable,
         [](module& m) {
             for (relay::attr_value& v : values_(graph_of(m).attrs()))
                 if (v.kind == relay::attr_kind::list) v.count = far;
         }},
        {"attribute of no kind", damage::unreadable,
         [](module& m) {
             for (relay::attr_value& v : values_(graph_of(m).attrs())) v.kind = static_cast<relay::attr_kind>(99);
         }},
        {"attributes of a function without names", damage::unreadable,
         [](module& m) {
             for (relay::attr_value& v : values_(graph_of(m).attrs()))
                 if (v.kind == relay::attr_kind::string) v = relay::attr_value::of(true);
         }},
        {"attribute lists that end before they begin", damage::unreadable,
         [](module& m) { ends_(graph_of(m).attrs())[0] = far; }},
        {"strings beyond their table", damage::unreadable, [](module& m) { ends_(graph_of(m).strings())[0] = far; }},
        {"source with a name out of range", damage::unreadable,
         [](module& m) { graph_of(m).set_location(op_call(graph_of(m)), {far, 0}); }},
        {"data type with fields out of range", damage::unreadable,
         [](module& m) { fields_(m.data_types())[0] = relay::type_id{far}; }},
        {"data type with a constructor out of range", damage::unreadable,
         [](module& m) { definitions_(m.data_types())[0].first_constructor = far; }},
        {"types of data types of no kind", damage::unreadable,
         [](module& m) { types_(m.data_types().types())[0].kind = static_cast<relay::type_kind>(77); }},
        {"field beyond a tuple", damage::wrong,
         [](module& m) { node(graph_of(m), first(graph_of(m), expr_kind::projection)).payload = 7; }},
        {"parameter twice", damage::wrong,
         [](module& m) {
             relay::graph& g = graph_of(m);
             operand(g, main_of(m).root, 1) = operand(g, main_of(m).root, 0);
         }},
        {"variable that is its own value", damage::wrong,
         [](module& m) {
             relay::graph& g = graph_of(m);
             const expr_id v = g.variable("v");
             const expr_id let = g.let(v, g.projection(v, 0), v);
             main_of(m).root = g.function({}, let);
         }},
        {"variable outside of its scope", damage::wrong,
         [](module& m) {
             relay::graph& g = graph_of(m);
             const expr_id v = g.operand(first(g, expr_kind::let), 0);
             const expr_id both = g.tuple(std::array{v, g.body(main_of(m).root)});
             main_of(m).root = g.function(g.params(main_of(m).root).first(0), both);
         }},
        {"call of a function that is not there", damage::wrong,
         [](module& m) { m.remove_if([](const auto& d) { return d.name == "helper"; }); }},
    };
    return table;
}

} // namespace malformed
