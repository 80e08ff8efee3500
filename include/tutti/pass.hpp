#pragma once

/// Passes over any unit, and the instruments around them.
///
/// ```
/// struct fold_constant {
///     static constexpr tutti::pass_info info{.name = "FoldConstant", .opt_level = 2};
///     tutti::change operator()(unit& u, auto& ctx) const; // or void; or: unit operator()(unit u, auto& ctx) const
/// };
/// struct run_counter {
///     int runs = 0;
///     void run_after_pass(const unit&, const tutti::pass_info&) { ++runs; }
/// };
///
/// constexpr auto pipeline = tutti::sequential(tutti::fixpoint(fold_constant{}), fuse_ops{.max_depth = 128});
/// using known = tutti::passes<fold_constant, fuse_ops>;
/// constexpr auto same = tutti::pipeline<"fixpoint(FoldConstant),FuseOps{max_depth=128}">(known{});
/// run_counter counter;
/// tutti::pass_context ctx{tutti::opt_level<3>, tutti::disable<"FuseOps">, tutti::instruments(counter)};
/// tutti::with(ctx, [&](auto& scope) { scope.run(tutti::resolve(pipeline), u); }); // with all that the passes require
/// ```

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/names.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/literal.hpp>
