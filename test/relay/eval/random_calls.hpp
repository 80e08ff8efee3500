#pragma once

// Random calls of operators that kernel sets compute themselves, with any supported shapes, layouts and types. The
// results are compared with the reference.

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "../../kernel/conv_problem.hpp"
#include "../../kernel/placed.hpp"
#include "repeated.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace test {

struct random_call {
    std::string what; ///< for failure messages
    std::vector<shape_t> shapes;
    dtype type = dtype::float32;
    std::function<tutti::relay::expr(const std::vector<tutti::relay::expr>&)> build;

    /// Returns random operands for the call.
    std::vector<tensor> operands(random_source& random) const {
        std::vector<tensor> all;
        for (const shape_t& shape : shapes) {
            if (type == dtype::int8)
                all.push_back(random.filled<std::int8_t>(shape, -128, 127));
            else
                all.push_back(converted(random.filled<float>(shape, -3, 3), type));
        }
        return all;
    }
    /// Error bound, relative to the largest result. Kernels add in different orders.
    double bound = 1e-5;
};

namespace detail {

inline std::string shapes_text(const std::vector<shape_t>& shapes) {
    std::string s;
    for (const shape_t& shape : shapes) s += " " + tutti::kernel::text(shape);
    return s;
}

/// Returns float32 in most cases, and otherwise a type that only some kernel sets support.
inline dtype any_type(random_source& random, bool integers) {
    const std::int64_t n = random.integer(0, 9);
    if (n == 0) return dtype::float16;
    if (n == 1) return dtype::float64;
    return n <= 3 && integers ? dtype::int8 : dtype::float32;
}

inline tutti::relay::dims dims_of(const tutti::kernel::spatial& numbers, std::size_t rank) {
    tutti::relay::dims d;
    for (std::size_t i = 0; i < rank; ++i) d.push_back(numbers[i]);
    return d;
}

template <class Attributes>
Attributes conv_attributes(const conv_problem& p, dtype out) {
    Attributes a;
    a.strides = dims_of(p.options.strides, p.rank);
    a.dilation = dims_of(p.options.dilation, p.rank);
    a.padding = dims_of(p.options.before, p.rank);
    for (std::size_t i = 0; i < p.rank; ++i) a.padding.push_back(p.options.after[i]);
    a.groups = p.options.groups;
    a.data_layout = p.options.data_layout;
    a.kernel_layout = p.options.weight_layout;
    a.out_layout = p.options.out_layout;
    a.out_dtype = out;
    return a;
}

inline random_call any_conv_call(random_source& random) {
    namespace relay = tutti::relay;
    conv_problem p = any_conv(random);
    if (random.integer(0, 2) == 0) { // as in networks: usual layouts, and enough channels for blocks
        const std::int64_t channels = 8 * random.integer(1, 4);
        const bool alone = random.integer(0, 1) == 0;
        p.data[1] = channels;
        p.options.groups = alone ? channels : 1;
        p.weight[1] = alone ? 1 : channels;
        p.weight[0] = alone ? channels : random.integer(1, 40);
        constexpr std::string_view last[]{"NWC", "NHWC", "NDHWC"};
        p.options.data_layout = random.integer(0, 1) == 0
                                    ? last[p.rank - 1]
                                    : tutti::kernel::usual_layout(tutti::kernel::lettered::data, p.rank);
        p.options.out_layout = p.options.data_layout;
        p.options.weight_layout = tutti::kernel::usual_layout(tutti::kernel::lettered::weight, p.rank);
    }
    random_call c;
    c.type = any_type(random, true);
    c.shapes = {data_in(p.options.data_layout, p.data).shape(), weight_in(p.options.weight_layout, p.weight).shape()};
    c.what = text(p);
    const dtype out = c.type == dtype::int8 ? dtype::int32 : dtype::none;
    c.build = [p, out](const std::vector<relay::expr>& e) {
        if (p.rank == 1) return relay::nn::conv1d(e[0], e[1], conv_attributes<relay::conv1d_attributes>(p, out));
        if (p.rank == 2) return relay::nn::conv2d(e[0], e[1], conv_attributes<relay::conv2d_attributes>(p, out));
        return relay::nn::conv3d(e[0], e[1], conv_attributes<relay::conv3d_attributes>(p, out));
    };
    return c;
}

inline random_call any_product(random_source& random) {
    namespace relay = tutti::relay;
    random_call c;
    c.type = any_type(random, true);
    const dtype out = c.type == dtype::int8 ? dtype::int32 : dtype::none;
    const auto size = [&] {
        return random.integer(random.integer(0, 19) == 0 ? 0 : 1, random.integer(0, 3) == 0 ? 70 : 9);
    };
    const std::int64_t rows = size();
    const std::int64_t depth = size();
    const std::int64_t columns = size();
    const std::int64_t kind = random.integer(0, 2);
    if (kind == 0) {
        const std::int64_t units = std::max<std::int64_t>(columns, 1);
        shape_t data{rows, depth};
        if (random.integer(0, 2) == 0) data.insert(data.begin(), random.integer(1, 3));
        c.shapes = {data, {units, depth}};
        c.what = "nn.dense";
        c.build = [out](const std::vector<relay::expr>& e) { return relay::nn::dense(e[0], e[1], {.out_dtype = out}); };
        return c;
    }
    const bool a = random.integer(0, 1) == 0;
    const bool b = random.integer(0, 1) == 0;
    shape_t left = a ? shape_t{depth, rows} : shape_t{rows, depth};
    shape_t right = b ? shape_t{columns, depth} : shape_t{depth, columns};
    c.what = (kind == 1 ? "nn.batch_matmul " : "nn.matmul ") + std::to_string(a) + std::to_string(b);
    if (kind == 1) {
        const std::int64_t batch = random.integer(1, 4);
        left.insert(left.begin(), random.integer(0, 4) == 0 ? 1 : batch);
        right.insert(right.begin(), random.integer(0, 4) == 0 ? 1 : batch);
    }
    c.shapes = {left, right};
    c.build = [=](const std::vector<relay::expr>& e) {
        if (kind == 1)
            return relay::nn::batch_matmul(e[0], e[1], {.out_dtype = out, .transpose_a = a, .transpose_b = b});
        return relay::nn::matmul(e[0], e[1], {.out_dtype = out, .transpose_a = a, .transpose_b = b});
    };
    return c;
}

inline random_call any_pool(random_source& random) {
    namespace relay = tutti::relay;
    random_call c;
    c.type = any_type(random, true);
    const auto rank = static_cast<std::size_t>(random.integer(1, 3));
    const std::string_view layout = any_data_layout(random, rank);
    coords sizes{random.integer(1, 2), 4 * random.integer(1, 6), 1, 1, 1};
    relay::dims window;
    relay::dims strides;
    relay::dims dilation;
    relay::dims before;
    relay::dims after;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t extent = random.integer(1, rank == 3 ? 5 : 20);
        sizes[5 - rank + i] = extent;
        const std::int64_t step = random.integer(0, 3) == 0 ? 2 : 1;
        const std::int64_t size = random.integer(1, std::min<std::int64_t>(4, (extent - 1) / step + 1));
        window.push_back(size);
        strides.push_back(random.integer(1, 3));
        dilation.push_back(step);
        before.push_back(random.integer(0, 2));
        after.push_back(random.integer(0, 2));
    }
    relay::dims padding = before;
    for (const relay::dim d : after) padding.push_back(d);
    const bool ceil_mode = random.integer(0, 2) == 0;
    const bool whole = random.integer(0, 1) == 0;
    const std::int64_t kind = random.integer(0, rank == 2 ? 3 : 1);
    c.shapes = {data_in(layout, sizes).shape()};
    c.what = "pooling " + std::to_string(kind) + " in " + std::string(layout) + (ceil_mode ? " ceil" : "") +
             (whole ? " whole" : "");
    c.build = [=](const std::vector<relay::expr>& e) {
        const auto read = [&](auto a) {
            a.pool_size = window;
            a.strides = strides;
            a.dilation = dilation;
            a.padding = padding;
            a.layout = layout;
            a.ceil_mode = ceil_mode;
            if constexpr (requires { a.count_include_pad; }) a.count_include_pad = whole;
            return a;
        };
        if (kind == 2) return relay::nn::global_avg_pool2d(e[0], {.layout = layout});
        if (kind == 3) return relay::nn::global_max_pool2d(e[0], {.layout = layout});
        if (kind == 0)
            return rank == 1   ? relay::nn::max_pool1d(e[0], read(relay::max_pool1d_attributes{}))
                   : rank == 2 ? relay::nn::max_pool2d(e[0], read(relay::max_pool2d_attributes{}))
                               : relay::nn::max_pool3d(e[0], read(relay::max_pool3d_attributes{}));
        return rank == 1   ? relay::nn::avg_pool1d(e[0], read(relay::avg_pool1d_attributes{}))
               : rank == 2 ? relay::nn::avg_pool2d(e[0], read(relay::avg_pool2d_attributes{}))
                           : relay::nn::avg_pool3d(e[0], read(relay::avg_pool3d_attributes{}));
    };
    return c;
}

