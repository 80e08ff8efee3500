#pragma once

#include <tutti/kernel/tensor.hpp>

#include "program.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Passes that are tried, each time in a process of their own, and the check of what they make: what `tutti bisect` and `tutti reduce`
// have in common.

namespace program {

/// What the command line says of the check.
struct check_options {
    std::string check = "verify"; ///< crash, verify, numerics, or a command
    std::string message;          ///< a failure is one whose message has this in it
    double timeout = 10;
    double tolerance = 1e-4;
};
void add_check_options(CLI::App& command, check_options& options);
/// What the options mean, for `--help`.
extern const char* const check_help;

/// What came of a try.
struct outcome {
    enum kind : std::uint8_t {
        right,
        threw,       ///< a pass did
        died,        ///< the process did, by a signal
        hung,        ///< it did not end in time
        ill_formed,  ///< the program that came out is not in order, or ill-typed
        lied,        ///< a pass said that it changed nothing, and did
        differs,     ///< the program computes something else
        refused,     ///< the command said so
        not_judged,  ///< nothing can be said of this program
        interrupted, ///< it was ended from outside
    };
    kind what = right;
    int code = 0;           ///< the signal, or the command's exit code
    std::string pass{};     ///< which pass failed, if one is known
    std::string message{};  ///< what it said, or what is wrong
    std::size_t passes = 0; ///< how many passes ran, or would have
    std::string last{};     ///< the last that began, as `bisect_limit` writes it
    double seconds = 0;

    bool is_failure() const { return what != right && what != not_judged && what != interrupted; }
    /// Whether another failure is the same: of the same kind, of the same pass.
    bool is_like(const outcome& other) const;
    /// What is wrong, in a line.
    std::string text() const;
};

/// What stands at a pass: the program before and after it, and what runs it again.
struct pass_at_fault {
    std::string before{}, after{};   ///< texts; nothing after if it did not end
    std::string passes{}, program{}; ///< the part of the pipeline that it is in, and what that is run over
};

/// Runs passes over programs, and checks.
class trial {
public:
    using pipeline = tutti::runtime::sequential<tutti::relay::ir_module>;
    static constexpr std::size_t all = static_cast<std::size_t>(-1);

    /// `context`: how passes are run; without a pipeline that is meant.
    trial(const check_options& options, const wanted_passes& context, const volatile std::sig_atomic_t& stop);
    trial(const trial&) = delete;
    trial& operator=(const trial&) = delete;
    ~trial();

    /// Runs the first so many passes of a pipeline, and checks what came of it.
    outcome run(const tutti::relay::ir_module& m, const pipeline& passes, std::size_t first = all);
    /// Looks at the pass of that number.
    pass_at_fault look_at(const tutti::relay::ir_module& m, const pipeline& passes, std::size_t number);
    /// What a program computes is computed once from now on, since it is always the same.
    void keep(const tutti::relay::ir_module& m);

    double seconds; ///< how long a try may take

private:
    outcome run_child(const tutti::relay::ir_module& m, const pipeline& passes, std::size_t first, std::string& made);
    void ask_command(const tutti::relay::ir_module& m, const std::string& made, outcome& result);

    check_options options_;
    const wanted_passes& context_;
    const volatile std::sig_atomic_t& stop_;
    bool is_command_;
    std::string folder_{}; // for the command's files
    std::optional<std::vector<tutti::relay::tensor>> computed_{};
};

/// What is tried: a program, and the passes over it.
struct failing_case {
    source from;
    wanted_passes passes;
    std::string options; ///< how they are run, as it is written on the command line
};
/// Reads it. A file that is a reproducer says which passes, where the command line does not. What is wrong ends the program.
failing_case read_case(std::string_view command, const std::string& file, pass_options& options);

/// The text of a reproducer: `tutti opt` runs it as it is. `pass`: the one that is to blame.
std::string reproducer_text(const failing_case& of, const outcome& failure, const std::string& pass,
                            const std::string& passes, const std::string& program);

/// Notes a request to end (SIGINT, SIGTERM or SIGHUP) for as long as this lives; a second one of the same kind ends it at once.
class interruption {
public:
    interruption();
    interruption(const interruption&) = delete;
    interruption& operator=(const interruption&) = delete;
    ~interruption();
    const volatile std::sig_atomic_t& flag() const;
};

/// Says how far it is: on a terminal in one place, elsewhere a line now and then.
class progress {
    double next_ = -1;      // when it is to be shown; below 0: not known yet
    std::size_t shown_ = 0; // characters that stand on the line

public:
    void tell(const std::string& line);
    /// Takes the line away.
    void clear();
    progress() = default;
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() { clear(); }
};

} // namespace program
