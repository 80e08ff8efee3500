#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/onnx/write/model_node.hpp>
#include <tutti/relay/onnx/write/model_parts.hpp>
#include <tutti/relay/op/attribute_values.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Writes one call of an operator as nodes. Provides the values of the call's arguments, its types and its attributes.
///
/// Rules report errors through `refuse`. The error for the whole model names all refused calls.
class call_writer {
public:
    /// The name of a value in the model that is written.
    using value = std::string;
    /// An index past the end of every axis.
    static constexpr std::int64_t beyond = std::numeric_limits<std::int64_t>::max() >> 3;

    /// `values` holds the values of each expression written so far, one per field of a tuple. `uses` holds the number of
    /// uses of each expression.
    call_writer(model_parts& parts, vector<model_node>& nodes, const relay::graph& g, expr_id call,
                const vector<vector<value>>& values, const plain_vector<std::uint32_t>& uses)
        : parts_(&parts)
        , nodes_(&nodes)
        , graph_(&g)
        , call_(call)
        , values_(&values)
        , uses_(&uses)
        , op_(g.called_op(call))
        , attributes_(g, *op_, g.call_attributes(call)) {}

    // Arguments and results.

    std::size_t count() const { return graph_->arguments(call_).size(); }
    const value& in(std::size_t i = 0) const { return fields(i)[0]; }
    /// Returns the values of the fields of argument `i`, which is a tuple.
    const vector<value>& fields(std::size_t i = 0) const { return (*values_)[index(argument(i))]; }
    expr_id argument(std::size_t i) const { return graph_->arguments(call_)[i]; }
    const relay::graph& graph() const { return *graph_; }
    const op_def& op() const { return *op_; }
    /// Returns a writer for another call of an operator. That call must be written already.
    call_writer at(expr_id other) const { return {*parts_, *nodes_, *graph_, other, *values_, *uses_}; }
    bool is_used_once(expr_id e) const { return (*uses_)[index(e)] == 1; }

    dims shape(std::size_t i = 0) const { return shape_of(graph_->type(argument(i))); }
    std::size_t rank(std::size_t i = 0) const { return shape(i).size(); }
    dtype element(std::size_t i = 0) const { return element_of(graph_->type(argument(i))); }
    /// Returns the type of the result, or of field `k` if the result is a tuple.
    type_id result_type(std::size_t k = 0) const {
        const type_id t = graph_->type(call_);
        return graph_->types().kind(t) == type_kind::tuple ? graph_->types().fields(t)[k] : t;
    }
    /// Returns the number of results, which is the number of fields if the result is a tuple.
    std::size_t result_count() const {
        const type_id t = graph_->type(call_);
        return graph_->types().kind(t) == type_kind::tuple ? graph_->types().fields(t).size() : 1;
    }
    dims result_shape(std::size_t k = 0) const { return shape_of(result_type(k)); }
    dtype result_element(std::size_t k = 0) const { return element_of(result_type(k)); }
    dims shape_of(type_id t) const {
        dims all;
        for (const dim d : graph_->types().shape(t)) all.push_back(d);
        return all;
    }
    dtype element_of(type_id t) const { return graph_->types().element(t); }
    /// True if an argument or the result has elements of bfloat16.
    bool has_bfloat16() const {
        bool found = contains_bfloat16(graph_->type(call_));
        for (const expr_id a : graph_->arguments(call_)) found = found || contains_bfloat16(graph_->type(a));
        return found;
    }
    /// Returns an upper bound for the number of bits in the absolute value of an integer in argument `i`. Integers cast
    /// from a narrower type have fewer bits than their type, even after an addition or subtraction.
    std::size_t magnitude_bits(std::size_t i) const { return magnitude_bits(argument(i), 8); }

    /// Returns the value of a constant argument; null if the argument is not constant.
    const tensor* constant_argument(std::size_t i) const {
        const expr_id a = argument(i);
        return graph_->kind(a) == expr_kind::constant ? &graph_->constant_value(a) : nullptr;
    }