/// Returns a random call of an elementwise function, or of a function along lines, such as softmax.
inline random_call any_function(random_source& random) {
    namespace relay = tutti::relay;
    random_call c;
    c.type = any_type(random, false);
    shape_t shape;
    for (std::int64_t n = random.integer(1, 4); n > 0; --n) shape.push_back(random.integer(1, 20));
    const std::int64_t kind = random.integer(0, 7);
    const std::int64_t axis =
        random.integer(0, 2) == 0 ? random.integer(0, static_cast<std::int64_t>(shape.size()) - 1) : -1;
    c.shapes = {shape};
    c.what = "function " + std::to_string(kind) + " axis " + std::to_string(axis);
    if (kind == 7) {
        const std::int64_t n = axis < 0 ? shape.back() : shape[static_cast<std::size_t>(axis)];
        c.shapes.insert(c.shapes.end(), 2, {n});
        c.bound = 1e-3; // if a line has few, close elements, their distances from the mean are mostly rounding errors
    }
    c.build = [=](const std::vector<relay::expr>& e) {
        switch (kind) {
        case 0:
            return relay::exp(e[0]);
        case 1:
            return relay::tanh(e[0]);
        case 2:
            return relay::sigmoid(e[0]);
        case 3:
            return relay::erf(e[0]);
        case 4:
            return relay::log(e[0]);
        case 5:
            return relay::nn::softmax(e[0], {.axis = axis});
        case 6:
            return relay::nn::log_softmax(e[0], {.axis = axis});
        default:
            return relay::nn::layer_norm(e[0], e[1], e[2], {.axis = axis});
        }
    };
    return c;
}

} // namespace detail

