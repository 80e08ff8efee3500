#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernels/broadcast.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// The meaning of a tensor's integers: element q represents `scale * (q - zero_point)`. Scale and zero point are
/// expressions of the new graph with one element or, if `several`, one element per index along `axis`. A negative
/// axis counts from the end.
struct affine_type {
    expr_id scale = expr_id::none;
    expr_id zero_point = expr_id::none;
    dtype type = dtype::none;
    std::int64_t axis = -1;
    bool several = false;
};

/// Returns the value of a constant, without copying elements, or an empty tensor for other expressions.
constexpr tensor constant_in(const graph& g, expr_id e) {
    return g.kind(e) == expr_kind::constant ? g.constant_value(e) : tensor();
}

/// True if two scales or zero points are nearly equal: the same expression, or constants with close elements. One
/// of the constants may be a scalar.
constexpr bool nearly_equal(const graph& g, expr_id a, expr_id b) {
    if (a == b) return true;
    const tensor x = constant_in(g, a);
    const tensor y = constant_in(g, b);
    if (x.empty() || y.empty() || (x.size() != y.size() && x.size() != 1 && y.size() != 1)) return false;
    const std::int64_t n = x.size() < y.size() ? y.size() : x.size();
    for (std::int64_t i = 0; i < n; ++i) {
        const double p = number_at(x, x.size() == 1 ? 0 : i);
        const double q = number_at(y, y.size() == 1 ? 0 : i);
        if (!(magnitude(p - q) <= 1e-8 + 1e-5 * magnitude(q))) return false;
    }
    return true;
}

/// A call on real numbers that a rule converts to a call on quantised integers. The rule sets the result, or records
/// why it leaves the call unchanged.
class integer_call {
public:
    /// A converted argument: an expression of the new graph, and the meaning of its integers. `types` has one entry for
    /// a tensor, one per field for a tuple, and none for a constant of real numbers.
    struct argument {
        expr_id made = expr_id::none;
        const affine_type* types = nullptr;
        std::size_t count = 0;
    };

    /// Prepares to convert `call`, which is in the old graph. `wanted` is the required quantisation of the result, or
    /// null if unknown.
    constexpr integer_call(rewriter& r, expr_id call, std::span<const argument> arguments, const affine_type* wanted,
                           bool as_reference)
        : r_(&r), call_(call), arguments_(arguments), wanted_(wanted), as_reference_(as_reference) {}

    constexpr const graph& from() const { return r_->from(); }
    constexpr graph& to() { return r_->to(); }
    constexpr expr_id call() const { return call_; }
    constexpr bool as_reference() const { return as_reference_; }

    /// Returns the call's attributes.
    template <class Attributes>
    constexpr Attributes attributes() const {
        return get_attributes<Attributes>(from(), from().call_attributes(call_));
    }
    /// Returns the shape of an argument.
    constexpr std::span<const dim> shape(std::size_t i) const { return shape_of(from(), from().arguments(call_)[i]); }

    constexpr expr operator[](std::size_t i) { return {&to(), arguments_[i].made}; }
    /// True if an argument is quantised.
    constexpr bool is_quantized(std::size_t i) const { return arguments_[i].count != 0; }
    /// Returns the meaning of an argument's integers. Requires: `is_quantized(i)`; the argument is not a tuple.
    constexpr const affine_type& type(std::size_t i) const { return arguments_[i].types[0]; }
    constexpr std::span<const affine_type> types(std::size_t i) const {
        return {arguments_[i].types, arguments_[i].count};
    }
    /// Returns the required quantisation of the result, or null.
    constexpr const affine_type* wanted() const { return wanted_; }

    /// Returns the value of a float32 constant argument, or an empty tensor for other arguments.
    constexpr tensor real_constant(std::size_t i) {
        tensor t = is_quantized(i) ? tensor() : constant_in(to(), arguments_[i].made);
        return t.type() == dtype::float32 ? t : tensor();
    }
    constexpr qnn::scale scale(const affine_type& t) { return {{&to(), t.scale}, {&to(), t.zero_point}}; }
    constexpr expr constant(tensor value) { return {&to(), to().constant(std::move(value))}; }

    /// Returns the same call on the converted arguments.
    constexpr expr rebuilt() {
        plain_vector<expr_id> ids;
        for (const argument& a : arguments_) ids.push_back(a.made);
        return {&to(), to().call(to().op(*from().called_op(call_)), ids.all(), from().call_attributes(call_))};
    }

    /// True if two types have the same element type and nearly equal scales and zero points. Axes are not compared.
    constexpr bool same(const affine_type& a, const affine_type& b) {
        return nearly_equal(to(), a.scale, b.scale) && nearly_equal(to(), a.zero_point, b.zero_point) &&
               a.type == b.type;
    }
    /// Converts `data` from the scale and zero point of `t` to those of `as`, with element type `type`.
    TUTTI_CONSTEXPR expr requantized(expr data, const affine_type& t, const affine_type& as, dtype type) {
        return qnn::requantize(data, scale(t), scale(as), {.axis = t.axis, .out_dtype = type});
    }
    /// Returns the product of two scales, as a constant if both scales are constants.
    constexpr expr product_of_scales(const affine_type& a, const affine_type& b) {
        const tensor x = constant_in(to(), a.scale);
        const tensor y = constant_in(to(), b.scale);
        if (x.empty() || y.empty()) return multiply(expr{&to(), a.scale}, expr{&to(), b.scale});
        tensor made;
        kernel::multiply(x, y, made);
        return constant(std::move(made));
    }
    /// Returns zeros, one per element of a scale.
    constexpr expr zeros_like_scale(expr scale) {
        const tensor t = constant_in(to(), scale.id);
        if (t.empty()) return cast(zeros_like(scale), {.dtype = dtype::int32});
        tensor zeros;
        zeros.reset(dtype::int32, t.shape());
        for (std::int32_t& zero : zeros.mutable_elements<std::int32_t>()) zero = 0;
        return constant(std::move(zeros));
    }
    /// True if all zero points are zero.
    constexpr bool is_zero(expr_id zero_point) {
        const tensor t = constant_in(to(), zero_point);
        if (t.empty()) return false;
        for (std::int64_t i = 0; i < t.size(); ++i)
            if (number_at(t, i) != 0) return false;
        return true;
    }

    /// Sets the result of the conversion. Returns true.
    constexpr bool result(expr made, const affine_type& type) { return result(made, {&type, 1}); }
    constexpr bool result(expr made, std::span<const affine_type> types) {
        made_ = made.id;
        types_ = plain_vector<affine_type>();
        types_.append(types.data(), types.size());
        return true;
    }
    /// Leaves the call unchanged and records the reason. Returns false.
    constexpr bool leave(std::string_view why) {
        why_ = why;
        return false;
    }

    constexpr expr_id made() const { return made_; }
    constexpr std::span<const affine_type> made_types() const { return types_.all(); }
    constexpr std::string_view why() const { return why_; }

private:
    rewriter* r_;
    expr_id call_;
    std::span<const argument> arguments_;
    const affine_type* wanted_;
    bool as_reference_;
    expr_id made_ = expr_id::none;
    plain_vector<affine_type> types_{};
    std::string_view why_{};
};

} // namespace tutti::relay::inline TUTTI_FORM
