#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/message.hpp>
#include <tutti/relay/onnx/schema.hpp>
#include <tutti/relay/onnx/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Returns the name by which a domain is known here: "" for "ai.onnx", else `name`.
constexpr std::string_view domain_named(std::string_view name) { return name == "ai.onnx" ? std::string_view() : name; }

} // namespace detail

/// The declaration of a graph's input or output.
class value_view : public message {
public:
    value_view() = default;
    explicit value_view(const file_part& part) : message(part) {}

    std::string_view name() const { return text(field::value_info::name); }
    /// Returns the type as a message with the fields of `field::type`.
    message type() const { return child(field::value_info::type); }
    bool is_tensor() const { return type().has(field::type::tensor_type); }
    std::int64_t element() const { return tensor_type().integer(field::tensor_type::elem_type); }
    /// True if the rank is known.
    bool has_shape() const { return tensor_type().has(field::tensor_type::shape); }
    /// Returns the dimensions as messages with the fields of `field::dimension`.
    wire_fields dimensions() const { return tensor_type().child(field::tensor_type::shape).fields(field::shape::dim); }

private:
    message tensor_type() const { return type().child(field::type::tensor_type); }
};

/// The types of attributes. The values are ONNX's numbers of these types.
enum class attribute_type : std::uint8_t { none, real, integer, text, tensor, graph, reals, integers, texts };

/// An attribute of a node.
class attribute_view : public message {
public:
    attribute_view() = default;
    explicit attribute_view(const file_part& part) : message(part) {}

    std::string_view name() const { return text(field::attribute::name); }
    /// Returns the name of the attribute that holds the value in the call of the enclosing function; "" if this
    /// attribute itself holds the value.
    std::string_view said_by() const { return text(field::attribute::ref_attr_name); }
    attribute_type type() const {
        const std::int64_t number = integer(field::attribute::type);
        return number >= 1 && number <= 8 ? static_cast<attribute_type>(number) : attribute_type::none;
    }
    float real() const {
        float value = 0;
        for (const wire_field& at : fields(field::attribute::f)) value = at.real();
        return value;
    }
    std::int64_t integer_value() const { return integer(field::attribute::i); }
    std::string_view text_value() const { return text(field::attribute::s); }
    tensor_view tensor_value() const { return tensor_view(child(field::attribute::t)); }
    plain_vector<std::int64_t> integer_values() const { return integers(field::attribute::ints); }
    plain_vector<float> real_values() const { return floats(field::attribute::floats); }
};

/// A node of a graph.
class node_view : public message {
public:
    node_view() = default;
    explicit node_view(const file_part& part) : message(part) {}

    std::string_view name() const { return text(field::node::name); }
    std::string_view op_type() const { return text(field::node::op_type); }
    /// Returns the operator's domain; "" for ONNX's own operators.
    std::string_view domain() const { return detail::domain_named(text(field::node::domain)); }
    wire_fields inputs() const { return fields(field::node::input); }
    wire_fields outputs() const { return fields(field::node::output); }

    /// Returns the attribute with this name; a nonexistent view if there is none.
    attribute_view attribute(std::string_view wanted) const {
        for (const wire_field& f : fields(field::node::attribute))
            if (message(f.payload).text(field::attribute::name) == wanted) return attribute_view(f.payload);
        return {};
    }

    /// Returns the node's name, or the name of its first output if the node has none.
    std::string_view name_or_output() const {
        std::string_view called = name();
        if (called.empty())
            for (const wire_field& f : outputs())
                if (called.empty()) called = f.payload.text();
        return called;
    }
    /// Returns "node `conv1` (Conv)". If the node has no name, the label contains the name of its first output.
    std::string label() const {
        const std::string_view called = name_or_output();
        std::string label = "node ";
        if (!called.empty()) label += "`" + std::string(called) + "` ";
        return label + "(" + std::string(op_type()) + ")";
    }
};

/// A graph of a model, or the graph in an attribute of a node.
class graph_view : public message {
public:
    graph_view() = default;
    explicit graph_view(const message& m) : message(m) {}

    std::string_view name() const { return text(field::graph::name); }
    wire_fields nodes() const { return fields(field::graph::node); }
    wire_fields initializers() const { return fields(field::graph::initializer); }
    wire_fields inputs() const { return fields(field::graph::input); }

    /// Returns the inputs that callers must provide, in order: those that have no initialiser of the same name.
    ///
    /// Cost: linear in the initialisers and inputs.
    plain_vector<value_view> open_inputs() const {
        string_table initialized;
        for (const wire_field& f : initializers()) initialized.add(tensor_view(message(f.payload)).name());
        for (const wire_field& f : fields(field::graph::sparse_initializer))
            initialized.add(tensor_view(message(f.payload).child(field::sparse_tensor::values)).name());
        const std::uint32_t count = initialized.size();
        plain_vector<value_view> open;
        for (const wire_field& f : inputs())
            if (const value_view input(f.payload); index(initialized.add(input.name())) >= count) open.push_back(input);
        return open;
    }
    wire_fields outputs() const { return fields(field::graph::output); }
};

