#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/norm.hpp>

namespace tutti::relay::model {

/// Layers whose parameters are new variables, named after the layer and left to type inference, as the reference's are.
class layers {
public:
    constexpr explicit layers(builder& b) : b_(&b) {}

    constexpr expr conv2d(std::string_view name, expr data, const conv2d_attributes& attributes) {
        return nn::conv2d(data, parameter(name, "_weight"), attributes);
    }

    /// The normalised data alone, with the statistics as parameters.
    constexpr expr batch_norm(std::string_view name, expr data, const batch_norm_attributes& attributes) {
        const expr gamma = parameter(name, "_gamma");
        const expr beta = parameter(name, "_beta");
        const expr mean = parameter(name, "_moving_mean");
        const expr var = parameter(name, "_moving_var");
        return nn::batch_norm(data, gamma, beta, mean, var, attributes)[0];
    }

    /// A dense layer with its bias.
    constexpr expr dense(std::string_view name, expr data, dim units) {
        const expr product = nn::dense(data, parameter(name, "_weight"), {.units = std::optional(units)});
        return nn::bias_add(product, parameter(name, "_bias"), {.axis = -1});
    }

    /// The module whose `main` computes `result` from its free variables, with all types inferred.
    constexpr ir_module finish(expr result) {
        std::vector<expr> params;
        for (const expr_id v : free_variables(*result.graph, result.id)) params.push_back({result.graph, v});
        ir_module m(b_->function(params, result));
        infer_types(m);
        return m;
    }

private:
    constexpr expr parameter(std::string_view layer, std::string_view what) {
        return b_->variable(std::string(layer) + std::string(what));
    }

    builder* b_;
};

}  // namespace tutti::relay::model
