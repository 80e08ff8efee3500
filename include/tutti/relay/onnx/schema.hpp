#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The messages of a model file.
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

// Source: onnx.proto of ONNX 1.12.
inline constexpr known_field known_fields[]{
    {message_kind::model, 1, field_kind::integer, "ir_version"},
    {message_kind::model, 2, field_kind::text, "producer_name"},
    {message_kind::model, 3, field_kind::text, "producer_version"},
    {message_kind::model, 4, field_kind::text, "domain"},
    {message_kind::model, 5, field_kind::integer, "model_version"},
    {message_kind::model, 6, field_kind::text, "doc_string"},
    {message_kind::model, 7, field_kind::message, "graph", message_kind::graph},
    {message_kind::model, 8, field_kind::message, "opset_import", message_kind::operator_set},
    {message_kind::model, 14, field_kind::message, "metadata_props", message_kind::entry},
    {message_kind::model, 20, field_kind::message, "training_info", message_kind::training},
    {message_kind::model, 25, field_kind::message, "functions", message_kind::function},
    {message_kind::graph, 1, field_kind::message, "node", message_kind::node},
    {message_kind::graph, 2, field_kind::text, "name"},
    {message_kind::graph, 5, field_kind::message, "initializer", message_kind::tensor},
    {message_kind::graph, 10, field_kind::text, "doc_string"},
    {message_kind::graph, 11, field_kind::message, "input", message_kind::value_info},
    {message_kind::graph, 12, field_kind::message, "output", message_kind::value_info},
    {message_kind::graph, 13, field_kind::message, "value_info", message_kind::value_info},
    {message_kind::graph, 14, field_kind::message, "quantization_annotation", message_kind::annotation},
    {message_kind::graph, 15, field_kind::message, "sparse_initializer", message_kind::sparse_tensor},
    {message_kind::node, 1, field_kind::text, "input"},
    {message_kind::node, 2, field_kind::text, "output"},
    {message_kind::node, 3, field_kind::text, "name"},
    {message_kind::node, 4, field_kind::text, "op_type"},
    {message_kind::node, 5, field_kind::message, "attribute", message_kind::attribute},
    {message_kind::node, 6, field_kind::text, "doc_string"},
    {message_kind::node, 7, field_kind::text, "domain"},
    {message_kind::attribute, 1, field_kind::text, "name"},
    {message_kind::attribute, 2, field_kind::real, "f"},
    {message_kind::attribute, 3, field_kind::integer, "i"},
    {message_kind::attribute, 4, field_kind::bytes, "s"},
    {message_kind::attribute, 5, field_kind::message, "t", message_kind::tensor},
    {message_kind::attribute, 6, field_kind::message, "g", message_kind::graph},
    {message_kind::attribute, 7, field_kind::floats, "floats"},
    {message_kind::attribute, 8, field_kind::integers, "ints"},
    {message_kind::attribute, 9, field_kind::bytes, "strings"},
    {message_kind::attribute, 10, field_kind::message, "tensors", message_kind::tensor},
    {message_kind::attribute, 11, field_kind::message, "graphs", message_kind::graph},
    {message_kind::attribute, 13, field_kind::text, "doc_string"},
    {message_kind::attribute, 14, field_kind::message, "tp", message_kind::type},
    {message_kind::attribute, 15, field_kind::message, "type_protos", message_kind::type},
    {message_kind::attribute, 20, field_kind::integer, "type"},
    {message_kind::attribute, 21, field_kind::text, "ref_attr_name"},
    {message_kind::attribute, 22, field_kind::message, "sparse_tensor", message_kind::sparse_tensor},
    {message_kind::attribute, 23, field_kind::message, "sparse_tensors", message_kind::sparse_tensor},
    {message_kind::tensor, 1, field_kind::integers, "dims"},
    {message_kind::tensor, 2, field_kind::integer, "data_type"},
    {message_kind::tensor, 3, field_kind::bytes, "segment"},
    {message_kind::tensor, 4, field_kind::floats, "float_data"},
    {message_kind::tensor, 5, field_kind::integers, "int32_data"},
    {message_kind::tensor, 6, field_kind::bytes, "string_data"},
    {message_kind::tensor, 7, field_kind::integers, "int64_data"},
    {message_kind::tensor, 8, field_kind::text, "name"},
    {message_kind::tensor, 9, field_kind::bytes, "raw_data"},
    {message_kind::tensor, 10, field_kind::doubles, "double_data"},
    {message_kind::tensor, 11, field_kind::integers, "uint64_data"},
    {message_kind::tensor, 12, field_kind::text, "doc_string"},
    {message_kind::tensor, 13, field_kind::message, "external_data", message_kind::entry},
    {message_kind::tensor, 14, field_kind::integer, "data_location"},
    {message_kind::sparse_tensor, 1, field_kind::message, "values", message_kind::tensor},
    {message_kind::sparse_tensor, 2, field_kind::message, "indices", message_kind::tensor},
    {message_kind::sparse_tensor, 3, field_kind::integers, "dims"},
    {message_kind::value_info, 1, field_kind::text, "name"},
    {message_kind::value_info, 2, field_kind::message, "type", message_kind::type},
    {message_kind::value_info, 3, field_kind::text, "doc_string"},
    {message_kind::type, 1, field_kind::message, "tensor_type", message_kind::tensor_type},
    {message_kind::type, 4, field_kind::message, "sequence_type", message_kind::sequence_type},
    {message_kind::type, 5, field_kind::message, "map_type", message_kind::map_type},
    {message_kind::type, 6, field_kind::text, "denotation"},
    {message_kind::type, 8, field_kind::message, "sparse_tensor_type", message_kind::tensor_type},
    {message_kind::type, 9, field_kind::message, "optional_type", message_kind::sequence_type},
    {message_kind::tensor_type, 1, field_kind::integer, "elem_type"},
    {message_kind::tensor_type, 2, field_kind::message, "shape", message_kind::shape},
    {message_kind::sequence_type, 1, field_kind::message, "elem_type", message_kind::type},
    {message_kind::map_type, 1, field_kind::integer, "key_type"},
    {message_kind::map_type, 2, field_kind::message, "value_type", message_kind::type},
    {message_kind::shape, 1, field_kind::message, "dim", message_kind::dimension},
    {message_kind::dimension, 1, field_kind::integer, "dim_value"},
    {message_kind::dimension, 2, field_kind::text, "dim_param"},
    {message_kind::dimension, 3, field_kind::text, "denotation"},
    {message_kind::entry, 1, field_kind::text, "key"},
    {message_kind::entry, 2, field_kind::text, "value"},
    {message_kind::operator_set, 1, field_kind::text, "domain"},
    {message_kind::operator_set, 2, field_kind::integer, "version"},
    {message_kind::function, 1, field_kind::text, "name"},
    {message_kind::function, 4, field_kind::text, "input"},
    {message_kind::function, 5, field_kind::text, "output"},
    {message_kind::function, 6, field_kind::text, "attribute"},
    {message_kind::function, 7, field_kind::message, "node", message_kind::node},
    {message_kind::function, 8, field_kind::text, "doc_string"},
    {message_kind::function, 9, field_kind::message, "opset_import", message_kind::operator_set},
    {message_kind::function, 10, field_kind::text, "domain"},
    {message_kind::training, 1, field_kind::message, "initialization", message_kind::graph},
    {message_kind::training, 2, field_kind::message, "algorithm", message_kind::graph},
    {message_kind::training, 3, field_kind::message, "initialization_binding", message_kind::entry},
    {message_kind::training, 4, field_kind::message, "update_binding", message_kind::entry},
    {message_kind::annotation, 1, field_kind::text, "tensor_name"},
    {message_kind::annotation, 2, field_kind::message, "quant_parameter_tensor_names", message_kind::entry},
};

// The first field of each message.
struct field_places {
    std::size_t first[static_cast<std::size_t>(message_kind::annotation) + 2]{};

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

/// The wire kind of a singular field, and the element size of a packed one, 0 for varints.
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

/// Limit on the nesting depth of messages: graphs in nodes in graphs, types in types.
inline constexpr std::size_t most_message_depth = 100;

/// Checks a message and its nested messages: numbers and bytes are complete, and known fields have their wire kind.
/// Unknown fields are skipped. Calls `see(kind, part)` for each message, nested ones first.
///
/// Cost:   linear in its bytes; allocates nothing.
/// Throws: `tutti::error` with the offset of the byte.
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
