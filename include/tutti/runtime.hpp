#pragma once

/// Passes, instruments and contexts that are only known at run time, and the current context.
///
/// ```
/// tutti::runtime::registry<unit> known{tutti::passes<fold_constant, fuse_ops>{}};
/// const auto pipeline = tutti::runtime::parse_pipeline("fixpoint(FoldConstant),FuseOps{max_depth=128}", known);
/// std::cout << tutti::write_pipeline(pipeline); // the same text
///
/// using context = tutti::runtime::pass_context<unit>;
/// tutti::instrument::timing timing;
/// context ctx{{.opt_level = 3, .disabled = {"FuseOps"}, .instruments = {timing}}};
/// tutti::with(ctx, [&](auto& scope) {
///     scope.run(pipeline, u);            // or, anywhere below: context::current().run(pipeline, u)
///     std::cout << timing.render();
/// });
/// context::current().override_instruments({timing}); // outside of any `with`: this thread's default context
/// ```

#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/any_instrument.hpp>
#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/instrument_registry.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_config.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/sequential.hpp>
#include <tutti/runtime/standard_instruments.hpp>
