#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/instrument/blame.hpp>
#include <tutti/instrument/check_properties.hpp>
#include <tutti/instrument/dump.hpp>
#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/memory.hpp>
#include <tutti/instrument/only_changed.hpp>
#include <tutti/instrument/perf_counters.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/print_on_failure.hpp>
#include <tutti/instrument/sample.hpp>
#include <tutti/instrument/support/files.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/report/graph_file.hpp>
#include <tutti/report/report.hpp>
#include <tutti/runtime/instrument_registry.hpp>
#include <tutti/runtime/standard_instruments.hpp>
#include <tutti/search/bisect_limit.hpp>
#include <tutti/search/crash_reproducer.hpp>
#include <tutti/search/rewrite_limit.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti {

template <>
inline constexpr option_word<instrument::changed_form> option_words<instrument::changed_form>[] {
    {"diff", instrument::changed_form::diff}, {"text", instrument::changed_form::text}, {
        "quiet", instrument::changed_form::quiet
    }
};

template <>
inline constexpr option_word<instrument::blame_form> option_words<instrument::blame_form>[] {
    {"list", instrument::blame_form::list}, { "json", instrument::blame_form::json }
};

namespace runtime {

namespace detail {

struct blame_by_name {
    static constexpr std::string_view name = "blame", help = "Show for each line of the program the pass that made it, "
                                                             "or all versions of the line that defines a value";
    std::string value{};
    instrument::blame_form form = instrument::blame_form::list;
    std::size_t max_bytes = instrument::blame_options{}.max_bytes;
    pass_names ignore{};
    static constexpr option_list<&blame_by_name::value, &blame_by_name::form, &blame_by_name::max_bytes,
                                 &blame_by_name::ignore>
        options{"value", "form", "max_bytes", "ignore"};

    auto make(const instrument_request& request) const {
        auto text = [*this](const instrument::blame& each) {
            const instrument::line_history& found = each.history();
            if (value.empty()) return render(found, form, ignore);
            if (found.find(value) == found.size())
                raise(error{"blame", "no line of the program after the passes defines " + value, "a value such as %3"});
            return render(found, value, form);
        };
        using blame = instrument::blame;
        return reported<blame, decltype(text)>{request.write, text, blame{{.max_bytes = max_bytes}}};
    }
};

struct bisect_limit_by_name {
    static constexpr std::string_view name = "bisect_limit", help = "Run only the first N passes, and print which ran";
    std::size_t limit = instrument::bisect_limit<>::unlimited;
    static constexpr option_list<&bisect_limit_by_name::limit> options{"limit"};

    auto make(const instrument_request& request) const { return instrument::bisect_limit{limit, request.write}; }
};

struct rewrite_limit_by_name {
    static constexpr std::string_view name = "rewrite_limit",
                                      help = "Make only the first N rewrites, and print which were made";
    std::size_t limit = instrument::rewrite_limit<>::unlimited;
    static constexpr option_list<&rewrite_limit_by_name::limit> options{"limit"};

    auto make(const instrument_request& request) const { return instrument::rewrite_limit{limit, request.write}; }
};

/// Checks the option `file` of an instrument that writes a file.
///
/// Throws: `input_error` if the option is missing; `error` if it names the input file; the exceptions of
///         `request.check_file`.
[[gnu::cold]] inline void check_output(std::string_view name, const std::string& file,
                                       const instrument_request& request) {
    detail::check_given(name, "file", file);
    if (is_same_file(file, request.source)) raise(error{file, "is the input", "another file"});
    if (request.check_file) request.check_file(name, file);
}

struct check_properties_by_name {
    static constexpr std::string_view name = "check_properties",
                                      help = "Check that passes give and keep the properties that they state";

    auto make(const instrument_request& request) const {
        return instrument::check_properties{request.properties ? *request.properties
                                                               : std::vector<instrument::claimed_pass>{}};
    }
};

struct time_trace_by_name {
    static constexpr std::string_view name = "time_trace",
                                      help = "Write when passes ran, for chrome://tracing or Perfetto";
    std::string file{};
    static constexpr option_list<&time_trace_by_name::file> options{"file"};

