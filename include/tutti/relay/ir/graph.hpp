#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/attr_table.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_SHARED_BEGIN
struct op_def; // relay/op/op_def.hpp
TUTTI_SHARED_END

using kernel::tensor;

/// Kinds of expressions.
enum class expr_kind : std::uint8_t {
    variable,
    global, ///< a function of the module, by name
    constant,
    op,
    call,
    function,
    tuple,
    projection, ///< a field of a tuple
    let,
    conditional, ///< if
    constructor, ///< a constructor of a data type of the module, by name
    match,
    ref_create, ///< `ref(value)`: a new reference to a value
    ref_read,
    ref_write,
};

/// Returns the name of a kind: "variable", "let", "if".
constexpr std::string_view to_string(expr_kind kind) {
    constexpr std::string_view names[]{"variable",    "global", "constant",   "operator", "call",
                                       "function",    "tuple",  "projection", "let",      "if",
                                       "constructor", "match",  "ref",        "ref_read", "ref_write"};
    return names[static_cast<std::size_t>(kind)];
}

/// A position in a source text. Lines and columns start at 1; line 0 means unknown.
struct source_location {
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    friend constexpr bool operator==(const source_location&, const source_location&) = default;
};

namespace detail {

class structure_scan; // relay/ir/structure.hpp

// Moves the element at `place` to index `kept`, after the elements kept so far. Returns that index and increments
// `kept`.
template <class Elements>
constexpr std::uint32_t keep(Elements& elements, std::uint32_t place, std::uint32_t& kept) noexcept {
    if (place != kept) elements[kept] = std::move(elements[place]);
    return kept++;
}

} // namespace detail

/// The expressions of one function, including nested functions, in one arena.
///
/// Nodes are only added, and an operand precedes its users. Ids are therefore in topological order, there are no
/// cycles, and algorithms need no recursion. A shared expression is a shared id. Unused nodes remain until the graph is
/// rewritten or `compact` is called.
///
/// The order of operands by kind; kinds that are not listed have none:
///   - call: callee, arguments
///   - function: parameters, body
///   - tuple: fields
///   - projection: tuple
///   - let: variable, value, body
///   - conditional: condition, then, else
///   - match: data, then for each clause the variables of its pattern and its body (see match.hpp)
///   - ref_create: value
///   - ref_read: reference
///   - ref_write: reference, value
///
/// Cost: 16 bytes per node and 4 per operand. Copying copies a few vectors; moving is free.
class graph {
public:
    // Creation. Operands must be expressions of this graph, fewer than 2^24 for each node. A span of operands must not
    // point into the graph.

    /// Adds a variable, distinct from all other variables of this name. `annotation` is its declared type, if any.
    constexpr expr_id variable(std::string_view name, type_id annotation = type_id::none) {
        return add(expr_kind::variable, {}, index(strings_.add(name)), index(annotation));
    }
    /// Adds a variable like `variable`, without looking up the name. Requires: the graph has no string equal to `name`.
    constexpr expr_id variable_of_new_name(std::string_view name, type_id annotation = type_id::none) {
        return add(expr_kind::variable, {}, index(strings_.add_new(name)), index(annotation));
    }

    /// Adds a reference to a function of the module, by name.
    constexpr expr_id global(std::string_view name) { return add(expr_kind::global, {}, index(strings_.add(name))); }

    constexpr expr_id constant(tensor value) {
        constants_.push_back(std::move(value));
        return add(expr_kind::constant, {}, static_cast<std::uint32_t>(constants_.size() - 1));
    }

    /// Returns the expression of an operator, which all its uses share. The description must outlive the graph.
    constexpr expr_id op(const op_def& definition) {
        for (const known_op& known : ops_)
            if (known.definition == &definition) return known.id;
        const expr_id id = add(expr_kind::op, {}, static_cast<std::uint32_t>(ops_.size()));
        ops_.push_back({&definition, id});
        return id;
    }

    constexpr expr_id call(expr_id callee, std::span<const expr_id> arguments, attrs_id attributes = attrs_id::none) {
        const auto first = static_cast<std::uint32_t>(operands_.size());
        const auto count = static_cast<std::uint32_t>(arguments.size() + 1);
        expr_id* const operands = operands_.extend(count);
        operands[0] = callee;
        if (count > 1) operands[1] = arguments[0]; // unrolled: compilers turn a copy loop into a call of memmove
        if (count > 2) operands[2] = arguments[1];
        for (std::size_t i = 2; i < arguments.size(); ++i) operands[i + 1] = arguments[i];
        return add_node(expr_kind::call, count, first, index(attributes));
    }