    const attribute_values& attributes() const { return attributes_; }
    /// Returns an axis attribute, counted from the front of `rank` axes.
    std::int64_t axis(std::string_view name, std::size_t rank) const {
        return from_front(attributes_.integer(name), rank);
    }
    static std::int64_t from_front(std::int64_t axis, std::size_t rank) {
        return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    }

    /// Returns a number that ONNX stores as float32. If the data is float64, refuses a number that float32 cannot
    /// represent.
    double real_in_float32(std::string_view name) const {
        const double x = attributes_.real(name);
        if (element() == dtype::float64 && static_cast<double>(static_cast<float>(x)) != x)
            refuse("float64 data, with " + std::string(name) + " that float32 cannot represent exactly",
                   "float32 data");
        return x;
    }

    // Nodes.

    /// Adds a node and returns its outputs.
    vector<value> nodes(std::string_view op_type, vector<value> inputs, const node_attributes& attributes,
                        std::size_t outputs, std::string_view domain = {}) {
        while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
        model_node n{std::string(op_type), std::move(inputs),   {},
                     attributes.bytes(),   std::string(domain), std::string(graph_->source_name(call_))};
        for (std::size_t i = 0; i < outputs; ++i) n.outputs.push_back(parts_->fresh(op_type));
        if (!domain.empty()) parts_->import_domain(domain);
        nodes_->push_back(n);
        return n.outputs;
    }
    /// Adds a node with one output and returns this output.
    value node(std::string_view op_type, vector<value> inputs, const node_attributes& attributes = {}) {
        return nodes(op_type, std::move(inputs), attributes, 1)[0];
    }
    /// Records that the nodes need at least this version of ONNX's operators.
    void need(std::int64_t opset) { parts_->need(opset); }
    /// Returns the version of ONNX's operators in the model: the requested version, or a later one that nodes already
    /// need.
    std::int64_t opset() const { return parts_->opset(); }
    /// Moves the node that computes argument `i` to the end and returns it, so that a rule can add inputs to it. Null if
    /// the argument has other uses, or if the node is not one of the last ones.
    model_node* take_node_of(std::size_t i) {
        constexpr std::size_t most = 8; // more than the nodes of a bias
        if (!is_used_once(argument(i))) return nullptr;
        for (std::size_t at = nodes_->size(), steps = 0; at-- > 0 && steps < most; ++steps) {
            const model_node& n = (*nodes_)[at];
            if (n.outputs.size() != 1 || n.outputs[0] != in(i)) continue;
            const auto place = nodes_->begin() + static_cast<std::ptrdiff_t>(at);
            std::rotate(place, place + 1, nodes_->end());
            return &nodes_->back();
        }
        return nullptr;
    }

