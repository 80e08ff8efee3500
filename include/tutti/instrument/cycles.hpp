#pragma once

#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// A `fixpoint` that reached its limit.
struct endless_fixpoint {
    std::size_t rounds = 0; ///< rounds that ran
    std::size_t cycle = 0;  ///< number of rounds after which the unit is the same again; 0 if there is no such number
    std::vector<std::string> passes{}; ///< the passes that changed the unit in the cycle, or else in the last round
};

/// Returns, for example, "AddSort and DropFirst undo each other: after 10 rounds, every 2 rounds leave the same unit".
[[gnu::cold]] inline std::string to_text(const endless_fixpoint& found) {
    std::string text;
    for (std::size_t i = 0; i < found.passes.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == found.passes.size() ? " and " : ", ").append(found.passes[i]);
    if (found.passes.empty()) text = "it";
    const std::string rounds = std::to_string(found.rounds) + (found.rounds == 1 ? " round" : " rounds");
    if (found.cycle == 0) return text + " changed the unit in the last of " + rounds;
    const bool several = found.passes.size() > 1;
    text += several ? " undo each other: " : " undoes its own changes: ";
    text.append("each ").append(found.cycle == 1 ? "round leaves" : std::to_string(found.cycle) + " rounds leave");
    return text + " the same unit, after " + rounds;
}

/// Finds the passes that keep a `fixpoint` from ending: for each one that reaches its limit and does not ignore that
/// (`on_limit::silent`), the passes that changed the unit last. If the unit was the same after an earlier round, the
/// passes of the rounds since then are named: they undo each other, and a higher limit will not help. Cycles of up to 64
/// rounds are found.
///
/// Requires: passes report their changes, or units have a fingerprint. Cycles are found by fingerprint.
/// Cost:     a fingerprint around each pass that does not report its changes, and after each round of a fixpoint.
/// Example:  `cycles endless; …; for (const auto& each : endless.found()) std::cerr << to_text(each) << '\n';`
class cycles {
    struct round {
        std::uint64_t unit = 0; // the fingerprint after the round
        std::vector<std::string> passes{};
    };
    struct running_fixpoint {
        const pass_run* run;
        std::size_t count = 0;
        std::vector<round> rounds{}; // the last ones
        bool compares = false;       // units have a fingerprint
        bool failed = false;         // a pass inside failed
    };

    static constexpr std::ptrdiff_t longest_cycle = 64; // rounds that are always known

    std::vector<running_fixpoint> running_;
    std::vector<endless_fixpoint> found_;

    static bool is_fixpoint(const pass_info& pass) {
        return pass.kind == pass_kind::adaptor && pass.name == "fixpoint";
    }
    running_fixpoint* find(const pass_run* run) {
        for (running_fixpoint& each : running_)
            if (each.run == run) return &each;
        return nullptr;
    }
    // Describes a fixpoint that has reached its limit.
    void add(const running_fixpoint& from) {
        const std::vector<round>& rounds = from.rounds;
        endless_fixpoint made{.rounds = from.count};
        std::size_t first = rounds.size() - 1;
        for (std::size_t i = rounds.size() - 1; from.compares && i-- > 0;)
            if (rounds[i].unit == rounds.back().unit) {
                first = i + 1;
                made.cycle = rounds.size() - first;
                break;
            }
        for (std::size_t i = first; i < rounds.size(); ++i)
            for (const std::string& each : rounds[i].passes) add(each, made.passes);
        found_.push_back(std::move(made));
    }
    static void add(const std::string& pass, std::vector<std::string>& to) {
        for (const std::string& each : to)
            if (each == pass) return;
        to.push_back(pass);
    }

public:
    static constexpr std::string_view name = "cycles";
    static constexpr bool pairs_begin_and_end = true;

    /// The fixpoints that reached their limits, in this order. Fixpoints that did so several times are here several
    /// times.
    const std::vector<endless_fixpoint>& found() const { return found_; }
    void clear() { found_.clear(); }

    void run_before_pass(const auto&, const pass_run& run) {
        if (is_fixpoint(run)) running_.push_back({&run});
        running_fixpoint* const of = running_.empty() ? nullptr : find(run.outer);
        if (of == nullptr) return;
        ++of->count;
        if (of->rounds.size() == 2 * longest_cycle)
            of->rounds.erase(of->rounds.begin(), of->rounds.begin() + longest_cycle);
        of->rounds.emplace_back();
    }
    template <class Unit>
    void run_after_pass([[maybe_unused]] const Unit& unit, const pass_run& run, change what) {
        if (running_.empty()) return;
        if (is_fixpoint(run)) std::erase_if(running_, [&](const auto& each) { return each.run == &run; });
        // A run is in a round of each fixpoint around it. Fixpoints over parts may run at the same time.
        if (run.kind == pass_kind::pass && what != unchanged)
            for (const pass_run* outer = run.outer; outer != nullptr; outer = outer->outer)
                if (running_fixpoint* const of = find(outer)) of->rounds.back().passes.emplace_back(run.name);
        if constexpr (tutti::internal::has_fingerprint<Unit>)
            if (running_fixpoint* const of = find(run.outer)) {
                of->rounds.back().unit = unit_traits<Unit>::fingerprint(unit);
                of->compares = true;
            }
    }
    void pass_remarked(const pass_run& run, const remark& said) {
        const running_fixpoint* const of = find(&run);
        if (of != nullptr && said.where == "fixpoint" && !of->rounds.empty()) add(*of);
    }
    void pass_failed(const auto*, const pass_run& run, const std::exception_ptr&) {
        if (running_.empty()) return;
        if (running_fixpoint* const of = find(run.outer)) of->failed = true;
        const running_fixpoint* const own = find(&run);
        if (own != nullptr && !own->failed && !own->rounds.empty()) add(*own);
        std::erase_if(running_, [&](const auto& each) { return each.run == &run; });
    }
};

} // namespace tutti::instrument
