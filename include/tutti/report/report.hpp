#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/base/steady_clock.hpp>
#include <tutti/instrument/support/files.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/report/data.hpp>
#include <tutti/report/graph_formats.hpp>
#include <tutti/report/page.hpp>
#include <tutti/unit/operator_counts.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Options of `report`.
struct report_options {
    std::string file{};     ///< the file to write; none if empty
    std::string title{};    ///< the name of the input, such as a file name
    std::string pipeline{}; ///< the pipeline in text form, for display: `write_pipeline(pipeline)`
    report_limits limits{};
    file_problem problem = nullptr; ///< called if a write fails while passes run
};

/// Creates an HTML page about the passes that run: when and for how long they ran, the unit's text before and after
/// (side by side), its graph before and after, operators added and removed, counts, remarks, and failures. The page is
/// one self-contained file.
///
/// The file is extended before each pass, so after a crash the page shows everything up to the crash. Without a file,
/// the report keeps all data for `render()`. The report covers all contexts that use it as an instrument. Times exclude
/// the hooks of instruments. `Clock::now()` returns nanoseconds since a fixed moment.
///
/// Requires: nothing of `unit_traits<Unit>`. The report uses its `to_text`, `count_operators` and `graph` if they
///           exist.
/// Cost:     after each pass, writes the unit's text and compares it with the previous text line by line. Lays out the
///           graph if the text changed. Stores changed lines; equal texts are stored once.
/// Throws:   `tutti::error` from the constructor, before any pass runs, if the file cannot be written. If writing
///           fails later, for example on a full disk, `problem` is called, and the report ends. If `problem` is null,
///           the hook throws.
/// Example:  `report page{{.file = "report.html", .pipeline = tutti::write_pipeline(pipeline)}};`
template <class Clock>
class basic_report {
    static constexpr std::uint32_t none = report_data::none;

    struct running_pass {
        std::uint32_t run;
        seen_run seen; // the latest run when `now` was set
        const void* unit;
        const char* type; // identifies the unit's type
        pass_kind kind;
        std::uint32_t before = none; // version of the unit before the pass
        std::uint32_t now = none;    // current version, between the inner passes; `none` if unknown
        operator_counts operators{};
    };

    // Stops the clock during a hook, so that the hook's time does not count towards the pass.
    struct pause {
        basic_report& self;
        explicit pause(basic_report& r) : self(r) { self.stop_clock(); }
        ~pause() { self.start_clock(); }
        pause(const pause&) = delete;
        pause& operator=(const pause&) = delete;
    };

    report_options options_;
    report_data data_;
    pass_frames<running_pass> frames_;
    std::uint32_t last_ = none; // the last version seen
    growing_file file_;
    bool begun_ = false;    // the file exists
    bool given_up_ = false; // the file cannot be written
    int entered_ = 0;
    int stops_ = 0;
    std::int64_t stopped_at_ = 0, left_out_ = 0;

    template <class Unit>
    static constexpr char type_of = 0; // its address identifies the type

    std::int64_t now() const { return (stops_ > 0 ? stopped_at_ : Clock::now()) - left_out_; }
    std::uint32_t run_around() const { return frames_.empty() ? none : frames_.back().run; }
    std::string head() const { return report_page_begin(options_.title, options_.pipeline); }

    [[gnu::cold]] void begin_file() {
        if (options_.file.empty() || std::exchange(begun_, true)) return;
        given_up_ = !try_to_write(options_.problem, [&] { file_.begin(head()); });
    }
    // Appends the new events to the file.
    [[gnu::cold]] void flush() {
        if (options_.file.empty() || data_.events().empty()) return;
        begin_file();
        if (!given_up_)
            given_up_ = !try_to_write(options_.problem, [&] { file_.add(report_page_data(data_.events())); });
        data_.clear();
    }

    template <class Unit>
    std::uint32_t look([[maybe_unused]] const Unit& unit) {
        if constexpr (tutti::internal::has_text<Unit> || tutti::internal::has_graph<Unit>) {
            const auto add = [&](std::string_view text) {
                return data_.add_version(text, last_, tutti::internal::unit_value_names<Unit>());
            };
            report_data::added_version added;
            if constexpr (tutti::internal::has_text<Unit>)
                added = add(unit_traits<Unit>::to_text(unit));
            else
                added = add(to_dot(unit_traits<Unit>::graph(unit)));
            if constexpr (tutti::internal::has_graph<Unit>)
                if (added.fresh) data_.add_graph(added.number, unit_traits<Unit>::graph(unit));
            if (added.number != none) last_ = added.number;
            return added.number;
        } else {
            return none;
        }
    }
    // Returns the composite pass directly around `run`, or null if there is none over the same unit.
    template <class Unit>
    running_pass* around(const Unit& unit, const pass_run& run) {
        running_pass* const outer = frames_.around();
        const bool is_around = outer && outer->kind != pass_kind::pass && outer->type == &type_of<Unit> &&
                               outer->unit == &unit && outer->seen.runs(run);
        return is_around ? outer : nullptr;
    }
    // Returns a function that ends a pass whose end was not seen.
    auto close() {
        return [this](const running_pass& inner) { data_.end(inner.run, now(), {}); };
    }

public:
    static constexpr std::string_view name = "report";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    explicit basic_report(report_options options = {})
        : options_(std::move(options)), data_(options_.limits), file_(options_.file) {
        if (!options_.file.empty()) check_writable(options_.file);
    }

