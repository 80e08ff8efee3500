#pragma once

// A program for both forms of tutti/relay (tutti/base/form.hpp). One source per form includes it, in its own namespace.

#include <tutti/pass.hpp>
#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include "forms/forms.hpp"

#include <string>
#include <string_view>
#include <typeinfo>

namespace {

forms::result run_program(std::string_view text) {
    tutti::relay::ir_module m = tutti::relay::parse(text);
    tutti::pass_context ctx{tutti::opt_level<2>};
    constexpr auto passes =
        tutti::sequential(tutti::relay::infer_type{}, tutti::relay::fold_constant{}, tutti::relay::fuse_ops{});
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    tutti::relay::tensor x(tutti::relay::dtype::float32, {2});
    x.mutable_elements<float>()[1] = 3;
    const auto values = tutti::relay::evaluate(m, {&x, 1});
    return {tutti::relay::to_text(m), std::string(typeid(m).name()), values.front().elements<float>()[1]};
}

} // namespace
