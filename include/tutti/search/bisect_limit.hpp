#pragma once

#include <tutti/pass/hooks.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::instrument {

/// Limits the number of passes that run, to find the pass that makes a result wrong. `bisect` automates the search.
///
/// The instrument counts runs of passes in the order in which they begin, but not runs of sequentials and adaptors.
/// Runs over each part and in each round of a fixpoint count separately. The count is never reset. A pass that the
/// context requires runs at any limit, and is counted.
///
/// With a `Write`, the instrument writes a line for each run, such as `BISECT: running pass (7) FuseOps` or
/// `BISECT: NOT running pass (8) CSE in fixpoint`. For a pass over parts, the line ends with `over a function`.
///
/// Example: `bisect_limit first{7, [](std::string_view line) { std::cerr << line; }};`
template <class Write = none>
class bisect_limit {
    std::size_t limit_, count_ = 0;
    [[no_unique_address]] Write write_;
    const char* asked_ = nullptr; // name of the pass for which `should_run` was called, until the pass begins
    const char* whole_ = nullptr; // identifies the type of the outermost pass's units
    std::string last_;

    template <class Unit>
    static constexpr char type_of = 0; // its address identifies the type

    static std::string described(const pass_run& run, std::string_view unit) {
        std::string text{run.name};
        for (const pass_run* outer = run.outer; outer; outer = outer->outer)
            if (outer->kind != pass_kind::sequential || outer->name != "sequential")
                text.append(" in ").append(outer->name);
        if (!unit.empty()) text.append(" over a ").append(unit);
        return text;
    }
    // Returns the name of the unit type if the pass is over parts, otherwise "".
    template <class Unit>
    std::string_view part(const pass_run& run) {
        if (!run.outer) whole_ = &type_of<Unit>;
        return whole_ == &type_of<Unit> ? std::string_view{} : tutti::internal::unit_name<Unit>();
    }
    void tell(std::string_view what, std::string_view pass) {
        if constexpr (!std::same_as<Write, none>) {
            std::string line = "BISECT: ";
            line.append(what).append(" pass (").append(std::to_string(count_)).append(") ").append(pass).append("\n");
            write_(std::string_view{line});
        }
    }

public:
    static constexpr std::string_view name = "bisect_limit";
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;
    /// No limit.
    static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

    explicit bisect_limit(std::size_t limit = unlimited, Write write = {}) : limit_(limit), write_(std::move(write)) {}

    /// Returns the number of passes that ran or would have run.
    std::size_t count() const { return count_; }
    /// Returns a description of the last pass that ran, as in the written lines.
    const std::string& last() const { return last_; }

    template <class Unit>
    bool should_run(const Unit&, const pass_run& run) {
        const std::string_view unit = part<Unit>(run);
        if (run.kind != pass_kind::pass) return true;
        ++count_;
        asked_ = run.name.data();
        const bool runs = count_ <= limit_;
        std::string pass = described(run, unit);
        tell(runs ? "running" : "NOT running", pass);
        if (runs) last_ = std::move(pass);
        return runs;
    }
    template <class Unit>
    void run_before_pass(const Unit&, const pass_run& run) {
        const std::string_view unit = part<Unit>(run);
        if (run.kind != pass_kind::pass || std::exchange(asked_, nullptr) == run.name.data()) return;
        ++count_;
        last_ = described(run, unit);
        tell("running required", last_);
    }
    void pass_skipped(const pass_info&, skip_reason) { asked_ = nullptr; }
};

} // namespace tutti::instrument
