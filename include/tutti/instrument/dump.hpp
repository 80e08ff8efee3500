#pragma once

#include <tutti/instrument/support/files.hpp>
#include <tutti/instrument/support/pipeline_position.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Options of `dump`.
struct dump_options {
    std::string folder{};
    std::string pipeline{}; ///< from `write_pipeline(pipeline)`; without it, files lack the options of passes
    std::vector<std::string> passes{}; ///< only passes with these names; all if empty
    std::string part{};                ///< only this part, such as a function; the whole unit if empty
    bool only_changed = false;         ///< skip passes that left the unit unchanged
    bool full = false;                 ///< use `to_full_text`, if units have one
    file_problem problem =
        nullptr; ///< called if a file cannot be written while passes run; no files are written afterwards
};

/// Writes the unit after each pass to a separate file, `0007-FuseOps.txt`. A pass that runs others has a folder for
/// their files: `0003-fixpoint/0004-CSE.txt`. The input is written to `0000-input.txt`. A file begins with the pipeline
/// that produced it.
///
/// Passes are counted as in `bisect_limit`: those that run no others, in the order in which they began, for the
/// lifetime of the instrument. A folder has the number of the first pass in it. Files are written atomically.
///
/// Requires: units have a text (`unit_traits<Unit>::to_text`); passes over parts that have none are skipped. If
///           `part` is set, units need `to_text(unit, part)`; passes over parts are skipped too, and `full` has no
///           effect. Files have the `extension` of `unit_traits<Unit>`, and lines outside the unit start with its
///           `comment`.
/// Throws:   `tutti::error` from the constructor if the folder cannot be written; from a hook if a file cannot be
///           written and `problem` is null.
/// Example:  `dump files{{.folder = "ir", .pipeline = tutti::write_pipeline(pipeline)}};`
class dump {
    struct running_pass {
        std::size_t number = 0; // 0 if the pass runs others
        std::string folder{};   // for the passes inside it
        bool adaptor = false;
    };

    dump_options options_;
    pipeline_position position_;
    pass_frames<running_pass> frames_;
    std::size_t count_ = 0;
    bool input_written_ = false, given_up_ = false;

    bool takes(std::string_view pass) const {
        for (const std::string& each : options_.passes)
            if (each == pass) return true;
        return options_.passes.empty();
    }
    static std::string numbered(std::size_t number, std::string_view pass) {
        std::string digits = std::to_string(number);
        if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
        return digits + "-" + file_name(pass);
    }
    std::string outer_folder() const { return frames_.empty() ? std::string{} : frames_.back().folder; }

    template <class Unit>
    void write(const std::string& folder, const std::string& file, std::string head, const Unit& unit) {
        if (given_up_ || !tutti::internal::has_unit_text<Unit>(options_.part)) return;
        std::string text;
        while (!head.empty()) { // comments out each line; a name may span several
            const std::size_t end = head.find('\n');
            text.append(tutti::internal::unit_comment<Unit>()).append(" ").append(head, 0, end).append("\n");
            head.erase(0, end == std::string::npos ? end : end + 1);
        }
        text += text_of(unit);
        if (!text.ends_with('\n')) text += '\n';
        given_up_ = !try_to_write(options_.problem, [&] {
            std::string where = options_.folder;
            if (!folder.empty()) make_folder(where.append("/").append(folder));
            write_file(where.append("/").append(file).append(".").append(tutti::internal::unit_extension<Unit>()),
                       text);
        });
    }
    template <class Unit>
    std::string text_of(const Unit& unit) const {
        if constexpr (tutti::internal::has_full_text<Unit>)
            if (options_.full && options_.part.empty()) return unit_traits<Unit>::to_full_text(unit);
        return tutti::internal::unit_text(unit, options_.part);
    }

public:
    static constexpr std::string_view name = "dump";
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    explicit dump(dump_options options) : options_(std::move(options)), position_(options_.pipeline) {
        make_folder(options_.folder);
        check_writable(options_.folder + "/" + numbered(0, "input"));
    }

    void enter_pass_ctx() {
        position_.enter_pass_ctx();
        if (frames_.enter()) input_written_ = false;
    }
    void exit_pass_ctx() {
        position_.exit_pass_ctx();
        frames_.exit();
    }
    template <class Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        if constexpr (tutti::internal::has_text<Unit>)
            if (!std::exchange(input_written_, true)) write({}, numbered(count_, "input"), "input", unit);
        running_pass now{.folder = outer_folder(), .adaptor = info.kind == pass_kind::adaptor};
        const bool unnamed = info.kind == pass_kind::sequential && info.name == "sequential";
        if (info.kind == pass_kind::pass)
            now.number = ++count_;
        else if (!unnamed || (!frames_.empty() && !frames_.back().adaptor))
            now.folder.append(now.folder.empty() ? "" : "/").append(numbered(count_ + 1, info.name));
        position_.begin(info);
        frames_.begin(info, std::move(now));
    }
    template <class Unit>
    void run_after_pass(const Unit& unit, const pass_info& info, [[maybe_unused]] change what) {
        frames_.end(info, [&](const running_pass& done) {
            if constexpr (tutti::internal::has_text<Unit>) {
                if (done.number == 0 || !takes(info.name) || (options_.only_changed && what == unchanged)) return;
                std::string head = "after " + std::string{info.name} + ", pass " + std::to_string(done.number);
                if (const std::string so_far = position_.so_far(); !so_far.empty())
                    head.append("\npipeline: ").append(so_far);
                if (const std::string inside = position_.inside(); !inside.empty())
                    head.append("\ninside of: ").append(inside);
                write(done.folder, numbered(done.number, info.name), std::move(head), unit);
            }
        });
        position_.end(info);
    }
    template <class Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        frames_.end(info);
        position_.end(info);
    }
    void pass_skipped(const pass_info& info, skip_reason) { position_.skip(info); }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (tutti::internal::has_text<Unit> || ...);
        static_assert(
            fits,
            "tutti::instrument::dump: a unit must have a text; specialise tutti::unit_traits for it, before it is used, "
            "with static std::string to_text(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
