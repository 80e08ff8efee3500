#pragma once

/// Passes over any unit, and the instruments around them.
///
/// ```
/// struct fold_constant {
///     static constexpr tutti::pass_info info{.name = "FoldConstant", .opt_level = 2};
///     unit operator()(unit u, auto& ctx) const; // or: void operator()(unit& u, auto& ctx) const
/// };
/// struct run_counter {
///     int runs = 0;
///     void run_after_pass(const unit&, const tutti::pass_info&) { ++runs; }
/// };
///
/// constexpr auto pipeline = tutti::sequential(fold_constant{}, fuse_ops{.max_depth = 128});
/// run_counter counter;
/// tutti::pass_context ctx{tutti::opt_level<3>, tutti::disable<"FuseOps">, tutti::instruments(counter)};
/// unit out = tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, std::move(in)); });
///
/// constexpr auto same = tutti::pipeline<"FoldConstant,FuseOps{max_depth=128}">(tutti::passes<fold_constant, fuse_ops>{});
/// ```

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/literal.hpp>
