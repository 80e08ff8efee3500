#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The kinds of messages in model files and value files.
enum class message_kind : std::uint8_t {
    model,
    graph,
    node,
    attribute,
    tensor,
    sparse_tensor,
    value_info,
    type,
    tensor_type,
    sequence_type,
    map_type,
    shape,
    dimension,
    entry, ///< a name and a value
    operator_set,
    function,
    training,
    annotation,
    sequence, ///< only in value files
    optional, ///< only in value files
};

namespace detail {

enum class field_kind : std::uint8_t { integer, real, text, bytes, message, integers, floats, doubles };

struct known_field {
    message_kind in;
    std::uint32_t number;
    field_kind kind;
    std::string_view name;
    message_kind message = message_kind::model;
};

inline constexpr known_field known_fields[]{
    {message_kind::model, field::model::ir_version, field_kind::integer, "ir_version"},
    {message_kind::model, field::model::producer_name, field_kind::text, "producer_name"},
    {message_kind::model, field::model::producer_version, field_kind::text, "producer_version"},
    {message_kind::model, field::model::domain, field_kind::text, "domain"},
    {message_kind::model, field::model::model_version, field_kind::integer, "model_version"},
    {message_kind::model, field::model::doc_string, field_kind::text, "doc_string"},
    {message_kind::model, field::model::graph, field_kind::message, "graph", message_kind::graph},
    {message_kind::model, field::model::opset_import, field_kind::message, "opset_import", message_kind::operator_set},
    {message_kind::model, field::model::metadata_props, field_kind::message, "metadata_props", message_kind::entry},
    {message_kind::model, field::model::training_info, field_kind::message, "training_info", message_kind::training},
    {message_kind::model, field::model::functions, field_kind::message, "functions", message_kind::function},
    {message_kind::graph, field::graph::node, field_kind::message, "node", message_kind::node},
    {message_kind::graph, field::graph::name, field_kind::text, "name"},
    {message_kind::graph, field::graph::initializer, field_kind::message, "initializer", message_kind::tensor},
    {message_kind::graph, field::graph::doc_string, field_kind::text, "doc_string"},
    {message_kind::graph, field::graph::input, field_kind::message, "input", message_kind::value_info},
    {message_kind::graph, field::graph::output, field_kind::message, "output", message_kind::value_info},
    {message_kind::graph, field::graph::value_info, field_kind::message, "value_info", message_kind::value_info},
    {message_kind::graph, field::graph::quantization_annotation, field_kind::message, "quantization_annotation",
     message_kind::annotation},
    {message_kind::graph, field::graph::sparse_initializer, field_kind::message, "sparse_initializer",
     message_kind::sparse_tensor},
    {message_kind::node, field::node::input, field_kind::text, "input"},
    {message_kind::node, field::node::output, field_kind::text, "output"},
    {message_kind::node, field::node::name, field_kind::text, "name"},
    {message_kind::node, field::node::op_type, field_kind::text, "op_type"},
    {message_kind::node, field::node::attribute, field_kind::message, "attribute", message_kind::attribute},
    {message_kind::node, field::node::doc_string, field_kind::text, "doc_string"},
    {message_kind::node, field::node::domain, field_kind::text, "domain"},
    {message_kind::attribute, field::attribute::name, field_kind::text, "name"},
    {message_kind::attribute, field::attribute::f, field_kind::real, "f"},
    {message_kind::attribute, field::attribute::i, field_kind::integer, "i"},
    {message_kind::attribute, field::attribute::s, field_kind::bytes, "s"},
    {message_kind::attribute, field::attribute::t, field_kind::message, "t", message_kind::tensor},
    {message_kind::attribute, field::attribute::g, field_kind::message, "g", message_kind::graph},
    {message_kind::attribute, field::attribute::floats, field_kind::floats, "floats"},
    {message_kind::attribute, field::attribute::ints, field_kind::integers, "ints"},
    {message_kind::attribute, field::attribute::strings, field_kind::bytes, "strings"},
    {message_kind::attribute, field::attribute::tensors, field_kind::message, "tensors", message_kind::tensor},
    {message_kind::attribute, field::attribute::graphs, field_kind::message, "graphs", message_kind::graph},
    {message_kind::attribute, field::attribute::doc_string, field_kind::text, "doc_string"},
    {message_kind::attribute, field::attribute::tp, field_kind::message, "tp", message_kind::type},
    {message_kind::attribute, field::attribute::type_protos, field_kind::message, "type_protos", message_kind::type},
    {message_kind::attribute, field::attribute::type, field_kind::integer, "type"},
    {message_kind::attribute, field::attribute::ref_attr_name, field_kind::text, "ref_attr_name"},
    {message_kind::attribute, field::attribute::sparse_tensor, field_kind::message, "sparse_tensor",
     message_kind::sparse_tensor},
    {message_kind::attribute, field::attribute::sparse_tensors, field_kind::message, "sparse_tensors",
     message_kind::sparse_tensor},
    {message_kind::tensor, field::tensor::dims, field_kind::integers, "dims"},
    {message_kind::tensor, field::tensor::data_type, field_kind::integer, "data_type"},
    {message_kind::tensor, field::tensor::segment, field_kind::bytes, "segment"},
    {message_kind::tensor, field::tensor::float_data, field_kind::floats, "float_data"},
    {message_kind::tensor, field::tensor::int32_data, field_kind::integers, "int32_data"},
    {message_kind::tensor, field::tensor::string_data, field_kind::bytes, "string_data"},
    {message_kind::tensor, field::tensor::int64_data, field_kind::integers, "int64_data"},
    {message_kind::tensor, field::tensor::name, field_kind::text, "name"},
    {message_kind::tensor, field::tensor::raw_data, field_kind::bytes, "raw_data"},
    {message_kind::tensor, field::tensor::double_data, field_kind::doubles, "double_data"},
    {message_kind::tensor, field::tensor::uint64_data, field_kind::integers, "uint64_data"},
    {message_kind::tensor, field::tensor::doc_string, field_kind::text, "doc_string"},
    {message_kind::tensor, field::tensor::external_data, field_kind::message, "external_data", message_kind::entry},
    {message_kind::tensor, field::tensor::data_location, field_kind::integer, "data_location"},
    {message_kind::sparse_tensor, field::sparse_tensor::values, field_kind::message, "values", message_kind::tensor},
    {message_kind::sparse_tensor, field::sparse_tensor::indices, field_kind::message, "indices", message_kind::tensor},
    {message_kind::sparse_tensor, field::sparse_tensor::dims, field_kind::integers, "dims"},
    {message_kind::value_info, field::value_info::name, field_kind::text, "name"},
    {message_kind::value_info, field::value_info::type, field_kind::message, "type", message_kind::type},
    {message_kind::value_info, field::value_info::doc_string, field_kind::text, "doc_string"},
    {message_kind::type, field::type::tensor_type, field_kind::message, "tensor_type", message_kind::tensor_type},
    {message_kind::type, field::type::sequence_type, field_kind::message, "sequence_type", message_kind::sequence_type},
    {message_kind::type, field::type::map_type, field_kind::message, "map_type", message_kind::map_type},
    {message_kind::type, field::type::denotation, field_kind::text, "denotation"},
    {message_kind::type, field::type::sparse_tensor_type, field_kind::message, "sparse_tensor_type",
     message_kind::tensor_type},
    {message_kind::type, field::type::optional_type, field_kind::message, "optional_type", message_kind::sequence_type},
    {message_kind::tensor_type, field::tensor_type::elem_type, field_kind::integer, "elem_type"},
    {message_kind::tensor_type, field::tensor_type::shape, field_kind::message, "shape", message_kind::shape},
    {message_kind::sequence_type, field::sequence_type::elem_type, field_kind::message, "elem_type",
     message_kind::type},
    {message_kind::map_type, field::map_type::key_type, field_kind::integer, "key_type"},
    {message_kind::map_type, field::map_type::value_type, field_kind::message, "value_type", message_kind::type},
    {message_kind::shape, field::shape::dim, field_kind::message, "dim", message_kind::dimension},
    {message_kind::dimension, field::dimension::dim_value, field_kind::integer, "dim_value"},
    {message_kind::dimension, field::dimension::dim_param, field_kind::text, "dim_param"},
    {message_kind::dimension, field::dimension::denotation, field_kind::text, "denotation"},
    {message_kind::entry, field::entry::key, field_kind::text, "key"},
    {message_kind::entry, field::entry::value, field_kind::text, "value"},
    {message_kind::operator_set, field::operator_set::domain, field_kind::text, "domain"},
    {message_kind::operator_set, field::operator_set::version, field_kind::integer, "version"},
    {message_kind::function, field::function::name, field_kind::text, "name"},
    {message_kind::function, field::function::input, field_kind::text, "input"},
    {message_kind::function, field::function::output, field_kind::text, "output"},
    {message_kind::function, field::function::attribute, field_kind::text, "attribute"},
    {message_kind::function, field::function::node, field_kind::message, "node", message_kind::node},
    {message_kind::function, field::function::doc_string, field_kind::text, "doc_string"},
    {message_kind::function, field::function::opset_import, field_kind::message, "opset_import",
     message_kind::operator_set},
    {message_kind::function, field::function::domain, field_kind::text, "domain"},
    {message_kind::training, field::training::initialization, field_kind::message, "initialization",
     message_kind::graph},
    {message_kind::training, field::training::algorithm, field_kind::message, "algorithm", message_kind::graph},
    {message_kind::training, field::training::initialization_binding, field_kind::message, "initialization_binding",
     message_kind::entry},
    {message_kind::training, field::training::update_binding, field_kind::message, "update_binding",
     message_kind::entry},
    {message_kind::annotation, field::annotation::tensor_name, field_kind::text, "tensor_name"},
    {message_kind::annotation, field::annotation::quant_parameter_tensor_names, field_kind::message,
     "quant_parameter_tensor_names", message_kind::entry},
    {message_kind::sequence, field::sequence::tensors, field_kind::message, "tensor_values", message_kind::tensor},
    {message_kind::optional, field::optional::tensor, field_kind::message, "tensor_value", message_kind::tensor},
    {message_kind::optional, field::optional::sequence, field_kind::message, "sequence_value", message_kind::sequence},
};

// The index in `known_fields` of the first field of each kind of message.
struct field_places {
    std::size_t first[static_cast<std::size_t>(message_kind::optional) + 2]{};

