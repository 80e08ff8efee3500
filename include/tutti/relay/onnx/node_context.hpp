#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/known_values.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/typed_graph.hpp>
#include <tutti/relay/op/cast.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Services that the importer provides to rules.
class import_services {
public:
    /// Returns the known elements of an expression; nothing if none is known.
    virtual std::optional<known_values> known(expr_id e) = 0;
    /// Records the known elements of an expression.
    virtual void note_known(expr_id e, known_values k) = 0;
    /// Imports a graph from an attribute of a node into the current graph. The names around the node stay in scope, and
    /// `inputs` are the graph's inputs. Returns the graph's outputs.
    virtual plain_vector<expr_id> import_subgraph(const graph_view& g, std::span<const expr_id> inputs) = 0;
    /// Returns the tensor of an attribute or initialiser. Reads external data if necessary.
    virtual tensor value_of(const tensor_view& t) = 0;
    /// Returns the names of the model's dimensions that have no size, for errors.
    virtual std::string open_dimensions() const { return {}; }
    /// Returns the number of channels in ONNX Runtime's blocks, or 0 if it is not known; see `nchwc_block`.
    virtual std::int64_t nchwc_block() { return 0; }

protected:
    ~import_services() = default;
};

/// A node during import, as its rule sees it.
///
/// Rules create expressions with the builder functions of operators (`relay::add(c.input(0), c.input(1))`). The types
/// of new expressions are known immediately.
class node_context {
public:
    /// If the node is in a function of the model, `caller` is the call of that function.
    node_context(import_services& services, typed_graph& graph, const node_view& node, std::int64_t opset,
                 const node_context* caller = nullptr)
        : services_(&services), graph_(&graph), node_(node), opset_(opset), caller_(caller) {
        for ([[maybe_unused]] const wire_field& f : node.outputs()) {
            wanted_.push_back(f.payload.size != 0);
            outputs_.push_back(expr_id::none);
        }
    }

    const node_view& node() const { return node_; }
    /// Returns the operator version of the node's domain in this model or function.
    std::int64_t opset() const { return opset_; }
    typed_graph& graph() { return *graph_; }
    import_services& services() { return *services_; }

    // Inputs.

    void add_input(expr_id e) { inputs_.push_back(e); }
    /// Returns the number of inputs. An omitted input counts if another input follows it.
    std::size_t input_count() const { return inputs_.size(); }
    bool has(std::size_t i) const { return i < inputs_.size() && inputs_[i] != expr_id::none; }
    /// Returns an input. Throws: `tutti::error` if the input is omitted.
    expr input(std::size_t i) {
        if (!has(i)) refuse("has no input " + std::to_string(i), "one");
        return of(inputs_[i]);
    }

    // Outputs.

    std::size_t output_count() const { return outputs_.size(); }
    /// True if the node has this output, and the output has a name.
    bool wants(std::size_t i) const { return i < wanted_.size() && wanted_[i]; }
    /// Sets an output. Outputs that the node does not have are ignored.
    void output(std::size_t i, expr e) {
        if (i < outputs_.size()) outputs_[i] = e.id;
    }
    expr_id output_of(std::size_t i) const { return outputs_[i]; }

    // Attributes. A getter returns the node's value, or `otherwise` if the node has no such attribute.

