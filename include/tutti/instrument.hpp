#pragma once

/// The instruments that come with the library, for any unit.
///
/// ```
/// tutti::instrument::timing timing;
/// tutti::instrument::statistics counted; // counts from ctx.count(name, n)
/// tutti::instrument::remarks missed{{.kinds = {tutti::remark_kind::missed}}}; // ctx.remark(kind, where, text)
/// tutti::instrument::print_ir print{{.after = {"FuseOps"}}, [](std::string_view text) { std::cerr << text; }};
/// tutti::instrument::callbacks names{
///     .run_before_pass = [](const auto&, const tutti::pass_info& info) { std::cout << info.name << '\n'; },
/// };
/// tutti::pass_context ctx{tutti::instruments(names, print, counted, missed, timing, tutti::instrument::verify{})};
/// tutti::with(ctx, [&](auto& scope) {
///     scope.run(pipeline, u);
///     std::cout << timing.render(); // leaving the context clears the profile; timing.last() keeps it
/// });
/// std::cout << counted.render() << missed.render();
/// ```
///
/// Not included here, since they write files, measure, or take longer to compile: <tutti/instrument/dump.hpp>,
/// <tutti/search/bisect.hpp>, <tutti/search/crash_reproducer.hpp>, <tutti/instrument/time_trace.hpp>,
/// <tutti/instrument/measured.hpp>, <tutti/instrument/profile_formats.hpp>, <tutti/report/report.hpp>,
/// <tutti/report/graph_file.hpp>, <tutti/instrument/memory.hpp>, <tutti/instrument/perf_counters.hpp>.

#include <tutti/instrument/callbacks.hpp>
#include <tutti/instrument/check_analyses.hpp>
#include <tutti/instrument/op_diff.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/print_ir.hpp>
#include <tutti/instrument/print_on_failure.hpp>
#include <tutti/instrument/print_pass.hpp>
#include <tutti/instrument/profile.hpp>
#include <tutti/instrument/remarks.hpp>
#include <tutti/instrument/statistics.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/instrument/verify.hpp>
#include <tutti/unit/unit_traits.hpp>
