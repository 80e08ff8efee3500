#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/testing/choices.hpp>
#include <tutti/relay/testing/made_up_tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::testing {

using relay::dims;
using relay::expr;
using shape = vector<std::int64_t>;

/// A tensor of a program under construction.
struct value {
    expr e;
    dtype type = dtype::none;
    testing::shape shape;

    std::size_t rank() const { return shape.size(); }
    std::int64_t size() const { return kernel::element_count(shape); }
};

inline dims to_dims(const shape& s) {
    dims d;
    for (const std::int64_t n : s) d.push_back(n);
    return d;
}

/// The element types of random programs.
inline constexpr dtype all_types[]{dtype::float32, dtype::int32,   dtype::int8,    dtype::boolean, dtype::uint8,
                                   dtype::int64,   dtype::float16, dtype::float64, dtype::int16,   dtype::bfloat16};
inline constexpr dtype float_types[]{dtype::float32, dtype::float16, dtype::float64, dtype::bfloat16};
inline constexpr dtype integer_types[]{dtype::int32, dtype::int8, dtype::uint8, dtype::int64, dtype::int16};

/// A function that the program may call.
struct callable {
    std::string name; // empty for a local function
    expr e;           // the variable bound to a local function
    vector<std::pair<dtype, shape>> params;
    vector<std::pair<dtype, shape>> results;
};

/// Properties of a random program.
struct program_kind {
    bool edges = false;      ///< tensors may contain NaN, infinities, subnormal numbers and the like
    bool open_sizes = false; ///< parameters may have types with open sizes: `?`
};

/// Builds one function of a program from choices.
///
/// The operators' type relations infer the type of each new expression from run-time sizes. If a relation rejects a
/// call, the step or the relation has a bug.
class program_maker {
public:
    program_maker(testing::choices& c, program_kind kind) : choose(c), kind_(kind) {}

    testing::choices& choose;
    vector<value> values; // values that later steps may use
    vector<callable> functions;
    std::span<void (*const)(program_maker&)> own_steps; // the user's steps

    relay::builder& build() { return b_; }
    /// True if types may leave sizes open, even a size of 1.
    bool open_sizes() const { return kind_.open_sizes; }

    // Parameters and constants.

    value variable(dtype type, const shape& s) {
        return of(b_.variable("p" + std::to_string(variables_++), to_dims(s), type));
    }
    /// Adds a parameter of the function, and the tensor to pass for the parameter.
    value param(dtype type, const shape& s, std::optional<elements> kind = {}) {
        const value v = kind_.open_sizes && choose.flip() ? open_variable(type, s) : variable(type, s);
        params_.push_back(v);
        inputs_.push_back(tensor(type, s, kind));
        return v;
    }
    /// Creates a variable whose type leaves some sizes open.
    value open_variable(dtype type, const shape& s) {
        dims annotated = to_dims(s);
        for (relay::dim& d : annotated)
            if (choose.flip()) d = relay::dim::any();
        const expr x = b_.variable("p" + std::to_string(variables_++), annotated, type);
        sizes_[relay::index(x.id)] = tensor_type({type, s});
        return of(x);
    }
    value constant(dtype type, const shape& s, std::optional<elements> kind = {}) {
        return of(b_.constant(tensor(type, s, kind)));
    }
    value scalar(dtype type, double number) { return of(b_.constant(scalar_of(type, number))); }
    /// Returns a parameter or a constant, or, in one case of eight, a call that returns a tensor of equal elements.
    value operand(dtype type, const shape& s, std::optional<elements> kind = {}) {
        const std::uint32_t way = choose.below(16);
        if (way >= 14) return filled(type, s, kind);
        return way % 2 != 0 ? constant(type, s, kind) : param(type, s, kind);
    }
    /// Returns a call that creates a tensor of equal elements, sometimes with a `…_like` operator.
    value filled(dtype type, const shape& s, std::optional<elements> kind = {}) {
        const relay::create_attributes a{.shape = to_dims(s), .dtype = type};
        const std::uint32_t way = choose.below(6);
        const auto like = way < 3 ? std::nullopt : find([&](const value& v) { return v.type == type && v.shape == s; });
        if (kind == elements::positive || way % 3 == 0)
            return of(like ? relay::ones_like(like->e) : relay::ones(b_, a));
        if (way % 3 == 1) return of(like ? relay::zeros_like(like->e) : relay::zeros(b_, a));
        const value element = constant(type, {}, kind);
        return of(like ? relay::full_like(like->e, element.e) : relay::full(element.e, a));
    }

