#pragma once

// The tensor-graph IR: programs of Relay, their text, operators, passes and networks.
//
//     namespace relay = tutti::relay;
//
//     relay::builder b;
//     const auto x = b.variable("x", {1, 3, 32, 32});
//     const auto w = b.variable("w", {16, 3, 3, 3});
//     const auto y = relay::nn::relu(relay::nn::conv2d(x, w, {.padding = {1, 1}}));
//     relay::ir_module m{b.function({x, w}, y)};
//
//     tutti::pass_context ctx{tutti::opt_level<3>};
//     tutti::with(ctx, [&](auto& scope) {
//         scope.run(tutti::sequential(relay::infer_type{}, relay::fold_scale_axis{}), m);
//     });
//     std::cout << relay::to_text(m);
//     const std::vector<relay::tensor> results = relay::evaluate(m, inputs);

#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/result_names.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/model/dcgan.hpp>
#include <tutti/relay/model/dqn.hpp>
#include <tutti/relay/model/lstm.hpp>
#include <tutti/relay/model/mlp.hpp>
#include <tutti/relay/model/mobilenet.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/model/squeezenet.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/passes.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/unit.hpp>
