#pragma once

#include <tutti/failure.hpp>
#include <tutti/instrument/files.hpp>
#include <tutti/instrument/pipeline_position.hpp>
#include <tutti/instrument/reproducer.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit_traits.hpp>

#include <cstddef>
#include <cstdio>
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
    std::string options{}; ///< what else it takes to run it: the level, what is disabled, config keys
};

/// Keeps in a file what it takes to see a pass fail again: the unit as it is before each pass, and the rest of the pipeline; see
/// `reproducer`.
///
/// It is written before the pass runs, so that it is there when the process dies: by a null pointer, out of stack, by abort, or
/// killed since it did not end. When the context is left and no pass has failed it is removed. After a pass that throws it says
/// what was thrown, stays, and is not written again.
///
/// What an adaptor runs, over parts or several times, is reproduced by the whole adaptor, so that running the file does the same.
///
/// Requires: the context's units have a text; `unit_traits<Unit>::to_full_text` if there is one, else `to_text`;
///           what is no part of it stands behind the `comment` that `unit_traits<Unit>` names.
/// Cost:     a text and a file for each pass that stands in sequentials only. The unit is not copied.
/// Throws:   `tutti::error` for a file that cannot be written: from the constructor, so that it is known before any pass has run.
/// Example:  `crash_reproducer keep{{.file = "crash.txt", .pipeline = tutti::write_pipeline(pipeline)}};`
class crash_reproducer {
    reproducer_options options_;
    pipeline_position position_;
    reproducer kept_; // what the file has
    std::string_view comment_;
    std::size_t at_ = 0;
    bool written_ = false, failed_ = false;

    void write() {
        write_file(options_.file, to_text(kept_, comment_));
        written_ = true;
    }

public:
    static constexpr std::string_view name = "crash_reproducer";
    /// Parts are transformed one after another where it is: see `tutti::on`.
    static constexpr bool in_order = true;

    explicit crash_reproducer(reproducer_options options) : options_(std::move(options)), position_(options_.pipeline) {
        check_writable(options_.file);
    }

    /// Whether a pass has failed, which the file is about.
    bool failed() const { return failed_; }

    void enter_pass_ctx() { position_.enter_pass_ctx(); }
    void exit_pass_ctx() {
        position_.exit_pass_ctx();
        if (position_.depth() > 0 || failed_ || !std::exchange(written_, false)) return;
        kept_ = {};
        std::remove(options_.file.c_str());
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
                      "it, with static std::string to_text(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
