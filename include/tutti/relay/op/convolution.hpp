#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/relation.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::spatial {

/// The attributes common to all convolutions, which are those of nn.conv2d. Refers to the attributes structure of an
/// operator.
struct convolution_attributes {
    template <class Attributes>
    constexpr explicit convolution_attributes(const Attributes& a)
        : strides(a.strides)
        , padding(a.padding)
        , dilation(a.dilation)
        , groups(a.groups)
        , channels(a.channels)
        , kernel_size(a.kernel_size)
        , data_layout(a.data_layout)
        , kernel_layout(a.kernel_layout)
        , out_layout(a.out_layout)
        , out_dtype(a.out_dtype) {}

    const dims& strides;
    const dims& padding;
    const dims& dilation;
    std::int64_t groups;
    const std::optional<dim>& channels;
    const std::optional<dims>& kernel_size;
    std::string_view data_layout;
    std::string_view kernel_layout;
    std::string_view out_layout;
    dtype out_dtype;
};

/// A convolution call during type inference: layouts, and the sizes of data and weight. The class is not a template
/// over rank or attributes, because each instantiation would be compiled separately.
class convolution {
public:
    /// Requires: the attributes outlive this object. Throws: `tutti::error` if an attribute is invalid.
    template <class Attributes>
    constexpr convolution(relation& r, std::size_t rank, const Attributes& a)
        : convolution(r, rank, convolution_attributes(a)) {}
    TUTTI_CONSTEXPR convolution(relation& r, std::size_t rank, const convolution_attributes& a)
        : r_(&r)
        , rank_(rank)
        , a_(a)
        , data_layout_(parse_layout(r, "data_layout", a.data_layout, spatial::data_layout(rank)))
        , weight_layout_(parse_layout(r, "kernel_layout", a.kernel_layout, spatial::weight_layout(rank)))
        , out_layout_(a.out_layout.empty() ? data_layout_
                                           : parse_layout(r, "out_layout", a.out_layout, spatial::data_layout(rank))) {
        check_rank(r, "strides", a.strides, rank);
        check_rank(r, "dilation", a.dilation, rank);
        if (a.kernel_size) check_rank(r, "kernel_size", *a.kernel_size, rank);
        if (a.groups < 1) r.refuse_attribute("groups", "fewer than one group", "a positive number");
    }

    /// Reads the data's shape. True if its type is known. Throws: `tutti::error` if the data does not fit the layout.
    constexpr bool reads_data() {
        if (!r_->knows(0)) return false;
        data_ = r_->shape(0);
        if (!data_layout_.fits(data_)) r_->refuse(0, "a tensor of layout " + std::string(a_.data_layout));
        const dim channels = in_channels();
        if (!channels.is_any() && channels.value() % a_.groups != 0)
            r_->refuse(0, "a number of channels that the groups divide");
        return true;
    }

    constexpr dim in_channels() const { return data_layout_.size(data_, 'C'); }
    constexpr dim in_channels_a_group() const { return quotient(in_channels(), a_.groups); }

    /// True for a depthwise convolution whose weight has `groups` rows of `channels` / `groups` outputs each, as in the
    /// reference. If a size is unknown, true only if a weight with `channels` rows cannot fit.
    ///
    /// Requires: `reads_data` returned true. Throws: `tutti::error` if the weight does not fit its layout.
    constexpr bool multiplies_channels(std::size_t argument) const {
        const dim in = in_channels();
        if (a_.groups == 1 || !a_.kernel_size || !a_.channels) return false;
        if (!(in.is_any() || in.same_number(a_.groups)) || !r_->knows(argument)) return false;
        check_weight_layout(argument);
        const dim rows = weight_layout_.size(r_->shape(argument), 'O');
        const dim outputs = weight_layout_.size(r_->shape(argument), 'I');
        if (rows.is_any()) return !in.is_any() && !outputs.is_any() && outputs.value() != 1;
        if (in.is_any() && (a_.channels->is_any() || a_.channels->same_number(a_.groups))) return false;
        return rows.same_number(a_.groups);
    }

