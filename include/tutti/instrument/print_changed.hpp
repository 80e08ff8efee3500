#pragma once

#include <tutti/instrument/print_pass.hpp>
#include <tutti/instrument/support/line_diff.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// The output of `print_changed` for a pass that changed the unit.
enum class changed_form {
    diff,  ///< name of the pass and the difference
    text,  ///< name of the pass and the resulting unit
    quiet, ///< name of the pass
};

/// Options of `print_changed`.
struct changed_options {
    changed_form form = changed_form::diff;
    std::vector<std::string> passes{}; ///< only passes with these names; all if empty
    std::string part{};                ///< only this part, such as a function; the whole unit if empty
    diff_style style{};                ///< its `value_names` are ignored: `unit_traits` names them
};

/// Writes the changes that each pass makes: `// after FuseOps:` and a diff, or `// after FuseOps: no change`. With
/// `changed_form::quiet`, writes only a line per pass that changed the unit. Writes to standard error by default.
///
/// If a pass leaves the text unchanged, the line may also end in:
///   - `changed, but not in its text`, if the fingerprints differ, or if units have none and the pass reports a change
///   - `no change in its text`, if units have no fingerprint and the pass does not report changes
///
/// If `part` is set, fingerprints are not used, and an unchanged text is reported as `no change in its text` unless the
/// pass reports that it changed nothing.
///
/// A sequential or an adaptor is reported only for changes that its members did not make. Changes by members that the
/// instrument does not receive (`filter`) or skips (`passes`) count as changes by the sequential or adaptor. The report
/// then covers all changes since the first such member. A pass that changes the unit but reports no change is named:
/// `// after FuseOps: it reported no change, but changed the unit`.
///
/// Requires: units have a text (`unit_traits<Unit>::to_text`). A change to a part without a text is reported for the
///           pass around the one that made it. If `part` is set, units need `to_text(unit, part)`, and the changes
///           by all passes over parts are reported in this way.
/// Cost:     a text per pass, and another for each outermost pass and for each pass after one that the instrument does
///           not examine. With fingerprints: a fingerprint per pass, and texts only for changes (none with
///           `changed_form::quiet`). The unit is not copied and need not be copyable.
/// Example:  `print_changed print{{}, [](std::string_view text) { std::cerr << text; }};`
template <std::invocable<std::string_view> Write = tutti::internal::write_to_stderr>
class print_changed {
    // The text and fingerprint of a unit at some moment.
    struct state {
        bool known = false;
        bool exact = false; // true if `fingerprint` is known
        std::uint64_t fingerprint = 0;
        std::string text{};
    };
    struct running_pass {
        seen_run seen; // when `before` was seen
        const void* unit;
        const char* type; // identifies the unit's type
        pass_kind kind;
        bool reported = false;       // a change by the pass, or by a pass inside it, was reported
        bool reported_parts = false; // changes by passes over parts inside it were reported
        bool lied = false;           // the pass, or one inside it, misreported
        bool own = false;            // the pass itself changed the unit, or an unexamined member did
        state before{};              // updated after each member of a composite pass, until `own` is set
        state handed{};              // the state of another unit that a member ran over; it may become the result
    };

    changed_options options_;
    Write write_{};
    pass_frames<running_pass> frames_;
    bool missing_ = true; // true until a unit with `options_.part` is seen
    std::string liar_{};

    template <class Unit>
    static constexpr char type_of = 0; // its address identifies the type
    static constexpr std::string_view not_shown = ": changed, but not in its text";

    bool takes(std::string_view pass) const {
        for (const std::string& each : options_.passes)
            if (each == pass) return true;
        return options_.passes.empty();
    }
    // Returns the current state of a unit. Reuses the text of `before` if the fingerprints are equal.
    template <class Unit>
    state look(const Unit& unit, const state& before = {}) {
        state now{.known = true};
        if constexpr (tutti::internal::has_part_text<Unit>)
            if (!options_.part.empty()) {
                now.text = unit_traits<Unit>::to_text(unit, options_.part);
                if (!now.text.empty()) missing_ = false;
                return now;
            }
        if constexpr (tutti::internal::has_fingerprint<Unit>) {
            now.exact = true;
            now.fingerprint = unit_traits<Unit>::fingerprint(unit);
            if (options_.form == changed_form::quiet) return now;
            if (before.exact && now.fingerprint == before.fingerprint) {
                now.text = before.text;
                return now;
            }
        }
        now.text = unit_traits<Unit>::to_text(unit);
        return now;
    }
    void write(std::string_view pass, std::string_view kind, std::string_view what) {
        std::string line = "// after ";
        line.append(pass).append(kind.empty() ? "" : " (").append(kind).append(kind.empty() ? "" : ")").append(what);
        if (!line.ends_with('\n')) line += '\n';
        write_(std::string_view{line});
    }
    // Returns the composite pass around a pass that begins or has just ended, if both run over the same type of units.
    template <class Unit>
    running_pass* around(const pass_run& run) {
        running_pass* const outer = frames_.around();
        const bool is_around =
            outer && outer->kind != pass_kind::pass && outer->type == &type_of<Unit> && outer->seen.runs(run);
        return is_around ? outer : nullptr;
    }
    // Returns the state of a unit at the beginning of a pass. Reuses the state seen last if nothing has run since.
    template <class Unit>
    state look_before(const Unit& unit, const pass_run& run) {
        running_pass* const outer = around<Unit>(run);
        if (!outer || outer->unit != &unit || !outer->before.known) return look(unit);
        if (!outer->own && outer->seen.is_next(run)) return std::exchange(outer->before, {});
        state now = look(unit, outer->before);
        outer->own = outer->own || differ(now, outer->before);
        return now;
    }
    static bool differ(const state& a, const state& b) { return a.fingerprint != b.fingerprint || a.text != b.text; }
    template <class Unit>
    bool is_part() const {
        return !frames_.empty() && frames_[0].type != &type_of<Unit>;
    }