    /// Returns the node's attribute with this name; a nonexistent view if there is none. If the attribute refers to one
    /// of the enclosing function's call, returns that attribute.
    attribute_view attribute(std::string_view name) const {
        const attribute_view a = node_.attribute(name);
        if (!a.exists() || a.said_by().empty()) return a;
        return caller_ == nullptr ? attribute_view() : caller_->attribute(a.said_by());
    }
    bool has_attribute(std::string_view name) const { return attribute(name).exists(); }
    std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
        const attribute_view a = typed(name, attribute_type::integer, "an integer");
        return a.exists() ? known_values::clamped(a.integer_value()) : otherwise;
    }
    /// Returns an integer attribute. A number outside the range of sizes and axes is limited to ±(2^60 - 1).
    ///
    /// Throws: `tutti::error` if the attribute is missing.
    std::int64_t integer(std::string_view name) const {
        if (!has_attribute(name)) refuse("has no attribute `" + std::string(name) + "`", "an integer");
        return integer(name, 0);
    }
    bool flag(std::string_view name, bool otherwise = false) const { return integer(name, otherwise ? 1 : 0) != 0; }
    double real(std::string_view name, double otherwise) const {
        const attribute_view a = typed(name, attribute_type::real, "a number");
        return a.exists() ? static_cast<double>(a.real()) : otherwise;
    }
    std::string_view text(std::string_view name, std::string_view otherwise) const {
        const attribute_view a = typed(name, attribute_type::text, "a text");
        return a.exists() ? a.text_value() : otherwise;
    }
    std::optional<dims> integers(std::string_view name) const {
        const attribute_view a = typed(name, attribute_type::integers, "integers");
        if (!a.exists()) return std::nullopt;
        dims all;
        for (const std::int64_t n : a.integer_values()) all.push_back(known_values::clamped(n));
        return all;
    }
    dims integers(std::string_view name, const dims& otherwise) const {
        const std::optional<dims> given = integers(name);
        return given ? *given : otherwise;
    }
    plain_vector<float> reals(std::string_view name) const {
        const attribute_view a = typed(name, attribute_type::reals, "numbers");
        return a.exists() ? a.real_values() : plain_vector<float>();
    }
    std::optional<tensor> tensor_attribute(std::string_view name) {
        const attribute_view a = typed(name, attribute_type::tensor, "a tensor");
        return a.exists() ? std::optional(services_->value_of(a.tensor_value())) : std::nullopt;
    }
    /// Returns a graph attribute. Throws: `tutti::error` if the attribute is missing.
    graph_view subgraph(std::string_view name) const {
        const attribute_view a = typed(name, attribute_type::graph, "a graph");
        if (!a.exists() || !a.has(field::attribute::g))
            refuse("has no attribute `" + std::string(name) + "`", "a graph");
        return graph_view(a.child(field::attribute::g));
    }
    /// Returns the element type with this number in ONNX. Throws: `tutti::error` for unsupported types.
    dtype type_of_number(std::int64_t number) const {
        const dtype type = dtype_of_element(number);
        if (type == dtype::none)
            refuse("elements of type " + std::string(name_of_element(number)), "a type of numbers, or bool");
        return type;
    }

    // Types.

    bool is_tensor(expr e) { return graph_->is_tensor(e.id); }
    dims shape(expr e) {
        if (!graph_->is_tensor(e.id)) refuse("a tuple or function where a tensor is needed", "a tensor");
        return graph_->shape(e.id);
    }
    dtype element(expr e) { return graph_->element(e.id); }
    std::size_t rank(expr e) { return shape(e).size(); }
    std::int64_t signed_rank(expr e) { return static_cast<std::int64_t>(rank(e)); }

    /// Returns an axis of a tensor of this rank, counted from the front. A negative `axis` counts from the end. Throws:
    /// `tutti::error` if the axis does not exist.
    std::int64_t axis_of(std::int64_t axis, std::size_t rank) const {
        const auto n = static_cast<std::int64_t>(rank);
        if (axis < -n || axis >= n)
            refuse("axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(n),
                   std::to_string(-n) + " to " + std::to_string(n - 1));
        return axis < 0 ? axis + n : axis;
    }
    /// Returns the size of a tensor's axis. Throws: `tutti::error` if the axis does not exist or its size is unknown.
    std::int64_t size(expr e, std::size_t axis) {
        const dims s = shape(e);
        if (axis >= s.size()) refuse("a tensor of rank " + std::to_string(s.size()), "a greater rank");
        if (s[axis].is_any()) refuse_unknown("the size of axis " + std::to_string(axis) + " is not known");
        return s[axis].value();
    }

    /// Throws an error about an unknown size. The error names the dimensions whose sizes may be set.
    [[noreturn]] void refuse_unknown(std::string problem) const {
        const std::string open = services_->open_dimensions();
        refuse(std::move(problem), open.empty() ? "a known size" : "a size for " + open + " in import_options::dims");
    }

    /// Returns the size of an axis along which windows or blocks slide.
    ///
    /// Throws: `tutti::error` if the size is unknown, or above 2^31, because products of sizes could overflow.
    std::int64_t extent(expr e, std::size_t axis) {
        const std::int64_t n = size(e, axis);
        if (n > std::int64_t{1} << 31)
            refuse("axis " + std::to_string(axis) + " of size " + std::to_string(n), "2^31 at most");
        return n;
    }

    // Known values.

    std::optional<known_values> known(expr e) { return services_->known(e.id); }
    /// Returns the known integers of an input, with `?` for unknown integers. Returns nothing if the input is omitted
    /// or entirely unknown.
    std::optional<dims> known_integers(std::size_t i) {
        if (!has(i)) return std::nullopt;
        const std::optional<known_values> k = known(input(i));
        if (!k || kernel::is_floating(k->type)) return std::nullopt;
        return k->integers();
    }
    /// Returns the integers of an input. Throws: `tutti::error` if an integer is unknown.
    dims static_integers(std::size_t i, std::string_view what) {
        const std::optional<dims> all = known_integers(i);
        if (!all || !is_static(std::span<const dim>(all->begin(), all->size())))
            refuse(std::string(what) + " is computed at run time", "a value known at import");
        return *all;
    }
    /// Returns the number in an input with one element; nothing if the number is unknown.
    std::optional<double> known_number_of(std::size_t i) {
        if (!has(i)) return std::nullopt;
        const std::optional<known_values> k = known(input(i));
        if (!k || k->size() != 1 || !k->complete()) return std::nullopt;
        return kernel::is_floating(k->type) ? k->numbers[0].real : static_cast<double>(k->numbers[0].integer);
    }

    // New expressions.

    expr of(expr_id e) { return {&graph_->graph(), e}; }
    expr constant(tensor value) { return of(graph_->graph().constant(std::move(value))); }
    /// Returns a constant of this type and rank 0.
    expr number(double value, dtype type) { return constant(number_tensor(value, type)); }
    /// Returns a constant of rank 1.
    expr list(const dims& values, dtype type = dtype::int64) {
        known_values k;
        k.type = type;
        k.shape.push_back(static_cast<std::int64_t>(values.size()));
        for (const dim d : values) k.numbers.push_back({d.value(), 0, true});
        return constant(tensor_of(k));
    }
    /// Returns a constant of rank 1 that contains `count` consecutive numbers from `first`.
    ///
    /// Throws: `tutti::error` if `count` is above 2^24, because a few bytes of a model could request any number.
    expr counted(std::int64_t first, std::int64_t count, dtype type = dtype::int64) {
        if (count > 1 << 24) refuse("an axis of " + std::to_string(count) + " elements", "2^24 at most");
        tensor t(type, {count});
        kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
            T* const to = t.mutable_data<T>();
            if constexpr (kernel::is_half<T>)
                for (std::int64_t i = 0; i < count; ++i) to[i] = T(static_cast<float>(first + i));
            else
                for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(first + i);
        });
        return constant(std::move(t));
    }
    expr tuple(std::initializer_list<expr> fields) {
        plain_vector<expr_id> ids;
        for (const expr& f : fields) ids.push_back(f.id);
        return tuple(ids);
    }
    expr tuple(const plain_vector<expr_id>& fields) { return of(graph_->graph().tuple(fields.all())); }
    expr cast_to(expr e, dtype type) { return element(e) == type ? e : relay::cast(e, {.dtype = type}); }

    static tensor number_tensor(double value, dtype type) {
        tensor t(type, {});
        kernel::number(value).put(t, 0);
        return t;
    }

    /// Throws the error that the node cannot be imported. The importer adds the file and the node to it.
    [[noreturn, gnu::cold]] void refuse(std::string problem, std::string expected) const {
        throw error("", std::move(problem), std::move(expected));
    }

private:
    // Returns an attribute after checking its type. Some exporters omit the type.
    attribute_view typed(std::string_view name, attribute_type type, std::string_view what) const {
        const attribute_view a = attribute(name);
        if (a.exists() && a.type() != type && a.integer(field::attribute::type) != 0)
            refuse("attribute `" + std::string(name) + "` has another type", std::string(what));
        return a;
    }

    import_services* services_;
    typed_graph* graph_;
    node_view node_;
    std::int64_t opset_;
    const node_context* caller_;
    plain_vector<expr_id> inputs_;
    plain_vector<char> wanted_;
    plain_vector<expr_id> outputs_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
