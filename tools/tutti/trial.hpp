#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/search/bisect_limit.hpp>
#include <tutti/search/rewrite_limit.hpp>

#include "program.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Tries passes in separate processes and checks the results. Shared by `tutti bisect` and `tutti reduce`.

namespace program {

/// The options of the check that decides whether a try fails.
struct check_options {
    std::string check = "verify"; ///< crash, verify, numerics, or a command
    std::string message;          ///< counts only failures whose message contains this text
    double timeout = 10;
    double tolerance = 1e-4;
};
void add_check_options(CLI::App& command, check_options& options);
/// Describes the options, for `--help`.
extern const char* const check_help;

/// The result of a try.
struct outcome {
    enum kind : std::uint8_t {
        right,
        threw,       ///< a pass threw
        died,        ///< the process was killed by a signal, or exited
        hung,        ///< the passes did not end in time
        ill_formed,  ///< the resulting program is malformed or ill-typed
        lied,        ///< a pass reported no change, but changed the program
        differs,     ///< the program computes different results
        refused,     ///< the command rejected the program
        not_judged,  ///< the check does not apply to this program
        interrupted, ///< stopped by the user
    };
    kind what = right;
    int code = 0;           ///< the signal, or the exit code of the process or the command
    std::string pass{};     ///< the pass that failed, if known
    std::string message{};  ///< the error's text
    std::size_t passes = 0; ///< passes that ran, or would have run
    std::string last{};     ///< the last pass that began, as `bisect_limit` writes it
    double seconds = 0;
    std::size_t rewrites = 0;                               ///< rewrites that were or would have been made, if counted
    tutti::instrument::named_rewrite rewrite{};             ///< the last rewrite that was made, if counted
    std::vector<tutti::instrument::named_run> all_passes{}; ///< all passes that began, if listed
    std::vector<tutti::instrument::named_rewrite> all_rewrites{}; ///< all rewrites that were made, if listed

    bool is_failure() const { return what != right && what != not_judged && what != interrupted; }
    /// True if another failure has the same kind and pass and, for a crash, the same code.
    bool is_like(const outcome& other) const;
    /// Describes the result in one line.
    std::string text() const;
};

/// A failing pass: the program before and after it, and a way to run it again.
struct pass_at_fault {
    std::string before{}, after{};   ///< texts of the program; `after` is empty if the pass did not end
    std::string passes{}, program{}; ///< the part of the pipeline around the pass, and the program that it transforms
};

/// The passes and rewrites of a try.
struct chosen_run {
    static constexpr std::size_t all = static_cast<std::size_t>(-1);

    std::size_t passes = all;                             ///< only the first of them
    std::vector<tutti::instrument::named_run> left_out{}; ///< runs of passes that are left out as well, in their order
    std::size_t rewrites = all;                           ///< only the first of them
    std::function<bool(const tutti::instrument::named_rewrite&)> may_apply{}; ///< refuses rewrites as well
    bool counts_rewrites = false;
    bool lists = false; ///< list the passes, and the rewrites if they are counted
};

/// Runs passes over programs, and checks the results.
class trial {
public:
    using pipeline = tutti::runtime::sequential<tutti::relay::ir_module>;
    static constexpr std::size_t all = static_cast<std::size_t>(-1);

    /// Creates a trial. `context` specifies how to run passes; its pipeline is not used.
    trial(const check_options& options, const wanted_passes& context, const volatile std::sig_atomic_t& stop);
    trial(const trial&) = delete;
    trial& operator=(const trial&) = delete;
    ~trial();

    /// Runs the first passes of a pipeline, at most `first` of them, and checks the result.
    outcome run(const tutti::relay::ir_module& m, const pipeline& passes, std::size_t first = all);
    /// Runs chosen passes of a pipeline, with chosen rewrites, and checks the result.
    outcome run(const tutti::relay::ir_module& m, const pipeline& passes, const chosen_run& chosen);
    /// Runs the first `number` passes, and describes the last of them. With `rewrites`, makes only the first rewrites, and
    /// compares with one fewer.
    pass_at_fault look_at(const tutti::relay::ir_module& m, const pipeline& passes, std::size_t number,
                          std::size_t rewrites = all);
    /// Computes the program's results once for all further checks. Requires: later calls of `run` get the same program.
    void keep(const tutti::relay::ir_module& m);

    double seconds; ///< timeout of a try

private:
    outcome run_child(const tutti::relay::ir_module& m, const pipeline& passes, const chosen_run& chosen,
                      std::string& made);
    void ask_command(const tutti::relay::ir_module& m, const std::string& made, outcome& result);

    check_options options_;
    const wanted_passes& context_;
    const volatile std::sig_atomic_t& stop_;
    bool is_command_;
    std::string folder_{}; // for the command's files
    std::optional<std::vector<tutti::relay::tensor>> computed_{};
};

/// The program and passes to try.
struct failing_case {
    source from;
    wanted_passes passes;
    std::string options; ///< options for the passes, as written on the command line
};
/// Reads a case. A reproducer supplies the passes unless the command line does. Errors end the program.
failing_case read_case(std::string_view command, const std::string& file, pass_options& options);

/// Returns the options for the passes, as written on the command line.
std::string options_text(const pass_options& options, int opt_level);
/// Returns the text of a reproducer, which `tutti opt` can run. `pass` is the pass at fault.
std::string reproducer_text(const failing_case& of, const outcome& failure, const std::string& pass,
                            const std::string& passes, const std::string& program);

/// Records a request to end (SIGINT, SIGTERM or SIGHUP) during its lifetime. A second signal of the same kind ends the
/// process at once.
class interruption {
public:
    interruption();
    interruption(const interruption&) = delete;
    interruption& operator=(const interruption&) = delete;
    ~interruption();
    const volatile std::sig_atomic_t& flag() const;
};

} // namespace program