/// A function of a model. Its nodes replace a node whose operator has the function's name.
class function_view : public message {
public:
    function_view() = default;
    explicit function_view(const file_part& part) : message(part) {}

    std::string_view name() const { return text(field::function::name); }
    std::string_view domain() const { return detail::domain_named(text(field::function::domain)); }
    wire_fields inputs() const { return fields(field::function::input); }
    wire_fields outputs() const { return fields(field::function::output); }
};

/// Returns the operator version that a model or a function imports for a domain; 0 if it imports none. The domain of
/// ONNX's own operators is "".
inline std::int64_t imported_opset(wire_fields imports, std::string_view domain) {
    for (const wire_field& f : imports) {
        const message set(f.payload);
        if (detail::domain_named(set.text(field::operator_set::domain)) == domain)
            return set.integer(field::operator_set::version);
    }
    return 0;
}

/// The mapped file of a model. Tensors may refer to its bytes.
using shared_file = std::shared_ptr<const file::mapped_file>;

/// A checked model file. Copies of this object share its bytes.
class model {
public:
    /// Checks a whole file. `name` is the file's name in errors. It is also the path of the model: external data is
    /// read from its folder.
    ///
    /// Cost:     linear in the bytes of messages, except the elements of tensors; copies and allocates nothing.
    /// Throws:   `tutti::error` if the file is not a model, or a tensor's elements do not match its shape. It names the
    ///           file, and the offset of the byte or the tensor.
    explicit model(shared_file bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {
        try {
            check();
        } catch (const error& e) {
            throw error(name_ + (e.where().empty() ? "" : ", " + e.where()), e.problem(), e.expected());
        }
    }

    const std::string& name() const { return name_; }
    const shared_file& file() const { return bytes_; }
    message root() const { return message(all()); }
    graph_view graph() const { return graph_view(root().child(field::model::graph)); }
    std::int64_t ir_version() const { return root().integer(field::model::ir_version); }
    std::string_view producer() const { return root().text(field::model::producer_name); }

    /// Returns the operator version that the model imports for a domain; 0 if it imports none. The domain of ONNX's own
    /// operators is "".
    std::int64_t opset(std::string_view domain = {}) const {
        return imported_opset(root().fields(field::model::opset_import), domain);
    }

private:
    file_part all() const {
        const std::string_view bytes = bytes_->bytes();
        return {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0};
    }

    void check() const {
        const file_part file = all();
        if (file.size == 0) throw error("", "an empty file", "an ONNX model");
        if (file.text().starts_with("version https://git-lfs."))
            throw error("", "is a Git LFS pointer, not the model", "the model: `git lfs pull` fetches it");
        try {
            check_message(file, message_kind::model, [](message_kind kind, const file_part& part) {
                if (kind == message_kind::tensor) tensor_view(message(part)).check();
            });
        } catch (const error& e) {
            // The first field of every model is the format version.
            if (file.data[0] == 0x08) throw;
            throw error("", "is not an ONNX model (" + e.where() + ": " + e.problem() + ")",
                        "a file that begins with 0x08 (ir_version)");
        }
        if (!root().has(field::model::ir_version) || ir_version() < 1)
            throw error("", "has no ir_version", "an ONNX model, which has one");
        if (!root().has(field::model::graph)) throw error("", "has no graph", "an ONNX model, which has one");
    }

    shared_file bytes_;
    std::string name_;
};

/// Opens and maps a model file.
///
/// Throws: `tutti::error` like the constructor of `model`, and if the file cannot be read.
inline model open_model(const std::string& path) {
    return model(std::make_shared<const file::mapped_file>(path), path);
}

/// Opens a model in memory, without copying it. `keeper` keeps the bytes alive for the model and for all tensors that
/// refer to them. Without a keeper, the caller must keep the bytes until the model, the modules imported from it and
/// their tensors are gone.
///
/// `name` is the model's name in errors. `import_options::external` finds external data.
///
/// Example: `const model m = model_in_memory(bytes, "net", owner);`
/// Throws:  `tutti::error` like the constructor of `model`.
inline model model_in_memory(std::string_view bytes, std::string name, std::shared_ptr<const void> keeper = {}) {
    using file::mapped_file;
    return model(std::make_shared<const mapped_file>(mapped_file::borrowed_bytes{bytes, std::move(keeper)}),
                 std::move(name));
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
