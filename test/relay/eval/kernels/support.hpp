#pragma once

// Helpers for the kernel tests. They make a call of an operator from its text or with a builder, infer its type and run
// its kernel. Most tests are rows: a call, its inputs and the expected result.

#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>

#include "../../../kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

namespace relay = tutti::relay;

/// Returns the printed form of a tensor type: "(2, 3) float32", with `?` for unknown sizes.
inline std::string type_text(const relay::type_table& types, relay::type_id type) {
    std::string text;
    for (const relay::dim d : types.shape(type))
        text += (text.empty() ? "" : ", ") + (d.is_any() ? "?" : std::to_string(d.value()));
    if (types.shape(type).size() == 1) text += ",";
    return "(" + text + ") " + std::string(tutti::kernel::name(types.element(type)));
}

/// True if two tensors have equal types, shapes and elements. NaN equals NaN.
inline bool same(const tensor& a, const tensor& b) {
    return a.type() == b.type() && difference(a, shape_t(b.shape().begin(), b.shape().end()), values(b), 0).empty();
}

/// Computes the call in the body of a module's `main`, whose arguments are constants, by the operator's kernel in the
/// table, and returns the results.
///
/// Throws: std::runtime_error if there is no kernel, if the kernel declines the call, or if a result does not have its
/// inferred type.
inline std::vector<tensor> results_of(relay::ir_module m, std::span<const relay::kernel_row> table) {
    relay::infer_types(m);
    const relay::function& f = *m.find("main");
    const relay::expr_id call = f.graph.body(f.root);
    const relay::type_table& types = f.graph.types();
    const relay::type_id type = f.graph.type(call);

    std::vector<const tensor*> inputs;
    for (const relay::expr_id argument : f.graph.arguments(call)) {
        if (f.graph.kind(argument) == relay::expr_kind::tuple)
            for (const relay::expr_id field : f.graph.operands(argument))
                inputs.push_back(&f.graph.constant_value(field));
        else
            inputs.push_back(&f.graph.constant_value(argument));
    }
    std::vector<tensor> results(types.is_tensor(type) ? 1 : types.fields(type).size());
    for (tensor& t : results) { // dirty memory
        t = tensor(dtype::uint8, {1 << 12});
        std::ranges::fill(t.mutable_elements<std::uint8_t>(), std::uint8_t{0x5B});
    }
    const relay::invocation invocation{.program = &f.graph,
                                       .attributes = f.graph.call_attributes(call),
                                       .inputs = inputs,
                                       .type = type,
                                       .results = results};
    const std::string name(f.graph.called_op(call)->name);
    const auto entry = std::ranges::find(table, f.graph.called_op(call), &relay::kernel_row::op);
    if (entry == table.end()) throw std::runtime_error(name + " has no kernel here");
    if (!entry->run(invocation)) throw std::runtime_error(name + ": the kernel does not know this case");
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::string expected = type_text(types, types.is_tensor(type) ? type : types.fields(type)[i]);
        if (expected.find('?') == std::string::npos && tutti::kernel::text(results[i]) != expected)
            throw std::runtime_error(name + ": result " + std::to_string(i) + " is " + tutti::kernel::text(results[i]) +
                                     ", not " + expected);
    }
    return results;
}

using kernel_table = std::span<const relay::kernel_row>;

/// Returns the results of a call, a text in which %a, %b, … are the inputs: `computed(table, "add(%a, %b)", {x, y})`.
///
/// Throws: `tutti::error` for a wrong text or type; the errors of `results_of`.
inline std::vector<tensor> computed(kernel_table table, std::string_view call, const std::vector<tensor>& inputs) {
    std::string parameters;
    std::map<std::string, tensor, std::less<>> known;
    for (const tensor& t : inputs) {
        const std::string name(1, static_cast<char>('a' + known.size()));
        std::string shape;
        for (const std::int64_t d : t.shape()) shape += (shape.empty() ? "" : ", ") + std::to_string(d);
        const std::string element(tutti::kernel::name(t.type()));
        parameters += (parameters.empty() ? "%" : ", %") + name + ": Tensor[(" + shape + "), " + element + "]";
        known.emplace(name, t);
    }
    relay::ir_module m =
        relay::parse("#[version = \"0.0.5\"]\ndef @main(" + parameters + ") { " + std::string(call) + " }");
    *m.find("main") = relay::bind_params_by_name(*m.find("main"), known);
    return results_of(std::move(m), table);
}
/// Returns the first result of a call.
inline tensor first_of(kernel_table table, std::string_view call, const std::vector<tensor>& inputs) {
    return computed(table, call, inputs).front();
}

/// A call, as for `computed`, and its expected first result.
struct call_row {
    std::string_view call;
    std::vector<tensor> inputs;
    shape_t shape;
    std::vector<double> expected;
    double tolerance = 0; ///< as for `difference`
};
/// Checks that the kernels in a table compute the expected results.
inline void check(kernel_table table, std::span<const call_row> rows) {
    for (const call_row& row : rows) {
        INFO(row.call);
        CHECK(difference(first_of(table, row.call, row.inputs), row.shape, row.expected, row.tolerance) == "");
    }
}

/// Returns a constant for each tensor.
inline std::vector<relay::expr> constants_of(relay::builder& b, const std::vector<tensor>& tensors) {
    std::vector<relay::expr> constants;
    for (const tensor& t : tensors) constants.push_back(b.constant(t));
    return constants;
}

/// Returns the results of the call `build(builder, arguments)` with constant arguments. Throws: the errors of
/// `results_of`, which contains the code that does not depend on `build`.
template <class Build>
std::vector<tensor> computed(std::span<const relay::kernel_row> table, const std::vector<tensor>& arguments,
                             Build build) {
    relay::builder b;
    const std::vector<relay::expr> constants = constants_of(b, arguments);
    return results_of(relay::ir_module(b.function({}, build(b, std::span<const relay::expr>(constants)))), table);
}

} // namespace test