/// Returns a random call of an operator for which kernel sets have kernels of their own.
inline random_call any_call(random_source& random) {
    random_call c;
    switch (random.integer(0, 3)) {
    case 0:
        c = detail::any_conv_call(random);
        break;
    case 1:
        c = detail::any_product(random);
        break;
    case 2:
        c = detail::any_pool(random);
        break;
    default:
        c = detail::any_function(random);
        break;
    }
    if (c.type == dtype::int8) c.bound = 0;
    if (c.type == dtype::float16) c.bound = 2e-3;
    c.what += " of " + std::string(tutti::kernel::name(c.type)) + detail::shapes_text(c.shapes);
    return c;
}

/// Returns the first wrong result of a kernel set in this many random calls; empty if there is none. Each call runs a
/// second time with new elements and the state that the kernel keeps. The set must refuse calls that the reference
/// refuses.
inline std::string difference_of_random_calls(const tutti::relay::kernel_set& kernels, random_source& random,
                                              int calls) {
    for (int n = 0; n < calls; ++n) {
        const random_call c = any_call(random);
        const std::vector<tensor> first = c.operands(random);
        repeated call(first, c.build);
        repeated other(first, c.build); // each kernel set has a state of its own
        for (int round = 0; round < 2; ++round) {
            const std::vector<tensor> operands = round == 0 ? first : c.operands(random);
            const std::string refused =
                error_of([&] { other.difference(tutti::relay::kernels::reference(), operands, c.bound); });
            if (refused != "nothing thrown") {
                if (error_of([&] { call.difference(kernels, operands, c.bound); }) == "nothing thrown")
                    return c.what + ": the reference refuses: " + refused;
                continue;
            }
            std::string wrong;
            const std::string thrown = error_of([&] { wrong = call.difference(kernels, operands, c.bound); });
            if (thrown != "nothing thrown") return c.what + ": " + thrown;
            if (!wrong.empty()) return c.what + ": " + wrong;
        }
    }
    return {};
}

} // namespace test