    // Expressions.

    /// Infers the types of all new expressions. Returns the expression `e` as a tensor.
    value of(expr e) {
        infer();
        const relay::type_table& types = graph().types();
        const relay::type_id t = types_[relay::index(e.id)];
        value v{e, types.element(t), {}};
        for (const relay::dim d : types.shape(t)) v.shape.push_back(d.is_any() ? -1 : d.value());
        return v;
    }
    /// Returns the fields of a tuple.
    vector<value> fields(expr tuple) {
        infer();
        const std::size_t count = graph().types().fields(types_[relay::index(tuple.id)]).size();
        vector<value> all;
        for (std::uint32_t i = 0; i < count; ++i) all.push_back(of(tuple[i]));
        return all;
    }
    expr tuple(const vector<value>& parts) {
        vector<relay::expr_id> ids;
        for (const value& v : parts) ids.push_back(v.e.id);
        return {&graph(), graph().tuple(ids)};
    }

    /// Makes a value available to later steps, sometimes through a variable that a let binds.
    void give(value v) {
        if (choose.one_in(8)) v = bind(v);
        values.push_back(std::move(v));
    }
    /// Binds a value with a let and returns its variable.
    value bind(const value& v) {
        const value x = variable(v.type, v.shape);
        lets_.push_back({x.e, v.e});
        return x;
    }
    /// Binds a function with a let and returns its variable.
    expr bind(expr function) {
        infer();
        const expr x{&graph(), graph().variable("f" + std::to_string(variables_++), types_[relay::index(function.id)])};
        lets_.push_back({x, function});
        infer();
        return x;
    }

    /// Returns a variable for a recursive function.
    expr function_variable(const callable& f) {
        return {&graph(), graph().variable("f" + std::to_string(variables_++), type_of(f))};
    }
    void bind(expr variable, expr function) {
        infer();
        lets_.push_back({variable, function});
    }
    /// Returns a function with a declared result type. Requires: `f` has one result.
    expr function_of(const vector<value>& params, expr body, const callable& f) {
        vector<relay::expr_id> ids;
        for (const value& p : params) ids.push_back(p.e.id);
        return {&graph(), graph().function(ids, body.id, tensor_type(f.results.at(0)))};
    }

    // Search for operands.

