#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/output_file.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/runtime/instrument_registry.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/sequential.hpp>

#include "messages.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

// Shared by the subcommands: setup, reading, writing, and exit codes.

namespace program {

enum exit_code { done = 0, wrong_input = 1, wrong_usage = 2, pass_failed = 3, stopped = 4 };

/// Ends the program with an exit code. Standard error receives only the message.
struct failure {
    exit_code code;
    std::string message; ///< `WHERE: error: WHAT`, with the quoted line if known; may be empty
};

/// The work of a subcommand, run once the command line has been read.
using action = std::function<void()>;

// Each of these functions adds a subcommand, which stores its work in `chosen` if the command line names it.
void add_opt(CLI::App& app, action& chosen);
void add_run(CLI::App& app, action& chosen);
void add_compare(CLI::App& app, action& chosen);
void add_check(CLI::App& app, action& chosen);
void add_inspect(CLI::App& app, action& chosen);
void add_precision(CLI::App& app, action& chosen);
void add_bench(CLI::App& app, action& chosen);
void add_model(CLI::App& app, action& chosen);
void add_list(CLI::App& app, action& chosen);
void add_bisect(CLI::App& app, action& chosen);
void add_reduce(CLI::App& app, action& chosen);
void add_corpus(CLI::App& app, action& chosen);
void add_profile(CLI::App& app, action& chosen);
void add_completion(CLI::App& app, action& chosen);
void add_man_page(CLI::App& app, action& chosen);

/// Returns the contents of a file, or of standard input for "-".
std::string read_text(const std::string& file);
/// Returns the contents of a file like `read_text`, but maps regular files. Throws: `tutti::error` if mapping fails.
std::shared_ptr<const tutti::file::mapped_file> bytes_of(const std::string& file);
/// Writes a file, or standard output for "-". A regular file is replaced atomically: a temporary file is renamed once
/// it is complete. Other files, such as devices, are written directly.
void write_text(const std::string& file, std::string_view text);
/// A `tutti::output_file` whose errors end the program. If a signal ends the process first, the unfinished file is
/// removed.
class new_file {
public:
    explicit new_file(std::string name);
    ~new_file();
    new_file(const new_file&) = delete;
    new_file& operator=(const new_file&) = delete;

    void write(std::string_view text);
    void done();
    /// Returns the name of a file that contains everything written so far, or "" if the file cannot be read. Call it
    /// before `done`.
    std::string written();

private:
    void forget();

