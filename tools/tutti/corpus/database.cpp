#include "database.hpp"

#include "../program.hpp"

#include <utility>

#include <sqlite3.h>

namespace program::corpus {

database::database(std::string file, mode how) : file_(std::move(file)) {
    const int flags = how == mode::read    ? SQLITE_OPEN_READONLY
                      : how == mode::write ? SQLITE_OPEN_READWRITE
                                           : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const int code = sqlite3_open_v2(file_.c_str(), &handle_, flags, nullptr);
    if (code != SQLITE_OK) {
        const std::string why = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
        sqlite3_close(handle_);
        throw failure{wrong_input, message(program::name_of(file_), "cannot be opened: " + why)};
    }
    sqlite3_busy_timeout(handle_, 10'000);
}

database::~database() { sqlite3_close(handle_); }

void database::fail(std::string_view what) const {
    const int code = sqlite3_extended_errcode(handle_);
    std::string said = std::string{what} + ": " + sqlite3_errmsg(handle_);
    if ((code & 0xFF) == SQLITE_FULL || code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC)
        said += "; finished modules stay, and --resume continues once the disk has room";
    throw failure{wrong_input, message(program::name_of(file_), said)};
}

void database::run(const char* sql) const {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be written");
}

statement::statement(const database& in, std::string_view sql) : in_(&in) {
    if (sqlite3_prepare_v3(in.handle(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &handle_,
                           nullptr) != SQLITE_OK)
        in.fail("is no database of `tutti corpus run`");
}
statement::~statement() { sqlite3_finalize(handle_); }

statement& statement::bind(std::int64_t n) {
    sqlite3_bind_int64(handle_, ++bound_, n);
    return *this;
}
statement& statement::bind(double x) {
    sqlite3_bind_double(handle_, ++bound_, x);
    return *this;
}
statement& statement::bind(std::string_view text) {
    if (text.empty())
        sqlite3_bind_null(handle_, ++bound_);
    else
        sqlite3_bind_text64(handle_, ++bound_, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
}

bool statement::next() {
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) {
        const bool is_written = sqlite3_stmt_readonly(handle_) == 0;
        in_->fail(is_written ? "cannot be written" : "cannot be read");
    }
    reset();
    return false;
}
void statement::run() {
    while (next()) {}
}
void statement::reset() {
    sqlite3_reset(handle_);
    bound_ = 0;
}

std::int64_t statement::number(int column) const { return sqlite3_column_int64(handle_, column); }
double statement::real(int column) const { return sqlite3_column_double(handle_, column); }
std::string_view statement::text(int column) const {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    return text ? std::string_view{text, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))}
                : std::string_view{};
}
int statement::type(int column) const { return sqlite3_column_type(handle_, column); }
int statement::columns() const { return sqlite3_column_count(handle_); }
std::string_view statement::name(int column) const { return sqlite3_column_name(handle_, column); }

} // namespace program::corpus