    /// Returns a value that satisfies `wanted`, or nothing.
    template <class Wanted>
    std::optional<value> find(Wanted wanted) {
        if (values.empty()) return std::nullopt;
        // Prefers the latest values, so that programs are deep.
        const std::size_t first = choose.index(std::min<std::size_t>(values.size(), choose.one_in(3) ? 64 : 4));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const value& v = values[values.size() - 1 - (first + i) % values.size()];
            if (wanted(v)) return v;
        }
        return std::nullopt;
    }
    value any() {
        if (auto v = find([](const value&) { return true; })) return *v;
        return operand(choose.of(all_types), any_shape());
    }
    /// Returns a value of the given type, which exists already or is converted.
    value of_type(dtype type) {
        if (auto v = find([&](const value& x) { return x.type == type; })) return *v;
        return cast(any(), type);
    }
    value of_rank(std::size_t low, std::size_t high) {
        if (auto v = find([&](const value& x) { return x.rank() >= low && x.rank() <= high; })) return *v;
        return operand(choose.of(all_types), any_shape(low, high));
    }
    value floating() {
        if (auto v = find([](const value& x) { return kernel::is_floating(x.type); })) return *v;
        return cast(any(), choose.of(float_types));
    }
    value number() {
        if (auto v = find([](const value& x) { return x.type != dtype::boolean; })) return *v;
        return cast(any(), dtype::int32);
    }
    value integer() {
        if (auto v = find([](const value& x) { return kernel::is_integer(x.type); })) return *v;
        return cast(any(), choose.of(integer_types));
    }
    /// Returns a value of the given type and shape. It exists already, is derived from another value, or is new.
    value fitting(dtype type, const shape& s) {
        if (auto v = find([&](const value& x) { return x.type == type && x.shape == s; })) return *v;
        if (auto v = find([&](const value& x) { return x.shape == s; })) return cast(*v, type);
        if (choose.one_in(3)) {
            if (auto v = find([&](const value& x) { return x.size() == kernel::element_count(s); }))
                return cast(of(relay::reshape(v->e, {.newshape = to_dims(s)})), type);
        }
        return operand(type, s);
    }
    /// Returns a shape that broadcasts to `s`.
    shape broadcastable(const shape& s) {
        shape other = s;
        if (choose.one_in(4)) return {};
        for (std::int64_t& d : other)
            if (choose.one_in(3)) d = 1;
        if (choose.one_in(3)) other.erase(other.begin(), other.begin() + choose.between(0, std::int64_t(other.size())));
        return other;
    }
    shape any_shape(std::size_t low = 0, std::size_t high = 4) {
        shape s(low + choose.index(high - low + 1));
        for (std::int64_t& d : s) d = choose.between(1, 4);
        return s;
    }

    value cast(const value& v, dtype type) { return v.type == type ? v : of(relay::cast(v.e, {.dtype = type})); }

    /// Returns an axis of a tensor, sometimes counted from the end. Requires: `rank` is not 0.
    std::int64_t axis(std::size_t rank) { return negated(choose.index(rank), rank); }
    std::int64_t negated(std::size_t axis, std::size_t rank) {
        const auto a = static_cast<std::int64_t>(axis);
        return choose.one_in(4) ? a - static_cast<std::int64_t>(rank) : a;
    }

    // Scopes. Expressions created between `open` and `close` may use all earlier expressions. Only the result stays
    // available.

    struct mark {
        std::size_t values;
        std::size_t lets;
        std::size_t functions;
    };
    mark open() const { return {values.size(), lets_.size(), functions.size()}; }
    /// Wraps the result in the lets added since `open`.
    expr close(const mark& m, expr result) {
        while (lets_.size() > m.lets) {
            result = b_.let(lets_.back().variable, lets_.back().value, result);
            lets_.pop_back();
        }
        values.resize(m.values);
        functions.resize(m.functions);
        infer();
        return result;
    }
    /// Returns a function with this body and the result type of `declared`, and with `attribute=1` unless `attribute`
    /// is empty. Leaves the maker empty.
    relay::function finish(expr result, std::string_view attribute = {}, const callable* declared = nullptr) {
        result = close({0, 0, 0}, result);
        vector<relay::expr_id> params;
        for (const value& v : params_) params.push_back(v.e.id);
        relay::attrs_id attributes = relay::attrs_id::none;
        if (!attribute.empty()) {
            const relay::attr_value one[]{relay::attr_value::of(graph().strings().add(attribute)),
                                          relay::attr_value::of(relay::dim(1))};
            attributes = graph().attrs().add(one);
        }
        const relay::type_id type = declared == nullptr ? relay::type_id::none : tensor_type(declared->results.at(0));
        const relay::expr_id root = graph().function(params, result.id, type, attributes);
        return {std::move(graph()), root};
    }
    vector<kernel::tensor>& inputs() { return inputs_; }
    const vector<value>& params() const { return params_; }

    /// Calls a function of the module or a local function.
    vector<value> call(const callable& f, const vector<value>& arguments) {
        vector<relay::expr_id> ids;
        for (const value& v : arguments) ids.push_back(v.e.id);
        expr callee = f.e;
        if (!f.name.empty()) {
            callee = b_.global(f.name);
            globals_[relay::index(callee.id)] = type_of(f);
        }
        infer();
        const expr made{&graph(), graph().call(callee.id, ids)};
        if (f.results.size() == 1) return {of(made)};
        return fields(made);
    }

