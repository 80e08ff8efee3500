#pragma once

// Checks how NaN and infinities propagate through operators. A kernel set must return NaN where the reference does, and
// the reference must follow IEEE 754.

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>

#include "../../kernel/placed.hpp"
#include "../../kernel/support.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

/// A program with data `%x` of shape `data`, a scalar `%s`, and weights `%w` of shape `weights`.
struct numeric_program {
    std::string_view data;
    std::string_view body;
    std::string_view weights = "()";
};

/// Elementwise functions. Each has another result for -10,000 or 10,000 than for 1/3.
inline constexpr std::string_view elementwise_bodies[]{
    "nn.relu(%x)",
    "nn.leaky_relu(%x, alpha=0.1f)",
    "nn.leaky_relu(%x, alpha=0f)",
    "clip(%x, a_min=-1f, a_max=2f)",
    "clip(%x, a_min=0f, a_max=6f)",
    "sign(%x)",
    "abs(%x)",
    "negative(%x)",
    "ceil(%x)",
    "floor(%x)",
    "round(%x)",
    "trunc(%x)",
    "exp(%x)",
    "sigmoid(%x)",
    "tanh(%x)",
    "erf(%x)",
    "fast_exp(%x)",
    "fast_tanh(%x)",
    "fast_erf(%x)",
    "sin(%x)",
    "cos(%x)",
    "atan(%x)",
    "asinh(%x)",
    "copy(%x)",
    "log(abs(%x))",
    "log2(abs(%x))",
    "log10(abs(%x))",
    "sqrt(abs(%x))",
    "rsqrt(abs(%x))",
    "maximum(%x, %s)",
    "maximum(%s, %x)",
    "minimum(%x, %s)",
    "minimum(%s, %x)",
    "add(%x, %s)",
    "subtract(%s, %x)",
    "multiply(%x, %s)",
    "divide(%s, %x)",
    "power(%x, %s)",
    "maximum(nn.relu(%x), %x)",
    "multiply(%x, clip(add(%x, %s), a_min=0f, a_max=6f))",
};

/// Reductions, pooling and normalisation.
inline constexpr numeric_program shaped_programs[]{
    {"(3, 19)", "max(%x, axis=[1])"},
    {"(3, 19)", "min(%x, axis=[1])"},
    {"(19, 3)", "max(%x, axis=[0])"},
    {"(19, 3)", "min(%x)"},
    {"(3, 19)", "sum(%x, axis=[1])"},
    {"(3, 19)", "mean(%x, axis=[0])"},
    {"(2, 5)", "prod(%x, axis=[1])"},
    {"(3, 19)", "variance(%x, mean(%x, axis=[1], keepdims=True), axis=[1])"},
    {"(3, 19)", "nn.softmax(%x)"},
    {"(3, 64)", "nn.softmax(%x)"},
    {"(7, 5)", "nn.softmax(%x, axis=0)"},
    {"(3, 19)", "nn.fast_softmax(%x)"},
    {"(3, 19)", "nn.log_softmax(%x)"},
    {"(7, 5)", "nn.log_softmax(%x, axis=0)"},
    {"(3, 19)", "nn.layer_norm(%x, %w, %w)", "(19)"},
    {"(2, 3, 9)", "nn.instance_norm(%x, %w, %w)", "(3)"},
    {"(2, 4, 9)", "nn.group_norm(%x, %w, %w, num_groups=2)", "(4)"},
    {"(2, 3, 9)", "nn.l2_normalize(%x, eps=0.001f, axis=[1])"},
    {"(1, 3, 4)", "nn.lrn(%x, size=3)"},
    {"(2, 3, 4)", "%0 = nn.batch_norm(%x, %w, %w, %w, %w); %0.0", "(3)"},
    {"(1, 3, 9)", "nn.max_pool1d(%x, pool_size=[3], strides=[2], padding=[1, 1])"},
    {"(1, 3, 9)", "nn.avg_pool1d(%x, pool_size=[3], strides=[2], padding=[1, 1])"},
    {"(1, 3, 9, 9)", "nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])"},
    {"(1, 9, 9, 16)", "nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1], layout=\"NHWC\")"},
    {"(1, 2, 9, 9)", "nn.avg_pool2d(%x, pool_size=[3, 3], padding=[1, 1, 1, 1])"},
    {"(1, 2, 4, 4, 4)", "nn.max_pool3d(%x, pool_size=[2, 2, 2], strides=[2, 2, 2])"},
    {"(1, 5, 4, 4)", "nn.global_max_pool2d(%x)"},
    {"(1, 5, 4, 4)", "nn.global_avg_pool2d(%x)"},
    {"(1, 5, 4, 4)", "nn.adaptive_max_pool2d(%x, output_size=[2, 2])"},
    {"(1, 2, 6, 6)", "nn.conv2d(%x, %w, padding=[1, 1, 1, 1])", "(3, 2, 3, 3)"},
    {"(3, 8)", "nn.dense(%x, %w, units=None)", "(5, 8)"},
    {"(2, 3, 8)", "nn.batch_matmul(%x, %w)", "(2, 8, 5)"},
    {"(2, 5)", "nn.bias_add(%x, %w)", "(5)"},
    {"(2, 3, 4)", "nn.prelu(negative(%x), %w)", "(3)"},
};

