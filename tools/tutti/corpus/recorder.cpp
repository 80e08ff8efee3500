#include "recorder.hpp"

#include <tutti/base/error.hpp>
#include <tutti/base/steady_clock.hpp>
#include <tutti/version.hpp>

#include "schema.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace program::corpus {

namespace {

std::string version_text() {
    const auto [a, b, c] = tutti::version;
    return std::to_string(a) + "." + std::to_string(b) + "." + std::to_string(c);
}

bool has_contents(const std::string& file) {
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    return !failed && size != 0;
}

database::mode checked_mode(const run_options& options) {
    const std::string& file = options.output;
    if (has_contents(file) && !options.resume)
        throw failure{wrong_input,
                      message(program::name_of(file),
                              "exists; expected --resume, which continues its run, or the name of a new file")};
    return has_contents(file) ? database::mode::write : database::mode::create;
}

} // namespace

std::string hexadecimal(std::uint64_t hash) {
    if (hash == 0) return {};
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

recorder::recorder(const run_settings& settings)
    : to_(settings.options.output, checked_mode(settings.options)), version_(version_text()) {
    to_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    // The tables and the configuration appear together, so an interrupted start leaves an empty database.
    to_.run("BEGIN IMMEDIATE");
    bool is_new = false;
    {
        statement tables{to_, "SELECT count(*) FROM sqlite_master"};
        tables.next();
        is_new = tables.number(0) == 0;
    }
    if (is_new) {
        to_.run(schema);
        statement insert{to_, "INSERT INTO run VALUES (?, ?)"};
        insert.bind("schema").bind(schema_number).run();
        insert.bind("version").bind(version_).run();
        for (const auto& [key, value] : settings.configuration)
            insert.bind(key).bind(value.empty() ? std::string_view{"none"} : std::string_view{value}).run();
    } else {
        check_configuration(settings);
        count_rows();
    }
    to_.run("COMMIT");
    known_.emplace(to_, "SELECT bytes FROM module WHERE name = ?");
    insert_module_.emplace(to_, "INSERT OR IGNORE INTO module (name, bytes, hash, outcome, pass, message, reproducer, "
                                "operators_before, operators_after, operators, operators_result, output, results, "
                                "seconds, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id");
    insert_pass_.emplace(to_, "INSERT INTO pass VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (settings.baseline.empty()) return;
    baseline_db_.emplace(settings.baseline, database::mode::read);
    baseline_.emplace(*baseline_db_, "SELECT hash, output, operators_after, outcome FROM module WHERE name = ?");
}

recorder::~recorder() = default;

void recorder::check_configuration(const run_settings& settings) {
    statement find{to_, "SELECT value FROM run WHERE key = ?"};
    const auto check = [&](const std::string& key, const std::string& value) {
        const bool is_there = find.bind(key).next();
        const std::string was{is_there ? find.text(0) : std::string_view{}};
        find.reset();
        if (was == value) return;
        throw failure{
            wrong_input,
            message(program::name_of(to_.file()),
                    tutti::error{"--resume", key + " is `" + value + "`, but the database's rows have `" + was + "`",
                                 "the same configuration, or a new database"}
                        .what())};
    };
    check("schema", schema_number);
    check("version", version_);
    for (const auto& [key, value] : settings.configuration) check(key, value.empty() ? "none" : value);
}

void recorder::count_rows() {
    statement count{to_, "SELECT (SELECT count(*) FROM module), (SELECT count(*) FROM failure)"};
    count.next();
    rows_ = static_cast<std::uint64_t>(count.number(0));
    failures_ = static_cast<std::uint64_t>(count.number(1));
    committed_ = rows_;
}

bool recorder::has(const std::string& name, std::uint64_t bytes) {
    const bool found = known_->bind(std::string_view{name}).next();
    const bool is_same = found && known_->number(0) == static_cast<std::int64_t>(bytes);
    known_->reset();
    if (found && !is_same)
        throw failure{wrong_input, message(program::name_of(to_.file()),
                                           "has a row for " + name +
                                               ", whose size has changed; expected the same file, or a new database")};
    return found;
}

void recorder::compare_with_baseline(module_row& row, const std::string& name) {
    if (row.outcome != outcome_kind::ok) return;
    const auto differs = [&](const std::string& how) {
        row.outcome = outcome_kind::output_changed;
        row.message = how;
    };
    statement& b = *baseline_;
    if (!b.bind(std::string_view{name}).next()) return;
    if (b.text(0) != hexadecimal(row.hash))
        row.message = "the module differs from the baseline's, so the outputs were not compared";
    else if (b.text(1).empty())
        row.message = "has no output in the baseline: " + std::string{b.text(3)};
    else if (b.number(2) != row.after)
        differs("has " + std::to_string(row.after) + " operators instead of the baseline's " +
                std::to_string(b.number(2)));
    else if (b.text(1) != hexadecimal(row.output))
        differs("the output differs from the baseline's, with as many operators");
    b.reset();
}

void recorder::add(module_row& row, const std::string& name, std::uint64_t bytes) {
    if (baseline_) compare_with_baseline(row, name);
    if (!is_open_) {
        to_.run("BEGIN IMMEDIATE");
        is_open_ = true;
        opened_ = tutti::internal::steady_clock::now();
    }
    const std::string hash = hexadecimal(row.hash), output = hexadecimal(row.output),
                      results = hexadecimal(row.results);
    statement& m = *insert_module_;
    m.bind(std::string_view{name}).bind(static_cast<std::int64_t>(bytes)).bind(std::string_view{hash});
    m.bind(name_of(row.outcome)).bind(std::string_view{row.pass}).bind(std::string_view{row.message});
    m.bind(std::string_view{row.reproducer}).bind(row.before).bind(row.after).bind(std::string_view{row.operators});
    m.bind(std::string_view{row.operators_after}).bind(std::string_view{output}).bind(std::string_view{results});
    m.bind(row.seconds).bind(std::string_view{version_});
    if (!m.next()) return; // has a row
    const std::int64_t id = m.number(0);
    m.run();
    std::int64_t step = 0;
    for (const pass_row& each : row.passes) {
        statement& p = *insert_pass_;
        p.bind(id).bind(step++).bind(std::string_view{each.name}).bind(each.seconds).bind(std::int64_t{each.changed});
        p.bind(each.before).bind(each.after).bind(std::string_view{each.operators});
        p.bind(std::string_view{each.counts}).bind(std::string_view{each.remarks}).run();
    }
    ++rows_;
    if (is_failure(row.outcome)) ++failures_;
}

void recorder::tick() {
    constexpr std::int64_t often = 200'000'000; // nanoseconds
    constexpr std::uint64_t many = 200;
    if (is_open_ && (rows_ - committed_ >= many || tutti::internal::steady_clock::now() - opened_ >= often)) commit();
}

void recorder::commit() {
    if (!is_open_) return;
    to_.run("COMMIT");
    is_open_ = false;
    committed_ = rows_;
}

} // namespace program::corpus
