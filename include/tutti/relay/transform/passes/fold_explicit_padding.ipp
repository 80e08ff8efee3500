#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/spatial.hpp>
#include <tutti/relay/transform/passes/fold_explicit_padding.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of FoldExplicitPadding.
struct explicit_padding {
    static constexpr std::string_view name = "explicit_padding";
    static constexpr auto padded = patterns::_y(patterns::call<op::nn::pad>(patterns::_x, patterns::_));
    static constexpr auto pattern =
        patterns::call_any<op::nn::conv1d, op::nn::conv2d, op::nn::conv3d>(padded, patterns::_z) |
        patterns::call<op::qnn::conv2d>(padded, patterns::_z, patterns::_a, patterns::_b, patterns::_c, patterns::_p) |
        patterns::call_any<op::nn::avg_pool1d, op::nn::avg_pool2d, op::nn::avg_pool3d, op::nn::max_pool1d,
                           op::nn::max_pool2d, op::nn::max_pool3d>(padded);

    static constexpr expr_id replace(rule_site& s) {
        const graph& g = s.from();
        const expr_id pad = s.old()[patterns::_y];
        const auto a = get_attributes<pad_attributes>(g, g.call_attributes(pad));
        const expr_id value = g.arguments(pad)[1];
        if (a.pad_mode != "constant") return s.leave("the padding mode is not constant");
        if (!is_scalar(g, value)) return s.leave("the value of the padding is not known");
        if (calls<op::qnn::conv2d>(g, s.root())) {
            const expr_id zero_point = s.old()[patterns::_a];
            if (!is_scalar(g, zero_point) || !same_value(g.constant_value(zero_point), g.constant_value(value)))
                return s.leave("the padding value is not the zero point");
            return fold<op::qnn::conv2d>(
                s, a.pad_width,
                {s[patterns::_x], s[patterns::_z], s[patterns::_a], s[patterns::_b], s[patterns::_c], s[patterns::_p]});
        }
        const extremes x = first_element(g.constant_value(value), s.old().as_reference);
        if (x.zero) {
            const expr_id made = fold_first<op::nn::conv1d, op::nn::conv2d, op::nn::conv3d, op::nn::avg_pool1d,
                                            op::nn::avg_pool2d, op::nn::avg_pool3d>(s, a.pad_width);
            if (made != expr_id::none) return made;
        }
        const expr_id made =
            x.least ? fold_first<op::nn::max_pool1d, op::nn::max_pool2d, op::nn::max_pool3d>(s, a.pad_width)
                    : expr_id::none;
        return made != expr_id::none || s.has_left()
                   ? made
                   : s.leave("the padding value differs from that of its own padding");
    }

private:
    static constexpr bool is_scalar(const graph& g, expr_id e) {
        return g.kind(e) == expr_kind::constant && g.constant_value(e).rank() == 0;
    }

    struct extremes {
        bool zero;
        bool least; // least value of the type; for floats minus infinity, or with as_reference the least finite value
    };

