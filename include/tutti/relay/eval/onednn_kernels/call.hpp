#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/lasting.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/eval/onednn_kernels/nan_watch.hpp>
#include <tutti/relay/eval/onednn_kernels/post_operations.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <oneapi/dnnl/dnnl.hpp>

static_assert(DNNL_VERSION_MAJOR == 2, "tutti::relay::kernels::onednn: is written for oneDNN 2");

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// The description of a call's primitive.
struct onednn_wanted {
    using desc = dnnl::memory::desc;

    /// An input: oneDNN's identifier of the argument, the input's index in the call, and the tensor's description.
    struct input {
        int argument;
        std::size_t number;
        desc given;
    };

    kernel::extents shape; ///< the result's shape
    dtype type = dtype::float32;
    std::uint64_t steps = 0; ///< multiplications, counted against `max_work`
    vector<input> inputs{};
    desc result{};
    /// True if a primitive that needs no reordering of data and result is tried first.
    bool as_they_lie = false;
    /// The axis of channels for an epilogue's operands; none if the primitive does not support an epilogue.
    std::optional<onednn_channels> channels{};
    /// True if the primitive can add a bias.
    bool bias = false;
    /// True if the primitive itself may turn NaN into a number.
    bool hides_nan = false;
};

/// The variant of a primitive that is to be described.
struct onednn_form {
    bool as_they_lie; ///< data and result are not reordered
    bool bias;
};

