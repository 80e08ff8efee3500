#pragma once

#include "database.hpp"
#include "row.hpp"
#include "settings.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace program::corpus {

/// Writes rows to the database of a run. Rows are committed together, at the latest after a fifth of a second or 200 modules; committed rows
/// survive the death of this process.
class recorder {
public:
    /// Creates the database, or continues one with the same configuration if --resume is given. Errors end the program.
    explicit recorder(const run_settings& settings);
    ~recorder();

    /// True if a module has a row.
    bool has(const std::string& name, std::uint64_t bytes);
    /// Adds a module's rows, and replaces the outcome if the output differs from the baseline's. Ignores a module that
    /// has rows.
    void add(module_row& row, const std::string& name, std::uint64_t bytes);
    /// Commits if the last commit was long enough ago.
    void tick();
    void commit();

    std::uint64_t rows() const { return rows_; }
    std::uint64_t failures() const { return failures_; }

private:
    void check_configuration(const run_settings& settings);
    void compare_with_baseline(module_row& row, const std::string& name);
    void count_rows();

    database to_;
    std::optional<database> baseline_db_;
    std::optional<statement> known_, insert_module_, insert_pass_, baseline_;
    std::string version_;
    std::uint64_t rows_ = 0, failures_ = 0, committed_ = 0;
    bool is_open_ = false; // a transaction
    std::int64_t opened_ = 0;
};

/// Returns a hash as 16 hexadecimal digits, or "" for 0.
std::string hexadecimal(std::uint64_t hash);

} // namespace program::corpus