    constexpr field_places() {
        std::size_t at = 0;
        for (std::size_t kind = 0; kind < std::size(first); ++kind) {
            first[kind] = at;
            while (at < std::size(known_fields) && static_cast<std::size_t>(known_fields[at].in) == kind) ++at;
        }
    }
};
inline constexpr field_places places_of_fields;

inline const known_field* find_field(message_kind in, std::uint32_t number) {
    const auto kind = static_cast<std::size_t>(in);
    for (std::size_t i = places_of_fields.first[kind]; i < places_of_fields.first[kind + 1]; ++i)
        if (known_fields[i].number == number) return &known_fields[i];
    return nullptr;
}

/// The storage of a field: the wire kind of a single value, true if the field may be packed, and the size of a packed
/// element, which is 0 for varints.
struct storage {
    wire_kind single;
    bool packed;
    std::size_t size;
};
constexpr storage storage_of(field_kind kind) {
    switch (kind) {
    case field_kind::integer:
        return {wire_kind::varint, false, 0};
    case field_kind::integers:
        return {wire_kind::varint, true, 0};
    case field_kind::real:
        return {wire_kind::fixed32, false, 4};
    case field_kind::floats:
        return {wire_kind::fixed32, true, 4};
    case field_kind::doubles:
        return {wire_kind::fixed64, true, 8};
    default:
        return {wire_kind::bytes, false, 0};
    }
}

} // namespace detail