    auto make(const instrument_request& request) const {
        check_output(name, file, request);
        instrument::check_writable(file);
        return make_reported<instrument::time_trace>(
            [to = file, problem = request.file_problem](std::string_view text) {
                instrument::try_to_write(problem, [&] { instrument::write_file(to, text); });
            },
            [](const auto& trace) { return trace.render(); });
    }
};

struct measured_by_name {
    static constexpr std::string_view name = "measured", help = "Measure what the hooks of another instrument cost";

    template <class Instrument>
    auto make(const instrument_request& request, const Instrument& inner) const {
        using measured = instrument::measured<Instrument>;
        auto text = [](const measured& each) { return each.render(); };
        return detail::reported<measured, decltype(text)>{request.write, text, measured{Instrument{inner}}};
    }
};

struct filter_by_name {
    static constexpr std::string_view name = "filter", help = "Notify another instrument of these passes only";
    pass_names passes{};
    static constexpr option_list<&filter_by_name::passes> options{"passes"};

    template <class Instrument>
    auto make(const instrument_request&, const Instrument& inner) const {
        detail::check_given(name, "passes", passes.empty() ? "" : passes.front());
        return instrument::filter(passes, Instrument{inner});
    }
};

struct only_changed_by_name {
    static constexpr std::string_view name = "only_changed",
                                      help = "Notify another instrument of the end of passes that change something";

    template <class Instrument>
    auto make(const instrument_request&, const Instrument& inner) const {
        if constexpr (requires { inner.needs_begin(); })
            if (inner.needs_begin()) {
                const std::string of{inner.name()};
                raise(
                    input_error{{"only_changed: " + of + " needs the beginning of each pass, which only_changed omits",
                                 "an instrument that needs only the end of passes, such as print_ir or verify", of}});
            }
        return instrument::only_changed{Instrument{inner}};
    }
};

struct sample_by_name {
    static constexpr std::string_view name = "sample", help = "Notify another instrument of every n-th run of a pass";
    std::size_t every = 10;
    static constexpr option_list<&sample_by_name::every> options{"every"};

    template <class Instrument>
    auto make(const instrument_request&, const Instrument& inner) const {
        if (every == 0) raise(input_error{{"sample: option every: 0 is out of range", "1 or more", "0"}});
        return instrument::sample{every, Instrument{inner}};
    }
};

struct memory_by_name {
    static constexpr std::string_view name = "memory", help = "Count the allocations of passes";

    auto make(const instrument_request& request) const {
        return make_reported<instrument::memory>(request.write, [](const auto& used) { return used.render(); });
    }
};

struct perf_counters_by_name {
    static constexpr std::string_view name = "perf_counters",
                                      help = "Count the instructions, cycles and page faults of passes";

    auto make(const instrument_request& request) const {
        return make_reported<instrument::perf_counters>(request.write, [](const auto& c) { return c.render(); });
    }
};

struct print_changed_by_name {
    static constexpr std::string_view name = "print_changed", help = "Print what each pass changes";
    instrument::changed_form form = instrument::changed_form::diff;
    pass_names passes{};
    std::string part{};
    std::size_t context = 3;
    static constexpr option_list<&print_changed_by_name::form, &print_changed_by_name::passes,
                                 &print_changed_by_name::part, &print_changed_by_name::context>
        options{"form", "passes", "part", "context"};

    auto make(const instrument_request& request) const {
        return instrument::print_changed{{.form = form,
                                          .passes = passes.or_all(),
                                          .part = part,
                                          .style = {.context = context, .colour = request.terminal}},
                                         request.write};
    }
};

struct print_on_failure_by_name {
    static constexpr std::string_view name = "print_on_failure", help = "If a pass fails, print the program before it";
    std::string part{};
    static constexpr option_list<&print_on_failure_by_name::part> options{"part"};

    auto make(const instrument_request& request) const { return instrument::print_on_failure{request.write, part}; }
};

struct dump_by_name {
    static constexpr std::string_view name = "dump", help = "Write the program after each pass to a file of its own";
    std::string folder{};
    pass_names passes{};
    std::string part{};
    bool only_changed = false, full = false;
    static constexpr option_list<&dump_by_name::folder, &dump_by_name::passes, &dump_by_name::part,
                                 &dump_by_name::only_changed, &dump_by_name::full>
        options{"folder", "passes", "part", "only_changed", "full"};

