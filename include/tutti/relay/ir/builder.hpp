#pragma once

#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// Builds one function, expression by expression, as one would type it.
///
/// Expressions keep a pointer to the builder's graph, so it can be neither copied nor moved.
///
/// Example:
///     relay::builder b;
///     const auto x = b.variable("x", {1, 64, 56, 56});
///     relay::ir_module m{b.function({x}, relay::add(x, x))};
class builder {
public:
    constexpr builder() = default;
    builder(const builder&) = delete;
    builder& operator=(const builder&) = delete;

    /// A variable without a declared type: type inference finds it.
    constexpr expr variable(std::string_view name) { return {&graph_, graph_.variable(name)}; }
    /// A variable of type `Tensor[shape, element]`.
    constexpr expr variable(std::string_view name, std::initializer_list<dim> shape, dtype element = dtype::float32) {
        return variable(name, std::span<const dim>(shape.begin(), shape.size()), element);
    }
    constexpr expr variable(std::string_view name, std::span<const dim> shape, dtype element = dtype::float32) {
        return {&graph_, graph_.variable(name, graph_.types().tensor(shape, element))};
    }

    constexpr expr constant(tensor value) { return {&graph_, graph_.constant(std::move(value))}; }
    /// A rank-0 constant of value's type.
    template <class T>
        requires(kernel::dtype_of<T> != dtype::none)
    constexpr expr constant(T value) {
        return constant(tensor::scalar(value));
    }

    constexpr expr tuple(std::initializer_list<expr> fields) {
        const plain_vector<expr_id> ids = ids_of(fields);
        return {&graph_, graph_.tuple(ids.all())};
    }
    constexpr expr let(expr variable, expr value, expr body) {
        return {&graph_, graph_.let(variable.id, value.id, body.id)};
    }
    constexpr expr conditional(expr condition, expr then, expr otherwise) {
        return {&graph_, graph_.conditional(condition.id, then.id, otherwise.id)};
    }
    /// A call of a function: of a variable, a function of the module (`global`), or a function literal.
    constexpr expr call(expr callee, std::initializer_list<expr> arguments) {
        const plain_vector<expr_id> ids = ids_of(arguments);
        return {&graph_, graph_.call(callee.id, ids.all())};
    }
    constexpr expr global(std::string_view name) { return {&graph_, graph_.global(name)}; }

    /// A function literal, to be called or bound.
    constexpr expr nested(std::initializer_list<expr> params, expr body) {
        const plain_vector<expr_id> ids = ids_of(params);
        return {&graph_, graph_.function(ids.all(), body.id)};
    }

    /// The function, finished. The builder is empty afterwards.
    constexpr relay::function function(std::initializer_list<expr> params, expr body) {
        return function(std::span<const expr>(params.begin(), params.size()), body);
    }
    constexpr relay::function function(std::span<const expr> params, expr body) {
        const plain_vector<expr_id> ids = ids_of(params);
        const expr_id root = graph_.function(ids.all(), body.id);
        return {std::exchange(graph_, {}), root};
    }

    constexpr relay::graph& graph() { return graph_; }

private:
    static constexpr plain_vector<expr_id> ids_of(std::span<const expr> expressions) {
        plain_vector<expr_id> ids;
        ids.reserve(expressions.size());
        for (const expr& e : expressions) ids.push_back(e.id);
        return ids;
    }
    static constexpr plain_vector<expr_id> ids_of(std::initializer_list<expr> expressions) {
        return ids_of(std::span<const expr>(expressions.begin(), expressions.size()));
    }

    relay::graph graph_;
};

} // namespace tutti::relay
