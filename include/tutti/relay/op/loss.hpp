#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Attributes of nn.nll_loss: the reduction ("none", "sum" or "mean"), and the ignored class.
struct nll_loss_attributes {
    std::string_view reduction = "mean";
    required<std::int64_t> ignore_index{};

    static constexpr option_list<&nll_loss_attributes::reduction, &nll_loss_attributes::ignore_index> options{
        "reduction", "ignore_index"};
};

namespace op::nn {

/// The negated, weighted predictions for the target classes.
struct nll_loss {
    static constexpr std::string_view name = "nn.nll_loss";
    static constexpr std::array<std::string_view, 3> arguments{"predictions", "targets", "weights"};
    using attributes = nll_loss_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr bool rounds = true;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
        const dims predictions = r.shape(0);
        const dims targets = r.shape(1);
        if (!kernel::is_floating(r.element(0))) r.refuse(0, "elements of floating point");
        if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
        if (predictions.size() != targets.size() + 1) r.refuse(0, "one dimension more than the targets have");
        const std::size_t axis = targets.empty() ? 0 : 1;
        for (std::size_t d = 0; d < targets.size(); ++d)
            if (!may_equal(targets[d], predictions[d < axis ? d : d + 1])) r.refuse(1, "a target for each prediction");
        r.expect(2, dims{predictions[axis]}, r.element(0));
        if (a.reduction == "none") return r.tensor(targets, r.element(0));
        if (a.reduction != "sum" && a.reduction != "mean")
            r.refuse_attribute("reduction", "\"" + std::string(a.reduction) + "\"", "\"none\", \"sum\" or \"mean\"");
        return r.tensor({}, r.element(0));
    }
};

/// Base of losses over all elements of predictions and targets.
struct entropy {
    static constexpr std::array<std::string_view, 2> arguments{"predictions", "targets"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool rounds = true;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        if (r.shape(0).size() != 2 || !kernel::is_floating(r.element(0))) r.refuse(0, "a matrix of floating point");
        r.expect(1, r.shape(0), r.element(0));
        return r.tensor({}, r.element(0));
    }
};

struct cross_entropy : entropy, named<"nn.cross_entropy"> {};
struct cross_entropy_with_logits : entropy, named<"nn.cross_entropy_with_logits"> {};

} // namespace op::nn

/// Losses.
using loss_ops = op_list<op::nn::cross_entropy, op::nn::cross_entropy_with_logits, op::nn::nll_loss>;

namespace nn {
constexpr expr nll_loss(expr predictions, expr targets, expr weights, const nll_loss_attributes& attributes) {
    return call_op<op::nn::nll_loss>(attributes, predictions, targets, weights);
}
constexpr expr cross_entropy(expr predictions, expr targets) {
    return call_op<op::nn::cross_entropy>({}, predictions, targets);
}
constexpr expr cross_entropy_with_logits(expr predictions, expr targets) {
    return call_op<op::nn::cross_entropy_with_logits>({}, predictions, targets);
}
} // namespace nn

} // namespace tutti::relay
