#pragma once

/// Passes over any unit, instruments around passes, and pipelines as text that is parsed at compile time.
///
/// ```
/// struct fold_constant {
///     static constexpr tutti::pass_info info{.name = "FoldConstant", .opt_level = 2};
///     using required = tutti::passes<infer_type>;
///     unit operator()(unit u, auto& ctx) const; // or: void operator()(unit& u, auto& ctx) const
/// };
/// struct run_counter {
///     int runs = 0;
///     void run_after_pass(const unit&, const tutti::pass_info&) { ++runs; }
/// };
///
/// constexpr auto pipeline = tutti::sequential(fold_constant{}, tutti::fixpoint(fuse_ops{.max_depth = 128}));
/// constexpr auto same = tutti::pipeline<"FoldConstant,fixpoint(FuseOps{max_depth=128})">(tutti::passes<fold_constant, fuse_ops>{});
/// constexpr auto closed = tutti::resolve(pipeline); // InferType, which FoldConstant requires, is a member
///
/// run_counter counter;
/// tutti::pass_context ctx{tutti::opt_level<3>, tutti::disable<"FuseOps">, tutti::instruments(counter)};
/// unit out = tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, std::move(in)); });
/// ```

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/names.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/requiring.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/literal.hpp>
