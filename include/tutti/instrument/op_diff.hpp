#pragma once

#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/operator_counts.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Counts the operators that passes add and remove.
///
/// Requires: the operators of units can be counted (`unit_traits<Unit>::count_operators`); passes over parts whose
///           operators cannot be counted are skipped.
/// Cost:     counts the operators twice per pass.
/// Example:  `op_diff diff; …; std::cerr << diff.render();`
class op_diff {
public:
    /// The changes by a pass, including those of passes inside it.
    struct change {
        std::size_t depth = 0; ///< number of surrounding passes
        std::string pass;
        operator_counts counts; ///< change in the number of uses of each operator; never zero
    };

    static constexpr std::string_view name = "op_diff";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    void enter_pass_ctx() {
        if (frames_.enter()) changes_.clear();
    }
    void exit_pass_ctx() { frames_.exit(); }

    template <tutti::internal::has_operators Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        running_pass now{changes_.size(), unit_traits<Unit>::count_operators(unit)};
        changes_.push_back({frames_.depth(), std::string{info.name}, {}});
        frames_.begin(info, std::move(now));
    }
    template <tutti::internal::has_operators Unit>
    void run_after_pass(const Unit& unit, const pass_info& info) {
        frames_.end(info, [&](const running_pass& begun) {
            changes_[begun.index].counts = unit_traits<Unit>::count_operators(unit).since(begun.before);
        });
    }
    /// Records no change for a pass that throws.
    template <tutti::internal::has_operators Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        frames_.end(info);
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (tutti::internal::has_operators<Unit> || ...);
        static_assert(fits,
                      "tutti::instrument::op_diff: a unit's operators must be countable; specialise tutti::unit_traits "
                      "for it, before it is used, with static tutti::operator_counts count_operators(const Unit&)");
        return fits;
    }

    /// The passes since the context was entered, in the order in which they began.
    const std::vector<change>& changes() const { return changes_; }

    /// Returns one line per pass that changed something, indented by a tab per surrounding pass: `FuseOps: +2 nn.relu,
    /// -1 add`.
    std::string render() const {
        std::string text;
        for (const change& each : changes_) {
            if (each.counts.empty()) continue;
            text.append(each.depth, '\t').append(each.pass);
            const char* separator = ": ";
            for (const auto& [op, uses] : each.counts) {
                text.append(separator).append(uses > 0 ? "+" : "").append(std::to_string(uses)).append(" ").append(op);
                separator = ", ";
            }
            text += '\n';
        }
        return text;
    }

private:
    struct running_pass {
        std::size_t index;
        operator_counts before;
    };

    std::vector<change> changes_;
    pass_frames<running_pass> frames_;
};

} // namespace tutti::instrument
