#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace program::corpus {

/// An SQLite database. Errors end the program with a message that names the file.
class database {
public:
    enum class mode { create, write, read };

    database(std::string file, mode how);
    database(const database&) = delete;
    database& operator=(const database&) = delete;
    ~database();

    const std::string& file() const { return file_; }
    sqlite3* handle() const { return handle_; }
    /// Runs statements without results.
    void run(const char* sql) const;
    /// Ends the program with SQLite's message for the last error.
    [[noreturn]] void fail(std::string_view what) const;

private:
    std::string file_;
    sqlite3* handle_ = nullptr;
};

/// A prepared statement. Parameters are bound in order, and columns read by number.
class statement {
public:
    statement(const database& in, std::string_view sql);
    statement(const statement&) = delete;
    statement& operator=(const statement&) = delete;
    ~statement();

    statement& bind(std::int64_t n);
    statement& bind(double x);
    /// Binds a text, which must stay valid until the statement has run. An empty text becomes NULL.
    statement& bind(std::string_view text);
    /// Proceeds to the next row. False, and ready to be bound again, after the last one.
    bool next();
    /// Runs a statement without results.
    void run();
    /// Ends reading rows, so that parameters can be bound again.
    void reset();

    std::int64_t number(int column) const;
    double real(int column) const;
    std::string_view text(int column) const;
    int columns() const;
    int type(int column) const; ///< SQLITE_INTEGER, …
    std::string_view name(int column) const;

private:
    const database* in_;
    sqlite3_stmt* handle_ = nullptr;
    int bound_ = 0;
};

} // namespace program::corpus
