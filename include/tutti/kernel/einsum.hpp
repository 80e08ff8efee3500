#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/kernel/support/subscripts.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

/// An operand or the result of an einsum: its stride along each label, and its current offset.
struct summand {
    std::array<std::int64_t, all_labels> strides{};
    std::int64_t at = 0;
};

/// The loops of an einsum: the size of each label, and the labels of the loops, outermost first.
struct label_loops {
    std::array<std::int64_t, all_labels> sizes{};
    std::array<std::size_t, all_labels> order{};
    std::size_t count = 0;
};

/// Adds the stride of each axis of a tensor to the stride of the axis's label. Axes of size 1 add nothing.
constexpr void place_axes(std::span<const std::int64_t> shape, const extents& labels, summand& s) {
    if (element_count(shape) == 0) return;
    const extents strides = row_major_strides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] != 1) s.strides[static_cast<std::size_t>(labels[d])] += strides[d];
}

/// Advances all operands to the next iteration of the outer loops; returns false after the last iteration.
constexpr bool advance(const label_loops& loops, std::array<std::int64_t, all_labels>& place, vector<summand>& all) {
    for (std::size_t i = loops.count; i-- != 0;) {
        const std::size_t label = loops.order[i];
        const std::int64_t back = ++place[label] == loops.sizes[label] ? loops.sizes[label] : 0;
        for (summand& s : all) s.at += (back == 0 ? 1 : 1 - back) * s.strides[label];
        if (back == 0) return true;
        place[label] = 0;
    }
    return false;
}

/// Adds `n` products along the innermost label to elements of the result, which are `step` apart. Adds all of them to
/// one element if `step` is 0.
template <class C>
constexpr void add_products(const vector<const C*>& data, const summand* operands, std::size_t label, std::int64_t n,
                            C* out, std::int64_t step) {
    const auto product = [&](std::int64_t i) {
        C p = data[0][operands[0].at + i * operands[0].strides[label]];
        for (std::size_t k = 1; k < data.size(); ++k)
            p = element::multiply{}(p, data[k][operands[k].at + i * operands[k].strides[label]]);
        return p;
    };
    if (data.size() == 2 && step == 1 && operands[0].strides[label] == 0 && operands[1].strides[label] == 1) {
        const C a = data[0][operands[0].at];
        const C* b = data[1] + operands[1].at;
        for (std::int64_t i = 0; i < n; ++i) out[i] = element::add{}(out[i], element::multiply{}(a, b[i]));
    } else if (step != 0) {
        for (std::int64_t i = 0; i < n; ++i) out[i * step] = element::add{}(out[i * step], product(i));
    } else if (data.size() == 2) {
        C sum{};
        const C* a = data[0] + operands[0].at;
        const C* b = data[1] + operands[1].at;
        const std::int64_t by_a = operands[0].strides[label];
        const std::int64_t by_b = operands[1].strides[label];
        for (std::int64_t i = 0; i < n; ++i) sum = element::add{}(sum, element::multiply{}(a[i * by_a], b[i * by_b]));
        *out = element::add{}(*out, sum);
    } else {
        C sum{};
        for (std::int64_t i = 0; i < n; ++i) sum = element::add{}(sum, product(i));
        *out = element::add{}(*out, sum);
    }
}

} // namespace detail