/// Calls whose kernels also compute the elementwise functions that follow, as steps.
inline constexpr numeric_program producers[]{
    {"(3, 8)", "nn.dense(%x, %w, units=None)", "(16, 8)"},
    {"(1, 16, 5, 5)", "nn.conv2d(%x, %w, padding=[1, 1, 1, 1])", "(16, 16, 3, 3)"},
    {"(1, 5, 5, 16)", "nn.conv2d(%x, %w, padding=[1, 1, 1, 1], data_layout=\"NHWC\", kernel_layout=\"OHWI\")",
     "(16, 3, 3, 16)"},
    {"(1, 16, 5, 5)", "nn.conv2d(%x, %w, padding=[1, 1, 1, 1], groups=16)", "(16, 1, 3, 3)"},
    {"(2, 3, 8)", "nn.batch_matmul(%x, %w)", "(2, 8, 7)"},
};

/// Returns the body of a program that applies the function `body` to the producer's result.
inline std::string behind(const numeric_program& producer, std::string_view body) {
    std::string text;
    for (std::size_t i = 0; i < body.size(); ++i) {
        const bool data = body.substr(i, 2) == "%x";
        text += data ? std::string_view("%0") : body.substr(i, 1);
        i += data ? 1 : 0;
    }
    return "%0 = " + std::string(producer.body) + "; " + text;
}

/// A program evaluated with one kernel set.
class numeric_run {
public:
    numeric_run(const tutti::relay::kernel_set& kernels, const numeric_program& p, std::string_view body,
                std::string_view type)
        : module_(tutti::relay::parse("def @main(%x: Tensor[" + std::string(p.data) + ", " + std::string(type) +
                                      "], %s: Tensor[(), " + std::string(type) + "], %w: Tensor[" +
                                      std::string(p.weights) + ", " + std::string(type) + "]) { " + std::string(body) +
                                      " }"))
        , kernels_(&kernels)
        , evaluate_(module_, kernels) {
        for (const tutti::relay::parameter& parameter : evaluate_.parameters()) {
            shape_t shape;
            for (const tutti::relay::dim d : evaluate_.types().shape(parameter.type)) shape.push_back(d.value());
            type_ = evaluate_.types().element(parameter.type);
            tensor made;
            made.reset(dtype::float32, shape);
            std::int64_t i = 0;
            for (float& x : made.mutable_elements<float>())
                x = inputs_.size() == 1 ? 2.F : 0.25F + static_cast<float>(i++ % 5) / 8;
            inputs_.push_back(made);
        }
    }

    std::int64_t size(std::size_t input = 0) const { return inputs_[input].size(); }

    /// Returns the result after element `at` of an input is set to `value`. Input 0 is the data.
    std::vector<double> of(std::int64_t at, double value, std::size_t input = 0) {
        return values(evaluate_.run(given(at, value, input))[0]);
    }

    /// Like `of`, but all inputs except the data are constants of the program.
    std::vector<double> of_constants(std::int64_t at, double value, std::size_t input) {
        const std::vector<tensor> all = given(at, value, input);
        tutti::relay::ir_module bound = module_;
        tutti::relay::function& f = *bound.find("main");
        f = tutti::relay::bind_params_by_name(f, {{"s", all[1]}, {"w", all[2]}});
        tutti::relay::evaluator evaluate(std::move(bound), *kernels_);
        return values(evaluate.run(std::span(all).first(1))[0]);
    }

private:
    std::vector<tensor> given(std::int64_t at, double value, std::size_t input) const {
        std::vector<tensor> all;
        for (const tensor& t : inputs_) {
            tensor copy;
            copy.reset(dtype::float32, t.shape());
            std::ranges::copy(t.elements<float>(), copy.mutable_data<float>());
            if (all.size() == input) copy.mutable_data<float>()[at] = static_cast<float>(value);
            all.push_back(converted(copy, type_));
        }
        return all;
    }

