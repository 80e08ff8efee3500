#pragma once

#include <tutti/pass/hooks.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// A run of a pass: its description, as written by `bisect_limit`, and its number among runs with that description. It
/// stays the same if other passes are left out.
struct named_run {
    std::string pass{};
    std::size_t number = 1;

    bool operator==(const named_run&) const = default;
};

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
    std::vector<named_run> left_out_, met_; // met_: the number of runs so far, by pass

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
    bool is_left_out(const std::string& pass) {
        if (left_out_.empty()) return false;
        auto at = std::find_if(met_.begin(), met_.end(), [&](const named_run& r) { return r.pass == pass; });
        if (at == met_.end()) at = met_.insert(met_.end(), {pass, 0});
        ++at->number;
        return std::find(left_out_.begin(), left_out_.end(), *at) != left_out_.end();
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

    /// Also skips these runs. Call it before passes run.
    void leave_out(std::vector<named_run> runs) { left_out_ = std::move(runs); }

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
        std::string pass = described(run, unit);
        const bool runs = !is_left_out(pass) && count_ <= limit_;
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