    static constexpr extremes first_element(const tensor& t, bool as_reference) {
        const double x = number_at(t, 0);
        if (kernel::is_floating(t.type()))
            return {x == 0, x == (as_reference ? -floating_range_of(t.type()).greatest
                                               : -std::numeric_limits<double>::infinity())};
        if (kernel::is_narrow(t.type())) return {x == 0, false};
        return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_integral_v<T>)
                return extremes{x == 0, t.data<T>()[0] == std::numeric_limits<T>::lowest()};
            else
                return extremes{};
        });
    }

    template <class A>
    static constexpr std::string_view layout_of(const A& a) {
        if constexpr (requires { a.data_layout; })
            return a.data_layout;
        else
            return a.layout;
    }

    // Returns the root's call with the added padding, or none if the root calls none of `Ops` or its attributes cannot
    // express the padding.
    template <class... Ops>
    static constexpr expr_id fold_first(rule_site& s, const vector<dims>& width) {
        expr_id made = expr_id::none;
        const auto try_one = [&]<class Op>(std::type_identity<Op>) {
            if (!calls<Op>(s.from(), s.root())) return false;
            if constexpr (Op::arguments.size() == 2)
                made = fold<Op>(s, width, {s[patterns::_x], s[patterns::_z]});
            else
                made = fold<Op>(s, width, {s[patterns::_x]});
            return true;
        };
        static_cast<void>((try_one(std::type_identity<Ops>{}) || ...));
        return made;
    }

    template <class Op>
    static constexpr expr_id fold(rule_site& s, const vector<dims>& width, std::initializer_list<expr_id> arguments) {
        auto a = get_attributes<typename Op::attributes>(s.from(), s.from().call_attributes(s.root()));
        if constexpr (requires { a.count_include_pad; })
            if (!a.count_include_pad && !s.old().as_reference && has_overhang(s, a))
                return s.leave("a window may extend past the end");
        return take_over(a, width)
                   ? s.call<Op>(arguments, a)
                   : s.leave("its own padding cannot express it: another axis, or an average of other numbers");
    }

    // True if a window may extend past the end of the padded data. An average that counts padding would include the
    // cells past the end. The reference does not check this.
    template <class A>
    static constexpr bool has_overhang(const rule_site& s, const A& a) {
        if (!a.ceil_mode) return false;
        const auto shape = shape_of(s.from(), s.old()[patterns::_y]);
        if (a.layout.size() != shape.size()) return true;
        std::size_t i = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            if (!is_spatial(a.layout[axis])) continue;
            if (shape[axis].is_any()) return true;
            const std::int64_t reach = (a.pool_size.value[i].value() - 1) * a.dilation[i].value() + 1;
            if ((shape[axis].value() - reach) % a.strides[i].value() != 0) return true;
            ++i;
        }
        return false;
    }

    // Adds the padding to the attributes' own padding. If the attributes cannot express the sum, changes nothing and
    // returns false.
    template <class A>
    static constexpr bool take_over(A& a, const vector<dims>& width) {
        const std::optional<dims> sum = combined(layout_of(a), a.padding, width);
        if (!sum) return false;
        if constexpr (requires { a.count_include_pad; }) {
            // The result counts all padding, so an average that excludes its own padding must have none.
            if (!a.count_include_pad)
                for (const dim d : a.padding)
                    if (!d.same_number(0)) return false;
            a.count_include_pad = true;
        }
        a.padding = *sum;
        return true;
    }

    static constexpr std::optional<dims> combined(std::string_view layout, const dims& own, const vector<dims>& width) {
        if (layout.size() != width.size()) return std::nullopt;
        dims added;
        std::size_t rank = 0;
        char last = 'A';
        for (std::size_t i = 0; i < width.size(); ++i) {
            if (width[i].size() != 2) return std::nullopt;
            if (is_spatial(layout[i])) {
                if (layout[i] < last) return std::nullopt; // paddings are in the order D, H, W
                last = layout[i];
                ++rank;
            } else if (!width[i][0].same_number(0) || !width[i][1].same_number(0))
                return std::nullopt;
        }
        for (const std::size_t side : {0U, 1U})
            for (std::size_t i = 0; i < width.size(); ++i)
                if (is_spatial(layout[i])) added.push_back(width[i][side]);
        const dims before = spatial::pad(own, rank);
        if (before.size() != added.size()) return std::nullopt;
        for (std::size_t i = 0; i < added.size(); ++i) {
            const bool wide = added[i].is_wide() || before[i].is_wide();
            const dim sum = plus(added[i], before[i]);
            added[i] = wide && !sum.is_any() ? dim::wide(sum.value()) : sum;
        }
        return added;
    }

    static constexpr bool is_spatial(char letter) { return letter == 'D' || letter == 'H' || letter == 'W'; }
};

inline constexpr rewrite_rule padding_rules[]{rule_of<explicit_padding>};

} // namespace detail

TUTTI_CONSTEXPR pattern_rules fold_explicit_padding::rules() { return {detail::padding_rules}; }

TUTTI_CONSTEXPR void fold_explicit_padding::apply(ir_module& m, module_context&& ctx) const {
    run_rules(
        m, ctx, info, [](const function& f, const rewrite_terms& terms) { return apply_rules(f, rules(), terms); },
        as_reference);
}

} // namespace tutti::relay::inline TUTTI_FORM