    tutti::relay::ir_module module_;
    const tutti::relay::kernel_set* kernels_;
    tutti::relay::evaluator evaluate_;
    std::vector<tensor> inputs_;
    dtype type_ = dtype::float32;
};

/// Returns the first wrong result of a kernel set; empty if there is none. A result must be NaN where that of the
/// reference is. If an element is NaN, all results that depend on it must be NaN. `input` is the input with the
/// element: the data (0), the scalar (1) or the weights (2). The scalar and the weights are tested as inputs, and then
/// as constants.
inline std::string wrong_not_numbers(const tutti::relay::kernel_set& kernels, bool skips_padding,
                                     const numeric_program& p, std::string_view body, std::string_view type,
                                     std::size_t input = 0) {
    const std::string what = std::string(body) + " of " + std::string(p.data) + " " + std::string(type);
    constexpr std::string_view names[]{"element ", "number ", "weight "};
    std::string wrong;
    const std::string thrown = error_of([&] {
        numeric_run run(kernels, p, body, type);
        numeric_run reference(tutti::relay::kernels::reference(), p, body, type);
        constexpr double infinity = std::numeric_limits<double>::infinity();
        for (std::int64_t at = 0; at < run.size(input); at += 1 + run.size(input) * 2 / 5) {
            const auto before = reference.of(at, 1.0 / 3, input);
            const auto below = reference.of(at, -1e4, input);
            const auto above = reference.of(at, 1e4, input);
            for (const double value : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 50.0}) {
                const auto expected = reference.of(at, value, input);
                // The second round uses the state that the kernel keeps. Constants need a new evaluator, so they are
                // tested at one position only.
                const int rounds = input != 0 && at == 0 ? 3 : 2;
                for (int round = input == 0 ? 0 : 1; round < rounds && wrong.empty(); ++round) {
                    const auto got = round < 2 ? run.of(at, value, input) : run.of_constants(at, value, input);
                    for (std::size_t i = 0; i < expected.size() && wrong.empty(); ++i) {
                        const bool depends = before[i] != below[i] || before[i] != above[i];
                        // Zero padding times a NaN weight is NaN, except in a kernel set that skips the padding.
                        if (skips_padding && input == 2 && !depends) continue;
                        const bool none = !depends && (input == 0 || !std::isnan(expected[i]));
                        const bool right = !std::isnan(value) || none != std::isnan(expected[i]);
                        if (!right || std::isnan(got[i]) != std::isnan(expected[i]))
                            wrong = what + ": " + std::string(names[input]) + std::to_string(at) + " is " +
                                    std::to_string(value) + (round < 2 ? "" : ", a constant") + ", result " +
                                    std::to_string(i) + " is " + std::to_string(got[i]) + ", the reference's is " +
                                    std::to_string(expected[i]) +
                                    (depends ? ", which depends on it" : ", which does not depend on it");
                    }
                }
            }
        }
    });
    return thrown != "nothing thrown" ? what + ": " + thrown : wrong;
}

/// Returns the wrong results, one per line. Tests `elementwise_bodies`, alone and after `producers`, and
/// `shaped_programs`.
inline std::string all_wrong_not_numbers(const tutti::relay::kernel_set& kernels,
                                         std::span<const std::string_view> types, bool skips_padding = false) {
    std::string all;
    const auto note = [&](const std::string& wrong) { all += wrong.empty() ? "" : wrong + "\n"; };
    const auto takes = [](std::string_view body, std::string_view name) { return body.find(name) != body.npos; };
    for (const std::string_view type : types) {
        for (const std::string_view body : elementwise_bodies) {
            note(wrong_not_numbers(kernels, skips_padding, {"(3, 7)", ""}, body, type));
            if (takes(body, "%s")) note(wrong_not_numbers(kernels, skips_padding, {"(3, 7)", ""}, body, type, 1));
        }
        for (const numeric_program& p : shaped_programs) {
            note(wrong_not_numbers(kernels, skips_padding, p, p.body, type));
            if (takes(p.body, "%w")) note(wrong_not_numbers(kernels, skips_padding, p, p.body, type, 2));
        }
    }
    for (const numeric_program& p : producers)
        for (const std::string_view body : elementwise_bodies) {
            note(wrong_not_numbers(kernels, skips_padding, p, behind(p, body), "float32"));
            note(wrong_not_numbers(kernels, skips_padding, p, behind(p, body), "float32", 2));
            if (takes(body, "%s")) note(wrong_not_numbers(kernels, skips_padding, p, behind(p, body), "float32", 1));
        }
    return all;
}

} // namespace test
