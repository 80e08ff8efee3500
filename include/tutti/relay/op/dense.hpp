#pragma once

#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti::relay {

/// Attributes of nn.dense. `units` may be inferred from the weight's shape (None); without `out_dtype` the result has
/// the data's type.
struct dense_attributes {
    required<std::optional<dim>> units{};
    dtype out_dtype = dtype::none;

    static constexpr option_list<&dense_attributes::units, &dense_attributes::out_dtype> options{"units", "out_dtype"};
};

/// Attributes of nn.bias_add: the axis of the bias; negative numbers count from the end.
struct bias_add_attributes {
    std::int64_t axis = 1;

    static constexpr option_list<&bias_add_attributes::axis> options{"axis"};
};

/// Attributes of nn.prelu: the axis of the slopes; negative numbers count from the end.
struct prelu_attributes {
    std::int64_t axis = 1;

    static constexpr option_list<&prelu_attributes::axis> options{"axis"};
};

/// Attributes of nn.batch_matmul: transposition of the two arguments.
struct batch_matmul_attributes {
    dtype out_dtype = dtype::none;
    bool transpose_a = false;
    bool transpose_b = false;

    static constexpr option_list<&batch_matmul_attributes::out_dtype, &batch_matmul_attributes::transpose_a,
                                 &batch_matmul_attributes::transpose_b>
        options{"out_dtype", "transpose_a", "transpose_b"};
};

/// Attributes of nn.matmul: those of nn.dense, and transposition of the two arguments.
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

/// nn.dense of matrices.
constexpr bool dense(layout_query& q) { return q.rank(0) == 2 && q.all_in(layout::parse("NC")); }

/// nn.prelu keeps its layout: as in the reference, its axis does not move.
constexpr bool prelu(layout_query& q) {
    if (!q.old_in[0]) return false;
    q.in = {q.old_in[0], layout::parse("C")};
    q.out.assign(1, q.old_in[0]);
    return true;
}

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

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const bool weight_known = r.knows(1);
        if (!weight_known && !a.units.value) return type_id::none;
        dims data = r.shape(0);
        if (data.empty()) r.refuse(0, "one dimension or more");
        if (weight_known && r.shape(1).size() != 2) r.refuse(1, "two dimensions");
        const dim units = a.units.value ? *a.units.value : r.shape(1)[0];
        r.expect(1, dims{units, data.back()}, weight_known ? r.element(1) : r.element(0));
        data.back() = units;
        return r.tensor(data, a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
    }
};

/// a · b for each matrix of a batch: a (n, i, k) and b (n, k, j) give (n, i, j). A batch of one broadcasts.
struct batch_matmul {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.batch_matmul";
    static constexpr std::array<std::string_view, 2> arguments{"tensor_a", "tensor_b"};
    using attributes = batch_matmul_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto precision = precision_rule::always;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims x = r.shape(0);
        const dims y = r.shape(1);
        if (x.size() != 3) r.refuse(0, "three dimensions");
        if (y.size() != 3) r.refuse(1, "three dimensions");
        if (!may_equal(x[a.transpose_a ? 1 : 2], y[a.transpose_b ? 2 : 1]))
            r.refuse(1, "as many rows as the other has columns");
        if (!x[0].same_number(1) && !y[0].same_number(1) && !may_equal(x[0], y[0]))
            r.refuse(1, "a batch of one or of the same size");
        const dim batch = x[0].is_any() || y[0].is_any() ? dim::any() : x[0].same_number(1) ? y[0] : x[0];
        return r.tensor(dims{batch, x[a.transpose_a ? 2 : 1], y[a.transpose_b ? 1 : 2]},
                        a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
    }
};

/// a · b: a (…, i, k) and b (k, j) give (…, i, j). The attributes may transpose each.
struct matmul {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.matmul";
    static constexpr std::array<std::string_view, 2> arguments{"tensor_a", "tensor_b"};
    using attributes = matmul_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const bool known = r.knows(1);
        if (!known && !a.units.value) return type_id::none;
        dims shape = r.shape(0);
        const std::size_t rank = shape.size();
        if (rank < (a.transpose_a ? 2 : 1)) r.refuse(0, a.transpose_a ? "two dimensions or more" : "one or more");
        if (known && r.shape(1).size() != 2) r.refuse(1, "two dimensions");
        const dim depth = shape[a.transpose_a ? rank - 2 : rank - 1];
        const dim units = a.units.value ? *a.units.value : r.shape(1)[a.transpose_b ? 0 : 1];
        r.expect(1, a.transpose_b ? dims{units, depth} : dims{depth, units}, known ? r.element(1) : r.element(0));
        if (a.transpose_a) shape[rank - 2] = shape[rank - 1];
        shape[rank - 1] = units;
        return r.tensor(shape, a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
    }
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

    static constexpr type_id infer(relation& r, const attributes& a) { return with_vector(r, a.axis); }

    /// Returns the type of the first argument if the second is a vector along one of its axes.
    [[gnu::noinline]] static constexpr type_id with_vector(relation& r, std::int64_t axis) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        r.expect(1, dims{data[checked_axis(r, "axis", axis, data.size())]}, r.element(0));
        return r.argument(0);
    }
};

/// x, or for negative x its product with the slope from a vector along one axis.
struct prelu {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.prelu";
    static constexpr std::array<std::string_view, 2> arguments{"data", "alpha"};
    using attributes = prelu_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::prelu;
    static constexpr auto precision = precision_rule::follow;
    static constexpr type_id infer(relation& r, const attributes& a) { return bias_add::with_vector(r, a.axis); }
};

} // namespace op::nn

/// Matrix products, and operators with a vector along one axis.
using dense_ops = op_list<op::nn::batch_matmul, op::nn::bias_add, op::nn::dense, op::nn::matmul, op::nn::prelu>;

namespace nn {

constexpr expr dense(expr data, expr weight, const dense_attributes& attributes = {}) {
    return call_op<op::nn::dense>(attributes, data, weight);
}
/// Calls nn.batch_matmul; by default a · bᵀ, like the reference's builder function.
constexpr expr batch_matmul(expr a, expr b, const batch_matmul_attributes& attributes = {.transpose_b = true}) {
    return call_op<op::nn::batch_matmul>(attributes, a, b);
}
constexpr expr matmul(expr a, expr b, const matmul_attributes& attributes = {}) {
    return call_op<op::nn::matmul>(attributes, a, b);
}
constexpr expr bias_add(expr data, expr bias, const bias_add_attributes& attributes = {}) {
    return call_op<op::nn::bias_add>(attributes, data, bias);
}
constexpr expr prelu(expr data, expr alpha, const prelu_attributes& attributes = {}) {
    return call_op<op::nn::prelu>(attributes, data, alpha);
}

} // namespace nn

} // namespace tutti::relay