    /// Adds a function. The list `attributes` alternates names and values. `type_params` is a tuple type whose
    /// fields are the type parameters.
    constexpr expr_id function(std::span<const expr_id> params, expr_id body, type_id result_annotation = type_id::none,
                               attrs_id attributes = attrs_id::none, type_id type_params = type_id::none) {
        functions_.push_back({result_annotation, attributes, type_params});
        const auto place = static_cast<std::uint32_t>(functions_.size() - 1);
        const expr_id id = add(expr_kind::function, {}, place, none, params);
        operands_.push_back(body);
        nodes_.back().head += 1U << count_shift;
        return id;
    }

    constexpr expr_id tuple(std::span<const expr_id> fields) { return add(expr_kind::tuple, {}, none, none, fields); }
    constexpr expr_id projection(expr_id tuple, std::uint32_t field) {
        return add(expr_kind::projection, {tuple}, field);
    }
    constexpr expr_id let(expr_id variable, expr_id value, expr_id body) {
        return add(expr_kind::let, {variable, value, body});
    }
    constexpr expr_id conditional(expr_id condition, expr_id then, expr_id otherwise) {
        return add(expr_kind::conditional, {condition, then, otherwise});
    }

    /// Adds a reference to a constructor of a data type, by name.
    constexpr expr_id constructor(std::string_view name) {
        return add(expr_kind::constructor, {}, index(strings_.add(name)));
    }
    /// Adds a match. `patterns` encodes completeness and the clauses' patterns (see match.hpp). `operands` are the
    /// data, then for each clause the variables of its pattern and its body.
    constexpr expr_id match(std::span<const expr_id> operands, attrs_id patterns) {
        return add(expr_kind::match, {}, index(patterns), none, operands);
    }
    constexpr expr_id ref_create(expr_id value) { return add(expr_kind::ref_create, {value}); }
    constexpr expr_id ref_read(expr_id reference) { return add(expr_kind::ref_read, {reference}); }
    constexpr expr_id ref_write(expr_id reference, expr_id value) {
        return add(expr_kind::ref_write, {reference, value});
    }

    // Access.

    constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    constexpr expr_kind kind(expr_id e) const { return static_cast<expr_kind>(at(e).head & kind_mask); }

    /// Returns the operands. The span is valid until an expression is added.
    constexpr std::span<const expr_id> operands(expr_id e) const {
        const node& n = at(e);
        return operands_.part(n.first & operand_mask(n), n.head >> count_shift);
    }
    constexpr std::size_t operand_count(expr_id e) const { return at(e).head >> count_shift; }
    constexpr expr_id operand(expr_id e, std::size_t i) const { return operands_[at(e).first + i]; }

    /// Returns the inferred type; `none` if it has not been inferred.
    constexpr type_id type(expr_id e) const { return at(e).type; }
    constexpr void set_type(expr_id e, type_id type) { nodes_[index(e)].type = type; }

    /// Returns the source location; line 0 if the expression was not read from a text.
    constexpr source_location location(expr_id e) const {
        const source_location from = origin(e);
        return from.column != 0 ? from : source_location{};
    }
    constexpr void set_location(expr_id e, source_location where) {
        if (locations_.size() == index(e)) return locations_.push_back(where);
        if (locations_.size() < index(e)) locations_.resize(nodes_.size());
        locations_[index(e)] = where;
    }
    /// Returns the name of the source, such as a node of a model; empty if unknown. An expression has a name or a
    /// location, not both.
    constexpr std::string_view source_name(expr_id e) const {
        const source_location from = origin(e);
        return from.column == 0 && from.line != 0 ? strings_[string_id{from.line - 1}] : std::string_view();
    }
    constexpr void set_source_name(expr_id e, std::string_view name) {
        set_location(e, {index(strings_.add(name)) + 1, 0});
    }
    /// True if the expression has a source location or name.
    constexpr bool has_source(expr_id e) const { return origin(e).line != 0; }
    /// Copies the source of expression `e` of graph `from` to expression `made` of this graph, if the source is known.
    constexpr void copy_source(expr_id made, const graph& from, expr_id e) {
        const source_location source = from.origin(e);
        if (source.line == 0) return;
        if (source.column != 0 || &from == this)
            set_location(made, source);
        else
            set_source_name(made, from.source_name(e));
    }

