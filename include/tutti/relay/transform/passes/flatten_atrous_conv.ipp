#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/transform/passes/flatten_atrous_conv.hpp>
#include <tutti/relay/transform/rewrite/pattern.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of FlattenAtrousConv.
class atrous_conv_flattener {
public:
    constexpr explicit atrous_conv_flattener(const rewrite_terms& terms) : terms_(&terms) {}

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& g = r.from();
        if (g.kind(e) != expr_kind::call) return r.rebuild(e);
        const bool run = ends_a_run(g, e);
        if (!run && !(terms_->notes.misses_heard() && calls<op::nn::batch_to_space_nd>(g, e))) return r.rebuild(e);
        const auto plain = match(of_blocks(patterns::call<op::nn::conv2d>(to_blocks, patterns::_a)), g, e);
        const auto quantized = match(of_blocks(patterns::call<op::qnn::conv2d>(to_blocks, patterns::_a, patterns::_,
                                                                               patterns::_, patterns::_, patterns::_)),
                                     g, e);
        if (!plain && !quantized) return r.rebuild(e);
        if (!run) return leave(r, e, "something else is computed between the three calls");
        if (quantized && !terms_->as_reference &&
            !pads_with_zero_point(g, quantized[patterns::_y], quantized[patterns::_x]))
            return leave(r, e, "the blocks are padded with a value other than the zero point");
        return flatten(r, e, plain ? plain[patterns::_y] : quantized[patterns::_y],
                       plain ? plain[patterns::_x] : quantized[patterns::_x]);
    }

private:
    static constexpr auto to_blocks = patterns::_x(patterns::call<op::nn::space_to_batch_nd>(patterns::_));
    static constexpr auto of_blocks = [](auto conv) {
        return patterns::call<op::nn::batch_to_space_nd>(patterns::_y(conv));
    };

    // True if the last three calls in the walk are those of the pattern, in sequence. The reference requires this:
    // nothing, not even the weight, may be computed between them.
    constexpr bool ends_a_run(const graph& g, expr_id call) {
        const bool next = seen_ == 0   ? calls<op::nn::space_to_batch_nd>(g, call)
                          : seen_ == 1 ? calls<op::nn::conv2d>(g, call) || calls<op::qnn::conv2d>(g, call)
                                       : calls<op::nn::batch_to_space_nd>(g, call);
        seen_ = next ? seen_ + 1 : 0;
        if (seen_ < 3) return false;
        seen_ = 0;
        return true;
    }

    // True if the blocks have no padding, or are padded with the zero point, as a convolution pads. The reference does
    // not check this.
    static constexpr bool pads_with_zero_point(const graph& g, expr_id conv, expr_id blocks) {
        const auto s = get_attributes<space_to_batch_nd_attributes>(g, g.call_attributes(blocks));
        for (const dims& sides : s.paddings.value)
            for (const dim side : sides)
                if (!side.same_number(0)) return is_zero(g, g.arguments(conv)[2]);
        return true;
    }
    static constexpr bool is_zero(const graph& g, expr_id e) {
        if (g.kind(e) != expr_kind::constant) return false;
        const tensor& value = g.constant_value(e);
        for (std::int64_t i = 0; i < value.size(); ++i)
            if (number_at(value, i) != 0) return false;
        return true;
    }

    // Returns the padding on each side of the image if the three calls are one dilated convolution, else nothing.
    static constexpr std::optional<dims> padding_of(const graph& g, expr_id back, expr_id conv, expr_id blocks) {
        const auto b = get_attributes<batch_to_space_nd_attributes>(g, g.call_attributes(back));
        const auto c = get_attributes<conv2d_attributes>(g, g.call_attributes(conv));
        const auto s = get_attributes<space_to_batch_nd_attributes>(g, g.call_attributes(blocks));
        const vector<dims>& paddings = s.paddings;
        const vector<dims>& crops = b.crops;
        const auto all_are = [](const dims& numbers, std::int64_t n) {
            for (const dim d : numbers)
                if (!d.same_number(n)) return false;
            return true;
        };
        if (c.data_layout != "NHWC" || (!c.out_layout.empty() && c.out_layout != "NHWC") ||
            s.block_shape != b.block_shape || s.block_shape.size() != 2 || s.pad_value != 0 || !c.kernel_size ||
            c.kernel_size->size() != 2 || !all_are(c.strides, 1) || !all_are(c.dilation, 1) || !all_are(c.padding, 0))
            return std::nullopt;
        dims padding(4, dim(0));
        for (std::size_t i = 0; i < 2; ++i) {
            const dim size = (*c.kernel_size)[i];
            for (const dim d : {size, s.block_shape[i], paddings[i][0], paddings[i][1], crops[i][0], crops[i][1]})
                if (d.is_any()) return std::nullopt;
            const std::int64_t all = (size.value() - 1) * s.block_shape[i].value();
            const std::int64_t before = paddings[i][0].value() - crops[i][0].value();
            const std::int64_t after = paddings[i][1].value() - crops[i][1].value();
            if (before != all / 2 || before + after != all) return std::nullopt;
            padding[i] = before;
            padding[2 + i] = after;
        }
        return padding;
    }

    constexpr expr_id leave(rewriter& r, expr_id e, std::string_view why) const {
        terms_->notes.missed(r.from(), e, why);
        return r.rebuild(e);
    }

    constexpr expr_id flatten(rewriter& r, expr_id back, expr_id conv, expr_id blocks) const {
        const graph& g = r.from();
        const auto padding = padding_of(g, back, conv, blocks);
        if (!padding)
            return leave(r, back, "the layout, the blocks or the padding are not those of a dilated convolution");
        if (!terms_->notes.may_apply(g, conv, "dilated")) return r.rebuild(back);
        terms_->notes.applied(g, conv, "dilated");
        auto a = get_attributes<conv2d_attributes>(g, g.call_attributes(conv));
        a.padding = *padding;
        a.dilation = get_attributes<space_to_batch_nd_attributes>(g, g.call_attributes(blocks)).block_shape;
        vector<expr_id> arguments;
        for (const expr_id argument : g.arguments(conv)) arguments.push_back(r[argument]);
        arguments[0] = r[g.arguments(blocks)[0]];
        return r.to().call(r[g.callee(conv)], arguments, add_attributes(r.to(), a));
    }

    const rewrite_terms* terms_;
    int seen_ = 0; // number of matching calls in sequence
};

} // namespace detail

TUTTI_CONSTEXPR void flatten_atrous_conv::apply(ir_module& m, module_context&& ctx) const {
    run_rules(
        m, ctx, info,
        [](const function& f, const rewrite_terms& terms) {
            return rewriter(f).rewrite(detail::atrous_conv_flattener(terms));
        },
        as_reference);
}

} // namespace tutti::relay::inline TUTTI_FORM
