#pragma once

#include <tutti/base/form.hpp>

#include <cstdint>

// The field numbers of the messages of a model file, with the names that onnx.proto of ONNX 1.12 gives the fields.

namespace tutti::relay::inline TUTTI_FORM::onnx::field {

namespace model {
inline constexpr std::uint32_t ir_version = 1;
inline constexpr std::uint32_t producer_name = 2;
inline constexpr std::uint32_t producer_version = 3;
inline constexpr std::uint32_t domain = 4;
inline constexpr std::uint32_t model_version = 5;
inline constexpr std::uint32_t doc_string = 6;
inline constexpr std::uint32_t graph = 7;
inline constexpr std::uint32_t opset_import = 8;
inline constexpr std::uint32_t metadata_props = 14;
inline constexpr std::uint32_t training_info = 20;
inline constexpr std::uint32_t functions = 25;
} // namespace model

namespace graph {
inline constexpr std::uint32_t node = 1;
inline constexpr std::uint32_t name = 2;
inline constexpr std::uint32_t initializer = 5;
inline constexpr std::uint32_t doc_string = 10;
inline constexpr std::uint32_t input = 11;
inline constexpr std::uint32_t output = 12;
inline constexpr std::uint32_t value_info = 13;
inline constexpr std::uint32_t quantization_annotation = 14;
inline constexpr std::uint32_t sparse_initializer = 15;
} // namespace graph

namespace node {
inline constexpr std::uint32_t input = 1;
inline constexpr std::uint32_t output = 2;
inline constexpr std::uint32_t name = 3;
inline constexpr std::uint32_t op_type = 4;
inline constexpr std::uint32_t attribute = 5;
inline constexpr std::uint32_t doc_string = 6;
inline constexpr std::uint32_t domain = 7;
} // namespace node

namespace attribute {
inline constexpr std::uint32_t name = 1;
inline constexpr std::uint32_t f = 2;
inline constexpr std::uint32_t i = 3;
inline constexpr std::uint32_t s = 4;
inline constexpr std::uint32_t t = 5;
inline constexpr std::uint32_t g = 6;
inline constexpr std::uint32_t floats = 7;
inline constexpr std::uint32_t ints = 8;
inline constexpr std::uint32_t strings = 9;
inline constexpr std::uint32_t tensors = 10;
inline constexpr std::uint32_t graphs = 11;
inline constexpr std::uint32_t doc_string = 13;
inline constexpr std::uint32_t tp = 14;
inline constexpr std::uint32_t type_protos = 15;
inline constexpr std::uint32_t type = 20;
inline constexpr std::uint32_t ref_attr_name = 21;
inline constexpr std::uint32_t sparse_tensor = 22;
inline constexpr std::uint32_t sparse_tensors = 23;
} // namespace attribute

namespace tensor {
inline constexpr std::uint32_t dims = 1;
inline constexpr std::uint32_t data_type = 2;
inline constexpr std::uint32_t segment = 3;
inline constexpr std::uint32_t float_data = 4;
inline constexpr std::uint32_t int32_data = 5;
inline constexpr std::uint32_t string_data = 6;
inline constexpr std::uint32_t int64_data = 7;
inline constexpr std::uint32_t name = 8;
inline constexpr std::uint32_t raw_data = 9;
inline constexpr std::uint32_t double_data = 10;
inline constexpr std::uint32_t uint64_data = 11;
inline constexpr std::uint32_t doc_string = 12;
inline constexpr std::uint32_t external_data = 13;
inline constexpr std::uint32_t data_location = 14;
} // namespace tensor

namespace sparse_tensor {
inline constexpr std::uint32_t values = 1;
inline constexpr std::uint32_t indices = 2;
inline constexpr std::uint32_t dims = 3;
} // namespace sparse_tensor

namespace value_info {
inline constexpr std::uint32_t name = 1;
inline constexpr std::uint32_t type = 2;
inline constexpr std::uint32_t doc_string = 3;
} // namespace value_info

namespace type {
inline constexpr std::uint32_t tensor_type = 1;
inline constexpr std::uint32_t sequence_type = 4;
inline constexpr std::uint32_t map_type = 5;
inline constexpr std::uint32_t denotation = 6;
inline constexpr std::uint32_t sparse_tensor_type = 8;
inline constexpr std::uint32_t optional_type = 9;
} // namespace type

namespace tensor_type {
inline constexpr std::uint32_t elem_type = 1;
inline constexpr std::uint32_t shape = 2;
} // namespace tensor_type

namespace sequence_type {
inline constexpr std::uint32_t elem_type = 1;
} // namespace sequence_type

namespace map_type {
inline constexpr std::uint32_t key_type = 1;
inline constexpr std::uint32_t value_type = 2;
} // namespace map_type

namespace shape {
inline constexpr std::uint32_t dim = 1;
} // namespace shape

namespace dimension {
inline constexpr std::uint32_t dim_value = 1;
inline constexpr std::uint32_t dim_param = 2;
inline constexpr std::uint32_t denotation = 3;
} // namespace dimension

namespace entry {
inline constexpr std::uint32_t key = 1;
inline constexpr std::uint32_t value = 2;
} // namespace entry

namespace operator_set {
inline constexpr std::uint32_t domain = 1;
inline constexpr std::uint32_t version = 2;
} // namespace operator_set

namespace function {
inline constexpr std::uint32_t name = 1;
inline constexpr std::uint32_t input = 4;
inline constexpr std::uint32_t output = 5;
inline constexpr std::uint32_t attribute = 6;
inline constexpr std::uint32_t node = 7;
inline constexpr std::uint32_t doc_string = 8;
inline constexpr std::uint32_t opset_import = 9;
inline constexpr std::uint32_t domain = 10;
} // namespace function

namespace training {
inline constexpr std::uint32_t initialization = 1;
inline constexpr std::uint32_t algorithm = 2;
inline constexpr std::uint32_t initialization_binding = 3;
inline constexpr std::uint32_t update_binding = 4;
} // namespace training

namespace annotation {
inline constexpr std::uint32_t tensor_name = 1;
inline constexpr std::uint32_t quant_parameter_tensor_names = 2;
} // namespace annotation

namespace sequence {
inline constexpr std::uint32_t tensors = 3;
} // namespace sequence

namespace optional {
inline constexpr std::uint32_t tensor = 3;
inline constexpr std::uint32_t sequence = 5;
} // namespace optional

} // namespace tutti::relay::inline TUTTI_FORM::onnx::field