    constexpr std::string_view variable_name(expr_id e) const {
        return strings_[string_id{of(e, expr_kind::variable).payload}];
    }
    constexpr type_id annotation(expr_id variable) const { return type_id{of(variable, expr_kind::variable).first}; }
    constexpr void set_annotation(expr_id variable, type_id type) {
        assert(kind(variable) == expr_kind::variable);
        nodes_[index(variable)].first = index(type);
    }

    /// Returns the name of a function of the module or of a constructor.
    constexpr std::string_view global_name(expr_id e) const {
        assert(kind(e) == expr_kind::global || kind(e) == expr_kind::constructor);
        return strings_[string_id{at(e).payload}];
    }
    constexpr attrs_id patterns(expr_id match) const { return attrs_id{of(match, expr_kind::match).payload}; }
    /// Returns all constants, including unused ones.
    constexpr std::span<const tensor> constants() const { return {constants_.data(), constants_.size()}; }
    constexpr const tensor& constant_value(expr_id e) const { return constants_[of(e, expr_kind::constant).payload]; }
    constexpr const op_def& op_definition(expr_id e) const { return *ops_[of(e, expr_kind::op).payload].definition; }

    constexpr expr_id callee(expr_id call) const { return operands_[of(call, expr_kind::call).first]; }
    constexpr std::span<const expr_id> arguments(expr_id call) const { return operands(call).subspan(1); }
    constexpr attrs_id call_attributes(expr_id call) const { return attrs_id{of(call, expr_kind::call).payload}; }
    /// Returns the called operator, or null if `e` is not a call of an operator.
    constexpr const op_def* called_op(expr_id e) const {
        if (kind(e) != expr_kind::call || kind(callee(e)) != expr_kind::op) return nullptr;
        return &op_definition(callee(e));
    }

    constexpr std::span<const expr_id> params(expr_id function) const {
        return operands(function).first(operand_count(function) - 1);
    }
    constexpr expr_id body(expr_id function) const { return operands(function).back(); }
    constexpr type_id result_annotation(expr_id function) const { return info(function).result; }
    constexpr void set_result_annotation(expr_id function, type_id type) {
        functions_[of(function, expr_kind::function).payload].result = type;
    }
    constexpr attrs_id function_attributes(expr_id function) const { return info(function).attributes; }
    constexpr void set_function_attributes(expr_id function, attrs_id attributes) {
        functions_[of(function, expr_kind::function).payload].attributes = attributes;
    }
    /// Returns the type parameters as a tuple type; `none` if there are none.
    constexpr type_id type_params(expr_id function) const { return info(function).type_params; }

    constexpr void set_type_params(expr_id function, type_id list) {
        functions_[of(function, expr_kind::function).payload].type_params = list;
    }

    constexpr std::uint32_t field(expr_id projection) const { return of(projection, expr_kind::projection).payload; }

    // The tables of the graph.

    constexpr type_table& types() { return types_; }
    constexpr const type_table& types() const { return types_; }
    constexpr string_table& strings() { return strings_; }
    constexpr const string_table& strings() const { return strings_; }
    constexpr attr_table& attrs() { return attrs_; }
    constexpr const attr_table& attrs() const { return attrs_; }

    /// Removes all expressions, types, strings and attributes, but keeps the memory.
    constexpr void clear() {
        nodes_.clear();
        operands_.clear();
        constants_.clear();
        ops_.clear();
        functions_.clear();
        locations_.clear();
        types_.clear();
        strings_.clear();
        attrs_.clear();
    }

    /// Reserves memory for `whole / part` times the current number of expressions.
    constexpr void reserve_for(std::size_t whole, std::size_t part) {
        nodes_.reserve(nodes_.size() * whole / part);
        operands_.reserve(operands_.size() * whole / part);
        locations_.reserve(locations_.size() * whole / part);
    }

    /// True if the capacity of a table of expressions exceeds its size by more than a quarter.
    constexpr bool has_much_room() const {
        const auto much = [](const auto& values) { return values.capacity() > values.size() + values.size() / 4; };
        return much(nodes_) || much(operands_) || much(locations_);
    }

