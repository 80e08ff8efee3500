#pragma once

#include "wire.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Results of a module, as workers send them to the recorder.

namespace program::corpus {

/// The outcome of a module. `outcome_names` has their names in the database.
enum class outcome_kind : std::uint8_t {
    ok,
    unchecked,      ///< the passes ran, but the check does not apply
    output_changed, ///< the output differs from the baseline's
    results_differ, ///< the program computes different results
    invalid,        ///< the output is malformed or ill-typed, or a pass misreported a change
    pass_failed,    ///< a pass threw
    crashed,        ///< a signal or exit ended the process
    timed_out,
    out_of_memory,
    unreadable, ///< the module cannot be read or imported
};
inline constexpr std::string_view outcome_names[]{
    "ok",          "unchecked", "output-changed", "results-differ", "invalid",
    "pass-failed", "crashed",   "timed-out",      "out-of-memory",  "unreadable"};
inline std::string_view name_of(outcome_kind k) { return outcome_names[static_cast<std::size_t>(k)]; }
inline bool is_failure(outcome_kind k) { return k != outcome_kind::ok && k != outcome_kind::unchecked; }

/// A run of a pass over a module, or the sum of a pass's runs over parts of the module.
struct pass_row {
    std::string name;
    double seconds = 0;
    bool changed = false;
    std::int64_t before = 0, after = 0; ///< numbers of operators
    std::string operators{};            ///< JSON object: change in the uses of each operator
    std::string counts{};               ///< JSON object: statistics
    std::string remarks{};              ///< JSON array of [kind, where, text]
};

/// A row of the table `module`, with its rows of the table `pass`.
struct module_row {
    std::uint64_t index = 0; ///< in the work list
    outcome_kind outcome = outcome_kind::ok;
    std::string pass{};    ///< the pass at fault, if known
    std::string message{}; ///< the error's text
    std::string reproducer{};
    std::uint64_t hash = 0;    ///< structural hash of the program
    std::uint64_t output = 0;  ///< structural hash of the transformed program; 0: none
    std::uint64_t results = 0; ///< hash of the values that the transformed program computes; 0: none
    std::int64_t before = 0, after = 0;
    std::string operators{}, operators_after{}; ///< JSON objects: uses of each operator
    double seconds = 0;
    std::vector<pass_row> passes{};
};

inline void write(wire_writer& to, const module_row& row) {
    to.number(row.index).number(static_cast<std::uint64_t>(row.outcome)).text(row.pass).text(row.message);
    to.text(row.reproducer).number(row.hash).number(row.output).number(row.results);
    to.number(static_cast<std::uint64_t>(row.before)).number(static_cast<std::uint64_t>(row.after));
    to.text(row.operators).text(row.operators_after).real(row.seconds).number(row.passes.size());
    for (const pass_row& p : row.passes) {
        to.text(p.name).real(p.seconds).number(p.changed ? 1 : 0).number(static_cast<std::uint64_t>(p.before));
        to.number(static_cast<std::uint64_t>(p.after)).text(p.operators).text(p.counts).text(p.remarks);
    }
}

inline module_row read_row(wire_reader& from) {
    module_row row;
    row.index = from.number();
    row.outcome = static_cast<outcome_kind>(from.number());
    row.pass = from.text();
    row.message = from.text();
    row.reproducer = from.text();
    row.hash = from.number();
    row.output = from.number();
    row.results = from.number();
    row.before = static_cast<std::int64_t>(from.number());
    row.after = static_cast<std::int64_t>(from.number());
    row.operators = from.text();
    row.operators_after = from.text();
    row.seconds = from.real();
    for (std::uint64_t n = from.number(); n != 0 && !from.is_done(); --n) {
        pass_row p;
        p.name = from.text();
        p.seconds = from.real();
        p.changed = from.number() != 0;
        p.before = static_cast<std::int64_t>(from.number());
        p.after = static_cast<std::int64_t>(from.number());
        p.operators = from.text();
        p.counts = from.text();
        p.remarks = from.text();
        row.passes.push_back(std::move(p));
    }
    return row;
}

} // namespace program::corpus
