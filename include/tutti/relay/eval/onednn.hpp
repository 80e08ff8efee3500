#pragma once

#include <tutti/error.hpp>
#include <tutti/kernel/allowance.hpp>
#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/view.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <oneapi/dnnl/dnnl.hpp>

static_assert(DNNL_VERSION_MAJOR == 2, "tutti::relay::kernels::onednn: is written for oneDNN 2");

namespace tutti::relay::kernels {

namespace detail {

/// One call of an operator, computed by oneDNN: made ready for operands of some shapes, and then run any number of times.
///
/// Weights are brought into oneDNN's own order once. The tensor they came from is held, so that it is known again; an operand
/// that is another one the second time is no weight, and is brought there each time.
class onednn_call {
public:
    using memory = dnnl::memory;

    std::shared_ptr<void> next; ///< The memory of the next set's kernel, where that computes this call.

    onednn_call() : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

    bool is_ready_for(const tensor& data, const tensor& weight) const {
        return std::ranges::equal(data_shape_, data.shape()) && std::ranges::equal(weight_shape_, weight.shape());
    }

    /// Whether oneDNN computes it. Requires: it is ready.
    bool computes() const { return computes_; }

    /// Makes ready for operands of these shapes: `describe()` gives the primitive's description, `given` says what the operands
    /// and the result are like, `steps` how many products there are. oneDNN then computes it, unless it has nothing for this.
    template <class Primitive, class Describe>
    void make_ready(const tensor& data, const tensor& weight, const kernel::extents& result, std::uint64_t steps,
                    const std::array<memory::desc, 3>& given, Describe describe) {
        leave(data, weight);
        result_shape_ = result;
        steps_ = steps;
        try {
            const typename Primitive::primitive_desc made(describe(), engine_);
            run_ = Primitive(made);
            const std::array<memory::desc, 3> wanted{made.src_desc(), made.weights_desc(), made.dst_desc()};
            for (std::size_t i = 0; i < 3; ++i) {
                memory outside(given[i], engine_, DNNL_MEMORY_NONE);
                operands_[i] = {outside, outside, dnnl::reorder(), given[i] != wanted[i]};
                if (!operands_[i].copied) continue;
                memory inside(wanted[i], engine_);
                operands_[i].inside = inside;
                operands_[i].reorder = i == 2 ? dnnl::reorder(inside, outside) : dnnl::reorder(outside, inside);
            }
        } catch (const dnnl::error& e) {
            if (e.status != dnnl_unimplemented) throw error("oneDNN", e.what(), "a primitive of these shapes");
            return;
        }
        arguments_ = {{DNNL_ARG_SRC, operands_[0].inside},
                      {DNNL_ARG_WEIGHTS, operands_[1].inside},
                      {DNNL_ARG_DST, operands_[2].inside}};
        computes_ = true;
    }

    /// Leaves operands of these shapes to the next set's kernel.
    void leave(const tensor& data, const tensor& weight) {
        data_shape_ = kernel::extents(data.shape());
        weight_shape_ = kernel::extents(weight.shape());
        weight_ = {};
        computes_ = false;
    }

    /// Requires: `computes()`, and it is ready for operands of these shapes.
    void run(const tensor& data, const tensor& weight, tensor& out) {
        kernel::spend(steps_);
        kernel::detail::make_result("onednn", dtype::float32, result_shape_, out);
        try {
            const auto set = [](memory& m, const float* elements) { m.set_data_handle(const_cast<float*>(elements)); };
            set(operands_[0].outside, data.data<float>());
            set(operands_[1].outside, weight.data<float>());
            set(operands_[2].outside, out.mutable_data<float>());
            bring_in(operands_[0]);
            if (varies_ || weight_.empty() || !weight_.same_elements(weight)) {
                bring_in(operands_[1]);
                varies_ = varies_ || !weight_.empty();
                weight_ = tensor{};
                if (!varies_ && operands_[1].copied) weight_ = weight;
            }
            run_.execute(stream_, arguments_);
            if (operands_[2].copied) operands_[2].reorder.execute(stream_, operands_[2].inside, operands_[2].outside);
            stream_.wait();
        } catch (const dnnl::error& e) {
            throw error("oneDNN", e.what(), "a primitive that runs");
        }
    }

private:
    struct operand {
        memory outside; // as the tensor is
        memory inside;  // as oneDNN wants it
        dnnl::reorder reorder;
        bool copied = false;
    };

    void bring_in(operand& o) {
        if (o.copied) o.reorder.execute(stream_, o.outside, o.inside);
    }

