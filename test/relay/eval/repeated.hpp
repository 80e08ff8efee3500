#pragma once

// A repeated operator call with the kernels of a set, compared with the reference kernels.

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
    /// The call `build(arguments)` on variables with the types of these tensors.
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

    tensor by(tutti::relay::kernel_function kernel, const std::vector<tensor>& operands, std::shared_ptr<void>* kept) {
        std::vector<const tensor*> inputs;
        for (const tensor& t : operands) inputs.push_back(&t);
        std::array<tensor, 1> results;
        const tutti::relay::invocation c{.program = &b_.graph(),
                                         .attributes = b_.graph().call_attributes(call_),
                                         .inputs = inputs,
                                         .type = tutti::relay::type_id::none,
                                         .results = results,
                                         .kept = kept};
        if (!kernel(c)) throw std::runtime_error("the kernel does not know the case");
        return results[0];
    }

    /// Returns the fault in the result of a set's kernel, which reuses its state of the previous run; or nothing.
    template <class Set>
    std::string difference(const std::vector<tensor>& operands, double tolerance) {
        const tutti::relay::op_def& op = *b_.graph().called_op(call_);
        const tensor expected = by(tutti::relay::kernels::reference::find(op), operands, nullptr);
        const tensor got = by(Set::find(op), operands, &kept_);
        if (got.type() != expected.type()) return "another type";
        return test::difference(got, shape_t(expected.shape().begin(), expected.shape().end()), values(expected),
                                tolerance);
    }

    const std::shared_ptr<void>& kept() const { return kept_; }

private:
    tutti::relay::builder b_;
    tutti::relay::expr_id call_{};
    std::shared_ptr<void> kept_;
};

} // namespace test
