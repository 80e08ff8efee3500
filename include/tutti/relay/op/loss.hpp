#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.nll_loss: the reduction ("none", "sum" or "mean"), and the ignored class.
struct nll_loss_attributes {
    std::string_view reduction = "mean";
    required<std::int64_t> ignore_index{};

    static constexpr option_list<&nll_loss_attributes::reduction, &nll_loss_attributes::ignore_index> options{
        "reduction", "ignore_index"};
};

namespace op::nn {

/// The negative log-likelihood: the negated predictions for the target classes, times the weights of the classes.
struct nll_loss {
    static constexpr std::string_view name = "nn.nll_loss";
    static constexpr std::array<std::string_view, 3> arguments{"predictions", "targets", "weights"};
    using attributes = nll_loss_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr bool rounds = true;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Base of losses over all elements of predictions and targets.
struct entropy {
    static constexpr std::array<std::string_view, 2> arguments{"predictions", "targets"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool rounds = true;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

struct cross_entropy : entropy, named<"nn.cross_entropy"> {};
struct cross_entropy_with_logits : entropy, named<"nn.cross_entropy_with_logits"> {};

} // namespace op::nn

/// Losses.
using loss_ops = op_list<op::nn::cross_entropy, op::nn::cross_entropy_with_logits, op::nn::nll_loss>;

namespace nn {
TUTTI_CONSTEXPR expr nll_loss(expr predictions, expr targets, expr weights, const nll_loss_attributes& attributes);
TUTTI_CONSTEXPR expr cross_entropy(expr predictions, expr targets);
TUTTI_CONSTEXPR expr cross_entropy_with_logits(expr predictions, expr targets);
} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/loss.ipp>
#endif