    dnnl::engine engine_;
    dnnl::stream stream_;
    dnnl::primitive run_;
    std::array<operand, 3> operands_; // data, weight, result
    std::unordered_map<int, memory> arguments_;
    kernel::extents data_shape_;
    kernel::extents weight_shape_;
    kernel::extents result_shape_;
    std::uint64_t steps_ = 0;
    tensor weight_;
    bool varies_ = false;
    bool computes_ = false;
};

inline bool all_float32(const tensor& data, const tensor& weight, dtype out) {
    return data.type() == dtype::float32 && weight.type() == dtype::float32 &&
           (out == dtype::none || out == dtype::float32) && data.size() != 0 && weight.size() != 0;
}

/// The operator's call by oneDNN if `ready(state of the call)` makes it so, else by the next set's kernel.
template <class Op, class Ready>
bool by_onednn(const invocation& c, Ready ready) {
    if (c.kept == nullptr) return blocked::named(Op::name)(c); // what is made ready would be lost
    if (*c.kept == nullptr) *c.kept = std::make_shared<onednn_call>();
    auto& call = *static_cast<onednn_call*>(c.kept->get());
    if (!call.is_ready_for(c.input(0), c.input(1))) ready(call);
    if (call.computes()) {
        call.run(c.input(0), c.input(1), c.result());
        return true;
    }
    invocation other = c;
    other.kept = &call.next;
    return blocked::named(Op::name)(other);
}

inline dnnl::memory::desc described(const dnnl::memory::dims& sizes, const dnnl::memory::dims& strides) {
    return {sizes, dnnl::memory::data_type::f32, strides};
}
/// A tensor of that size in the order that suits oneDNN.
inline dnnl::memory::desc any_order(const dnnl::memory::dims& sizes) {
    return {sizes, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

/// The sizes and strides of the first two axes and of the spatial ones, in the order that oneDNN names them.
struct onednn_axes {
    dnnl::memory::dims sizes;
    dnnl::memory::dims strides;

    void push(std::int64_t size, std::int64_t stride) {
        sizes.push_back(size);
        strides.push_back(stride);
    }
    onednn_axes(const kernel::lettered_axes& axes, std::size_t rank, std::int64_t groups = 1) {
        if (groups > 1) push(groups, axes.outer.size / groups * axes.outer.stride());
        push(axes.outer.size / groups, axes.outer.stride());
        push(axes.channel.size, axes.channel.stride());
        for (std::size_t i = 3 - rank; i < 3; ++i) push(axes.space[i].size, axes.space[i].stride());
    }
};

inline void ready_conv(onednn_call& call, const tensor& data, const tensor& weight, const kernel::conv_options& given) {
    const kernel::conv_options o = kernel::detail::with_layouts(given, data, weight);
    kernel::detail::conv_plan p = kernel::detail::plan_conv("conv", data, weight, o);
    const kernel::extents shape = kernel::place_result("conv", o.out_layout, p.out);
    for (const kernel::lettered_axis* axis : {&p.in.channel, &p.weight.outer, &p.weight.channel, &p.out.channel})
        if (axis->parts > 1) return call.leave(data, weight);
    if (!all_float32(data, weight, o.out) || kernel::element_count(shape) == 0) return call.leave(data, weight);
    const std::size_t rank = kernel::spatial_rank(o.data_layout);
    const onednn_axes in(p.in, rank);
    const onednn_axes by(p.weight, rank, p.groups);
    const onednn_axes to(p.out, rank);
    std::array<dnnl::memory::dims, 4> numbers;
    for (std::size_t i = 3 - rank; i < 3; ++i) {
        const kernel::window& w = p.window[i];
        const std::int64_t each[]{w.stride, w.dilation - 1, w.before, w.after};
        for (std::size_t n = 0; n < 4; ++n) numbers[n].push_back(each[n]);
    }
    using convolution = dnnl::convolution_forward;
    call.make_ready<convolution>(
        data, weight, shape, kernel::detail::steps_of(p),
        {described(in.sizes, in.strides), described(by.sizes, by.strides), described(to.sizes, to.strides)}, [&] {
            return convolution::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                     any_order(in.sizes), any_order(by.sizes), any_order(to.sizes), numbers[0],
                                     numbers[1], numbers[2], numbers[3]);
        });
}

inline void ready_dense(onednn_call& call, const tensor& data, const tensor& weight, dtype out) {
    if (data.rank() == 0 || weight.rank() != 2 || data.shape().back() != weight.shape()[1] ||
        !all_float32(data, weight, out))
        return call.leave(data, weight);
    const std::int64_t units = weight.shape()[0];
    const std::int64_t depth = weight.shape()[1];
    const std::int64_t rows = data.size() / depth;
    kernel::extents shape(data.shape());
    shape[shape.size() - 1] = units;
    using product = dnnl::inner_product_forward;
    call.make_ready<product>(data, weight, shape, kernel::steps(rows, units, depth),
                             {described({rows, depth}, {depth, 1}), described({units, depth}, {depth, 1}),
                              described({rows, units}, {units, 1})},
                             [&] {
                                 return product::desc(dnnl::prop_kind::forward_inference, any_order({rows, depth}),
                                                      any_order({units, depth}), any_order({rows, units}));
                             });
}

inline void ready_batch_matmul(onednn_call& call, const tensor& a, const tensor& b, const batch_matmul_attributes& o) {
    if (a.rank() != 3 || b.rank() != 3 || !all_float32(a, b, o.out_dtype)) return call.leave(a, b);
    const auto matrices = [](const tensor& t, bool transposed) {
        const std::int64_t rows = t.shape()[1];
        const std::int64_t columns = t.shape()[2];
        return transposed ? described({t.shape()[0], columns, rows}, {rows * columns, 1, columns})
                          : described({t.shape()[0], rows, columns}, {rows * columns, columns, 1});
    };
    const std::int64_t rows = a.shape()[o.transpose_a ? 2 : 1];
    const std::int64_t columns = b.shape()[o.transpose_b ? 1 : 2];
    const std::int64_t batch = std::max(a.shape()[0], b.shape()[0]);
    const bool fits = a.shape()[o.transpose_a ? 1 : 2] == b.shape()[o.transpose_b ? 2 : 1] &&
                      (a.shape()[0] == b.shape()[0] || a.shape()[0] == 1 || b.shape()[0] == 1);
    if (!fits) return call.leave(a, b);
    const std::int64_t sizes[]{batch, rows, columns};
    const std::array tensors{matrices(a, o.transpose_a), matrices(b, o.transpose_b),
                             described({batch, rows, columns}, {rows * columns, columns, 1})};
    const std::int64_t depth = a.shape()[o.transpose_a ? 1 : 2];
    call.make_ready<dnnl::matmul>(a, b, kernel::extents(sizes), kernel::steps(batch, rows, columns, depth), tensors,
                                  [&] { return dnnl::matmul::desc(tensors[0], tensors[1], tensors[2]); });
}

template <class Op>
inline constexpr kernel_entry onednn_conv = kernel_for<Op>([](const invocation& c, const auto& a) {
    if (!knows_layouts(a)) return false;
    const kernel::conv_options options = conv_options(a, kernel::conv_options{});
    return by_onednn<Op>(c, [&](onednn_call& call) { ready_conv(call, c.input(0), c.input(1), options); });
});

} // namespace detail

/// oneDNN's convolutions and products of float32; all else by the blocked kernels.
///
/// For `nn.conv1d`, `nn.conv2d`, `nn.conv3d`, `nn.dense` and `nn.batch_matmul` in layouts without blocks of channels, from an
/// evaluator that keeps what a call needs the next time: weights in oneDNN's order, as much memory again as they are. It uses the
/// threads that OpenMP is told to.
///
/// Throws: `tutti::error` with what oneDNN says, if it fails.
struct onednn {
    static constexpr kernel_table own{std::array{
        kernel_for<op::nn::batch_matmul>([](const invocation& c, const batch_matmul_attributes& a) {
            return detail::by_onednn<op::nn::batch_matmul>(
                c, [&](detail::onednn_call& call) { detail::ready_batch_matmul(call, c.input(0), c.input(1), a); });
        }),
        detail::onednn_conv<op::nn::conv1d>,
        detail::onednn_conv<op::nn::conv2d>,
        detail::onednn_conv<op::nn::conv3d>,
        kernel_for<op::nn::dense>([](const invocation& c, const dense_attributes& a) {
            return detail::by_onednn<op::nn::dense>(
                c, [&](detail::onednn_call& call) { detail::ready_dense(call, c.input(0), c.input(1), a.out_dtype); });
        }),
    }};

    /// The kernel of the built-in operator of that name, or null.
    static constexpr kernel_function named(std::string_view op) {
        const kernel_function mine = own.find(op);
        return mine != nullptr ? mine : blocked::named(op);
    }
    static constexpr kernel_function find(const op_def& op) {
        return op.evaluate != nullptr ? op.evaluate : named(op.name);
    }
    static constexpr result_memory find_result_memory(const op_def& op) {
        return own.find(op.name) != nullptr && op.evaluate == nullptr ? own.find_memory(op.name)
                                                                      : blocked::find_result_memory(op);
    }
    static constexpr const block_step_entry* find_block_step(const op_def& op) { return blocked::find_block_step(op); }
};

} // namespace tutti::relay::kernels