    value constant(const tensor& t) { return parts_->constant(t); }
    value scalar(double number, dtype type) {
        tensor t(type, {});
        kernel::number(number).put(t, 0);
        return constant(t);
    }
    value list(const dims& numbers) {
        tensor t(dtype::int64, {static_cast<std::int64_t>(numbers.size())});
        std::int64_t* to = t.mutable_data<std::int64_t>();
        for (const dim d : numbers) *to++ = d.value();
        return constant(t);
    }
    value cast(const value& x, dtype from, dtype to) {
        if (from == to) return x;
        parts_->need(opset_of(from));
        parts_->need(opset_of(to));
        node_attributes a = node_attributes().integer("to", element_number(to));
        if (kernel::is_narrow_integer(to) && !kernel::is_integer(from)) {
            // Limits the numbers to the range of `to`, because ONNX wraps numbers that are out of range.
            const kernel::integer_range range = kernel::values_of(to);
            const value wide = cast(x, from, dtype::float32);
            return node("Cast",
                        {node("Clip", {wide, scalar(static_cast<double>(range.least), dtype::float32),
                                       scalar(static_cast<double>(range.greatest), dtype::float32)})},
                        a);
        }
        if (kernel::is_narrow_floating(to)) a.integer("saturate", 0);
        if (to == dtype::float8_e8m0fnu) a.text("round_mode", "nearest");
        return node("Cast", {x}, a);
    }
    /// Returns the shape of `x` as an int64 list.
    value sizes(const value& x, const dims& shape) { return is_static(shape) ? list(shape) : node("Shape", {x}); }
    value reshaped(const value& x, const dims& shape) {
        bool zero = false;
        for (const dim d : shape) zero = zero || d == dim(0);
        return node("Reshape", {x, list(shape)}, zero ? node_attributes().integer("allowzero", 1) : node_attributes());
    }
    value transposed(const value& x, const dims& order) {
        bool same = true;
        for (std::size_t i = 0; i < order.size(); ++i) same = same && order[i].value() == static_cast<std::int64_t>(i);
        return same ? x : node("Transpose", {x}, node_attributes().integers("perm", order));
    }
    /// Returns the elements from `begin` up to, but not including, `end` along an axis.
    value slice(const value& x, std::int64_t axis, std::int64_t begin, std::int64_t end = beyond) {
        return node("Slice", {x, list({begin}), list({end}), list({axis})});
    }
    value unsqueezed(const value& x, const dims& axes) { return node("Unsqueeze", {x, list(axes)}); }
    value squeezed(const value& x, const dims& axes) { return node("Squeeze", {x, list(axes)}); }

    /// Sets the result.
    void result(value v) { results_.assign(1, std::move(v)); }
    /// Sets the fields of a tuple result.
    void results(vector<value> all) { results_ = std::move(all); }
    const vector<value>& written() const { return results_; }

    [[noreturn, gnu::cold]] static void refuse(std::string problem, std::string expected = {}) {
        throw error("", std::move(problem), std::move(expected));
    }

private:
    bool contains_bfloat16(type_id t) const {
        const type_table& types = graph_->types();
        if (types.is_tensor(t)) return types.element(t) == dtype::bfloat16;
        if (types.kind(t) != type_kind::tuple) return false;
        bool found = false;
        for (const type_id field : types.fields(t)) found = found || contains_bfloat16(field);
        return found;
    }
    std::size_t magnitude_bits(expr_id e, int steps) const {
        const dtype t = element_of(graph_->type(e));
        const std::size_t most = kernel::bits(t);
        const op_def* const called = graph_->called_op(e);
        if (called == nullptr || steps == 0) return most;
        const auto operand = [&](std::size_t k) { return magnitude_bits(graph_->arguments(e)[k], steps - 1); };
        const std::string_view name = called->name;
        if (name == "cast") {
            const dtype from = element_of(graph_->type(graph_->arguments(e)[0]));
            return kernel::is_integer(from) ? std::min(most, operand(0)) : most;
        }
        if (name == "reshape" || name == "expand_dims" || name == "transpose" || name == "squeeze") return operand(0);
        if (name == "add" || name == "subtract") return std::min(most, std::max(operand(0), operand(1)) + 1);
        return most;
    }

    model_parts* parts_;
    vector<model_node>* nodes_;
    const relay::graph* graph_;
    expr_id call_;
    const vector<vector<value>>* values_;
    const plain_vector<std::uint32_t>* uses_;
    const op_def* op_;
    attribute_values attributes_;
    vector<value> results_;
};

/// Writes a call of an operator as nodes of a model, or refuses the call.
using write_function = void (*)(call_writer&);

/// Describes how ONNX expresses an operator: as an operator with the same inputs and no attributes, or through a
/// function that writes nodes.
struct write_rule {
    std::string_view op;
    std::string_view same_as{};
    write_function write = nullptr;
    std::int64_t opset = 1; ///< the first version that contains ONNX's operator
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