/// Limit on the nesting depth of messages, such as graphs in nodes of graphs, or types in types.
inline constexpr std::size_t most_message_depth = 100;

/// Checks a message and its nested messages: numbers and byte strings are complete, and known fields have the right
/// wire kind. Skips unknown fields. Calls `see(kind, part)` for each message, after the messages nested in it.
///
/// Cost:   linear in the bytes of the message; allocates nothing.
/// Throws: `tutti::error` with the offset of the invalid byte.
inline void check_message(const file_part& part, message_kind kind, void (*see)(message_kind, const file_part&),
                          std::size_t depth = 0) {
    if (depth > most_message_depth)
        refuse_byte(part.offset, "messages nested more than " + std::to_string(most_message_depth) + " deep",
                    "a model with less nesting");
    for (const wire_field& f : wire_fields(part)) {
        const detail::known_field* known = detail::find_field(kind, f.number);
        if (known == nullptr) continue;
        const detail::storage stored = detail::storage_of(known->kind);
        const bool packed = stored.packed && f.kind == wire_kind::bytes;
        if (f.kind != stored.single && !packed)
            refuse_byte(f.offset, "field `" + std::string(known->name) + "` has the wrong wire type", "an ONNX model");
        if (packed && stored.size != 0 && f.payload.size % stored.size != 0)
            refuse_byte(f.offset, "field `" + std::string(known->name) + "` ends within a number",
                        "a multiple of " + std::to_string(stored.size) + " bytes");
        if (packed && stored.size == 0)
            for (wire_reader numbers(f.payload); !numbers.done();) numbers.varint();
        if (known->kind == detail::field_kind::message) check_message(f.payload, known->message, see, depth + 1);
    }
    see(kind, part);
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
