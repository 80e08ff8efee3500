#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/testing/network_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>

#include <cstdint>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM::testing {

// Steps with operators that take arguments in place of attributes. These arguments are parameters, or constants, which
// DynamicToStatic turns into attributes.

inline expr numbers(program_maker& m, const shape& values, dtype type = dtype::int64) {
    kernel::tensor t(type, {static_cast<std::int64_t>(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i) kernel::number(values[i]).put(t, static_cast<std::int64_t>(i));
    return m.build().constant(t);
}

/// Adds a result whose type has unknown sizes, reshaped to its actual shape.
inline void give_shaped(program_maker& m, expr dynamic, const shape& s) {
    m.give(m.of(relay::reshape(dynamic, {.newshape = to_dims(s)})));
}

inline void dynamic_shape_step(program_maker& m) {
    const value x = m.any();
    switch (m.choose.below(7)) {
    case 0: {
        const shape s = regrouped(m, x);
        return give_shaped(m, relay::dyn::reshape(x.e, numbers(m, s)), s);
    }
    case 1: {
        shape s = x.shape;
        s.insert(s.begin(), m.choose.between(1, 3));
        if (kernel::element_count(s) > most_elements) return;
        return give_shaped(m, relay::dyn::broadcast_to(x.e, numbers(m, s, dtype::int32)), s);
    }
    case 2: {
        const shape s = m.any_shape();
        const dtype type = m.choose.of(all_types);
        if (m.choose.flip()) return give_shaped(m, relay::dyn::full(m.constant(type, {}).e, numbers(m, s), type), s);
        return give_shaped(
            m, m.choose.flip() ? relay::dyn::ones(numbers(m, s), type) : relay::dyn::zeros(numbers(m, s), type), s);
    }
    case 3: {
        if (x.rank() == 0 || x.size() > most_elements / 4) return;
        shape reps, s;
        for (const std::int64_t d : x.shape) {
            reps.push_back(m.choose.between(1, 2));
            s.push_back(d * reps.back());
        }
        return give_shaped(m, relay::dyn::tile(x.e, numbers(m, reps)), s);
    }
    case 4: {
        if (x.rank() == 0) return;
        // Reshapes to the run-time shape of another tensor with the same number of elements.
        const value like = m.operand(dtype::float32, x.shape);
        return give_shaped(m, relay::dyn::reshape(x.e, relay::shape_of(like.e, {.dtype = dtype::int64})), x.shape);
    }
    case 5: {
        if (x.rank() > 3) return;
        const std::size_t axis = m.choose.index(x.rank() + 1);
        shape s = x.shape;
        s.insert(s.begin() + static_cast<std::ptrdiff_t>(axis), 1);
        const expr at = m.scalar(dtype::int64, static_cast<double>(m.negated(axis, x.rank() + 1))).e;
        return give_shaped(m, relay::dyn::expand_dims(x.e, at), s);
    }
    default: {
        shape axes, s;
        for (std::size_t i = 0; i < x.rank(); ++i) {
            if (x.shape[i] == 1)
                axes.push_back(static_cast<std::int64_t>(i));
            else
                s.push_back(x.shape[i]);
        }
        if (axes.empty()) return;
        return give_shaped(m, relay::dyn::squeeze(x.e, numbers(m, axes)), s);
    }
    }
}

inline void dynamic_slice_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    shape begin, end, strides, s;
    for (const std::int64_t d : x.shape) {
        begin.push_back(m.choose.between(0, d - 1));
        end.push_back(m.choose.between(begin.back() + 1, d));
        strides.push_back(m.choose.between(1, 2));
        s.push_back((end.back() - begin.back() + strides.back() - 1) / strides.back());
    }
    give_shaped(m, relay::dyn::strided_slice(x.e, numbers(m, begin), numbers(m, end), numbers(m, strides)), s);
}

inline void dynamic_pad_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    kernel::tensor width(dtype::int64, {static_cast<std::int64_t>(x.rank()), 2});
    shape s = x.shape;
    for (std::size_t i = 0; i < x.rank(); ++i)
        for (std::size_t side = 0; side < 2; ++side) {
            const std::int64_t n = m.choose.between(0, 1);
            width.mutable_elements<std::int64_t>()[2 * i + side] = n;
            s[i] += n;
        }
    const expr pad = relay::dyn::nn::pad(x.e, m.build().constant(width), m.constant(x.type, {}).e);
    give_shaped(m, pad, s);
}

inline void dynamic_sort_step(program_maker& m) {
    const value x = m.of_rank(1, 3);
    if (x.type == dtype::boolean) return;
    const std::size_t axis = m.choose.index(x.rank());
    shape s = x.shape;
    s[axis] = m.choose.between(1, s[axis]);
    relay::topk_attributes a;
    a.axis = static_cast<std::int64_t>(axis);
    a.ret_type = "values";
    a.dtype = dtype::int32;
    const expr k = m.build().constant(scalar_of(dtype::int64, static_cast<double>(s[axis])));
    give_shaped(m, relay::dyn::topk(x.e, k, a), s);
}

inline void dynamic_one_hot_step(program_maker& m) {
    const value at = m.operand(dtype::int32, m.any_shape(0, 2), elements::small);
    shape s = at.shape;
    const std::int64_t depth = m.choose.between(1, 4);
    s.push_back(depth);
    const dtype type = m.choose.of(float_types);
    give_shaped(m,
                relay::dyn::one_hot(at.e, m.scalar(type, 1).e, m.scalar(type, 0).e,
                                    m.scalar(dtype::int32, static_cast<double>(depth)).e, {.dtype = type}),
                s);
}

inline constexpr step dynamic_steps[]{
    dynamic_shape_step, dynamic_shape_step, dynamic_slice_step,
    dynamic_pad_step,   dynamic_sort_step,  dynamic_one_hot_step,
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