/// Computes an Einstein summation: multiplies the operands' elements whose indices agree along each letter, and sums
/// over the letters that are not in the result. A letter that occurs twice in one operand selects the diagonal. Axes of
/// size 1 are broadcast.
///
/// Throws: tutti::error if the equation is malformed or does not fit the operands, or if sizes along a letter differ.
/// Cost:   the product of the sizes of all letters. Operands are copied if arithmetic uses another type.
/// Source: NumPy's einsum.
constexpr void einsum(std::span<const tensor* const> operands, std::string_view equation, tensor& out) {
    constexpr std::string_view kernel = "einsum";
    subscripts read(equation);
    if (operands.empty() || read.operands() != operands.size())
        detail::fail(kernel, {"the equation \"", equation, "\" for ", operands.size(), " tensors"},
                     "a part for each tensor");
    const dtype type = operands[0]->type();
    detail::label_loops loops;
    loops.sizes.fill(1);
    vector<detail::summand> all(operands.size() + 1); // the result is last
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const tensor& t = *operands[i];
        detail::check_data(kernel, t);
        detail::check_arithmetic(kernel, t);
        if (t.type() != type)
            detail::fail_pair(kernel, "one tensor", *operands[0], "another", t, "the same element type");
        const extents labels = read.operand(i, t.rank());
        if (!read.problem().empty()) break;
        for (std::size_t d = 0; d < labels.size(); ++d)
            if (!join_label(loops.sizes[static_cast<std::size_t>(labels[d])], t.shape()[d]))
                detail::fail(kernel, {"the equation \"", equation, "\" for a tensor ", t},
                             "sizes that agree along each letter");
        detail::place_axes(t.shape(), labels, all[i]);
    }
    const extents wanted = read.problem().empty() ? read.result() : extents();
    if (!read.problem().empty())
        detail::fail(kernel, {"the equation \"", equation, "\": ", read.problem()},
                     "parts such as \"ij,jk->ik\", a letter for each axis");
    extents shape;
    std::array<bool, all_labels> kept{};
    for (const std::int64_t label : wanted) {
        shape.push_back(loops.sizes[static_cast<std::size_t>(label)]);
        kept[static_cast<std::size_t>(label)] = true;
    }
    element_counter products;
    for (const std::int64_t size : loops.sizes) products.add(size);
    if (products.count() < 0) detail::fail(kernel, {"the equation \"", equation, "\""}, "fewer than 2^48 products");
    full(std::int64_t{0}, type, shape, out);
    if (products.count() == 0) return;
    detail::place_axes(shape, wanted, all.back());

    // The innermost loop runs along the result's last axis if all operands have stride 0 or 1 there, otherwise along a
    // letter that is summed over.
    for (const std::int64_t label : wanted)
        if (loops.sizes[static_cast<std::size_t>(label)] != 1)
            loops.order[loops.count++] = static_cast<std::size_t>(label);
    const std::size_t outer = loops.count;
    for (std::size_t label = 0; label < all_labels; ++label)
        if (!kept[label] && loops.sizes[label] != 1) loops.order[loops.count++] = label;
    if (outer != 0 && loops.count != outer) {
        const std::size_t last = loops.order[outer - 1];
        bool along = all.back().strides[last] == 1;
        for (const detail::summand& s : all) along = along && (s.strides[last] == 0 || s.strides[last] == 1);
        if (along)
            std::rotate(loops.order.data() + outer - 1, loops.order.data() + outer, loops.order.data() + loops.count);
    }
    std::size_t inner = 0;
    std::int64_t n = 1;
    if (loops.count != 0) {
        inner = loops.order[--loops.count];
        n = loops.sizes[inner];
    }
    const dtype sum = detail::arithmetic_type_of(type);
    vector<tensor> wide(operands.size() + 1);
    tensor& sums = type == sum ? out : wide.back();
    if (type != sum) full(std::int64_t{0}, sum, shape, sums);
    const std::int64_t step = n == 1 ? 0 : all.back().strides[inner];
    detail::with_arithmetic(sum, [&]<class C>(std::type_identity<C>) {
        vector<const C*> data;
        for (std::size_t i = 0; i < operands.size(); ++i)
            data.push_back(detail::as_type(*operands[i], sum, wide[i]).template data<C>());
        C* to = sums.mutable_data<C>();
        std::array<std::int64_t, all_labels> place{};
        do detail::add_products<C>(data, all.data(), inner, n, to + all.back().at, step);
        while (detail::advance(loops, place, all));
    });
    if (type != sum) cast(sums, type, out);
}

} // namespace tutti::kernel
