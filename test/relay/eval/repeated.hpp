#pragma once

// A repeated operator call that compares the kernels of a set with the reference kernels.

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/op_kernels.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/invocation.hpp>

#include "../../kernel/support.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

class repeated {
public:
    /// Builds the call `build(arguments)` on variables with the types of these tensors.
    template <class Build>
    repeated(const std::vector<tensor>& like, Build build) {
        std::vector<tutti::relay::expr> arguments;
        for (std::size_t i = 0; i < like.size(); ++i) {
            tutti::relay::dims shape;
            for (const std::int64_t d : like[i].shape()) shape.push_back(d);
            arguments.push_back(b_.variable("x" + std::to_string(i), shape, like[i].type()));
        }
        call_ = build(arguments).id;
    }

    /// Computes the call with the first kernel that supports it. If `kept` is not null, kernels keep their states
    /// there.
    tensor by(const tutti::relay::kernel_set& kernels, const std::vector<tensor>& operands,
              std::vector<std::shared_ptr<void>>* kept) {
        std::vector<const tensor*> inputs;
        for (const tensor& t : operands) inputs.push_back(&t);
        std::array<tensor, 1> results;
        tutti::relay::invocation c{.program = &b_.graph(),
                                   .attributes = b_.graph().call_attributes(call_),
                                   .inputs = inputs,
                                   .type = tutti::relay::type_id::none,
                                   .results = results};
        const auto rows = tutti::relay::detail::kernels_of(kernels, *b_.graph().called_op(call_)).rows;
        if (kept != nullptr) kept->resize(rows.size());
        for (std::size_t n = 0; n < rows.size(); ++n) {
            if (kept != nullptr) c.kept = &(*kept)[n];
            if (rows[n].run(c)) return results[0];
        }
        throw std::runtime_error("no kernel supports the case");
    }

    /// Returns how the result of a kernel set differs from the reference; empty if it does not. Kernels reuse their
    /// state from the last run.
    std::string difference(const tutti::relay::kernel_set& kernels, const std::vector<tensor>& operands,
                           double tolerance) {
        const tensor expected = by(tutti::relay::kernels::reference(), operands, nullptr);
        const tensor got = by(kernels, operands, &kept_);
        if (got.type() != expected.type()) return "another type";
        return test::difference(got, shape_t(expected.shape().begin(), expected.shape().end()), values(expected),
                                tolerance);
    }

    /// Returns the state that the first kernel keeps; null if it keeps none.
    const void* kept() const { return kept_.empty() ? nullptr : kept_[0].get(); }

private:
    tutti::relay::builder b_;
    tutti::relay::expr_id call_{};
    std::vector<std::shared_ptr<void>> kept_;
};

} // namespace test