    std::unique_ptr<tutti::output_file> to_;
    char* unfinished_ = nullptr; // entry in the list of files that the signal handler removes
};
/// Reports that an instrument's file could not be written. The passes continue, and the program exits with
/// `wrong_input` at the end.
void note_failed_file(const tutti::error& e);
/// True if `note_failed_file` has been called.
bool has_failed_files();
/// Ends the program if an output would replace one of the inputs.
void refuse_input_as_output(std::string_view command, std::string_view option, const std::string& output,
                            std::initializer_list<std::string_view> inputs);
/// Returns the name of a file for messages: "<stdin>" for "-".
std::string name_of(const std::string& file);
/// Returns `WHERE: error: WHAT`, the form of all error messages.
std::string message(std::string_view where, std::string_view what);
/// Returns a `check` for an option that accepts whole numbers from `least` to `most`.
std::function<std::string(const std::string&)> whole_number(std::int64_t least, std::int64_t most);
/// A `check` for an option that accepts finite numbers of at least 0.
std::string check_number(const std::string& given);
/// Returns a problem followed by a hint.
std::string with_hint(std::string_view what, std::string_view hint);

struct original_model; // defined in model_file.hpp

/// A program, and the text or model that it was read from.
struct source {
    std::string name;
    std::shared_ptr<const tutti::file::mapped_file> bytes; ///< the storage of `text`; null for a model file
    std::string_view text;                                 ///< empty for a model file
    tutti::relay::ir_module module{};
    std::vector<std::string> results{};               ///< names of the results of `main`; empty unless all are distinct
    std::vector<std::string> open_dims{};             ///< names of a model's dimensions without a size
    std::shared_ptr<const original_model> original{}; ///< the model of an imported program; null for Relay text
    std::uint64_t constant_bytes = 0;                 ///< bytes of constants, at most the size of the files read
    std::function<tutti::relay::ir_module()> again{}; ///< imports a model again; empty for Relay text
};

/// Options for reading a program.
struct read_options {
    std::string params{};                  ///< a file with values of the program's parameters
    std::vector<std::string> values{};     ///< NAME=VALUE: values of the program's parameters, as text
    std::vector<std::string> dims{};       ///< NAME=N: sizes of a model's dimensions
    std::vector<std::string> shapes{};     ///< NAME:N,N: shapes of a model's inputs
    std::vector<std::string> from{}, to{}; ///< values of a model at which the program begins and ends
    std::int64_t nchwc_block = 0;          ///< channels in a block of ONNX Runtime's operators; 0: unknown
    std::string inputs{};                  ///< a file of arrays; their shapes set the open sizes of a model's inputs
    bool allow_empty = false;              ///< true if an empty text is a program without functions, not an error
    std::optional<std::uint64_t> max_import_bytes{},
        max_import_work{}; ///< limits for importing a model; none: the library's defaults
};
/// Adds `--params`, `--param`, `--dim` and the import limits to a command.
void add_read_options(CLI::App& command, read_options& options);
/// Reads a program from Relay text or an ONNX model, as determined by the file's contents and ending. Errors end the
/// program.
source read_program(const std::string& file, const read_options& options);
/// Returns the sum of `constant_bytes` of all programs read.
std::uint64_t constant_bytes_read();
/// Stores the names of the results in `main` (`relay::set_result_names`), unless passes changed the number of results.
/// True if `main` had no such names before.
bool keep_result_names(source& from);
/// Parses Relay text. Errors end the program. An empty text is an error unless `allow_empty` is set.
source source_of(std::string name, std::shared_ptr<const tutti::file::mapped_file> bytes, const read_options& options);
/// Returns the executor for reading and checking a program. It uses all processors for a long text, and is serial for a
/// short one.
tutti::executor_ref executor_for(const source& from);
/// Reads a program again, without --params and --param.
tutti::relay::ir_module read_again(const source& from);
/// Replaces parameters of a program's `main` with constants from the file of `--params` and with the values of
/// `--param`. Errors end the program.
void bind_params(source& program, const read_options& options);

/// Returns the registries of the passes and instruments of the library and of plugins (`plugins.hpp`). Each is instantiated in a single source file for all
/// subcommands, since the registries are the slowest part of this program to compile.
const tutti::runtime::registry<tutti::relay::ir_module>& known_passes();
/// A function that adds passes to the registry. A source file linked into this program can append one to
/// `further_passes` before `main` runs.
using add_passes = void (*)(tutti::runtime::registry<tutti::relay::ir_module>&);
std::vector<add_passes>& further_passes();
const tutti::runtime::instrument_registry<tutti::relay::ir_module>& known_instruments();
/// Returns a registry of the library's instruments, without those of plugins.
tutti::runtime::instrument_registry<tutti::relay::ir_module> library_instruments();

/// A switch that abbreviates an instrument in text form: `--print-changed=quiet` for `print_changed{form=quiet}`.
struct instrument_switch {
    const char* name;
    const char* type;     ///< type of the value for the help text, `PASS,...` for a list; null if there is no value
    const char* standard; ///< value used if the switch is given without one; null if a value is required
    const char* instrument;
    const char* option; ///< option that the value sets; `a:b`: options for the values before and after a colon
    const char* help;
    const char* group;
};
std::span<const instrument_switch> instrument_switches();

/// Source of the parameter values.
struct input_options {
    std::string from = "synthetic"; ///< "synthetic", or a file of NumPy arrays named after the parameters
    std::uint64_t seed = 0;
};

struct given_switch {
    const instrument_switch* from;
    bool on = false;
    std::optional<std::string> value{};
};
/// The instruments given on the command line.
struct instrument_options {
    std::vector<std::unique_ptr<given_switch>> switches;
    std::vector<std::string> texts;
    std::optional<std::string> only;
    bool measured = false;
    input_options inputs{}; ///< for instruments that evaluate the program
};
/// Adds the instrument options to a command, and appends them to `need_passes`.
void add_instrument_options(CLI::App& command, instrument_options& options, std::vector<CLI::Option*>& need_passes);
/// Returns the value of a switch, or null if the command line does not contain the switch.
const std::string* value_of(const instrument_options& options, std::string_view name);
/// Creates the requested instruments. A switch with a wrong value ends the program.
///
/// Throws: `tutti::input_error` for wrong texts; `tutti::error` if this system does not support an instrument, or if
///         its file cannot be written.
std::vector<tutti::runtime::any_instrument<tutti::relay::ir_module>>
make_instruments(std::string_view command, const instrument_options& options,
                 const tutti::runtime::instrument_request& request);

/// The options of commands that run passes.
struct pass_options {
    std::optional<std::string> passes;
    read_options reading{};
    std::optional<int> opt_level;
    std::vector<std::string> disabled, required, config;
    instrument_options instruments;
    std::optional<std::uint64_t> max_passes;
    std::optional<std::int64_t> time_limit; ///< milliseconds
    std::string profile{};                  ///< file that the totals of the run are added to; none if empty
    unsigned threads = 1;
    std::vector<CLI::Option*> need_passes{};
    const CLI::App* command = nullptr; ///< knows the order of the edits on the command line
};
/// Adds the options of `pass_options` to a command, except instruments and `--threads`. `help` describes `--passes`.
void add_context_options(CLI::App& command, pass_options& options, const char* help);
/// Adds all options of `pass_options`, including instruments and `--threads`.
void add_pass_options(CLI::App& command, pass_options& options, const char* help);
/// Adds the switches that edit the pipeline, and appends them to `need_passes`.
void add_edit_options(CLI::App& command, pass_options& options);
/// Applies the edits of the command line, in their order.
///
/// Throws: `tutti::error` for a place that is not in the pipeline, and for wrong passes.
void edit_passes(const pass_options& options, tutti::runtime::sequential<tutti::relay::ir_module>& passes);
/// Changes `--threads` for a command that also evaluates: adapts its help, and accepts it without `--passes`.
void compute_with_threads(CLI::App& command, pass_options& options);
/// Changes `--report` for a command that adds to the page: extends its help, and accepts it without `--passes`.
void report_without_passes(CLI::App& command, pass_options& options, const std::string& help);
/// Returns the options for reading a program that is evaluated with given inputs. The inputs set a model's open sizes.
read_options with_sizes(const pass_options& options);
/// Takes passes and options from a reproducer, unless the command line has `--passes`. Options on the command line
/// override those of the reproducer. Notes report what the command line overrides.
void take_reproducer(std::string_view command, const source& from, pass_options& options);

/// A pipeline, and the options for running it.
struct wanted_passes {
    tutti::runtime::sequential<tutti::relay::ir_module> pipeline{{}};
    tutti::runtime::context_options<tutti::relay::ir_module> context;
    std::uint64_t max_passes = 0;
    std::optional<std::int64_t> time_limit{}; ///< milliseconds that the passes may take
    unsigned threads = 1;                     ///< threads that transform functions concurrently
    std::string reproducer{};                 ///< file of the reproducer that is written if a pass fails; empty: none
    std::string profile{};                    ///< file that the totals of the run are added to; empty: none
};
/// Returns the text of a reproducer of the whole run.
std::string reproducer_of(const source& from, const wanted_passes& wanted, const pass_options& options);
/// Reads the options for running passes over `file`. Errors end the program. An option that needs `--passes` is an
/// error without `--passes`.
wanted_passes read_pass_options(std::string_view command, const pass_options& options, const std::string& file);

/// An instrument that limits how often passes run, since a short pipeline text can request any number of runs.
struct run_limit {
    tutti::budget left;

