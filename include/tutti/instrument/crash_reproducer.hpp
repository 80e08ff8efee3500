#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>
#include <tutti/instrument/files.hpp>
#include <tutti/instrument/pipeline_position.hpp>
#include <tutti/instrument/reproducer.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit_traits.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::instrument {

/// What `crash_reproducer` writes, and where.
struct reproducer_options {
    std::string file{};
    std::string
        pipeline{}; ///< its text, `write_pipeline(pipeline)`; without it, only the pass that fails is known, by its name
    std::string options{};          ///< what else it takes to run it: the level, what is disabled, config keys
    file_problem problem = nullptr; ///< called if the file cannot be written while passes run
};

/// Keeps in a file what it takes to see a pass fail again: the unit as it is before each pass, and the rest of the pipeline; see
/// `reproducer`.
///
/// It is written before the pass runs, so that it is there when the process dies: by a null pointer, out of stack, by abort, or
/// killed since it did not end. When the context is left and no pass has failed, the file is removed, or is again what it was
/// before. After a pass that throws it says what was thrown, stays, and is not written again.
///
/// What an adaptor runs, over parts or several times, is reproduced by the whole adaptor, so that running the file does the same.
///
/// Requires: the context's units have a text; `unit_traits<Unit>::to_full_text` if there is one, else `to_text`;
///           what is no part of it stands behind the `comment` that `unit_traits<Unit>` names.
/// Cost:     a text and a file for each pass that stands in sequentials only. The unit is not copied.
/// Throws:   `tutti::error` from the constructor, before any pass has run, for a file that cannot be written, or that has other
///           contents than a reproducer. A file that cannot be written later is an error too, or a call of `problem`.
/// Example:  `crash_reproducer keep{{.file = "crash.txt", .pipeline = tutti::write_pipeline(pipeline)}};`
class crash_reproducer {
    reproducer_options options_;
    pipeline_position position_;
    reproducer kept_; // what the file has
    std::string_view comment_;
    std::size_t at_ = 0;
    bool written_ = false, failed_ = false;
    bool given_up_ = false;  // it cannot be written
    bool was_there_ = false; // before any pass ran
    std::string old_{};      // and had this in it

    void write() {
        if (given_up_) return;
        const std::string text = to_text(kept_, comment_);
        given_up_ = !try_to_write(options_.problem, [&] { write_file(options_.file, text); });
        written_ = written_ || !given_up_;
    }
    // What was there before is there again.
    void restore() {
        kept_ = {};
        if (!was_there_)
            remove_file(options_.file);
        else if (is_regular_file(options_.file))
            try_to_write(options_.problem, [&] { write_file(options_.file, old_); });
    }
    // `COMMENT reproducer: `, whatever begins a comment.
    static bool is_one(std::string_view text) {
        const std::size_t end = text.substr(0, 32).find(" reproducer: ");
        return end != std::string_view::npos && is_reproducer(text, text.substr(0, end));
    }

public:
    static constexpr std::string_view name = "crash_reproducer";
    static constexpr bool pairs_begin_and_end = true;
    /// Parts are transformed one after another where it is: see `tutti::on`.
    static constexpr bool in_order = true;

    explicit crash_reproducer(reproducer_options options) : options_(std::move(options)), position_(options_.pipeline) {
        check_writable(options_.file);
        was_there_ = file_exists(options_.file);
        old_ = read_file(options_.file);
        if (!old_.empty() && !is_one(old_))
            raise(error{options_.file, "is a file already, and is not a reproducer", "a new file, or a reproducer"});
    }

    /// Whether a pass has failed, which the file is about.
    bool failed() const { return failed_; }

    void enter_pass_ctx() { position_.enter_pass_ctx(); }
    void exit_pass_ctx() {
        position_.exit_pass_ctx();
        if (position_.depth() == 0 && !failed_ && std::exchange(written_, false)) restore();
    }
    template <class Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        position_.begin(info);
        if constexpr (has_text<Unit>) {
            if (failed_ || !position_.at_rest()) return;
            kept_ = {std::string{info.name}, position_.rest(), options_.options, {}, {}};
            if constexpr (has_full_text<Unit>)
                kept_.unit = unit_traits<Unit>::to_full_text(unit);
            else
                kept_.unit = unit_traits<Unit>::to_text(unit);
            comment_ = unit_comment<Unit>();
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
        const bool is_kept = position_.depth() == at_; // else an adaptor may go on
        position_.end(info);
        if (!written_ || failed_) return;
        if (is_kept) {
            kept_.failure = "an exception that says nothing";
            with_what(reason, [&](const char* what) { kept_.failure = what; });
        }
        if (!outermost) return;
        failed_ = true;
        write();
    }
    void pass_skipped(const pass_info& info, skip_reason) { position_.skip(info); }

    /// For `check_instrument_of`.
    template <class Unit, class... Part>
    static consteval bool check_units(units<Unit, Part...>) {
        constexpr bool fits = has_text<Unit>;
        static_assert(fits,
                      "tutti::instrument::crash_reproducer: a unit must have a text; specialise tutti::unit_traits for "
                      "it, before it is used, with static std::string to_text(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
