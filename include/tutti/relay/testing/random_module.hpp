#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/testing/choices.hpp>
#include <tutti/relay/testing/data_steps.hpp>
#include <tutti/relay/testing/dynamic_steps.hpp>
#include <tutti/relay/testing/elementwise_steps.hpp>
#include <tutti/relay/testing/network_steps.hpp>
#include <tutti/relay/testing/pattern_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>
#include <tutti/relay/testing/quantized_steps.hpp>
#include <tutti/relay/testing/shape_steps.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::testing {

/// A random program and the inputs of its `main`.
struct random_module {
    ir_module program;
    vector<kernel::tensor> inputs;
};

/// Options of random programs.
struct random_module_options {
    std::int64_t most_steps = 12;  ///< greatest number of steps in `main`
    std::span<const step> steps{}; ///< steps for your own operators; about every third step is one of them
};

namespace detail {

inline void any_step(program_maker& m, int depth);

/// Performs steps in a new scope, and returns a value of the given type and shape from that scope.
inline expr block(program_maker& m, dtype type, const shape& s, int depth) {
    const auto mark = m.open();
    for (std::int64_t n = m.choose.between(0, 2); n != 0; --n) any_step(m, depth);
    const value result = m.fitting(type, s);
    return m.close(mark, result.e);
}

inline void if_step(program_maker& m, int depth) {
    value condition = m.of_type(dtype::boolean);
    if (condition.rank() != 0) {
        const value sum = m.of(relay::sum(relay::cast(condition.e, {.dtype = dtype::int32})));
        condition = m.of(relay::greater(sum.e, m.scalar(dtype::int32, static_cast<double>(m.choose.between(0, 3))).e));
    }
    const value like = m.any();
    const expr then = block(m, like.type, like.shape, depth);
    const expr otherwise = block(m, like.type, like.shape, depth);
    m.give(m.of(m.build().conditional(condition.e, then, otherwise)));
}

inline void call_step(program_maker& m, const callable& f) {
    vector<value> arguments;
    for (const auto& [type, s] : f.params) arguments.push_back(m.fitting(type, s));
    for (const value& v : m.call(f, arguments)) m.give(v);
}

/// Adds a local function, which may capture values. The function is bound to a variable or called in place.
inline void function_step(program_maker& m, int depth) {
    callable f;
    vector<value> params;
    for (std::int64_t n = m.choose.between(1, 2); n != 0; --n) {
        const value like = m.any();
        params.push_back(m.variable(like.type, like.shape));
        f.params.emplace_back(like.type, like.shape);
    }
    const auto mark = m.open();
    for (const value& p : params) m.values.push_back(p);
    for (std::int64_t n = m.choose.between(1, 2); n != 0; --n) any_step(m, depth);
    vector<value> results{m.values.back()};
    if (m.choose.one_in(3)) results.push_back(m.any());
    for (const value& r : results) f.results.emplace_back(r.type, r.shape);
    const expr body = m.close(mark, results.size() == 1 ? results[0].e : m.tuple(results));
    vector<expr_id> ids;
    for (const value& p : params) ids.push_back(p.e.id);
    f.e = {body.graph, body.graph->function(ids, body.id)};
    if (m.choose.flip()) {
        f.e = m.bind(f.e);
        m.functions.push_back(f);
    }
    call_step(m, f);
}

/// Builds the body of a recursive function. The function returns `x`, or calls itself with `number - 1` and a value
/// that random steps compute from `x`.
///
/// Recurses at most twice, since `number` is clamped. A function of the module passes its other parameters unchanged.
inline expr rounds(program_maker& m, callable& f, const value& number, const value& x, int depth) {
    const auto one_less = [&] {
        const value least = m.of(relay::minimum(number.e, m.scalar(dtype::int32, 2).e));
        return m.of(relay::subtract(least.e, m.scalar(dtype::int32, 1).e));
    };
    const bool is_shared = m.choose.flip(); // the condition and the argument share an expression
    value less;
    if (is_shared) less = one_less();
    const auto mark = m.open();
    m.values.push_back(x);
    for (std::int64_t n = m.choose.between(1, 2); n != 0; --n) any_step(m, depth);
    const value next = m.fitting(x.type, x.shape);
    if (!is_shared) less = one_less();
    vector<value> arguments{less, next};
    for (std::size_t i = f.params.size(); !f.name.empty() && i < m.params().size(); ++i) {
        arguments.push_back(m.params()[i]);
        f.params.emplace_back(m.params()[i].type, m.params()[i].shape);
    }
    const expr again = m.close(mark, m.call(f, arguments)[0].e);
    const value done = m.of(relay::less(is_shared ? less.e : number.e, m.scalar(dtype::int32, is_shared ? 0 : 1).e));
    return m.build().conditional(done.e, x.e, again);
}

/// Adds a recursive local function and a call of it.
inline void recursive_step(program_maker& m, int depth) {
    const value like = m.any();
    callable f;
    f.params = {{dtype::int32, {}}, {like.type, like.shape}};
    f.results = {{like.type, like.shape}};
    f.e = m.function_variable(f);
    const value number = m.variable(dtype::int32, {});
    const value x = m.variable(like.type, like.shape);
    const auto mark = m.open();
    const expr body = m.close(mark, rounds(m, f, number, x, depth));
    m.bind(f.e, m.function_of({number, x}, body, f));
    m.functions.push_back(f);
    call_step(m, f);
}

inline void tuple_step(program_maker& m) {
    const vector<value> parts{m.any(), m.any()};
    expr t = m.tuple(parts);
    if (m.choose.flip()) t = m.build().tuple({t, parts[0].e})[0];
    m.give(m.of(t[m.choose.below(2)]));
}

template <std::size_t N>
void one_of(program_maker& m, const step (&steps)[N]) {
    m.choose.of(steps)(m);
}

inline void any_step(program_maker& m, int depth) {
    if (!m.own_steps.empty() && m.choose.one_in(3)) return m.own_steps[m.choose.index(m.own_steps.size())](m);
    switch (m.choose.below(17)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return one_of(m, elementwise_steps);
    case 4:
    case 5:
    case 6:
        return one_of(m, shape_steps);
    case 7:
    case 8:
    case 9:
        return one_of(m, network_steps);
    case 10:
    case 11:
        return one_of(m, quantized_steps);
    case 12:
    case 13:
        return one_of(m, pattern_steps);
    case 14:
        return one_of(m, dynamic_steps);
    case 15:
        return one_of(m, data_steps);
    default:
        break;
    }
    if (!m.functions.empty() && m.choose.flip()) return call_step(m, m.functions[m.choose.index(m.functions.size())]);
    if (depth == 0 || m.choose.one_in(3)) return tuple_step(m);
    if (m.choose.one_in(5)) return recursive_step(m, depth - 1);
    return m.choose.flip() ? if_step(m, depth - 1) : function_step(m, depth - 1);
}

/// Returns one to three values, each chosen from the last three.
inline vector<value> results_of(program_maker& m) {
    vector<value> results;
    for (std::int64_t n = m.choose.between(1, 3); n != 0; --n) {
        const auto at = m.values.size() - 1 - m.choose.index(std::min<std::size_t>(m.values.size(), 3));
        results.push_back(m.values[at]);
    }
    return results;
}

/// Builds a recursive function of the module.
inline function recursive_function(choices& c, program_kind kind, callable& f, std::span<const step> own_steps) {
    program_maker m(c, kind);
    m.own_steps = own_steps;
    const value number = m.param(dtype::int32, {}, elements::small);
    const value x = m.param(c.of(all_types), m.any_shape());
    f.params = {{dtype::int32, {}}, {x.type, x.shape}};
    f.results = {{x.type, x.shape}};
    return m.finish(rounds(m, f, number, x, 0), {}, &f);
}

} // namespace detail