    /// Finds the weight's shape, and sets the argument's type. Axes I and O and the window are given by `in`, `out` and
    /// the attribute `kernel_size`; missing sizes are read from the argument's type. False if that type is unknown and
    /// does not follow from the given sizes.
    constexpr bool finds_weight(std::size_t argument, dim in, std::optional<dim> out) {
        const bool known = r_->knows(argument);
        if (!known && !(a_.kernel_size && out)) return false;
        if (known) check_weight_layout(argument);
        axis_sizes sizes = known ? axis_sizes(weight_layout_, r_->shape(argument)) : axis_sizes();
        sizes.of('I') = in;
        if (out) sizes.of('O') = *out;
        if (a_.kernel_size) resize_axes(sizes, rank_, [&](dim, std::size_t i) { return (*a_.kernel_size)[i]; });
        weight_ = shape_in(*r_, "kernel_layout", weight_layout_, sizes);
        r_->expect(argument, weight_, known ? r_->element(argument) : r_->element(0));
        for (std::size_t i = 0; i < rank_; ++i)
            if (!window(i).is_any() && window(i).value() < 1) r_->refuse(argument, "a window of one element or more");
        return true;
    }

    /// Returns the size of an axis of the weight. Requires: `finds_weight` returned true.
    constexpr dim weight_size(char letter) const { return weight_layout_.size(weight_, letter); }
    constexpr dim window(std::size_t i) const { return weight_size(axes(rank_)[i]); }
    /// Returns the size of a spatial axis of the data.
    TUTTI_CONSTEXPR dim size(std::size_t i) const { return data_layout_.size(data_, axes(rank_)[i]); }
    TUTTI_CONSTEXPR padding_of padding(std::size_t i) const { return spatial::padding(*r_, a_.padding, i, rank_); }

    /// Returns the number of window positions along a spatial axis.
    TUTTI_CONSTEXPR dim places(std::size_t i) const {
        return spatial::places(*r_, size(i), padding(i).total(), window(i), a_.dilation[i].value(),
                               a_.strides[i].value());
    }

    /// Returns the size of a spatial axis of a transposed convolution's result.
    TUTTI_CONSTEXPR dim spread(std::size_t i, dim output_padding) const {
        if (a_.strides[i].value() < 1) r_->refuse_attribute("strides", "a stride below 1", "positive strides");
        if (a_.dilation[i].value() < 1) r_->refuse_attribute("dilation", "a dilation below 1", "positive dilations");
        const dim whole = kernel::windows_reach(size(i), a_.strides[i].value(),
                                                kernel::window_reach(window(i), a_.dilation[i].value()));
        const dim left = plus(minus(whole, padding(i).total()), output_padding);
        if (!left.is_any() && left.value() < 0) r_->refuse_attribute("padding", "leaves a negative size", "less");
        return left;
    }

    /// Returns the result's type. `size(n, i)` returns the result's i-th spatial size for data of size n.
    template <class Size>
    constexpr type_id result(dim channels, Size size) {
        const std::string_view attribute = a_.out_layout.empty() ? "data_layout" : "out_layout";
        return r_->tensor(shape_in(*r_, attribute, out_layout_, sizes_like_data(channels, size)),
                          a_.out_dtype == dtype::none ? r_->element(0) : a_.out_dtype);
    }

    /// Returns the shape, in the data's layout, of a tensor with this many channels. `size` is called as in `result`.
    template <class Size>
    constexpr dims like_data(dim channels, Size size) const {
        return shape_in(*r_, "data_layout", data_layout_, sizes_like_data(channels, size));
    }

private:
    template <class Size>
    constexpr axis_sizes sizes_like_data(dim channels, Size size) const {
        axis_sizes sizes(data_layout_, data_);
        sizes.of('C') = channels;
        resize_axes(sizes, rank_, size);
        return sizes;
    }
    constexpr void check_weight_layout(std::size_t argument) const {
        if (!weight_layout_.fits(r_->shape(argument)))
            r_->refuse(argument, "a tensor of layout " + std::string(a_.kernel_layout));
    }

    relation* r_;
    std::size_t rank_;
    convolution_attributes a_;
    layout data_layout_;
    layout weight_layout_;
    layout out_layout_;
    dims data_;
    dims weight_;
};

/// Builds calls of the convolution `Op`. Writes out the padding of all sides: first the sizes before each axis, then
/// the sizes after each axis.
template <class Op>
struct conv_call {
    constexpr expr operator()(expr data, expr weight, typename Op::attributes attributes = {}) const {
        attributes.padding = pad(attributes.padding, Op::rank);
        return call_op<Op>(attributes, data, weight);
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::spatial
