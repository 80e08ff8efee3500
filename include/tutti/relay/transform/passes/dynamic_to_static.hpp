#pragma once

#include <tutti/error.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/small_vector.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/image.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::relay {

namespace detail {

/// The rule of DynamicToStatic: an operator whose attributes are arguments becomes the one of the same name, where these
/// arguments are constants.
class static_operators {
public:
    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) == expr_kind::function && !is_known(from.types(), from.result_annotation(e))) {
            // What it gives may be known better. A recursive function could not be typed without saying it.
            operands_.clear();
            for (const expr_id o : from.operands(e)) operands_.push_back(r[o]);
            const std::span<const expr_id> params(operands_.data(), operands_.size() - 1);
            return r.to().function(params, operands_.back(), type_id::none, from.function_attributes(e));
        }
        const expr_id made = from.called_op(e) != nullptr ? make(r, e) : expr_id::none;
        if (made == expr_id::none) return r.rebuild(e);
        changed_ = true;
        return made;
    }

    /// Whether any call became another.
    constexpr bool changed() const { return changed_; }

private:
    // Whether a type is of tensors whose sizes are all known.
    static constexpr bool is_known(const type_table& types, type_id type) {
        small_vector<type_id, 8> left;
        left.push_back(type);
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (left[i] == type_id::none) return false;
            if (types.is_tensor(left[i]) && is_static(types.shape(left[i]))) continue;
            if (types.kind(left[i]) != type_kind::tuple) return false;
            for (const type_id field : types.fields(left[i])) left.push_back(field);
        }
        return true;
    }

    // None if the call is of no such operator, or an argument is not known.
    constexpr expr_id make(rewriter& r, expr_id e) {
        const graph& g = r.from();
        if (calls<op::dyn::reshape>(g, e)) {
            return with<op::reshape>(r, e, 1, 1, [&](auto& a) {
                a = get_attributes<reshape_attributes>(g, g.call_attributes(e));
                a.newshape = integers(g, e, 1);
            });
        }
        if (calls<op::dyn::squeeze>(g, e))
            return with<op::squeeze>(r, e, 1, 1, [&](auto& a) { a.axis = integers(g, e, 1); });
        if (calls<op::dyn::tile>(g, e)) return with<op::tile>(r, e, 1, 1, [&](auto& a) { a.reps = integers(g, e, 1); });
        if (calls<op::dyn::topk>(g, e)) {
            if (!are_numbers(g, e, 1, 1)) return expr_id::none;
            return with<op::topk>(r, e, 1, 1, [&](auto& a) {
                a = get_attributes<topk_attributes>(g, g.call_attributes(e));
                a.k = integers(g, e, 1)[0];
            });
        }
        if (calls<op::dyn::broadcast_to>(g, e))
            return with<op::broadcast_to>(r, e, 1, 1, [&](auto& a) { a.shape = integers(g, e, 1); });
        if (calls<op::dyn::one_hot>(g, e)) {
            if (!are_numbers(g, e, 3, 1)) return expr_id::none;
            return with<op::one_hot>(r, e, 3, 1, [&](auto& a) {
                a = get_attributes<one_hot_attributes>(g, g.call_attributes(e));
                a.depth = integers(g, e, 3)[0].value();
            });
        }
        if (calls<op::dyn::full>(g, e)) return filled<op::full>(r, e, 1);
        if (calls<op::dyn::zeros>(g, e)) return filled<op::zeros>(r, e, 0);
        if (calls<op::dyn::ones>(g, e)) return filled<op::ones>(r, e, 0);
        if (calls<op::dyn::sparse_to_dense>(g, e))
            return with<op::sparse_to_dense>(r, e, 3, 1, [&](auto& a) { a.output_shape = integers(g, e, 3); });
        if (calls<op::dyn::strided_slice>(g, e)) {
            return with<op::strided_slice>(r, e, 1, 3, [&](auto& a) {
                a.slice_mode = get_attributes<strided_slice_attributes>(g, g.call_attributes(e)).slice_mode;
                a.begin = integers(g, e, 1);
                a.end = integers(g, e, 2);
                a.strides = integers(g, e, 3);
            });
        }
        return make_of_images(r, e);
    }

    constexpr expr_id make_of_images(rewriter& r, expr_id e) {
        const graph& g = r.from();
        if (calls<op::dyn::image::resize2d>(g, e)) {
            return with<op::image::resize2d>(r, e, 1, 2, [&](auto& a) {
                a = get_attributes<resize2d_attributes>(g, g.call_attributes(e));
                a.size = integers(g, e, 1);
                a.roi = numbers(g, e, 2);
            });
        }
        if (calls<op::dyn::nn::pad>(g, e)) {
            if (g.kind(g.arguments(e)[2]) != expr_kind::constant) return expr_id::none; // as in the reference
            return with<op::nn::pad>(r, e, 1, 1, [&](auto& a) {
                a.pad_mode = get_attributes<pad_attributes>(g, g.call_attributes(e)).pad_mode;
                const dims flat = integers(g, e, 1);
                std::vector<dims> width;
                for (std::size_t i = 0; i + 1 < flat.size(); i += 2) width.push_back({flat[i], flat[i + 1]});
                a.pad_width = std::move(width);
            });
        }
        if (calls<op::dyn::nn::upsampling>(g, e)) {
            if (!are_numbers(g, e, 1, 2)) return expr_id::none;
            return with<op::nn::upsampling>(r, e, 1, 2, [&](auto& a) {
                a = get_attributes<upsampling_attributes>(g, g.call_attributes(e));
                a.scale_h = numbers(g, e, 1)[0];
                a.scale_w = numbers(g, e, 2)[0];
            });
        }
        if (calls<op::dyn::nn::upsampling3d>(g, e)) {
            if (!are_numbers(g, e, 1, 3)) return expr_id::none;
            return with<op::nn::upsampling3d>(r, e, 1, 3, [&](auto& a) {
                a = get_attributes<upsampling3d_attributes>(g, g.call_attributes(e));
                a.scale_d = numbers(g, e, 1)[0];
                a.scale_h = numbers(g, e, 2)[0];
                a.scale_w = numbers(g, e, 3)[0];
            });
        }
        return expr_id::none;
    }

    template <class Op>
    constexpr expr_id filled(rewriter& r, expr_id e, std::size_t shape) {
        const graph& g = r.from();
        return with<Op>(r, e, shape, 1, [&](auto& a) {
            a = get_attributes<create_attributes>(g, g.call_attributes(e));
            a.shape = integers(g, e, shape);
        });
    }

    // A call of `Op` without the arguments from `first` on, of which there are `count`: `set(attributes)` takes these over.
    template <class Op, class Set>
    constexpr expr_id with(rewriter& r, expr_id e, std::size_t first, std::size_t count, Set&& set) {
        const graph& g = r.from();
        const auto arguments = g.arguments(e);
        for (const expr_id a : arguments.subspan(first, count))
            if (g.kind(a) != expr_kind::constant) return expr_id::none;
        typename Op::attributes attributes{};
        set(attributes);
        operands_.clear();
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (i < first || i >= first + count) operands_.push_back(r[arguments[i]]);
        return add_call<Op>(r.to(), operands_, attributes);
    }

    // Whether these arguments have an element, as far as they are constants.
    static constexpr bool are_numbers(const graph& g, expr_id call, std::size_t first, std::size_t count) {
        for (const expr_id a : g.arguments(call).subspan(first, count))
            if (g.kind(a) == expr_kind::constant && g.constant_value(a).size() == 0) return false;
        return true;
    }

    // The elements of a constant argument.
    static constexpr std::vector<double> numbers(const graph& g, expr_id call, std::size_t argument) {
        std::vector<double> all;
        for_each_element(g.constant_value(g.arguments(call)[argument]),
                         [&](auto x) { all.push_back(static_cast<double>(x)); });
        return all;
    }
    static constexpr dims integers(const graph& g, expr_id call, std::size_t argument) {
        dims all;
        for_each_element(g.constant_value(g.arguments(call)[argument]), [&](auto x) { all.push_back(integer(x)); });
        return all;
    }

    // As large as a dimension can be, where it is larger: the end of a slice, say.
    template <class T>
    static constexpr dim integer(T x) {
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T most = static_cast<T>(largest_dim);
            if (x != x) throw error("DynamicToStatic", "an argument that says a shape is not a number");
            return x >= most ? largest_dim : x <= -most ? -largest_dim : static_cast<std::int64_t>(x);
        } else if constexpr (std::is_unsigned_v<T>) {
            return static_cast<std::uint64_t>(x) > std::uint64_t{largest_dim} ? largest_dim
                                                                              : static_cast<std::int64_t>(x);
        } else {
            return kernel::limited(x);
        }
    }

    template <class F>
    static constexpr void for_each_element(const tensor& t, F&& f) {
        kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
            for (const T x : t.elements<T>()) {
                if constexpr (std::is_same_v<T, kernel::float16>)
                    f(static_cast<float>(x));
                else
                    f(x);
            }
        });
    }

    std::vector<expr_id> operands_;
    bool changed_ = false;
};

} // namespace detail

