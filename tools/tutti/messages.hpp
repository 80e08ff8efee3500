#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace CLI {
class App;
} // namespace CLI

// Messages on standard error: verbosity, colours and progress.

namespace program {

/// True if a file is a terminal.
bool is_terminal(std::FILE* file);

/// Adds --quiet, --verbose and --color to a command.
void add_message_options(CLI::App& command);

/// Writes to standard error, without characters that would disturb a terminal.
void report(std::string_view text);
/// Writes to standard error like `report`, but keeps colours.
void report_coloured(std::string_view text);
/// True if messages are coloured. Without --color, they are coloured if standard error is a terminal and NO_COLOR is
/// unset or empty.
bool colours();
/// Writes `WHERE: note: WHAT` to standard error, for facts that are not errors but may surprise. --quiet omits it.
void note(std::string_view where, std::string_view what);

/// Returns a count and its noun: "1 array", "3 arrays".
std::string counted(std::size_t count, std::string_view what);

/// Sets the text of the progress line, which a terminal shows after two seconds. With --verbose, also writes the text
/// as a line of its own.
void doing(std::string_view what);
/// Sets the progress line like `doing`, with a bar for `done` of `total` steps.
void doing(std::string_view what, std::size_t done, std::size_t total);

/// Enables `doing` during its lifetime. Uses a thread, so it must not exist while the process forks.
class progress_line {
public:
    progress_line();
    ~progress_line();
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;
};

/// Shows progress step by step, without a thread. On a terminal, a line appears after two seconds and is rewritten.
class progress {
    double next_;           // time of the next update
    std::size_t shown_ = 0; // characters on the line

public:
    progress();
    void tell(const std::string& line);
    /// Clears the line.
    void clear();
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() { clear(); }
};

} // namespace program