    /// Returns a graph without expressions but with the same types, strings and attributes, which keep their ids.
    constexpr graph emptied() const {
        graph g;
        g.types_ = types_;
        g.strings_ = strings_;
        g.attrs_ = attrs_;
        g.nodes_.reserve(nodes_.size());
        g.operands_.reserve(operands_.size());
        return g;
    }

private:
    // Defined before its users: Clang requires this order for templates in constant evaluation.
    template <class Becomes>
    [[gnu::always_inline]] constexpr expr_id copy_node(const graph& from, expr_id e, std::span<const expr_id> operands,
                                                       const Becomes& becomes) {
        node n = from.at(e);
        const auto kind = static_cast<expr_kind>(n.head & kind_mask);
        switch (kind) {
        case expr_kind::constant:
            return constant(from.constants_[n.payload]);
        case expr_kind::op:
            return op(from.op_definition(e));
        case expr_kind::variable:
            return add_node(kind, 0, n.first, n.payload);
        case expr_kind::function:
            functions_.push_back(from.functions_[n.payload]);
            n.payload = static_cast<std::uint32_t>(functions_.size() - 1);
            break;
        default:
            break;
        }
        const auto first = static_cast<std::uint32_t>(operands_.size());
        expr_id* next = operands_.extend(operands.size());
        for (const expr_id o : operands) *next++ = becomes(o);
        return add_node(kind, static_cast<std::uint32_t>(operands.size()), first, n.payload);
    }

public:
    /// Adds a copy of expression `e` of `from` and returns the copy's id. The copy has the source of `e`, but no
    /// inferred type. Its operands are `becomes(operand)` for each of `operands`.
    ///
    /// Requires: this graph came from `from.emptied()`; `becomes` does not change this graph.
    template <class Becomes>
    [[gnu::always_inline]] constexpr expr_id add_over(const graph& from, expr_id e, std::span<const expr_id> operands,
                                                      const Becomes& becomes) {
        const expr_id made = copy_node(from, e, operands, becomes);
        if (from.has_source(e)) set_location(made, from.origin(e)); // names have the same ids in both graphs
        return made;
    }
    /// Adds a copy like `add_over`, whose operands are `operands` themselves.
    constexpr expr_id add_like(const graph& from, expr_id e, std::span<const expr_id> operands) {
        return add_over(from, e, operands, [](expr_id o) { return o; });
    }

    /// Removes expressions in place. The kept expressions keep their order, inferred types and sources.
    ///
    /// For each expression, `becomes` holds the expression's own id to keep it, a smaller id to replace it, or `none`
    /// to remove it. On return, `becomes` holds the new ids.
    ///
    /// Requires: no kept expression has a removed operand.
    /// Cost:     linear in the graph; never allocates or throws.
    constexpr void compact(std::span<expr_id> becomes) noexcept {
        std::uint32_t kept = 0;
        std::uint32_t operands = 0;
        std::uint32_t constants = 0;
        std::uint32_t functions = 0;
        std::size_t ops = 0;
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            if (becomes[i] != expr_id{i}) {
                if (becomes[i] != expr_id::none) becomes[i] = becomes[index(becomes[i])];
                continue;
            }
            node n = nodes_[i];
            switch (static_cast<expr_kind>(n.head & kind_mask)) {
            case expr_kind::constant:
                n.payload = detail::keep(constants_, n.payload, constants);
                break;
            case expr_kind::function:
                n.payload = detail::keep(functions_, n.payload, functions);
                break;
            case expr_kind::op:
                ops_[ops] = {ops_[n.payload].definition, expr_id{kept}};
                n.payload = static_cast<std::uint32_t>(ops++);
                break;
            default:
                break;
            }
            if (const std::uint32_t count = n.head >> count_shift; count != 0) {
                for (std::uint32_t k = 0; k < count; ++k)
                    operands_[operands + k] = becomes[index(operands_[n.first + k])];
                n.first = operands;
                operands += count;
            }
            if (i < locations_.size()) locations_[kept] = locations_[i];
            nodes_[kept] = n;
            becomes[i] = expr_id{kept++};
        }
        nodes_.shorten(kept);
        operands_.shorten(operands);
        while (constants_.size() > constants) constants_.pop_back();
        ops_.shorten(ops);
        functions_.shorten(functions);
        if (kept < locations_.size()) locations_.shorten(kept);
    }