private:
    struct binding {
        expr variable;
        expr value;
    };

    relay::graph& graph() { return b_.graph(); }

    kernel::tensor tensor(dtype type, const shape& s, std::optional<elements> kind) {
        const std::uint32_t way = choose.below(8);
        if (!kind) {
            kind = way < 5 ? elements::small : elements::any;
            if (way == 7 && (kind_.edges || kernel::is_integer(type))) kind = elements::edges;
            if (way == 6 && kind_.edges) kind = elements::not_numbers;
        }
        return made_up_tensor(type, s, *kind, choose.below(256));
    }

    relay::type_id tensor_type(const std::pair<dtype, shape>& t) {
        return graph().types().tensor(to_dims(t.second), t.first);
    }
    relay::type_id type_of(const callable& f) {
        relay::plain_vector<relay::type_id> params, results;
        for (const auto& p : f.params) params.push_back(tensor_type(p));
        for (const auto& r : f.results) results.push_back(tensor_type(r));
        const relay::type_id result = f.results.size() == 1 ? results[0] : graph().types().tuple(results.all());
        return graph().types().function(params.all(), result);
    }

    // Infers the types of the expressions created since the last call.
    void infer() {
        relay::graph& g = graph();
        for (auto i = static_cast<std::uint32_t>(types_.size()); i < g.size(); ++i) {
            types_.push_back(relay::type_id::none);
            types_[i] = type_of(relay::expr_id{i});
        }
    }
    relay::type_id type_of(relay::expr_id e) {
        relay::graph& g = graph();
        relay::type_table& types = g.types();
        const auto known = [&](relay::expr_id of) { return types_[relay::index(of)]; };
        relay::plain_vector<relay::type_id> parts;
        switch (g.kind(e)) {
        case relay::expr_kind::variable:
            if (const auto at = sizes_.find(relay::index(e)); at != sizes_.end()) return at->second;
            return g.annotation(e);
        case relay::expr_kind::global:
            return globals_.at(relay::index(e));
        case relay::expr_kind::constant:
            return relay::type_of_constant(g, g.constant_value(e));
        case relay::expr_kind::op:
            return relay::type_id::none;
        case relay::expr_kind::call:
            if (g.called_op(e) == nullptr) return types.result(known(g.callee(e)));
            return relay::infer_call(g, e, {types_.data(), types_.size()});
        case relay::expr_kind::function:
            for (const relay::expr_id p : g.params(e)) parts.push_back(known(p));
            return types.function(parts.all(), known(g.body(e)));
        case relay::expr_kind::tuple:
            for (const relay::expr_id f : g.operands(e)) parts.push_back(known(f));
            return types.tuple(parts.all());
        case relay::expr_kind::projection:
            return types.fields(known(g.operand(e, 0)))[g.field(e)];
        case relay::expr_kind::let:
            return known(g.operand(e, 2));
        case relay::expr_kind::conditional:
            return known(g.operand(e, 1));
        default: // no step creates data, matches or references
            return relay::type_id::none;
        }
    }

    program_kind kind_;
    std::uint32_t variables_ = 0;
    relay::builder b_;
    vector<relay::type_id> types_; // indexed by expression
    std::map<std::uint32_t, relay::type_id> globals_;
    // The run-time types of variables whose declared types leave sizes open.
    std::map<std::uint32_t, relay::type_id> sizes_;
    vector<value> params_;
    vector<kernel::tensor> inputs_;
    vector<binding> lets_;
};

/// A function that adds expressions to a program.
using step = void (*)(program_maker&);

} // namespace tutti::relay::inline TUTTI_FORM::testing
