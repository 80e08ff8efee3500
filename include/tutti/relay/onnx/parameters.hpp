#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/text_name.hpp>
#include <tutti/relay/ir/unique_names.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The parameters of the function that is imported from a model: one for each tensor input, and one for each tensor of
/// a sequence input. Their names are unique.
class parameters {
public:
    parameters(graph& g, const import_options& options) : graph_(&g), options_(&options) {}

    const plain_vector<expr_id>& all() const { return all_; }

    /// Adds an input as a parameter. A sequence becomes a tuple of parameters, whose length the options determine. An
    /// optional becomes a tuple of one parameter, or an empty tuple if the options say that it is empty.
    ///
    /// Throws: `tutti::error` that names the input.
    expr_id add_input(const value_view& input) {
        const input_shapes* given = nullptr;
        for (const input_shapes& s : options_->inputs)
            if (s.name == input.name()) given = &s;
        return add(input.type(), input.name(), given);
    }

    /// Adds a parameter for an initialiser.
    expr_id add_initializer(const tensor_view& t) {
        dims shape;
        for (const std::int64_t d : t.shape()) shape.push_back(d);
        if (t.type() == dtype::none)
            t.refuse("has elements of type " + std::string(name_of_element(t.element())), "numbers or bool");
        return variable(t.name(), shape, t.type());
    }

    /// Adds a parameter for a value in `import_options::from`, which replaces the value's nodes.
    expr_id add_value(std::string_view name, type_id type) {
        all_.push_back(graph_->variable(names_(text_name(name)), type));
        return all_.back();
    }

private:
    [[noreturn, gnu::cold]] static void refuse(std::string_view name, std::string problem, std::string expected) {
        throw error("input `" + std::string(name) + "`", std::move(problem), std::move(expected));
    }

    expr_id add(const message& type, std::string_view name, const input_shapes* given) {
        if (type.has(field::type::tensor_type)) {
            if (given != nullptr && given->shapes.size() != 1)
                refuse(name, std::to_string(given->shapes.size()) + " shapes of a tensor", "one");
            return tensor(type.child(field::type::tensor_type), name, name,
                          given == nullptr ? nullptr : &given->shapes[0]);
        }
        if (type.has(field::type::optional_type)) {
            plain_vector<expr_id> value;
            if (given == nullptr || !given->shapes.empty())
                value.push_back(
                    add(type.child(field::type::optional_type).child(field::sequence_type::elem_type), name, given));
            return graph_->tuple(value.all());
        }
        if (!type.has(field::type::sequence_type))
            refuse(name, "is not a tensor", "a tensor, a sequence of tensors, or an optional one");
        const message element = type.child(field::type::sequence_type).child(field::sequence_type::elem_type);
        if (!element.has(field::type::tensor_type))
            refuse(name, "is a sequence of elements that are not tensors", "tensors");
        if (given == nullptr)
            refuse(name, "is a sequence whose length the model does not state",
                   "the shapes of its tensors, in `import_options::inputs`");
        plain_vector<expr_id> fields;
        for (const dims& shape : given->shapes)
            fields.push_back(tensor(element.child(field::type::tensor_type), name,
                                    std::string(name) + "_" + std::to_string(fields.size()), &shape));
        return graph_->tuple(fields.all());
    }

    expr_id tensor(const message& type, std::string_view input, std::string_view name, const dims* given) {
        const std::int64_t number = type.integer(field::tensor_type::elem_type);
        const dtype element = dtype_of_element(number);
        if (element == dtype::none)
            refuse(input, "elements of type " + std::string(name_of_element(number)), "a type of numbers, or bool");
        if (given != nullptr) return variable(name, *given, element);
        if (!type.has(field::tensor_type::shape))
            refuse(input, "has no shape", "a shape, whose dimensions may have names");
        dims shape;
        for (const wire_field& f : type.child(field::tensor_type::shape).fields(field::shape::dim)) {
            const message d(f.payload);
            dim size = dim::any();
            if (d.has(field::dimension::dim_value) && d.integer(field::dimension::dim_value) >= 0) {
                if (d.integer(field::dimension::dim_value) > std::int64_t{1} << 60)
                    refuse(input, "a dimension of " + std::to_string(d.integer(field::dimension::dim_value)),
                           "2^60 at most");
                size = d.integer(field::dimension::dim_value);
            }
            for (const dim_binding& bound : options_->dims)
                if (bound.name == d.text(field::dimension::dim_param)) size = bound.size;
            shape.push_back(size);
        }
        return variable(name, shape, element);
    }

    expr_id variable(std::string_view name, const dims& shape, dtype element) {
        return add_value(name, graph_->types().tensor({shape.begin(), shape.size()}, element));
    }

    graph* graph_;
    const import_options* options_;
    unique_names names_;
    plain_vector<expr_id> all_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
