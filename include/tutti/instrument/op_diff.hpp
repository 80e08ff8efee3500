#pragma once

#include <tutti/operator_counts.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit_traits.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Which operators passes add and remove.
///
/// Requires: the operators of units can be counted (`unit_traits<Unit>::count_operators`).
/// Cost:     counting twice a pass.
/// Example:  `op_diff diff; …; std::cerr << diff.render();`
class op_diff {
public:
    /// What a pass did, together with the passes that ran inside of it.
    struct change {
        std::size_t depth = 0; ///< how many passes it ran inside of
        std::string pass;
        operator_counts counts; ///< more uses (positive) or fewer (negative) than before; none that is zero
    };

    void enter_pass_ctx() {
        changes_.clear();
        running_.clear();
    }

    void run_before_pass(const auto& unit, const pass_info& info) {
        running_.push_back({changes_.size(), count(unit)});
        changes_.push_back({running_.size() - 1, std::string{info.name}, {}});
    }
    void run_after_pass(const auto& unit, const pass_info&) {
        const auto [index, before] = std::move(running_.back());
        running_.pop_back();
        operator_counts counts = count(unit);
        for (const auto& [name, uses] : before) counts[name] -= uses;
        std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
        changes_[index].counts = std::move(counts);
    }
    /// A pass that throws has changed nothing.
    void pass_failed(const auto&, const pass_info&, const std::exception_ptr&) { running_.pop_back(); }

    /// What passes did since the context was entered, in the order in which they began.
    const std::vector<change>& changes() const { return changes_; }

    /// One line for each pass that changed something, indented by a tab for each pass that it ran inside of:
    /// `FuseOps: +2 nn.relu, -1 add`.
    std::string render() const {
        std::string text;
        for (const change& each : changes_) {
            if (each.counts.empty()) continue;
            text.append(each.depth, '\t').append(each.pass);
            const char* separator = ": ";
            for (const auto& [name, uses] : each.counts) {
                text.append(separator)
                    .append(uses > 0 ? "+" : "")
                    .append(std::to_string(uses))
                    .append(" ")
                    .append(name);
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

    template <class Unit>
    static operator_counts count(const Unit& unit) {
        static_assert(has_operators<Unit>,
                      "tutti::instrument::op_diff: a unit's operators must be countable; specialise "
                      "tutti::unit_traits for "
                      "it, with static tutti::operator_counts count_operators(const Unit&)");
        if constexpr (has_operators<Unit>)
            return unit_traits<Unit>::count_operators(unit);
        else
            return {};
    }

    std::vector<change> changes_;
    std::vector<running_pass> running_;
};

} // namespace tutti::instrument
