#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/instrument/support/files.hpp>
#include <tutti/instrument/support/pipeline_position.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/search/reproducer.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::instrument {

/// Options of `crash_reproducer`.
struct reproducer_options {
    std::string file{};
    std::string
        pipeline{}; ///< the pipeline in text form: `write_pipeline(pipeline)`; if empty, only the failing pass is named
    std::string options{};          ///< the other settings of the run: level, disabled passes, config keys
    file_problem problem = nullptr; ///< called if the file cannot be written while passes run
};

/// Writes a file that reproduces a failing pass. The file contains the unit before the pass and the remainder of the
/// pipeline; see `reproducer`.
///
/// The file is written before each pass runs, so it exists even if the process dies of a null pointer, a stack
/// overflow, an abort, or a kill after an endless loop. If the context is left without a failure, the file is removed,
/// or restored if it existed before. If a pass throws, the exception's message is added to the file, and the file is
/// not written again.
///
/// For a pass inside an adaptor, which may run it over parts or repeatedly, the file contains the whole adaptor, so
/// that running the file repeats the failure.
///
/// Requires: units have a text form: `unit_traits<Unit>::to_full_text` if it exists, otherwise `to_text`. Its comment
///           lines start with `unit_traits<Unit>::comment`.
/// Cost:     writes the unit's text to the file before each pass that is inside sequentials only. Does not copy units.
/// Throws:   `tutti::error` from the constructor, before any pass runs, if the file cannot be written, or contains
///           anything but a reproducer. A later write error is passed to `problem`, or thrown if `problem` is null.
/// Example:  `crash_reproducer keep{{.file = "crash.txt", .pipeline = tutti::write_pipeline(pipeline)}};`
class crash_reproducer {
    reproducer_options options_;
    pipeline_position position_;
    reproducer kept_; // the contents of the file
    std::string_view comment_;
    std::size_t at_ = 0;
    bool written_ = false, failed_ = false;
    bool given_up_ = false;  // the file cannot be written
    bool was_there_ = false; // the file existed before any pass ran
    std::string old_{};      // the contents of the file before any pass ran

    void write() {
        if (given_up_) return;
        const std::string text = to_text(kept_, comment_);
        given_up_ = !try_to_write(options_.problem, [&] { write_file(options_.file, text); });
        written_ = written_ || !given_up_;
    }
    // Restores the previous state of the file.
    void restore() {
        kept_ = {};
        if (!was_there_)
            remove_file(options_.file);
        else if (is_regular_file(options_.file))
            try_to_write(options_.problem, [&] { write_file(options_.file, old_); });
    }
    // True if a file's text starts with `COMMENT reproducer: `, for any comment marker.
    static bool is_one(std::string_view text) {
        const std::size_t end = text.substr(0, 32).find(" reproducer: ");
        return end != std::string_view::npos && is_reproducer(text, text.substr(0, end));
    }

public:
    static constexpr std::string_view name = "crash_reproducer";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    explicit crash_reproducer(reproducer_options options) : options_(std::move(options)), position_(options_.pipeline) {
        check_writable(options_.file);
        was_there_ = file_exists(options_.file);
        old_ = read_file(options_.file);
        if (!old_.empty() && !is_one(old_))
            raise(error{options_.file, "exists and is not a reproducer", "a new file, or a reproducer"});
    }

    /// True if a pass has failed. The file then reproduces the failure.
    bool failed() const { return failed_; }

    void enter_pass_ctx() { position_.enter_pass_ctx(); }
    void exit_pass_ctx() {
        position_.exit_pass_ctx();
        if (position_.depth() == 0 && !failed_ && std::exchange(written_, false)) restore();
    }
    template <class Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        position_.begin(info);
        if constexpr (tutti::internal::has_text<Unit>) {
            if (failed_ || !position_.at_rest()) return;
            kept_ = {std::string{info.name}, position_.rest(), options_.options, {}, {}};
            if constexpr (tutti::internal::has_full_text<Unit>)
                kept_.unit = unit_traits<Unit>::to_full_text(unit);
            else
                kept_.unit = unit_traits<Unit>::to_text(unit);
            comment_ = tutti::internal::unit_comment<Unit>();
            at_ = position_.depth();
            write();
        }
    }
    template <class Unit>
    void run_after_pass(const Unit&, const pass_info& info) {
        position_.end(info);
    }
    template <class Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr& reason) {
        const bool outermost = position_.depth() == 1;
        const bool is_kept = position_.depth() == at_; // false inside an adaptor, which may continue
        position_.end(info);
        if (!written_ || failed_) return;
        if (is_kept) {
            kept_.failure = "an exception without a message";
            tutti::internal::with_what(reason, [&](const char* what) { kept_.failure = what; });
        }
        if (!outermost) return;
        failed_ = true;
        write();
    }
    void pass_skipped(const pass_info& info, skip_reason) { position_.skip(info); }

    /// For `check_instrument_of`.
    template <class Unit, class... Part>
    static consteval bool check_units(units<Unit, Part...>) {
        constexpr bool fits = tutti::internal::has_text<Unit>;
        static_assert(fits,
                      "tutti::instrument::crash_reproducer: a unit must have a text; specialise tutti::unit_traits for "
                      "it, before it is used, with static std::string to_text(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
