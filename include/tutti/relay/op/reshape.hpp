#pragma once

#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Attributes of reshape: the new sizes, in which 0 keeps a size (with `allowzero` it is a size), -1 stands
/// for what is left (once), -2 keeps all that remain, -3 multiplies two, and -4 splits one into the two that
/// follow (one of which may be -1).
struct reshape_attributes {
    required<dims> newshape{};
    bool allowzero = false;

    static constexpr members<&reshape_attributes::newshape, &reshape_attributes::allowzero> options{"newshape",
                                                                                                    "allowzero"};
};

/// Attributes of reshape_like: which of the first argument's axes are replaced by which of the second's; None
/// is the end.
struct reshape_like_attributes {
    std::int64_t lhs_begin = 0;
    std::optional<dim> lhs_end{};
    std::int64_t rhs_begin = 0;
    std::optional<dim> rhs_end{};

    static constexpr members<&reshape_like_attributes::lhs_begin, &reshape_like_attributes::lhs_end,
                             &reshape_like_attributes::rhs_begin, &reshape_like_attributes::rhs_end>
        options{"lhs_begin", "lhs_end", "rhs_begin", "rhs_end"};
};

namespace detail {

/// Reads a new shape from its code; see `reshape_attributes`.
class new_shape {
public:
    constexpr new_shape(const relation& r, const dims& data, const dims& code, bool allow_zero)
        : r_(&r), data_(data), code_(code) {
        for (std::size_t i = 0; i < code_.size(); ++i) {
            const dim d = code_[i];
            if (d.is_any() || d.value() > 0)
                put(d);
            else if (d.value() == 0)
                allow_zero ? put(d) : copy();
            else if (d.value() == -1)
                infer();
            else if (d.value() == -2)
                while (at_ < data_.size()) copy();
            else if (d.value() == -3)
                merge();
            else if (d.value() == -4)
                split(i), i += 2;
            else
                refuse(d, "sizes, or 0 to -4");
        }
        if (inferred_ != none) sizes_[inferred_] = what_is_left();
    }

    constexpr const dims& sizes() const { return sizes_; }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // A size of its own, in the place of one of the data's that is passed.
    constexpr void put(dim d) {
        sizes_.push_back(d);
        made_of_data_.push_back(0);
        taken_.push_back(0);
        ++at_;
    }
    // A size made of those that were taken.
    constexpr void put_taken(dim d) {
        sizes_.push_back(d);
        made_of_data_.push_back(1);
    }
    constexpr void copy() { put_taken(take()); }
    constexpr void merge() {
        const dim first = take();
        put_taken(times(first, take()));
    }
    constexpr dim take() {
        if (at_ >= data_.size()) r_->refuse_attribute("newshape", "more sizes are kept than there are", shape_text());
        taken_.push_back(1);
        return data_[at_++];
    }
    constexpr void infer() {
        if (inferred_ != none) r_->refuse_attribute("newshape", "-1 twice", "-1 once");
        inferred_ = sizes_.size();
        put(1);
    }
    constexpr void split(std::size_t i) {
        if (i + 2 >= code_.size()) r_->refuse_attribute("newshape", "-4 at the end", "two sizes after -4");
        const dim whole = take();
        dim first = code_[i + 1];
        dim second = code_[i + 2];
        if (first.same_number(-1))
            first = part(whole, second);
        else if (second.same_number(-1))
            second = part(whole, first);
        if ((!first.is_any() && first.value() < 0) || (!second.is_any() && second.value() < 0) ||
            !may_equal(times(first, second), whole))
            refuse(second, "two sizes after -4 whose product is that of the axis, of which one may be -1");
        put_taken(first);
        put_taken(second);
    }
    constexpr dim part(dim whole, dim other) {
        if (whole.is_any() || other.is_any()) return dim::any();
        if (other.value() < 1 || whole.value() % other.value() != 0)
            refuse(other, "a size that divides that of the axis");
        return whole.value() / other.value();
    }

    // What -1 stands for: all elements over those of the other axes. What is kept, multiplied or split is on both sides, and need
    // not be known.
    constexpr dim what_is_left() {
        dim all = 1;
        dim others = 1;
        for (std::size_t i = 0; i < data_.size(); ++i)
            if (i >= taken_.size() || taken_[i] == 0) all = times(all, data_[i]);
        for (std::size_t i = 0; i < sizes_.size(); ++i)
            if (i != inferred_ && made_of_data_[i] == 0) others = times(others, sizes_[i]);
        if (all.is_any() || others.is_any()) return dim::any();
        if (others.value() == 0 || all.value() % others.value() != 0) {
            std::string sizes;
            append_dim(sizes, others);
            r_->refuse(0, "a number of elements that can be divided by " + sizes);
        }
        return all.value() / others.value();
    }

