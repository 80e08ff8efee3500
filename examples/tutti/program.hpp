#pragma once

#include <tutti/error.hpp>
#include <tutti/executor.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/limit.hpp>
#include <tutti/output_file.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/runtime/instrument_registry.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/sequential.hpp>

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

// What the subcommands share: how they are set up, how they read and write, and how they end.

namespace program {

enum exit_code { done = 0, wrong_input = 1, wrong_usage = 2, pass_failed = 3 };

/// Ends the program: with a message, which is all there is on standard error, and an exit code.
struct failure {
    exit_code code;
    std::string message; ///< `WHERE: error: WHAT`, and what shows it
};

/// What is to be done once the command line has been read.
using action = std::function<void()>;

// Each adds its subcommand; what it is to do, if it is the one, is put into `chosen`.
void add_opt(CLI::App& app, action& chosen);
void add_run(CLI::App& app, action& chosen);
void add_compare(CLI::App& app, action& chosen);
void add_check(CLI::App& app, action& chosen);
void add_model(CLI::App& app, action& chosen);
void add_list(CLI::App& app, action& chosen);
void add_bisect(CLI::App& app, action& chosen);
void add_reduce(CLI::App& app, action& chosen);

/// The whole of a file, or of standard input for "-".
std::string read_text(const std::string& file);
/// The same, mapped if it is a regular file. Throws: `tutti::error` if it cannot be.
std::shared_ptr<const tutti::file::mapped_file> bytes_of(const std::string& file);
/// Writes a file anew, or to standard output for "-". A file is written beside and then takes the name: it is there
/// whole, or as it was. What is no file, such as a device, is written to.
void write_text(const std::string& file, std::string_view text);
/// A `tutti::output_file` whose errors end the program. If a signal ends it first, the unfinished file is removed.
class new_file {
public:
    explicit new_file(std::string name);
    ~new_file();
    new_file(const new_file&) = delete;
    new_file& operator=(const new_file&) = delete;

    void write(std::string_view text);
    void done();

private:
    void forget();

