#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Builds one function, expression by expression.
///
/// Expressions keep a pointer to the builder's graph, so the builder can be neither copied nor moved.
///
/// Throws: `tutti::error` for an expression of another builder, or one created before the last call of `function`.
/// Example:
///     relay::builder b;
///     const auto x = b.variable("x", {1, 64, 56, 56});
///     relay::ir_module m{b.function({x}, relay::add(x, x))};
class builder {
public:
    constexpr builder() = default;
    builder(const builder&) = delete;
    builder& operator=(const builder&) = delete;

    /// A variable without a declared type; type inference finds the type.
    constexpr expr variable(std::string_view name) {
        ++unbound_;
        return {&graph_, graph_.variable(name)};
    }
    /// A variable of type `Tensor[shape, element]`.
    constexpr expr variable(std::string_view name, std::initializer_list<dim> shape, dtype element = dtype::float32) {
        return variable(name, std::span<const dim>(shape.begin(), shape.size()), element);
    }
    constexpr expr variable(std::string_view name, std::span<const dim> shape, dtype element = dtype::float32) {
        ++unbound_;
        return {&graph_, graph_.variable(name, graph_.types().tensor(shape, element))};
    }

    constexpr expr constant(tensor value) { return {&graph_, graph_.constant(std::move(value))}; }
    /// A rank-0 constant of type `T`.
    template <class T>
        requires(kernel::dtype_of<T> != dtype::none)
    constexpr expr constant(T value) {
        return constant(tensor::scalar(value));
    }

    constexpr expr tuple(std::initializer_list<expr> fields) {
        const plain_vector<expr_id> ids = ids_of("tuple", fields);
        return {&graph_, graph_.tuple(ids.all())};
    }
    constexpr expr let(expr variable, expr value, expr body) {
        check("let", {variable, value, body});
        --unbound_;
        return {&graph_, graph_.let(variable.id, value.id, body.id)};
    }
    constexpr expr conditional(expr condition, expr then, expr otherwise) {
        check("if", {condition, then, otherwise});
        return {&graph_, graph_.conditional(condition.id, then.id, otherwise.id)};
    }
    /// A call. The callee is a variable, a function of the module (`global`) or a function literal.
    constexpr expr call(expr callee, std::initializer_list<expr> arguments) {
        check("callee", {callee});
        const plain_vector<expr_id> ids = ids_of("call", arguments);
        return {&graph_, graph_.call(callee.id, ids.all())};
    }
    constexpr expr global(std::string_view name) { return {&graph_, graph_.global(name)}; }

    /// A function literal, which can be called or bound.
    constexpr expr nested(std::initializer_list<expr> params, expr body) {
        return {&graph_, literal({params.begin(), params.size()}, body)};
    }

    /// Finishes and returns the function. The builder is empty afterwards.
    ///
    /// Throws: `tutti::error` if `body` uses a variable that nothing binds; the builder is then unchanged. To turn
    ///         such variables into parameters, append `free_variables(body)` to `params`.
    constexpr relay::function function(std::initializer_list<expr> params, expr body) {
        return function(std::span<const expr>(params.begin(), params.size()), body);
    }
    constexpr relay::function function(std::span<const expr> params, expr body) {
        const std::int64_t unbound = unbound_ - static_cast<std::int64_t>(params.size());
        if (shared_ || unbound != 0) check_free(params, body);
        const expr_id root = literal(params, body);
        unbound_ = 0;
        shared_ = false;
        return {std::exchange(graph_, {}), root};
    }

    /// The variables that `body` uses but does not bind, in the order of their first use.
    ///
    /// Cost:    linear in the graph.
    /// Example: `b.function(b.free_variables(z), z)` turns all of them into parameters.
    constexpr vector<expr> free_variables(expr body) {
        check("free_variables", {body});
        vector<expr> free;
        for (const expr_id v : relay::free_variables(graph_, body.id)) free.push_back({&graph_, v});
        return free;
    }

    constexpr relay::graph& graph() {
        shared_ = true;
        return graph_;
    }

private:
    constexpr expr_id literal(std::span<const expr> params, expr body) {
        check("function body", {body});
        const plain_vector<expr_id> ids = ids_of("function parameters", params);
        unbound_ -= static_cast<std::int64_t>(ids.size());
        return graph_.function(ids.all(), body.id);
    }

    constexpr void check(std::string_view user, std::initializer_list<expr> operands) const {
        detail::check_operands(&graph_, user, {operands.begin(), operands.size()});
    }

    constexpr void check_free(std::span<const expr> params, expr body) const {
        check("function body", {body});
        detail::check_operands(&graph_, "function parameters", params);
        plain_vector<char> bound(graph_.size(), 0);
        for (const expr& p : params) bound[index(p.id)] = 1;
        plain_vector<expr_id> free;
        for (const expr_id v : relay::free_variables(graph_, body.id))
            if (bound[index(v)] == 0) free.push_back(v);
        if (free.size() != 0) refuse_free(free.all());
    }

    [[noreturn, gnu::cold, gnu::noinline]] void refuse_free(std::span<const expr_id> free) const {
        std::string names;
        for (const expr_id v : free) (names += names.empty() ? "%" : ", %") += graph_.variable_name(v);
        throw error("function",
                    names + (free.size() == 1 ? " is free: nothing binds it" : " are free: nothing binds them"),
                    "a parameter or a let for each, or builder::free_variables among the parameters");
    }

    constexpr plain_vector<expr_id> ids_of(std::string_view user, std::initializer_list<expr> expressions) const {
        return ids_of(user, std::span<const expr>(expressions.begin(), expressions.size()));
    }
    constexpr plain_vector<expr_id> ids_of(std::string_view user, std::span<const expr> expressions) const {
        detail::check_operands(&graph_, user, expressions);
        plain_vector<expr_id> ids;
        ids.reserve(expressions.size());
        for (const expr& e : expressions) ids.push_back(e.id);
        return ids;
    }

    relay::graph graph_;
    // Number of variables created minus number of variables bound. If it is 0 and `shared_` is false, no variable is
    // free, and `function` need not walk the graph.
    std::int64_t unbound_ = 0;
    bool shared_ = false;
};

} // namespace tutti::relay::inline TUTTI_FORM
