#pragma once

#include <tutti/base/steady_clock.hpp>
#include <tutti/instrument/support/json.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/unit/operator_counts.hpp>
#include <tutti/unit/unit_traits.hpp>

#include "row.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace program::corpus {

/// Returns the counts as a JSON object.
inline std::string to_json(const tutti::operator_counts& counts) {
    std::string text;
    for (const auto& [name, uses] : counts) {
        text += text.empty() ? '{' : ',';
        tutti::internal::write_json_text(name, text);
        text.append(":").append(std::to_string(uses));
    }
    return text.empty() ? text : text + '}';
}
inline std::int64_t sum_of(const tutti::operator_counts& counts) {
    std::int64_t sum = 0;
    for (const auto& [name, uses] : counts) sum += uses;
    return sum;
}

/// An instrument that records a `pass_row` for each run of a pass over a module, and one for all runs of a pass over
/// functions. Sequentials and adaptors are not recorded, only the passes in them. Calls `begins(name)` for each pass.
template <class Begins>
class pass_recorder {
    struct state {
        const void* unit = nullptr; // null: unknown
        std::uint64_t fingerprint = 0;
        tutti::operator_counts counts{};
    };
    struct running_pass {
        std::size_t row = none;
        std::int64_t start = 0;
        state before{};
    };
    struct clock {
        std::int64_t left_out = 0, stopped_at = 0;
        int stops = 0;
        std::int64_t now() const { return (stops != 0 ? stopped_at : tutti::internal::steady_clock::now()) - left_out; }
    };
    // The row of a pass while it runs.
    struct open_row {
        pass_row row;
        tutti::operator_counts change{}, counts{};
        std::string remarks{};
        std::size_t left_out = 0; // remarks
        bool has_parts = false;
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr std::size_t most_remarks = 100; // kept for each pass; the rest are counted

    Begins begins_;
    clock clock_;
    tutti::instrument::pass_frames<running_pass> frames_;
    std::vector<open_row> rows_;
    state last_; // after the pass that ran last
    std::string failed_, liar_;

    template <class Unit>
    static state look(const Unit& unit) {
        return {&unit, tutti::unit_traits<Unit>::fingerprint(unit), tutti::unit_traits<Unit>::count_operators(unit)};
    }
    std::size_t row_of(std::string_view name, bool is_part) {
        if (is_part)
            for (std::size_t i = rows_.size(); i-- != 0;)
                if (rows_[i].has_parts && rows_[i].row.name == name) return i;
        rows_.push_back({.row = {.name = std::string{name}}, .has_parts = is_part});
        return rows_.size() - 1;
    }
    open_row* running() { return frames_.empty() || frames_.back().row == none ? nullptr : &rows_[frames_.back().row]; }
    void fail(std::string_view name) {
        if (failed_.empty()) failed_ = name;
        last_ = {};
    }

public:
    explicit pass_recorder(Begins begins) : begins_(std::move(begins)) {}

    static constexpr bool pairs_begin_and_end = true;
    static constexpr bool in_order = true;

    void enter_pass_ctx() { frames_.enter(); }
    void exit_pass_ctx() { frames_.exit(); }

    template <class Unit>
    void run_before_pass(const Unit& unit, const tutti::pass_run& info) {
        running_pass now;
        if (info.kind == tutti::pass_kind::pass) {
            begins_(info.name);
            constexpr bool is_part = std::is_same_v<Unit, tutti::relay::function>;
            now.row = row_of(info.name, is_part);
            now.before = last_.unit == &unit ? std::exchange(last_, {}) : look(unit);
            rows_[now.row].row.before += sum_of(now.before.counts);
        }
        now.start = clock_.now();
        frames_.begin(info, std::move(now));
    }
    template <class Unit>
    void run_after_pass(const Unit& unit, const tutti::pass_run& info, tutti::change what) {
        const std::int64_t end = clock_.now();
        last_ = {};
        frames_.end(info, [&](running_pass& done) {
            if (done.row == none) return;
            open_row& to = rows_[done.row];
            state now = look(unit);
            const bool is_changed = now.fingerprint != done.before.fingerprint;
            if (is_changed && what == tutti::unchanged && liar_.empty()) liar_ = info.name;
            to.row.seconds += static_cast<double>(end - done.start) * 1e-9;
            to.row.changed = to.row.changed || is_changed;
            to.row.after += sum_of(now.counts);
            for (const auto& [name, uses] : now.counts.since(done.before.counts)) to.change[name] += uses;
            last_ = std::move(now);
        });
    }
    template <class Unit>
    void pass_failed(const Unit*, const tutti::pass_run& info, const std::exception_ptr&) {
        const std::int64_t end = clock_.now();
        frames_.end(info, [&](const running_pass& done) {
            if (done.row != none) rows_[done.row].row.seconds += static_cast<double>(end - done.start) * 1e-9;
        });
        fail(info.name);
    }
    void pass_counted(const tutti::pass_info&, std::string_view name, std::int64_t n) {
        if (open_row* const to = running()) to->counts[name] += n;
    }
    void pass_remarked(const tutti::pass_info&, const tutti::remark& said) {
        open_row* const to = running();
        if (!to) return;
        if (++to->left_out > most_remarks) return;
        to->remarks += to->remarks.empty() ? "[[" : ",[";
        tutti::internal::write_json_text(to_string(said.kind), to->remarks);
        to->remarks += ',';
        tutti::internal::write_json_text(said.where, to->remarks);
        to->remarks += ',';
        tutti::internal::write_json_text(said.text, to->remarks);
        to->remarks += ']';
    }
    void stop_clock() {
        if (clock_.stops++ == 0) clock_.stopped_at = tutti::internal::steady_clock::now();
    }
    void start_clock() {
        if (--clock_.stops == 0) clock_.left_out += tutti::internal::steady_clock::now() - clock_.stopped_at;
    }

    /// The innermost pass that failed, or "".
    const std::string& failed() const { return failed_; }
    /// The first pass that changed the unit but reported no change, or "".
    const std::string& liar() const { return liar_; }

    /// Returns the rows in the order in which the passes began.
    std::vector<pass_row> take() {
        std::vector<pass_row> all;
        for (open_row& each : rows_) {
            tutti::operator_counts changes;
            for (const auto& [name, uses] : each.change)
                if (uses != 0) changes[name] = uses;
            each.row.operators = to_json(changes);
            each.row.counts = to_json(each.counts);
            each.row.remarks = each.remarks.empty() ? std::string{} : each.remarks + ']';
            if (each.left_out > most_remarks)
                each.row.remarks.insert(each.row.remarks.size() - 1, ",[\"note\",\"\",\"" +
                                                                         std::to_string(each.left_out - most_remarks) +
                                                                         " more remarks\"]");
            all.push_back(std::move(each.row));
        }
        return all;
    }
};

} // namespace program::corpus