/// Returns oneDNN's engine for the processor.
inline const dnnl::engine& onednn_engine() {
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

/// Prepared read-only data of a call: weights in oneDNN's preferred order, if that differs from the tensor's order.
struct onednn_weights {
    std::optional<dnnl::memory> packed{};
    tensor elements{}; ///< in oneDNN's order
};

/// An operator call that oneDNN computes. It is prepared for operands of certain shapes, and then run any number of
/// times.
///
/// Operands are reordered if the primitive requires it. The second operand is often a weight, so its tensor is kept and
/// recognised in later runs. If the second operand changes, it is not a weight, and is reordered in each run.
class onednn_call {
public:
    using memory = dnnl::memory;

    /// Makes a call that declines work below `least_work`, counted in multiplications or in elements of the result.
    explicit onednn_call(std::uint64_t least_work) : stream_(onednn_engine()), least_work_(least_work) {}

    /// True if the call was prepared, or declined, for operands and an epilogue like those of `c`.
    bool is_ready_for(const invocation& c) const {
        if (!ready_ || likes_.size() != c.inputs.size() || steps_of(c).size() != epilogue_.size()) return false;
        for (std::size_t i = 0; i < likes_.size(); ++i)
            if (likes_[i].type != c.input(i).type() || !std::ranges::equal(likes_[i].shape, c.input(i).shape()))
                return false;
        return std::ranges::equal(epilogue_, steps_of(c), same_step);
    }

    /// True if oneDNN computes the call. Requires: the call is ready.
    bool computes() const { return computes_; }

    /// Declines calls with operands like those of `c`, so that the next set's kernel computes them.
    void leave(const invocation& c) {
        likes_.clear();
        for (const tensor* t : c.inputs) likes_.push_back({t->type(), kernel::extents(t->shape())});
        epilogue_.clear();
        for (const kernel::epilogue_step& s : steps_of(c)) {
            epilogue_.push_back({s, s.source == nullptr ? kernel::block_source{} : *s.source});
            epilogue_.back().what.other = nullptr;
        }
        weight_ = {};
        computes_ = false;
        ready_ = true;
    }

    /// Makes the call ready for operands like those of `c`. `describe(form)` returns the primitive's description.
    /// oneDNN computes the call unless it is too small or oneDNN has only unoptimised code for it.
    template <class Primitive, class Describe>
    void make_ready(const invocation& c, const onednn_wanted& wanted, Describe describe) {
        leave(c);
        shape_ = wanted.shape;
        type_ = wanted.type;
        products_ = wanted.steps;
        if (std::max(products_, kernel::steps(kernel::element_count(shape_))) < least_work_) return;
        if (wanted.hides_nan && !nan_watch::available) return;
        for (const bool lies : {true, false})
            for (const bool with_steps : {true, false})
                if ((wanted.as_they_lie || !lies) && try_form<Primitive>(c, wanted, lies, with_steps, describe)) return;
    }

    /// Runs the call. False if a NaN may have become a number. The result's values are then unspecified, and no steps
    /// of the epilogue count as done.
    ///
    /// Requires: `computes()`, and the call is ready for operands like those of `c`.
    bool run(const invocation& c) {
        kernel::spend(products_);
        kernel::detail::make_result("onednn", type_, shape_, c.result());
        execute(c);
        if (hides_nan_ && nan_watch::is_set()) {
            nan_watch::clear(); // other code may have set the flags
            execute(c);
            const bool met = nan_watch::is_set();
            nan_watch::set();
            if (met) return false;
        }
        if (c.after != nullptr) c.after->take(taken_);
        return true;
    }

    /// Returns the constant second input in the primitive's order. Requires: `computes()`.
    std::shared_ptr<void> packed_weights(const invocation& c) {
        operand& o = operands_[1];
        if (!o.copied) return std::make_shared<onednn_weights>();
        try {
            set(o.outside, c.input(o.number).memory());
            o.reorder.execute(stream_, o.outside, o.inside);
            stream_.wait();
        } catch (const dnnl::error& e) {
            throw error("oneDNN", e.what(), "a reorder that runs");
        }
        return std::make_shared<onednn_weights>(o.inside, o.elements);
    }

private:
    struct like {
        dtype type;
        kernel::extents shape;
    };
    struct step_like {
        kernel::epilogue_step what;
        kernel::block_source source;
    };
    struct operand {
        memory outside;  // in the tensor's order
        memory inside;   // in oneDNN's order
        tensor elements; // the elements of the reordered copy, if any
        dnnl::reorder reorder;
        bool copied = false;
        std::size_t number = 0;
    };

    static std::span<const kernel::epilogue_step> steps_of(const invocation& c) {
        return c.after == nullptr ? std::span<const kernel::epilogue_step>{} : c.after->steps();
    }

    static bool same_step(const step_like& a, const kernel::epilogue_step& b) {
        return a.what.what.one == b.what.one && a.what.what.two == b.what.two && a.what.other_first == b.other_first &&
               std::memcmp(a.what.parameters, b.parameters, sizeof b.parameters) ==
                   0 && // compares bits: parameters may be int32
               (b.source == nullptr || a.source == *b.source);
    }

    void execute(const invocation& c) {
        try {
            for (std::size_t i = 0; i < operands_.size(); ++i) bring_in(operands_[i], c.input(operands_[i].number), c);
            for (const auto& [step, m] : others_) set(m, steps_of(c)[step].other);
            set(result_.outside, c.result().mutable_memory());
            if (summed_)
                std::memcpy(c.result().mutable_memory(), steps_of(c)[*summed_].other,
                            static_cast<std::size_t>(c.result().size()) * sizeof(float));
            run_.execute(stream_, arguments_);
            if (result_.copied) result_.reorder.execute(stream_, result_.inside, result_.outside);
            stream_.wait();
        } catch (const dnnl::error& e) {
            throw error("oneDNN", e.what(), "a primitive that runs");
        }
    }

    static void set(const memory& m, const void* elements) { m.set_data_handle(const_cast<void*>(elements)); }

    // True if oneDNN has code for the primitives that `f` creates. If oneDNN has none, `f` throws.
    template <class F>
    static bool has_code(F f) {
        try {
            f();
            return true;
        } catch (const dnnl::error& e) {
            if (e.status == dnnl_unimplemented) return false;
            throw error("oneDNN", e.what(), "a primitive of these shapes");
        }
    }

    // Returns nothing if oneDNN has no code for the call, or only unoptimised code.
    template <class Primitive, class Describe>
    static std::optional<typename Primitive::primitive_desc> described_by(Describe describe, bool as_they_lie,
                                                                          const onednn_post_operations& after) {
        std::optional<typename Primitive::primitive_desc> made;
        const auto make = [&] {
            dnnl::primitive_attr attributes;
            attributes.set_post_ops(after.ops());
            made.emplace(describe(onednn_form{.as_they_lie = as_they_lie, .bias = after.has_bias()}), attributes,
                         onednn_engine());
        };
        if (!has_code(make)) return std::nullopt;
        const std::string_view code = made->impl_info_str();
        for (const std::string_view plain : {"ref", "simple_nchw"})
            if (code.find(plain) != std::string_view::npos) return std::nullopt;
        // For convolutions that are matrix products, oneDNN has unoptimised code for post-operations.
        if (std::same_as<Primitive, dnnl::convolution_forward> && after.count() > 0 &&
            code.find("gemm") != std::string_view::npos)
            return std::nullopt;
        return made;
    }

    // Uses oneDNN's optimised code for the call. False if there is none. If `with_steps`, the first steps of the
    // epilogue become post-operations.
    template <class Primitive, class Describe>
    bool try_form(const invocation& c, const onednn_wanted& wanted, bool as_they_lie, bool with_steps,
                  Describe describe) {
        using tensors = onednn_post_operations::tensors;
        const auto steps_with = [&](tensors alike) {
            return onednn_post_operations(steps_of(c), shape_, *wanted.channels, wanted.result, wanted.bias, alike);
        };
        onednn_post_operations after;
        // An epilogue's tensors with the result's shape must be in the primitive's order. That order is known only
        // without reordering.
        if (wanted.channels && with_steps) after = steps_with(as_they_lie ? tensors::read : tensors::none);
        if (with_steps && after.count() == 0 && !steps_of(c).empty()) return false; // the same as without steps
        auto made = described_by<Primitive>(describe, as_they_lie, after);
        if (after.could_sum()) {
            // oneDNN's best code is for a convolution alone; some of that code supports only sums as post-operations.
            const onednn_post_operations sums = steps_with(tensors::sum);
            const auto alone = described_by<Primitive>(describe, as_they_lie, {});
            auto summing = described_by<Primitive>(describe, as_they_lie, sums);
            const auto same_code = [&](const auto& one) {
                return std::string_view(one->impl_info_str()) == alone->impl_info_str();
            };
            if (summing && (!made || (alone && same_code(summing) && !same_code(made)))) {
                made = std::move(summing);
                after = sums;
            }
        }
        return made && has_code([&] { use<Primitive>(*made, wanted, after); });
    }

    template <class Primitive>
    void use(const typename Primitive::primitive_desc& made, const onednn_wanted& wanted,
             const onednn_post_operations& after) {
        arguments_.clear();
        operands_.clear();
        others_.clear();
        for (const onednn_wanted::input& i : wanted.inputs) {
            operands_.push_back(moved(i.given, made.query_md(dnnl::query::exec_arg_md, i.argument), true));
            operands_.back().number = i.number;
            arguments_[i.argument] = operands_.back().inside;
        }
        result_ = moved(wanted.result, made.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DST), false);
        arguments_[DNNL_ARG_DST] = result_.inside;
        for (const onednn_post_operations::operand& o : after.operands()) {
            memory m(o.like, onednn_engine(), DNNL_MEMORY_NONE);
            others_.emplace_back(o.step, m);
            arguments_[o.argument] = m;
        }
        run_ = Primitive(made);
        taken_ = after.count();
        hides_nan_ = wanted.hides_nan || after.hides_nan();
        summed_ = after.summed();
        computes_ = true;
    }

    static operand moved(const memory::desc& given, const memory::desc& wanted, bool in) {
        operand o;
        o.outside = o.inside = memory(given, onednn_engine(), DNNL_MEMORY_NONE);
        o.copied = given != wanted;
        if (!o.copied) return o;
        kernel::reset_lasting(o.elements, dtype::uint8, std::array{static_cast<std::int64_t>(wanted.get_size())});
        o.inside = memory(wanted, onednn_engine(), o.elements.mutable_memory());
        o.reorder = in ? dnnl::reorder(o.outside, o.inside) : dnnl::reorder(o.inside, o.outside);
        return o;
    }

    void bring_in(operand& o, const tensor& t, const invocation& c) {
        set(o.outside, t.memory());
        if (!o.copied) return;
        if (o.number == 1) {
            if (const auto* prepared = static_cast<const onednn_weights*>(c.prepared);
                prepared != nullptr && prepared->packed && prepared->packed->get_desc() == o.inside.get_desc()) {
                arguments_[DNNL_ARG_WEIGHTS] = *prepared->packed;
                return;
            }
            if (!varies_ && !weight_.empty() && weight_.same_elements(t)) return;
            varies_ = varies_ || !weight_.empty();
            weight_ = tensor{};
            if (!varies_) weight_ = t;
        }
        o.reorder.execute(stream_, o.outside, o.inside);
    }

    dnnl::stream stream_;
    std::uint64_t least_work_;
    dnnl::primitive run_;
    vector<operand> operands_;
    operand result_;
    vector<std::pair<std::size_t, memory>> others_; // the operands of the epilogue's steps
    std::unordered_map<int, memory> arguments_;
    vector<like> likes_; // types and shapes of the inputs
    vector<step_like> epilogue_;
    kernel::extents shape_;
    dtype type_ = dtype::float32;
    std::uint64_t products_ = 0;
    std::size_t taken_ = 0;               // number of the epilogue's steps in the primitive
    std::optional<std::size_t> summed_{}; // the step whose operand is copied to the result before the primitive runs
    tensor weight_;
    bool hides_nan_ = false;
    bool varies_ = false;
    bool computes_ = false;
    bool ready_ = false;
};

