#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/combine_parallel_conv2d.hpp>
#include <tutti/relay/transform/passes/combine_parallel_op.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Ungrouped convolutions: the weights are concatenated along the output channels.
struct parallel_conv2d : along_one_axis {
    using op = relay::op::nn::conv2d;

    static constexpr conv2d_attributes attributes(const graph& g, expr_id conv) {
        return get_attributes<conv2d_attributes>(g, g.call_attributes(conv));
    }
    static constexpr std::string_view result_layout(const conv2d_attributes& a) {
        return a.out_layout.empty() ? a.data_layout : a.out_layout;
    }
    // True if a call can be combined. Its weight and result layouts must have one letter per axis, thus no blocks.
    static constexpr bool supports(const graph& g, expr_id conv) {
        const conv2d_attributes a = attributes(g, conv);
        return a.groups == 1 && a.kernel_layout.size() == 4 && result_layout(a).size() == 4 &&
               is_static(shape_of(g, g.arguments(conv)[1]));
    }
    static constexpr std::int64_t channels(const graph& g, expr_id conv) {
        return shape_of(g, g.arguments(conv)[1])[attributes(g, conv).kernel_layout.find('O')].value();
    }

    static constexpr std::uint64_t key(const graph& g, expr_id conv) {
        const conv2d_attributes a = attributes(g, conv);
        std::uint64_t hash = 0;
        for (const dims* each : {&a.strides, &a.padding, &a.dilation})
            for (const dim d : *each) hash = hash_combine(hash, static_cast<std::uint64_t>(d.bits()));
        for (const char axis : {'H', 'W'}) {
            const dim size = shape_of(g, g.arguments(conv)[1])[a.kernel_layout.find(axis)];
            hash = hash_combine(hash, static_cast<std::uint64_t>(size.value()));
        }
        return hash;
    }
    static constexpr bool together(const graph& g, expr_id conv, expr_id other) {
        const conv2d_attributes a = attributes(g, conv);
        const conv2d_attributes b = attributes(g, other);
        const auto kernel = [&](expr_id e, char axis) {
            return shape_of(g, g.arguments(e)[1])[a.kernel_layout.find(axis)];
        };
        return a.strides == b.strides && a.padding == b.padding && a.dilation == b.dilation &&
               a.data_layout == b.data_layout && a.kernel_layout == b.kernel_layout && a.out_dtype == b.out_dtype &&
               a.out_layout == b.out_layout && kernel(conv, 'H').same_number(kernel(other, 'H')) &&
               kernel(conv, 'W').same_number(kernel(other, 'W')) &&
               same_element(g, g.arguments(conv)[1], g.arguments(other)[1]);
    }

    static constexpr expr_id combine(graph& g, const parallel_branches& branches) {
        conv2d_attributes a = attributes(g, branches[0][0]);
        std::int64_t all = 0;
        for (const parallel_branch& b : branches) all += channels(g, b[0]);
        a.channels = dim(all);
        const auto axis = static_cast<std::int64_t>(a.kernel_layout.find('O'));
        const expr_id weight = concatenate_branches(g, branches, 0, 1, axis);
        const expr_id data = g.arguments(branches[0][0])[0];
        return add_call<op>(g, {data, weight}, a); // adds no strings, so the views in `a` stay valid
    }

    static constexpr std::size_t axis(const graph& g, expr_id conv) {
        return result_layout(attributes(g, conv)).find('C');
    }
    static constexpr expr_id follow(graph& g, const parallel_branches& branches, std::size_t depth, std::size_t i,
                                    std::size_t axis) {
        const auto at = static_cast<std::int64_t>(*argument_axis(g, branches[0][depth], i, axis));
        return concatenate_branches(g, branches, depth, i, at);
    }

    static constexpr vector<expr_id> parts(graph& g, expr_id combined, const parallel_branches& branches,
                                           std::size_t depth, std::size_t axis) {
        return slices_of(g, combined, branches, depth, axis, axis + 1);
    }
};

} // namespace detail

TUTTI_CONSTEXPR void combine_parallel_conv2d::apply(ir_module& m, module_context&& ctx) const {
    transform_functions(m, ctx, info, [&](const function& f, const pass_notes& notes) {
        return detail::parallel_combiner(f, detail::parallel_conv2d{}, detail::least_branches(min_num_branches), notes)
            .run();
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
