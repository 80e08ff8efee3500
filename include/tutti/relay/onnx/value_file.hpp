#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/message.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/schema.hpp>
#include <tutti/relay/onnx/tensor_view.hpp>

#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

inline void append_tensors(const message& value, const message& type, const shared_file& file, vector<tensor>& all) {
    if (type.has(field::type::optional_type)) {
        const message held = type.child(field::type::optional_type).child(field::sequence_type::elem_type);
        const bool sequence = held.has(field::type::sequence_type);
        const message inner = value.child(sequence ? field::optional::sequence : field::optional::tensor);
        if (inner.exists()) append_tensors(inner, held, file, all);
    } else if (type.has(field::type::sequence_type)) {
        for (const wire_field& each : value.fields(field::sequence::tensors))
            append_tensors(message(each.payload), {}, file, all);
    } else {
        const tensor_view one(value);
        one.check();
        if (one.is_external()) one.refuse("external data", "a tensor whose elements are in this file");
        all.push_back(one.value(file));
    }
}

} // namespace detail

/// Reads a value from a `.pb` file of ONNX's test data. `type` determines whether the value is a tensor, a
/// sequence or an optional.
///
/// `type` is the type of a model's input or output (`value_view::type`). If it is omitted, the value is a tensor.
/// Returns the tensors of the value: one for a tensor, any number for a sequence, none for an empty optional. Large
/// tensors refer to the file's bytes and keep them alive.
///
/// Cost:   linear in the bytes other than tensor elements, and in the copied elements.
/// Throws: `tutti::error` with the byte offset or the tensor's name if the file does not contain such a value.
inline vector<tensor> read_value(const shared_file& file, const message& type = {}) {
    const std::string_view bytes = file->bytes();
    const file_part whole{reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0};
    if (whole.size == 0 && !type.has(field::type::optional_type) && !type.has(field::type::sequence_type))
        throw error("", "an empty file", "a tensor");
    const message_kind kind = type.has(field::type::optional_type)   ? message_kind::optional
                              : type.has(field::type::sequence_type) ? message_kind::sequence
                                                                     : message_kind::tensor;
    check_message(whole, kind, [](message_kind, const file_part&) {});
    vector<tensor> all;
    detail::append_tensors(message(whole), type, file, all);
    return all;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
