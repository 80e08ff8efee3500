#pragma once

#include <tutti/kernel/create.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Losses: the distance of predictions from targets.

namespace tutti::kernel {

/// Reduction of the losses of all targets: none, the sum, or the weighted mean.
enum class loss_reduction : std::uint8_t { none, sum, mean };

/// Computes the negative log-likelihood. The loss of a target is `-weight * prediction` for its class, or 0 if the
/// target equals `ignored`. Classes are along axis 1 of the predictions, or along their only axis.
///
/// Throws: tutti::error if shapes or element types do not fit, or if a target is not a class.
constexpr void nll_loss(const tensor& predictions, const tensor& targets, const tensor& weights,
                        loss_reduction reduction, std::int64_t ignored, tensor& out) {
    constexpr std::string_view kernel = "nll_loss";
    detail::check_data(kernel, predictions);
    detail::check_floating(kernel, predictions);
    detail::check_indices(kernel, targets);
    const std::size_t axis = std::min<std::size_t>(1, targets.rank());
    bool fits = predictions.rank() == targets.rank() + 1 && predictions.rank() <= max_rank;
    for (std::size_t d = 0; d < targets.rank() && fits; ++d)
        fits = targets.shape()[d] == predictions.shape()[d < axis ? d : d + 1];
    if (!fits)
        detail::fail_pair(kernel, "the predictions", predictions, "the targets", targets,
                          "a prediction for each class");
    const axis_split split = split_at(predictions.shape(), axis);
    if (weights.type() != predictions.type() || weights.rank() != 1 || weights.size() != split.length)
        detail::fail_pair(kernel, "the predictions", predictions, "the weights", weights, "one for each class");
    const bool each = reduction == loss_reduction::none;
    detail::make_result(kernel, predictions.type(), each ? targets.shape() : targets.shape().first(0), out);
    double losses = 0;
    double sum_of_weights = 0;
    detail::for_each_index(kernel, targets, [&](std::int64_t i, std::int64_t target) {
        double loss = 0;
        if (target != ignored) {
            if (target < 0 || target >= split.length)
                detail::fail(kernel, {"target ", i, " is class ", target, " of predictions ", predictions},
                             {"a class from 0 to ", split.length - 1});
            const double weight = number::at(weights, target).real();
            const std::int64_t place = (i / split.inner * split.length + target) * split.inner + i % split.inner;
            loss = -number::at(predictions, place).real() * weight;
            sum_of_weights += weight;
        }
        if (each) number(loss).put(out, i);
        losses += loss;
    });
    if (!each) number(reduction == loss_reduction::sum ? losses : losses / sum_of_weights).put(out, 0);
}

/// The kind of predictions: probabilities, or logits, which are taken as logarithms of probabilities.
enum class prediction_kind : std::uint8_t { probabilities, logits };

/// Computes `-sum(targets * log(predictions)) / rows`. Logits take the place of the logarithms.
///
/// Throws: tutti::error if the predictions are not a floating-point matrix, or if the targets have another shape or
///         element type.
constexpr void cross_entropy(const tensor& predictions, const tensor& targets, prediction_kind kind, tensor& out) {
    constexpr std::string_view kernel = "cross_entropy";
    detail::check_data(kernel, predictions);
    detail::check_floating(kernel, predictions);
    if (predictions.rank() != 2 || predictions.type() != targets.type() ||
        !same_shape(predictions.shape(), targets.shape()))
        detail::fail_pair(kernel, "the predictions", predictions, "the targets", targets,
                          "matrices of one shape and element type");
    double sum = 0;
    for (std::int64_t i = 0; i < predictions.size(); ++i) {
        const double x = number::at(predictions, i).real();
        sum += (kind == prediction_kind::logits ? x : element::log{}(x)) * number::at(targets, i).real();
    }
    full(-sum / static_cast<double>(predictions.shape()[0]), predictions.type(), {}, out);
}

} // namespace tutti::kernel
