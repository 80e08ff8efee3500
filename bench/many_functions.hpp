#pragma once

#include <tutti/pass/sequential.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>

#include <string>
#include <utility>
#include <vector>

// A module of many small networks, and the pipeline of level 3.

namespace relay = tutti::relay;

/// Returns a small network of four blocks, each with a convolution, a normalisation, an activation and foldable
/// constants.
inline relay::function network(int number) {
    relay::builder b;
    relay::model::layers net(b);
    relay::expr y = b.variable("x", {1, 8, 16, 16}, relay::dtype::float32);
    for (int block = 0; block < 4; ++block) {
        const std::string name = "b" + std::to_string(block);
        y = net.biased_conv2d(
            name, y, {.padding = relay::dims{1, 1}, .channels = relay::dim(8), .kernel_size = relay::dims{3, 3}});
        y = relay::nn::relu(net.batch_norm(name, y, {}));
        const relay::expr scale = relay::multiply(b.constant(2.0F), b.constant(static_cast<float>(number + block)));
        y = relay::add(relay::multiply(y, scale), relay::multiply(y, scale));
    }
    relay::ir_module made = net.finish(
        relay::reshape(relay::reshape(y, {.newshape = relay::dims{1, 2048}}), {.newshape = relay::dims{16, 128}}));
    return std::move(*made.find("main"));
}

inline relay::ir_module many_functions(int count) {
    std::vector<relay::ir_module::definition> all;
    for (int i = 0; i < count; ++i) all.push_back({"f" + std::to_string(1'000'000 + i), network(i)});
    relay::ir_module m;
    m.set(std::move(all));
    return m;
}

inline const auto level_3 = tutti::sequential(
    relay::infer_type{}, relay::simplify_inference{}, relay::eliminate_common_subexpr{}, relay::fold_constant{},
    relay::fold_scale_axis{}, relay::simplify_expr{}, relay::canonicalize_ops{}, relay::fuse_ops{});