    auto make(const instrument_request& request) const {
        detail::check_given(name, "folder", folder);
        return instrument::dump{{.folder = folder,
                                 .pipeline = request.pipeline,
                                 .passes = passes.or_all(),
                                 .part = part,
                                 .only_changed = only_changed,
                                 .full = full,
                                 .problem = request.file_problem}};
    }
};

struct crash_reproducer_by_name {
    static constexpr std::string_view
        name = "crash_reproducer",
        help = "Write a file that reproduces the failure of a pass: the program before it, and "
               "the passes to run";
    std::string file{};
    static constexpr option_list<&crash_reproducer_by_name::file> options{"file"};

    auto make(const instrument_request& request) const {
        check_output(name, file, request);
        return instrument::crash_reproducer{
            {.file = file, .pipeline = request.pipeline, .options = request.settings, .problem = request.file_problem}};
    }
};

struct report_by_name {
    static constexpr std::string_view name = "report",
                                      help = "Write an HTML page of what each pass did, and how long it took";
    std::string file{}, title{};
    std::size_t nodes = instrument::report_limits{}.nodes, bytes = instrument::report_limits{}.bytes;
    static constexpr option_list<&report_by_name::file, &report_by_name::title, &report_by_name::nodes,
                                 &report_by_name::bytes>
        options{"file", "title", "nodes", "bytes"};

    auto make(const instrument_request& request) const {
        check_output(name, file, request);
        return instrument::report{{.file = file,
                                   .title = title.empty() ? request.source : title,
                                   .pipeline = request.pipeline,
                                   .limits = {.nodes = nodes, .bytes = bytes},
                                   .problem = request.file_problem}};
    }
};

struct graph_by_name {
    static constexpr std::string_view name = "graph",
                                      help = "Draw the program as the passes leave it: FILE.svg or FILE.dot";
    std::string file{};
    std::uint64_t nodes = instrument::most_drawn_nodes;
    static constexpr option_list<&graph_by_name::file, &graph_by_name::nodes> options{"file", "nodes"};

    auto make(const instrument_request& request) const {
        check_output(name, file, request);
        const bool dot = file.ends_with(".dot");
        if (!dot && !file.ends_with(".svg"))
            raise(
                input_error{{"graph: option file: `" + file + "` has no known format", "FILE.svg or FILE.dot", file}});
        using form = instrument::graph_form;
        return instrument::graph_file{
            {.file = file, .form = dot ? form::dot : form::svg, .nodes = nodes, .problem = request.file_problem}};
    }
};

} // namespace detail

/// Adds instruments that find faulty or slow passes. Instruments that show graphs or text are added only if
/// `unit_traits<Unit>` supports them. `standard_instruments` contains none of these instruments, because they take
/// longer to compile and many write files.
///
/// Example: `auto known = standard_instruments<unit>(); add_debug_instruments(known);`
template <class Unit>
void add_debug_instruments(instrument_registry<Unit>& all) {
    all.template add<detail::bisect_limit_by_name>();
    all.template add<detail::rewrite_limit_by_name>();
    all.template add<detail::check_properties_by_name>();
    all.template add<detail::time_trace_by_name>();
    all.template add<detail::measured_by_name>();
    all.template add<detail::filter_by_name>();
    all.template add<detail::only_changed_by_name>();
    all.template add<detail::sample_by_name>();
    all.template add<detail::memory_by_name>();
    all.template add<detail::perf_counters_by_name>();
    all.template add<detail::report_by_name>();
    if constexpr (tutti::internal::has_graph<Unit>) all.template add<detail::graph_by_name>();
    if constexpr (tutti::internal::has_text<Unit>) {
        all.template add<detail::blame_by_name>();
        all.template add<detail::print_changed_by_name>();
        all.template add<detail::print_on_failure_by_name>();
        all.template add<detail::dump_by_name>();
        all.template add<detail::crash_reproducer_by_name>();
    }
}

} // namespace runtime

} // namespace tutti
