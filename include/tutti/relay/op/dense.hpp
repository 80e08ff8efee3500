#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.dense. If `units` is None, it is inferred from the weight's shape. Without `out_dtype`, the result
/// has the data's element type.
struct dense_attributes {
    required<std::optional<dim>> units{};
    dtype out_dtype = dtype::none;

    static constexpr option_list<&dense_attributes::units, &dense_attributes::out_dtype> options{"units", "out_dtype"};
};

/// Attributes of nn.bias_add: the axis of the bias, counted from the end if negative.
struct bias_add_attributes {
    std::int64_t axis = 1;

    static constexpr option_list<&bias_add_attributes::axis> options{"axis"};
};

/// Attributes of nn.prelu: the axis of the slopes, counted from the end if negative.
struct prelu_attributes {
    std::int64_t axis = 1;

    static constexpr option_list<&prelu_attributes::axis> options{"axis"};
};

/// Attributes of nn.batch_matmul: the result's element type, and whether each argument is transposed.
struct batch_matmul_attributes {
    dtype out_dtype = dtype::none;
    bool transpose_a = false;
    bool transpose_b = false;

    static constexpr option_list<&batch_matmul_attributes::out_dtype, &batch_matmul_attributes::transpose_a,
                                 &batch_matmul_attributes::transpose_b>
        options{"out_dtype", "transpose_a", "transpose_b"};
};

/// Attributes of nn.matmul: those of nn.dense, and whether each argument is transposed.
struct matmul_attributes {
    required<std::optional<dim>> units{};
    dtype out_dtype = dtype::none;
    bool transpose_a = false;
    bool transpose_b = false;

    static constexpr option_list<&matmul_attributes::units, &matmul_attributes::out_dtype,
                                 &matmul_attributes::transpose_a, &matmul_attributes::transpose_b>
        options{"units", "out_dtype", "transpose_a", "transpose_b"};
};

namespace layout_rules {

/// Requires layout NC for nn.dense. False if the data is not a matrix.
TUTTI_CONSTEXPR bool dense(layout_query& q);

/// Requires the original layout for nn.prelu, because the operator's axis is not moved, as in the reference.
TUTTI_CONSTEXPR bool prelu(layout_query& q);

} // namespace layout_rules

namespace op::nn {

/// data · weightᵀ: data (…, k) and weight (units, k) give (…, units).
struct dense {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.dense";
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    using attributes = dense_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::dense;
    static constexpr auto precision = precision_rule::always;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// a · b for each matrix of a batch: a (n, i, k) and b (n, k, j) give (n, i, j). A batch of one broadcasts.
struct batch_matmul {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.batch_matmul";
    static constexpr std::array<std::string_view, 2> arguments{"tensor_a", "tensor_b"};
    using attributes = batch_matmul_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto precision = precision_rule::always;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// a · b: a (…, i, k) and b (k, j) give (…, i, j). The attributes may transpose each argument.
struct matmul {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.matmul";
    static constexpr std::array<std::string_view, 2> arguments{"tensor_a", "tensor_b"};
    using attributes = matmul_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Adds a vector along one axis.
struct bias_add {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.bias_add";
    static constexpr std::array<std::string_view, 2> arguments{"data", "bias"};
    using attributes = bias_add_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);

    /// Returns the type of the first argument. The second argument must be a vector along `axis` of the first.
    static TUTTI_CONSTEXPR type_id with_vector(relation& r, std::int64_t axis);
};

/// x, or slope · x where x is negative. The slopes are a vector along one axis.
struct prelu {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.prelu";
    static constexpr std::array<std::string_view, 2> arguments{"data", "alpha"};
    using attributes = prelu_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::prelu;
    static constexpr auto precision = precision_rule::follow;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::nn

/// Matrix products, and operators with a vector along one axis.
using dense_ops = op_list<op::nn::batch_matmul, op::nn::bias_add, op::nn::dense, op::nn::matmul, op::nn::prelu>;

namespace nn {

TUTTI_CONSTEXPR expr dense(expr data, expr weight, const dense_attributes& attributes = {});
/// Calls nn.batch_matmul. Computes a · bᵀ by default, like the reference's builder function.
TUTTI_CONSTEXPR expr batch_matmul(expr a, expr b, const batch_matmul_attributes& attributes = {.transpose_b = true});
TUTTI_CONSTEXPR expr matmul(expr a, expr b, const matmul_attributes& attributes = {});
TUTTI_CONSTEXPR expr bias_add(expr data, expr bias, const bias_add_attributes& attributes = {});
TUTTI_CONSTEXPR expr prelu(expr data, expr alpha, const prelu_attributes& attributes = {});

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/dense.ipp>
#endif
