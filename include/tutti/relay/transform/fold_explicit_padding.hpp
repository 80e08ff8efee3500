#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/spatial.hpp>
#include <tutti/relay/transform/function_pass.hpp>

namespace tutti::relay {

namespace detail {

/// The rule of FoldExplicitPadding.
class padding_folder {
public:
    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& g = r.from();
        if (calls<op::nn::conv2d>(g, e)) return fold<conv2d_attributes>(r, e, with_zero);
        if (calls<op::nn::conv1d>(g, e)) return fold<conv1d_attributes>(r, e, with_zero);
        if (calls<op::nn::conv3d>(g, e)) return fold<conv3d_attributes>(r, e, with_zero);
        if (calls<op::nn::max_pool2d>(g, e)) return fold<max_pool2d_attributes>(r, e, with_least);
        if (calls<op::nn::max_pool1d>(g, e)) return fold<max_pool1d_attributes>(r, e, with_least);
        if (calls<op::nn::max_pool3d>(g, e)) return fold<max_pool3d_attributes>(r, e, with_least);
        if (calls<op::nn::avg_pool2d>(g, e)) return fold<avg_pool2d_attributes>(r, e, with_zero);
        if (calls<op::nn::avg_pool1d>(g, e)) return fold<avg_pool1d_attributes>(r, e, with_zero);
        if (calls<op::nn::avg_pool3d>(g, e)) return fold<avg_pool3d_attributes>(r, e, with_zero);
        if (calls<op::qnn::conv2d>(g, e)) {
            const expr_id zero_point = r[g.arguments(e)[2]];
            return fold<conv2d_attributes>(r, e, [=](const graph& to, std::string_view, expr_id value) {
                return is_scalar(to, zero_point) && is_scalar(to, value) &&
                       same_value(to.constant_value(zero_point), to.constant_value(value));
            });
        }
        return r.rebuild(e);
    }

private:
    static constexpr bool is_scalar(const graph& g, expr_id e) {
        return g.kind(e) == expr_kind::constant && g.constant_value(e).rank() == 0;
    }

    struct extremes {
        bool zero;
        bool least; // of its type
    };

    static constexpr extremes first_element(const tensor& t) {
        return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
            const T x = t.elements<T>()[0];
            if constexpr (std::is_same_v<T, kernel::float16>)
                return extremes{static_cast<float>(x) == 0, static_cast<float>(x) == -65504.0F};
            else
                return extremes{x == T{}, x == std::numeric_limits<T>::lowest()};
        });
    }

    // Whether the elements that are added are zeros, as convolutions and averages add them.
    static constexpr bool with_zero(const graph& g, std::string_view mode, expr_id value) {
        return mode == "constant" && is_scalar(g, value) && first_element(g.constant_value(value)).zero;
    }
    // Whether they are the least values of their type, as maxima add them.
    static constexpr bool with_least(const graph& g, std::string_view mode, expr_id value) {
        return mode == "constant" && is_scalar(g, value) && first_element(g.constant_value(value)).least;
    }

    template <class A>
    static constexpr std::string_view layout_of(const A& a) {
        if constexpr (requires { a.data_layout; }) return a.data_layout;
        else return a.layout;
    }

    // Takes over the padding before the data as long as `adds_the_same(graph, mode, value)`.
    template <class A, class AddsTheSame>
    constexpr expr_id fold(rewriter& r, expr_id e, AddsTheSame adds_the_same) {
        const graph& from = r.from();
        graph& to = r.to();
        const expr_id given = r[from.arguments(e)[0]];
        if (!calls<op::nn::pad>(to, given)) return r.rebuild(e);
        auto a = get_attributes<A>(from, from.call_attributes(e));
        expr_id data = given;
        while (calls<op::nn::pad>(to, data)) {
            const auto pad = get_attributes<pad_attributes>(to, to.call_attributes(data));
            if (!adds_the_same(to, pad.pad_mode, to.arguments(data)[1]) || !take_over(a, pad.pad_width)) break;
            data = to.arguments(data)[0];
        }
        if (data == given) return r.rebuild(e);
        operands_.clear();
        for (const expr_id o : from.arguments(e)) operands_.push_back(r[o]);
        operands_[0] = data;
        const attrs_id attributes = add_attributes(to, a);
        return to.call(r[from.callee(e)], operands_, attributes);
    }

    // Adds the padding to the attributes' own. False, and nothing is done, if these cannot say it.
    template <class A>
    static constexpr bool take_over(A& a, const std::vector<dims>& width) {
        const std::optional<dims> sum = combined(layout_of(a), a.padding, width);
        if (!sum) return false;
        if constexpr (requires { a.count_include_pad; }) {
            // An average that leaves out its own padding counts what was there before, so it must not have any.
            if (!a.count_include_pad)
                for (const dim d : a.padding)
                    if (!d.same_number(0)) return false;
            a.count_include_pad = true;
        }
        a.padding = *sum;
        return true;
    }

    static constexpr std::optional<dims> combined(std::string_view layout, const dims& own, const std::vector<dims>& width) {
        if (layout.size() != width.size()) return std::nullopt;
        dims added;
        std::size_t rank = 0;
        for (std::size_t i = 0; i < width.size(); ++i) {
            if (width[i].size() != 2) return std::nullopt;
            if (is_spatial(layout[i])) ++rank;
            else if (!width[i][0].same_number(0) || !width[i][1].same_number(0)) return std::nullopt;
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

    std::vector<expr_id> operands_;
};

} // namespace detail

/// Lets convolutions and poolings do the padding that nn.pad did before them.
///
/// Folded: padding along spatial axes with the constant that they pad with themselves: zero for convolutions and averages, the
/// least value of the type for maxima, the zero point for qnn.conv2d. An average that does not count its own padding is one that
/// counts all of it afterwards, and stays as it is if it has padding of its own.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is as it was.
struct fold_explicit_padding {
    static constexpr pass_info info{.name = "FoldExplicitPadding", .opt_level = 0};
    using required = tutti::passes<infer_type>;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, [](const function& f) {
            require_types(f, info);
            rewriter r(f.graph, f.root);
            const expr_id root = r.run(detail::padding_folder{});
            return function{std::move(r.to()), root};
        });
    }
};

} // namespace tutti::relay