    std::unique_ptr<tutti::output_file> to_;
    char* unfinished_ = nullptr; // its entry among the files that a signal removes
};
/// Reports a file of an instrument that could not be written. The passes go on; the program ends with `wrong_input`.
void note_failed_file(const tutti::error& e);
/// True if there was such a file.
bool has_failed_files();
/// Ends the program if an output would replace one of the inputs.
void refuse_input_as_output(std::string_view command, std::string_view option, const std::string& output,
                            std::initializer_list<std::string_view> inputs);
/// Writes to standard error; what would disturb a terminal is left out.
void report(std::string_view text);
/// The same, but colours stay.
void report_coloured(std::string_view text);
/// Whether what is reported is shown in colours: by a terminal, unless the environment's NO_COLOR says otherwise.
bool colours();
/// Says on standard error what is no error, but not what was asked for either: `WHERE: note: WHAT`.
void note(std::string_view where, std::string_view what);

/// What messages call a file: "-" is "<stdin>".
std::string name_of(const std::string& file);
/// A message in the one form that all have.
std::string message(std::string_view where, std::string_view what);
/// Refuses a value that is no whole number from `least` to `most`: for an option's `check`.
std::function<std::string(const std::string&)> whole_number(std::int64_t least, std::int64_t most);
/// What is wrong, and behind it what helps.
std::string with_hint(std::string_view what, std::string_view hint);

/// A program, and the text that it was read from.
struct source {
    std::string name;
    std::shared_ptr<const tutti::file::mapped_file> bytes; ///< of a text: where it is
    std::string_view text;                                 ///< empty for a model file
    tutti::relay::ir_module module{};
    std::vector<std::string> results{};   ///< a model's names of the results of `main`; empty unless they are distinct
    std::vector<std::string> open_dims{}; ///< names of a model's dimensions without a size
    std::uint64_t constant_bytes = 0;     ///< of constants that files have the elements of, at most as in the files
    std::function<tutti::relay::ir_module()> again{}; ///< of a model: imports it anew
};

/// How a program is read.
struct read_options {
    std::string params{};              ///< a file with values of the program's parameters
    std::vector<std::string> values{}; ///< NAME=VALUE: values of the program's parameters, as text
    std::vector<std::string> dims{};   ///< NAME=N: sizes of a model's dimensions
    std::string inputs{};              ///< a file with arrays, which have the sizes that a model's inputs leave open
    std::optional<std::uint64_t> max_import_bytes{},
        max_import_work{}; ///< of importing a model; none: as the library has them
};
/// Adds `--params`, `--param`, `--dim` and the limits of import to a command.
void add_read_options(CLI::App& command, read_options& options);
/// Reads a program: Relay text or an ONNX model, by what the file holds. What is wrong with it ends the program.
source read_program(const std::string& file, const read_options& options);
/// The `constant_bytes` of all programs that were read.
std::uint64_t constant_bytes_read();
/// Stores the names of the results in `main` (`relay::set_result_names`), unless passes changed how many there are.
void keep_result_names(source& from);
/// The program of a text. What is wrong with it ends the program.
source source_of(std::string name, std::shared_ptr<const tutti::file::mapped_file> bytes);
/// What a program of many functions is read and checked on: all processors, if it is long enough to be worth their while.
tutti::executor_ref executor_for(const source& from);
/// The same again, without --params and --param.
tutti::relay::ir_module read_again(const source& from);
/// Makes constants of the parameters of a program's `main` that the file has values for, and values of those that are given as text.
/// What is wrong with them ends the program.
void bind_params(source& program, const read_options& options);

/// The library's passes, and its instruments. Compiled once for all subcommands: nothing here takes longer to compile.
const tutti::runtime::registry<tutti::relay::ir_module>& known_passes();
/// What adds passes of one's own to them, for a source that is linked with these: it is put in before `main` begins.
using add_passes = void (*)(tutti::runtime::registry<tutti::relay::ir_module>&);
std::vector<add_passes>& further_passes();
const tutti::runtime::instrument_registry<tutti::relay::ir_module>& known_instruments();

/// A switch that is short for the text of an instrument: `--print-changed=quiet` for `print_changed{form=quiet}`.
struct instrument_switch {
    const char* name;
    const char* type;     ///< of its value, for people: `PASS,...` is a list; null: it has none
    const char* standard; ///< the value where it is given without one; null: it must have one
    const char* instrument;
    const char* option; ///< which option the value is of; `a:b`: what stands in front of a colon, and behind it
    const char* help;
    const char* group;
};
std::span<const instrument_switch> instrument_switches();

/// Where the values of parameters come from.
struct input_options {
    std::string from = "synthetic"; ///< or a file of NumPy arrays by the parameters' names
    std::uint64_t seed = 0;
};

struct given_switch {
    const instrument_switch* from;
    bool on = false;
    std::optional<std::string> value{};
};
/// What the command line says of instruments.
struct instrument_options {
    std::vector<std::unique_ptr<given_switch>> switches;
    std::vector<std::string> texts;
    std::optional<std::string> only;
    bool measured = false;
    input_options inputs{}; ///< for those that evaluate the program
};
/// Adds these options to a command, and to those that need passes.
void add_instrument_options(CLI::App& command, instrument_options& options, std::vector<CLI::Option*>& need_passes);
/// The value of a switch; null if it is not given.
const std::string* value_of(const instrument_options& options, std::string_view name);
/// The instruments that are asked for. What is wrong with the options ends the program, or throws: `tutti::input_error` for wrong
/// texts, `tutti::error` for what cannot be done here.
std::vector<tutti::runtime::any_instrument<tutti::relay::ir_module>>
make_instruments(std::string_view command, const instrument_options& options,
                 const tutti::runtime::instrument_request& request);

/// What the command line says of passes, in each command that runs some.
struct pass_options {
    std::optional<std::string> passes;
    read_options reading{};
    std::optional<int> opt_level;
    std::vector<std::string> disabled, required, config;
    instrument_options instruments;
    std::optional<std::uint64_t> max_passes;
    unsigned threads = 1;
    std::vector<CLI::Option*> need_passes{};
};
/// Adds these options to a command, but for instruments; `help` says what `--passes` is for.
void add_context_options(CLI::App& command, pass_options& options, const char* help);
/// The same with instruments.
void add_pass_options(CLI::App& command, pass_options& options, const char* help);
/// Describes `--threads` for a command that computes with as many, and takes it without `--passes`.
void compute_with_threads(CLI::App& command, pass_options& options);
/// How a program is read that is evaluated with given inputs: a model's open sizes are those of the arrays.
read_options with_sizes(const pass_options& options);
/// Takes passes and options from a program's text that is a reproducer; not where the command line has passes. Its options take
/// the place of the reproducer's. Either is said.
void take_reproducer(std::string_view command, const source& from, pass_options& options);

/// A pipeline, and how it is to be run.
struct wanted_passes {
    tutti::runtime::sequential<tutti::relay::ir_module> pipeline{{}};
    tutti::runtime::context_options<tutti::relay::ir_module> context;
    std::uint64_t max_passes = 0;
    unsigned threads = 1;     ///< that transform functions at the same time
    std::string reproducer{}; ///< where one is kept if a pass fails; empty: none is
};
/// What is wrong with the options ends the program, and so does one that needs passes where there are none. `file` is what they are
/// for.
wanted_passes read_pass_options(std::string_view command, const pass_options& options, const std::string& file);

/// An instrument that refuses to run passes more often than they may: a short pipeline can ask for any number.
struct run_limit {
    tutti::budget left;

    explicit run_limit(const wanted_passes& wanted)
        : left({"--passes", "runs of passes", "--max-passes", wanted.max_passes}) {}
    void run_before_pass(const tutti::relay::ir_module&, const tutti::pass_info&) { left.take(1); }
};

/// Runs a pipeline over a program that was read; ends the program with the name of the pass that failed, or that made
/// an ill-typed program of a well-typed one. Says which passes were left out for their level.
void run_passes(source& from, const wanted_passes& wanted);
/// Says, should the process die from now on, which pass ran, and that the reproducer is kept in this file.
void tell_of_crashes(const std::string& reproducer);
/// Keeps the name of the pass that runs, for that.
struct crash_teller {
    void run_before_pass(const tutti::relay::ir_module&, const tutti::pass_info& info);
};
/// What is wrong with a program that was read: with the place, the line and a mark under it where these are
/// known. `by` is put before what the error says.
std::string message(const source& from, const tutti::error& e, std::string_view by = {});

/// The built-in networks, for `tutti model` and `tutti list models`.
struct network {
    std::string_view name;
    std::string_view help;
    tutti::relay::ir_module (*make)(std::int64_t batch);
};
std::vector<network> networks();

} // namespace program