private:
    friend class detail::structure_scan;
    friend class internal::function_image;

    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr std::uint32_t kind_mask = 0xFF;

    // Returns the source of an expression. If the column is 0, `line - 1` is the string id of a source name.
    constexpr source_location origin(expr_id e) const {
        return index(e) < locations_.size() ? locations_[index(e)] : source_location{};
    }
    static constexpr unsigned count_shift = 8;

    struct node {
        std::uint32_t head;    // the kind in the lowest 8 bits, the number of operands in the upper bits
        std::uint32_t first;   // index of the first operand; for a variable, its annotation
        std::uint32_t payload; // depends on the kind: a name, constant, operator, attributes, function or field
        type_id type;
    };

    struct known_op {
        const op_def* definition;
        expr_id id;
    };

    struct function_info {
        type_id result; // the declared result type
        attrs_id attributes;
        type_id type_params;
    };

    constexpr const node& at(expr_id e) const { return nodes_[index(e)]; }
    constexpr const node& of(expr_id e, [[maybe_unused]] expr_kind kind) const {
        assert(this->kind(e) == kind);
        return at(e);
    }
    constexpr const function_info& info(expr_id e) const { return functions_[of(e, expr_kind::function).payload]; }

    /// Returns a mask for `first`: all bits set if a node has operands, else 0. A variable's `first` is its annotation.
    static constexpr std::uint32_t operand_mask(const node& n) { return (n.head >> count_shift) == 0 ? 0U : none; }

    constexpr expr_id add(expr_kind kind, std::initializer_list<expr_id> front, std::uint32_t payload = none,
                          std::uint32_t annotation = none, std::span<const expr_id> rest = {}) {
        const auto count = static_cast<std::uint32_t>(front.size() + rest.size());
        const auto first = kind == expr_kind::variable ? annotation : static_cast<std::uint32_t>(operands_.size());
        expr_id* next = operands_.extend(count);
        for (const expr_id o : front) *next++ = o;
        for (const expr_id o : rest) *next++ = o;
        return add_node(kind, count, first, payload);
    }
    constexpr expr_id add_node(expr_kind kind, std::uint32_t count, std::uint32_t first, std::uint32_t payload) {
        const expr_id id{size()};
        nodes_.push_back({static_cast<std::uint32_t>(kind) | count << count_shift, first, payload, type_id::none});
        return id;
    }

    plain_vector<node> nodes_;
    plain_vector<expr_id> operands_;
    vector<tensor> constants_;
    plain_vector<known_op> ops_;
    plain_vector<function_info> functions_;
    plain_vector<source_location> locations_; // indexed by expression; may be shorter than `nodes_`
    type_table types_;
    string_table strings_;
    attr_table attrs_;
};

/// A set of kinds of expressions.
class kind_set {
public:
    constexpr void add(expr_kind kind) { bits_ |= 1U << static_cast<unsigned>(kind); }
    /// True if the set has one of these kinds.
    template <class... Kinds>
    constexpr bool has(Kinds... kinds) const {
        return (((bits_ >> static_cast<unsigned>(kinds) & 1U) != 0) || ...);
    }

private:
    std::uint32_t bits_ = 0;
};

/// Returns the kinds of all expressions in a graph, including unused ones. Cost: small compared with a walk.
constexpr kind_set kinds_of(const graph& g) {
    kind_set kinds;
    for (std::uint32_t i = 0; i < g.size(); ++i) kinds.add(g.kind(expr_id{i}));
    return kinds;
}

/// Returns the value of a function's attribute, or null.
constexpr const attr_value* find_attribute(const graph& g, expr_id function, std::string_view name) {
    std::span<const attr_value> rest = g.attrs()[g.function_attributes(function)];
    while (!rest.empty()) {
        if (g.strings()[rest.front().string()] == name) return &rest[1];
        rest = rest.subspan(1 + extent(rest.subspan(1)));
    }
    return nullptr;
}

/// True if a function has this attribute, such as "Primitive".
constexpr bool has_attribute(const graph& g, expr_id function, std::string_view name) {
    return find_attribute(g, function, name) != nullptr;
}

/// True if a function has this attribute with a value other than 0: `Primitive=0` counts as absent.
constexpr bool has_nonzero_attribute(const graph& g, expr_id function, std::string_view name) {
    const attr_value* value = find_attribute(g, function, name);
    return value != nullptr && !(value->kind == attr_kind::number && value->number().same_number(0)) &&
           !(value->kind == attr_kind::boolean && !value->boolean());
}

/// The shape and element type of an expression. Requires: its inferred type is a tensor type.
constexpr std::span<const dim> shape_of(const graph& g, expr_id e) { return g.types().shape(g.type(e)); }
constexpr dtype element_of(const graph& g, expr_id e) { return g.types().element(g.type(e)); }

} // namespace tutti::relay::inline TUTTI_FORM