    void tell_of(running_pass& done, const state& now, const pass_info& info, change what, std::string_view kind,
                 std::string_view value_names) {
        const bool leaf = done.kind == pass_kind::pass;
        if (differ(now, done.before)) {
            if (what == unchanged && !done.lied) {
                write(info.name, kind, ": it reported no change, but changed the unit");
                if (liar_.empty()) liar_ = info.name;
                done.lied = true;
            }
            if (!leaf && done.reported_parts && !done.own) return;
            done.reported = true;
            if (options_.form == changed_form::quiet)
                write(info.name, kind, {});
            else if (now.text == done.before.text)
                write(info.name, kind, not_shown);
            else if (options_.form == changed_form::diff)
                write(info.name, kind,
                      ":\n" + line_diff(done.before.text, now.text,
                                        {options_.style.context, options_.style.colour, value_names}));
            else
                write(info.name, kind, ":\n" + now.text);
        } else if (leaf && options_.form == changed_form::quiet) {
            if (what == changed && !now.exact && options_.part.empty()) write(info.name, kind, {});
        } else if (leaf) {
            write(info.name, kind,
                  what == unchanged || now.exact             ? std::string_view{": no change"}
                  : what == changed && options_.part.empty() ? not_shown
                                                             : ": no change in its text");
        }
    }
    // Ends a pass. `done` is its frame, which has been removed from `frames_`.
    template <class Unit>
    void end(const Unit& unit, const pass_run& run, change what, running_pass& done) {
        // a sequential changes nothing itself
        bool current = done.before.known && !done.own && done.seen.is_current(run);
        if (done.before.known && takes(run.name) && (!current || done.kind != pass_kind::sequential)) {
            state now = look(unit, done.before);
            if (!done.handed.known || differ(now, done.handed))
                tell_of(done, now, run, what, is_part<Unit>() ? tutti::internal::unit_name<Unit>() : std::string_view{},
                        tutti::internal::unit_value_names<Unit>());
            done.before = std::move(now);
            current = true;
        }
        if (frames_.outermost()) return;
        running_pass& outer = frames_.back();
        outer.reported = outer.reported || done.reported;
        outer.lied = outer.lied || done.lied;
        if (outer.type != done.type)
            outer.reported_parts = outer.reported_parts || done.reported;
        else
            outer.reported_parts = outer.reported_parts || done.reported_parts;
        if (!around<Unit>(run)) return;
        if (outer.unit == done.unit) {
            if (current) outer.seen.see(run);
            if (done.before.known && !outer.own) outer.before = std::move(done.before);
        } else if (current) {
            outer.handed = std::move(done.before);
        }
    }

public:
    static constexpr std::string_view name = "print_changed";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    print_changed() = default;
    explicit print_changed(changed_options options, Write sink = {})
        : options_(std::move(options)), write_(std::move(sink)) {}

    /// The name of the first pass that changed the unit but reported no change, or "".
    const std::string& liar() const { return liar_; }

    void enter_pass_ctx() {
        if (!frames_.enter()) frames_.back().seen.forget();
    }
    void exit_pass_ctx() {
        frames_.exit();
        if (!frames_.empty()) return;
        if (!options_.part.empty() && missing_) {
            const std::string line = "// " + options_.part + ": no pass ran over a unit with such a part\n";
            write_(std::string_view{line});
        }
        missing_ = true;
    }
    template <tutti::internal::has_text Unit>
    void run_before_pass(const Unit& unit, const pass_run& run) {
        running_pass now{.seen = seen_run(run), .unit = &unit, .type = &type_of<Unit>, .kind = run.kind};
        if (takes(run.name) && tutti::internal::has_unit_text<Unit>(options_.part)) now.before = look_before(unit, run);
        frames_.begin(run, std::move(now));
    }
    template <tutti::internal::has_text Unit>
    void run_after_pass(const Unit& unit, const pass_run& run, change what) {
        frames_.end(run, [&](running_pass& done) { end(unit, run, what, done); });
    }
    template <tutti::internal::has_text Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        frames_.end(info);
        if (!frames_.empty()) frames_.back().before = {};
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (tutti::internal::has_text<Unit> || ...);
        static_assert(fits,
                      "tutti::instrument::print_changed: a unit must have a text; specialise tutti::unit_traits for "
                      "it, before it is used, with static std::string to_text(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