    void enter_pass_ctx() {
        const pause stopped{*this};
        ++entered_;
        if (!frames_.enter()) frames_.back().seen.forget();
        begin_file();
    }
    void exit_pass_ctx() {
        const pause stopped{*this};
        frames_.exit(close());
        if (--entered_ > 0) return;
        data_.leave();
        flush();
    }
    template <class Unit>
    void run_before_pass(const Unit& unit, const pass_run& run) {
        const pause stopped{*this};
        running_pass begun{.run = none, .seen = seen_run(run), .unit = &unit, .type = &type_of<Unit>, .kind = run.kind};
        if (const running_pass* const outer = around(unit, run); outer && outer->seen.is_next(run))
            begun.before = outer->now;
        if (begun.before == none) begun.before = look(unit);
        begun.now = begun.before;
        if constexpr (tutti::internal::has_operators<Unit>) begun.operators = unit_traits<Unit>::count_operators(unit);
        begun.run = data_.begin(run_around(), run, tutti::internal::unit_name<Unit>(), now(), begun.before);
        frames_.begin(run, std::move(begun));
        if (run.kind == pass_kind::pass) flush();
    }
    template <class Unit>
    void run_after_pass(const Unit& unit, const pass_run& run, change what) {
        const pause stopped{*this};
        const auto end = [&](const running_pass& done) {
            report_data::ending how{.what = what, .version = done.now};
            // a sequential changes nothing beyond its members' changes
            const bool known = done.kind == pass_kind::sequential && done.now != none && done.seen.is_current(run);
            if (!known) how.version = look(unit);
            operator_counts operators;
            if constexpr (tutti::internal::has_operators<Unit>)
                operators = unit_traits<Unit>::count_operators(unit).since(done.operators);
            how.operators = &operators;
            data_.end(done.run, now(), how);
            if (running_pass* const outer = around(unit, run)) {
                outer->now = how.version;
                outer->seen.see(run);
            } else if (!frames_.empty()) {
                frames_.back().now = none;
            }
        };
        frames_.end(run, end, close());
    }
    void pass_failed(const auto*, const pass_info& info, const std::exception_ptr& reason) {
        const pause stopped{*this};
        const auto fail = [&](const running_pass& done) {
            std::string what = "an exception without a message";
            tutti::internal::with_what(reason, [&](const char* said) { what = said; });
            data_.end(done.run, now(), {.failed = true, .failure = what});
            if (!frames_.empty()) frames_.back().now = none; // an adaptor may continue with a unit of unknown version
            flush();
        };
        frames_.end(info, fail, close());
    }
    void pass_skipped(const pass_info& info, skip_reason why) {
        const pause stopped{*this};
        data_.skip(run_around(), info, why);
    }
    void pass_counted(const pass_info&, std::string_view what, std::int64_t n) {
        const pause stopped{*this};
        if (!frames_.empty()) data_.add_count(frames_.back().run, what, n);
    }
    void pass_remarked(const pass_info&, const remark& said) {
        const pause stopped{*this};
        data_.add_remark(run_around(), said);
    }
    void stop_clock() {
        if (stops_++ == 0) stopped_at_ = Clock::now();
    }
    void start_clock() {
        if (--stops_ == 0) left_out_ += Clock::now() - stopped_at_;
    }

    /// Adds a computed value to the page. `what` is the value's name or the line that computes it.
    void add_value(std::string_view what, std::string_view summary) {
        data_.add_value(what, summary);
        if (entered_ == 0) flush();
    }

    /// Returns the page of a report without a file.
    std::string render() const { return head() + report_page_data(data_.events()); }
};

/// `basic_report` with the steady clock.
using report = basic_report<tutti::internal::steady_clock>;

/// Appends values and measured operations to a report's file, for code that cannot access the report. `data` collects
/// them with `report_data::add_value` and `report_data::add_operation`.
///
/// Throws: `tutti::error` if the file cannot be written.
[[gnu::cold]] inline void append_to_report(const std::string& file, const report_data& data) {
    if (!data.events().empty()) append_to_file(file, report_page_data(data.events()));
}

} // namespace tutti::instrument