/// Returns a memory description with these sizes and strides.
inline dnnl::memory::desc described(const dnnl::memory::dims& sizes, const dnnl::memory::dims& strides,
                                    dnnl::memory::data_type type = dnnl::memory::data_type::f32) {
    return {sizes, type, strides};
}

/// Returns a description of the same tensor that leaves the order of its elements to oneDNN.
inline dnnl::memory::desc any_order(const dnnl::memory::desc& like) {
    return {like.dims(), like.data_type(), dnnl::memory::format_tag::any};
}

/// Returns the description of a vector that is added along the axis of channels.
inline dnnl::memory::desc bias_of(std::int64_t channels) {
    return {{channels}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a};
}

/// Returns the call's state, or null if the evaluator keeps no state. For new operands, `ready(state)` updates the
/// state.
template <std::uint64_t LeastWork, class Ready>
onednn_call* ready_call(const invocation& c, Ready ready) {
    if (c.kept == nullptr) return nullptr;
    if (*c.kept == nullptr) *c.kept = std::make_shared<onednn_call>(LeastWork);
    auto* call = static_cast<onednn_call*>(c.kept->get());
    if (!call->is_ready_for(c)) ready(*call);
    return call;
}

/// Runs the call with oneDNN. False if `ready(state)` declines the call, if the evaluator keeps no state, or if a NaN
/// may have become a number.
template <std::uint64_t LeastWork, class Ready>
bool by_onednn(const invocation& c, Ready ready) {
    onednn_call* const call = ready_call<LeastWork>(c, ready);
    return call != nullptr && call->computes() && call->run(c);
}

/// Returns the second input in the order of the primitive that `ready(state)` selects. Null if `ready` declines the
/// call, or if the second input is not constant.
template <std::uint64_t LeastWork, class Ready>
std::shared_ptr<void> packed_by_onednn(const invocation& c, Ready ready) {
    if (!c.is_constant(1) || c.input(0).empty()) return nullptr;
    onednn_call call(LeastWork);
    ready(call);
    return call.computes() ? call.packed_weights(c) : nullptr;
}

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