/// Makes calls of operators whose attributes are arguments (`dyn.reshape`, say) calls of those with attributes, where these
/// arguments turn out to be constants; folds constants and infers types as long as that finds more.
///
/// Functions give the types that are known of them afterwards, whatever they declared with unknown sizes. What a let binds is
/// looked through, which the reference does not do: there such a call becomes static when the pass runs again.
///
/// Cost:   linear in the module, for each time that a call became another and made more known.
/// Throws: what FoldConstant and InferType throw; the module is as it was.
struct dynamic_to_static {
    static constexpr pass_info info{.name = "DynamicToStatic", .opt_level = 2};

    /// How often it looks for more; the reference's number.
    static constexpr int most_rounds = 1000;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        ir_module made = m;
        bool changed = true;
        for (int round = 0; changed && round < most_rounds; ++round) {
            ctx.run(infer_type{}, made);
            ctx.run(fold_constant{}, made);
            changed = false;
            for (auto& [name, f] : made) {
                detail::static_operators rule;
                rewriter r(f.graph, f.root);
                const expr_id root = r.run(rule);
                changed = changed || rule.changed();
                f = {std::move(r.to()), root};
            }
        }
        ctx.run(infer_type{}, made);
        m = std::move(made);
    }
};

} // namespace tutti::relay
