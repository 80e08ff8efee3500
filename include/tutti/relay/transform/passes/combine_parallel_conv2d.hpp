#pragma once

#include <tutti/described.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/combine_parallel_op.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <boost/hana/tuple.hpp>

namespace tutti::relay {

namespace detail {

/// Convolutions of one group: their weights are put together along the output channels.
struct parallel_conv2d {
    using op = relay::op::nn::conv2d;

    static constexpr conv2d_attributes attributes(const graph& g, expr_id conv) {
        return get_attributes<conv2d_attributes>(g, g.call_attributes(conv));
    }
    static constexpr std::string_view result_layout(const conv2d_attributes& a) {
        return a.out_layout.empty() ? a.data_layout : a.out_layout;
    }
    // The axes of layouts without blocks are their letters.
    static constexpr bool supports(const graph& g, expr_id conv) {
        const conv2d_attributes a = attributes(g, conv);
        return a.groups == 1 && a.kernel_layout.size() == 4 && result_layout(a).size() == 4 &&
               is_static(shape_of(g, g.arguments(conv)[1]));
    }
    static constexpr std::int64_t channels(const graph& g, expr_id conv) {
        return shape_of(g, g.arguments(conv)[1])[attributes(g, conv).kernel_layout.find('O')].value();
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
        return call_of<op>(g, {data, weight}, a); // the strings are there already, so that none moves
    }

    static constexpr std::size_t channel_axis_of(const graph& g, expr_id conv) {
        return result_layout(attributes(g, conv)).find('C');
    }

    // An argument must vary along the channels as the result does.
    static constexpr bool fits(const graph& g, expr_id conv, expr_id call, expr_id other, std::size_t i) {
        const std::size_t channel_axis = channel_axis_of(g, conv);
        const auto shape = shape_of(g, g.arguments(call)[i]);
        const auto theirs = shape_of(g, g.arguments(other)[i]);
        const std::size_t rank = shape_of(g, call).size();
        if (!takes_along(g, call, channel_axis)) return false;
        if (!same_element(g, g.arguments(call)[i], g.arguments(other)[i]) || shape.size() != theirs.size())
            return false;
        if (shape.size() > rank || channel_axis + shape.size() < rank) return false;
        const std::size_t at = channel_axis + shape.size() - rank;
        if (!shape[at].same_number(shape_of(g, call)[channel_axis]) ||
            !theirs[at].same_number(shape_of(g, other)[channel_axis]))
            return false;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (d != at && !shape[d].same_number(theirs[d])) return false;
        return true;
    }
    static constexpr expr_id follow(graph& g, const parallel_branches& branches, std::size_t depth, std::size_t i) {
        const expr_id call = branches[0][depth];
        const std::size_t channel_axis = channel_axis_of(g, branches[0][0]);
        const std::size_t at = channel_axis + shape_of(g, g.arguments(call)[i]).size() - shape_of(g, call).size();
        return concatenate_branches(g, branches, depth, i, static_cast<std::int64_t>(at));
    }

    static constexpr std::vector<expr_id> parts(graph& g, expr_id combined, const parallel_branches& branches,
                                                std::size_t) {
        return slices_of(g, combined, channel_axis_of(g, branches[0][0]), branches,
                         [&](const parallel_branch& b) { return channels(g, b[0]); });
    }
};

} // namespace detail

/// Makes one convolution of those with the same data and the same attributes but for the output channels, and
/// one operator of the elementwise ones that follow them alike; each result becomes a slice.
///
/// Leaves alone: less than `min_num_branches` of them; grouped ones; layouts with blocks; what is inside of
/// nested functions, lets and ifs.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and, for each data, in its convolutions times their kinds.
/// Throws:   `tutti::error` without types; the module is as it was.
struct combine_parallel_conv2d {
    static constexpr pass_info info{.name = "CombineParallelConv2D", .opt_level = 4};
    using required = tutti::passes<infer_type>;

    std::int64_t min_num_branches = 3;

    static constexpr auto options =
        boost::hana::make_tuple(tutti::option{"min_num_branches", &combine_parallel_conv2d::min_num_branches});

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, info, [&](const function& f) {
            return detail::parallel_combiner(f, detail::parallel_conv2d{}, detail::least_branches(min_num_branches))
                .run();
        });
    }
};

} // namespace tutti::relay
