#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>
#include <tutti/instrument/bisect_limit.hpp>
#include <tutti/instrument/crash_reproducer.hpp>
#include <tutti/instrument/dump.hpp>
#include <tutti/instrument/files.hpp>
#include <tutti/instrument/memory.hpp>
#include <tutti/instrument/perf_counters.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/print_on_failure.hpp>
#include <tutti/instrument/profile_formats.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/runtime/instrument_registry.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::runtime {

namespace detail {

// A time trace that is written to a file when the context is left.
class file_time_trace : public instrument::time_trace {
    std::string file_;
    int entered_ = 0;

public:
    explicit file_time_trace(std::string file) : file_(std::move(file)) { instrument::check_writable(file_); }

    void enter_pass_ctx() {
        ++entered_;
        instrument::time_trace::enter_pass_ctx();
    }
    void exit_pass_ctx() {
        instrument::time_trace::exit_pass_ctx();
        if (--entered_ == 0) instrument::write_file(file_, render());
    }
};

// Timing, written in one of several forms when the context is left.
class formatted_timing : public instrument::timing {
    using format = std::string (*)(const instrument::profile&);

    text_writer write_;
    format format_ = nullptr;
    int entered_ = 0;

public:
    formatted_timing(text_writer write, std::string_view form) : write_(std::move(write)) {
        using instrument::profile;
        if (form == "tree") format_ = [](const profile& p) { return p.render(); };
        if (form == "list") format_ = [](const profile& p) { return instrument::render_list(p); };
        if (form == "csv") format_ = [](const profile& p) { return instrument::render_csv(p); };
        if (form == "json") format_ = [](const profile& p) { return instrument::render_json(p); };
        if (!format_)
            raise(error{"timing-as", "`" + std::string{form} + "` is no form of it", "tree, list, csv or json"});
    }

    void enter_pass_ctx() {
        ++entered_;
        instrument::timing::enter_pass_ctx();
    }
    void exit_pass_ctx() {
        instrument::timing::exit_pass_ctx();
        if (--entered_ == 0) write_(format_(last()));
    }
};

// An instrument that writes what it has counted when the context is left.
template <class I>
class counted_at_exit : public I {
    text_writer write_;

public:
    explicit counted_at_exit(text_writer write) : write_(std::move(write)) {}

    void exit_pass_ctx() {
        I::exit_pass_ctx();
        write_(this->render());
    }
};

inline std::size_t read_limit(std::string_view word) {
    std::int64_t limit = 0;
    if (!option_type<std::int64_t>::read(word, limit) || limit < 0)
        raise(error{"bisect-limit", "`" + std::string{word} + "` is no number of passes", "0, 1, 2, …"});
    return static_cast<std::size_t>(limit);
}

} // namespace detail

/// Adds the instruments that pin down what a pass does wrong or slowly, as far as `unit_traits<Unit>` has what they need. They
/// are not among `standard_instruments`, since they take longer to compile, and write files.
///
/// Example: `auto known = standard_instruments<unit>(); add_debug_instruments(known);`
template <class Unit>
void add_debug_instruments(instrument_registry<Unit>& all) {
    all.add({"bisect-limit", "Run so many passes and no more, and print what ran", false,
             [](instrument_request request) {
                 const std::size_t limit = detail::read_limit(request.value);
                 return any_instrument<Unit>{instrument::bisect_limit{limit, std::move(request.write)}};
             },
             "N"});
    all.add({"time-trace", "Write when passes ran, for chrome://tracing or Perfetto", false,
             [](instrument_request request) {
                 return any_instrument<Unit>{detail::file_time_trace{std::move(request.value)}};
             },
             "FILE"});
    all.add({"timing-as", "Measure how long passes take, as a tree, list, csv or json", false,
             [](instrument_request request) {
                 return any_instrument<Unit>{detail::formatted_timing{std::move(request.write), request.value}};
             },
             "FORM"});
    all.add({"memory", "Count what passes allocate", false, [](instrument_request request) {
                 return any_instrument<Unit>{detail::counted_at_exit<instrument::memory>{std::move(request.write)}};
             }});
    all.add({"perf-counters", "Count the instructions, cycles and page faults of passes", false,
             [](instrument_request request) {
                 return any_instrument<Unit>{
                     detail::counted_at_exit<instrument::perf_counters>{std::move(request.write)}};
             }});
    if constexpr (has_text<Unit>) {
        all.add({"print-changed", "Print what each pass changes, as a diff", false, [](instrument_request request) {
                     return any_instrument<Unit>{instrument::print_changed{{}, std::move(request.write)}};
                 }});
        all.add({"print-changed-names", "Print which passes change the program", false, [](instrument_request request) {
                     return any_instrument<Unit>{instrument::print_changed{{.form = instrument::changed_form::names},
                                                                           std::move(request.write)}};
                 }});
        all.add({"print-on-failure", "Print the program as it was before the pass that fails", false,
                 [](instrument_request request) {
                     return any_instrument<Unit>{instrument::print_on_failure{std::move(request.write)}};
                 }});
        all.add({"print-dir", "Write the program after each pass to a file of its own", false,
                 [](instrument_request request) {
                     return any_instrument<Unit>{instrument::dump{
                         {.folder = std::move(request.value), .pipeline = std::move(request.pipeline)}}};
                 },
                 "DIR"});
        all.add({"crash-reproducer",
                 "Keep the program as it was before the pass that fails, and the rest of the passes", false,
                 [](instrument_request request) {
                     return any_instrument<Unit>{instrument::crash_reproducer{
                         {.file = std::move(request.value), .pipeline = std::move(request.pipeline)}}};
                 },
                 "FILE"});
    }
}

} // namespace tutti::runtime