    constexpr std::string shape_text() const {
        return "no more than " + to_text(r_->graph().types(), r_->argument(0)) + " has";
    }
    [[noreturn]] void refuse(dim given, std::string expected) const {
        std::string text;
        append_dim(text, given);
        r_->refuse_attribute("newshape", std::move(text), std::move(expected));
    }

    const relation* r_;
    const dims& data_;
    const dims& code_;
    std::size_t at_ = 0; // sizes of the data that were passed
    std::size_t inferred_ = none;
    dims sizes_;
    small_vector<char, 6> made_of_data_; // by size: whether it is one of the data's, several or a part
    small_vector<char, 6> taken_;        // by size of the data that was passed: whether it is in one of these
};

/// Refuses the first argument if both numbers of elements are known and differ.
constexpr void check_elements(const relation& r, const dims& shape) {
    if (may_equal(product(r.shape(0)), product(shape))) return;
    std::string count;
    append_dim(count, product(shape));
    r.refuse(0, count + " elements, as the new shape has");
}

} // namespace detail

namespace op {

/// The same elements, in the same order, under another shape.
struct reshape {
    static constexpr std::string_view name = "reshape";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = reshape_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool reshapes = true;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        const detail::new_shape shape(r, data, a.newshape, a.allowzero);
        detail::check_elements(r, shape.sizes());
        return r.tensor(shape.sizes(), r.element(0));
    }
};

/// Reshape, where the code is read from the right.
struct contrib_reverse_reshape {
    static constexpr std::string_view name = "contrib_reverse_reshape";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = reshape_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool reshapes = true;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        dims data = r.shape(0);
        dims code = a.newshape;
        std::reverse(data.begin(), data.end());
        std::reverse(code.begin(), code.end());
        dims shape = detail::new_shape(r, data, code, a.allowzero).sizes();
        std::reverse(shape.begin(), shape.end());
        detail::check_elements(r, shape);
        return r.tensor(shape, r.element(0));
    }
};

/// The same elements under a shape some of whose axes are another tensor's.
struct reshape_like {
    static constexpr std::string_view name = "reshape_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape_like"};
    using attributes = reshape_like_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims data = r.shape(0);
        const dims like = r.shape(1);
        const auto lhs = range(r, "lhs_begin", "lhs_end", a.lhs_begin, a.lhs_end, data.size());
        const auto rhs = range(r, "rhs_begin", "rhs_end", a.rhs_begin, a.rhs_end, like.size());
        dims shape;
        for (std::size_t i = 0; i < lhs[0]; ++i) shape.push_back(data[i]);
        for (std::size_t i = rhs[0]; i < rhs[1]; ++i) shape.push_back(like[i]);
        for (std::size_t i = lhs[1]; i < data.size(); ++i) shape.push_back(data[i]);
        detail::check_elements(r, shape);
        return r.tensor(shape, r.element(0));
    }

private:
    static constexpr std::array<std::size_t, 2> range(const relation& r, std::string_view begin_name,
                                                      std::string_view end_name, std::int64_t begin,
                                                      std::optional<dim> end, std::size_t rank) {
        const auto n = static_cast<std::int64_t>(rank);
        const auto place = [&](std::string_view attribute, std::int64_t i) {
            if (i < 0) i += n;
            if (i < 0 || i > n) r.refuse_attribute(attribute, "beyond the tensor's axes", "a number of axes");
            return static_cast<std::size_t>(i);
        };
        const std::size_t first = place(begin_name, begin);
        const std::size_t last = end ? place(end_name, end->value()) : rank;
        if (last < first) r.refuse_attribute(end_name, "less than where it begins", "that or more");
        return {first, last};
    }
};

} // namespace op

/// The operators that give the same elements another shape.
using reshape_ops = op_list<op::contrib_reverse_reshape, op::reshape, op::reshape_like>;

constexpr expr reshape(expr data, const reshape_attributes& attributes) {
    return call_op<op::reshape>(attributes, data);
}
constexpr expr contrib_reverse_reshape(expr data, const reshape_attributes& attributes) {
    return call_op<op::contrib_reverse_reshape>(attributes, data);
}
constexpr expr reshape_like(expr data, expr shape_like, const reshape_like_attributes& attributes = {}) {
    return call_op<op::reshape_like>(attributes, data, shape_like);
}

} // namespace tutti::relay