/// Builds a valid program with operators and element types of all kinds, functions (some of them recursive), ifs, lets,
/// tuples, and types that leave sizes open.
///
/// Throws: `tutti::error` if an operator's type relation refuses valid operands.
inline random_module make_random_module(choices& c, const random_module_options& options = {}) {
    random_module made;
    program_kind kind;
    kind.edges = c.one_in(4);
    kind.open_sizes = c.one_in(4);
    vector<callable> functions;
    for (std::int64_t n = c.one_in(4) ? c.between(1, 2) : 0; n != 0; --n) {
        program_maker m(c, kind);
        m.functions = functions;
        m.own_steps = options.steps;
        m.param(c.of(all_types), m.any_shape());
        m.values = m.params();
        for (std::int64_t steps = c.between(1, 3); steps != 0; --steps) detail::any_step(m, 1);
        const vector<value> results = detail::results_of(m);
        callable f{"g" + std::to_string(n), {}, {}, {}};
        for (const value& r : results) f.results.emplace_back(r.type, r.shape);
        function body = m.finish(results.size() == 1 ? results[0].e : m.tuple(results), c.flip() ? "Inline" : "");
        for (const value& p : m.params()) f.params.emplace_back(p.type, p.shape);
        made.program.set(f.name, std::move(body));
        functions.push_back(std::move(f));
    }
    if (c.one_in(6)) {
        callable f{"r", {}, {}, {}};
        made.program.set(f.name, detail::recursive_function(c, kind, f, options.steps));
        functions.push_back(std::move(f));
    }
    program_maker m(c, kind);
    m.functions = functions;
    m.own_steps = options.steps;
    m.values.push_back(m.param(c.of(all_types), m.any_shape(0, 4)));
    for (std::int64_t steps = c.between(1, options.most_steps); steps != 0 && !c.used_up(); --steps)
        detail::any_step(m, 2);
    const vector<value> results = detail::results_of(m);
    made.program.set("main", m.finish(results.size() == 1 ? results[0].e : m.tuple(results)));
    made.inputs = std::move(m.inputs());
    return made;
}

/// Builds the program that a seed determines.
inline random_module make_random_module(std::uint64_t seed, const random_module_options& options = {}) {
    const vector<std::uint8_t> bytes = bytes_of_seed(seed);
    choices c(bytes);
    return make_random_module(c, options);
}

} // namespace tutti::relay::inline TUTTI_FORM::testing