    explicit run_limit(const wanted_passes& wanted)
        : left({"--passes", "runs of passes", "--max-passes", wanted.max_passes}) {}
    void run_before_pass(const tutti::relay::ir_module&, const tutti::pass_info&) { left.take(1); }
};

/// Runs a pipeline over a program. On failure, ends the program and names the pass that failed, or the pass that made a
/// well-typed program ill-typed. Reports the passes that were skipped because of their level.
void run_passes(source& from, const wanted_passes& wanted);
/// True if a run of passes was stopped by `--time-limit`.
bool stopped_early();
/// Installs handlers that, if the process crashes, report the running pass and the reproducer's file.
void tell_of_crashes(const std::string& reproducer);
/// Records the name of the running pass for the handlers of `tell_of_crashes`.
struct crash_teller {
    void run_before_pass(const tutti::relay::ir_module&, const tutti::pass_info& info);
};
/// Returns the message for an error in a program. If the position of the error is known, the message contains it and
/// quotes the line, with a mark under the error. `by` precedes the problem.
std::string message(const source& from, const tutti::error& e, std::string_view by = {});

/// A built-in network, for `tutti model` and `tutti list models`.
struct network {
    std::string_view name;
    std::string_view help;
    tutti::relay::ir_module (*make)(std::int64_t batch);
};
std::vector<network> networks();

} // namespace program
