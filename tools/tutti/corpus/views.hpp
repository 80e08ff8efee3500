#pragma once

#include "database.hpp"

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace program::corpus {

/// The options of `tutti corpus show`.
struct show_options {
    std::string file;
    bool failures = false;
    std::size_t slowest = 0; ///< number of modules; 0: not asked for
    std::string module{};    ///< name of a module to show
    bool json = false;
    std::string page{}; ///< file of the page; empty: none
};
void show(const show_options& options);

/// The options of `tutti corpus diff`.
struct diff_options {
    std::string before, after;
    double slower = 5; ///< percent beyond which a slower pass is reported
    bool json = false;
    std::string page{};
};
void diff(const diff_options& options);

/// Ends the program unless a database is one of `tutti corpus run`.
void check_schema(const database& of);
/// Returns the configuration of a run, by key.
nlohmann::ordered_json configuration(const database& of, const char* table = "run");
/// Returns the rows of a query as objects. A column whose name ends in "_json" is parsed, and loses that ending.
nlohmann::ordered_json rows_of(const database& of, const std::string& query);
/// Returns the first line of a text, shortened to a number of characters.
std::string first_line(std::string text, std::size_t most = 100);
/// Returns a time with its unit: "12.3 ms".
std::string duration(double seconds);

/// Describes the difference of a module: "ok -> crashed in FuseOps: SIGSEGV".
std::string change_text(const nlohmann::ordered_json& changed);

/// Returns a page with the results of a run.
std::string page_of_run(const database& of);
/// Returns a page with the differences of two runs.
std::string page_of_diff(const nlohmann::ordered_json& all);

} // namespace program::corpus
