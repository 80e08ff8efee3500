#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/conv_transpose.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/norm.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::model {

/// Throws `tutti::error` if `number` is below 1; `what` describes it.
constexpr void require_positive(std::string_view network, std::string_view what, std::int64_t number) {
    if (number < 1)
        throw error(std::string(network), "a number of " + std::string(what) + " of " + std::to_string(number),
                    "1 or more");
}

/// Builds layers whose parameters are new variables. As in the reference, a variable is named after its layer, and type
/// inference finds its type.
class layers {
public:
    constexpr explicit layers(builder& b) : b_(&b) {}

    constexpr expr conv2d(std::string_view name, expr data, const conv2d_attributes& attributes) {
        return nn::conv2d(data, parameter(name, "_weight"), attributes);
    }

    /// A convolution followed by a bias.
    TUTTI_CONSTEXPR expr biased_conv2d(std::string_view name, expr data, const conv2d_attributes& attributes) {
        return nn::bias_add(conv2d(name, data, attributes), parameter(name, "_bias"));
    }

    constexpr expr conv2d_transpose(std::string_view name, expr data, const conv2d_transpose_attributes& attributes) {
        return nn::conv2d_transpose(data, parameter(name, "_weight"), attributes);
    }

    /// Returns the normalised data without the statistics. The mean and variance are parameters.
    TUTTI_CONSTEXPR expr batch_norm(std::string_view name, expr data, const batch_norm_attributes& attributes) {
        const expr gamma = parameter(name, "_gamma");
        const expr beta = parameter(name, "_beta");
        const expr mean = parameter(name, "_moving_mean");
        const expr var = parameter(name, "_moving_var");
        return nn::batch_norm(data, gamma, beta, mean, var, attributes)[0];
    }

    /// A dense layer followed by a bias along `axis`, which is 1 or the equivalent -1.
    TUTTI_CONSTEXPR expr dense(std::string_view name, expr data, dim units, std::int64_t axis = -1) {
        return nn::bias_add(bare_dense(name, data, units), parameter(name, "_bias"), {.axis = axis});
    }

    /// A dense layer without bias.
    TUTTI_CONSTEXPR expr bare_dense(std::string_view name, expr data, dim units) {
        return nn::dense(data, parameter(name, "_weight"), {.units = std::optional(units)});
    }

    /// Returns a module, with inferred types, whose `main` computes `result`. The free variables of `result` are the
    /// parameters of `main`.
    TUTTI_CONSTEXPR ir_module finish(expr result) {
        vector<expr> params;
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

} // namespace tutti::relay::inline TUTTI_FORM::model
