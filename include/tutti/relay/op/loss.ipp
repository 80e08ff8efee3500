#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/loss.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op::nn {

TUTTI_CONSTEXPR type_id nll_loss::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
    const dims predictions = r.shape(0);
    const dims targets = r.shape(1);
    if (!kernel::is_floating(r.element(0))) r.refuse(0, "floating-point elements");
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

TUTTI_CONSTEXPR type_id entropy::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    if (r.shape(0).size() != 2 || !kernel::is_floating(r.element(0))) r.refuse(0, "a floating-point matrix");
    r.expect(1, r.shape(0), r.element(0));
    return r.tensor({}, r.element(0));
}

} // namespace op::nn

namespace nn {

TUTTI_CONSTEXPR expr nll_loss(expr predictions, expr targets, expr weights, const nll_loss_attributes& attributes) {
    return call_op<op::nn::nll_loss>(attributes, predictions, targets, weights);
}
TUTTI_CONSTEXPR expr cross_entropy(expr predictions, expr targets) {
    return call_op<op::nn::cross_entropy>({}, predictions, targets);
}
TUTTI_CONSTEXPR expr cross_entropy_with_logits(expr predictions, expr targets) {
    return call_op<op::nn::cross_entropy_with_logits>({}, predictions, targets);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
