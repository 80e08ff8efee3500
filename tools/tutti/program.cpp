#include "program.hpp"

#include <tutti/base/decimal.hpp>
#include <tutti/base/output_file.hpp>
#include <tutti/base/printable.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/result_names.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parser.hpp>

#include "model_file.hpp"
#include "plugins.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace program {

namespace {

// Returns the message for an errno, which may be 0 if the failing function did not set it.
std::string reason(int code) { return code == 0 ? "no reason was given" : std::strerror(code); }

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

namespace fs = std::filesystem;

// Writes all of a text. Returns an errno, or 0 on success.
int write_all(std::FILE* to, std::string_view text) {
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
    return written ? 0 : errno != 0 ? errno : EIO;
}

// Names of unfinished files, which the signal handler removes. Fixed buffers, since the handler must not allocate.
constexpr std::size_t most_unfinished = 8;
char unfinished[most_unfinished][4096];

#if __has_include(<unistd.h>)

extern "C" void remove_unfinished(int signal) {
    for (const auto& name : unfinished)
        if (*name != 0) ::unlink(name);
    std::signal(signal, SIG_DFL);
    ::raise(signal); // ends the process with the default action
}

void expect_signals() {
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ}) {
        struct sigaction now{};
        if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
        now = {};
        now.sa_handler = remove_unfinished;
        ::sigaction(signal, &now, nullptr);
    }
}

#else

void expect_signals() {}

#endif

// Adds a file to the signal handler's list. Returns the entry, or null if the list is full or the name is too long.
char* remember_unfinished(const std::string& name) {
    if (name.empty() || name.size() >= sizeof unfinished[0]) return nullptr;
    for (auto& entry : unfinished) {
        if (*entry != 0) continue;
        expect_signals();
        std::memcpy(entry + 1, name.data() + 1, name.size()); // with the final zero; the first character is set last
        *entry = name.front();
        return entry;
    }
    return nullptr;
}

bool file_has_failed = false;

failure failure_of(const tutti::error& e) { return {wrong_input, message(name_of(e.where()), e.problem())}; }

} // namespace

std::string message(std::string_view where, std::string_view what) {
    std::string text{where};
    text.append(": error: ").append(what);
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

std::function<std::string(const std::string&)> whole_number(std::int64_t least, std::int64_t most) {
    return [=](const std::string& given) -> std::string {
        std::int64_t number = 0;
        const auto [end, bad] = std::from_chars(given.data(), given.data() + given.size(), number);
        if (bad == std::errc{} && end == given.data() + given.size() && number >= least && number <= most) return {};
        return "`" + given + "` is not valid; expected a whole number from " + std::to_string(least) + " to " +
               std::to_string(most);
    };
}

std::string check_number(const std::string& given) {
    double number = 0;
    const auto [end, bad] = tutti::internal::decimal_from_chars(given.data(), given.data() + given.size(), number);
    const bool whole = bad == std::errc{} && end == given.data() + given.size();
    if (whole && std::isfinite(number) && number >= 0) return {};
    return "`" + given + "` is not valid; expected a nonnegative number";
}

std::string with_hint(std::string_view what, std::string_view hint) {
    std::string text{what};
    return text.append(text.ends_with('?') ? " " : "; ").append(hint);
}

std::string name_of(const std::string& file) {
    if (file.empty()) return R"("")";
    return file == "-" ? "<stdin>" : file;
}

// Limit for files that are not regular, such as devices, whose size is unknown and may be infinite.
constexpr std::size_t most_bytes = std::size_t{1} << 29, part_bytes = std::size_t{1} << 16;

std::string read_text(const std::string& file) {
    open_file opened;
    errno = 0;
    if (file != "-") opened.reset(std::fopen(file.c_str(), "rb"));
    std::FILE* const from = file == "-" ? stdin : opened.get();
    if (!from) throw failure{wrong_input, message(name_of(file), "cannot be opened: " + reason(errno))};
    if (is_terminal(from)) note("tutti", "reading from the terminal; Ctrl-D ends the input");
    std::error_code ignored;
    const bool is_stream = file == "-" || !fs::is_regular_file(file, ignored);
    std::string text;
    const std::unique_ptr<char[]> part(new char[part_bytes]); // too large for a small stack
    while (std::feof(from) == 0 && std::ferror(from) == 0) {  // a terminal reports end of file only once
        const std::size_t size = std::fread(part.get(), 1, part_bytes, from);
        if (is_stream && size > most_bytes - text.size())
            throw failure{
                wrong_input,
                message(name_of(file), "has more than 536,870,912 bytes; expected at most that, or a regular file")};
        text.append(part.get(), size);
    }
    if (std::ferror(from)) throw failure{wrong_input, message(name_of(file), "cannot be read: " + reason(errno))};
    return text;
}

std::shared_ptr<const tutti::file::mapped_file> bytes_of(const std::string& file) {
    using tutti::file::mapped_file;
    std::error_code ignored;
    if (file != "-" && fs::is_regular_file(file, ignored)) return std::make_shared<const mapped_file>(file);
    return std::make_shared<const mapped_file>(mapped_file::read_bytes{read_text(file)});
}

void write_text(const std::string& file, std::string_view text) {
    if (file != "-" && !tutti::is_same_file(file, "/dev/stdout")) {
        new_file to(file);
        to.write(text);
        return to.done();
    }
    const std::string shown = is_terminal(stdout) ? tutti::printable(text) : std::string{};
    const int code = write_all(stdout, shown.empty() ? text : shown);
    const std::string name = file == "-" ? "<stdout>" : name_of(file);
    if (code != 0) throw failure{wrong_input, message(name, "cannot be written: " + reason(code))};
}

new_file::new_file(std::string name) {
    try {
        to_ = std::make_unique<tutti::output_file>(std::move(name));
    } catch (const tutti::error& e) {
        throw failure_of(e);
    }
    unfinished_ = remember_unfinished(to_->unfinished());
}

new_file::~new_file() { forget(); }

void new_file::forget() {
    to_.reset();
    if (unfinished_) *unfinished_ = 0;
    unfinished_ = nullptr;
}

void new_file::write(std::string_view text) {
    try {
        to_->write(text);
    } catch (const tutti::error& e) {
        throw failure_of(e);
    }
}

std::string new_file::written() {
    try {
        to_->flush();
    } catch (const tutti::error& e) {
        throw failure_of(e);
    }
    return to_->unfinished();
}

void new_file::done() {
    try {
        to_->done();
    } catch (const tutti::error& e) {
        throw failure_of(e);
    }
    forget();
}

void note_failed_file(const tutti::error& e) {
    file_has_failed = true;
    report(failure_of(e).message);
}

bool has_failed_files() { return file_has_failed; }

void refuse_input_as_output(std::string_view command, std::string_view option, const std::string& output,
                            std::initializer_list<std::string_view> inputs) {
    for (const std::string_view input : inputs)
        if (tutti::is_same_file(output, std::string{input}))
            throw failure{
                wrong_usage,
                message(command, tutti::error{std::string{option}, output + " is an input", "another file"}.what())};
}

namespace {

tutti::relay::ir_module parsed(const source& from) {
    return tutti::relay::parse(from.text, {.source = from.name,
                                           .operators = extensions().operators,
                                           .metadata = tutti::relay::read_metadata,
                                           .executor = executor_for(from)});
}

} // namespace

tutti::executor_ref executor_for(const source& from) {
    constexpr std::size_t long_text = std::size_t{1} << 20; // a shorter text is read before threads have started
    if (from.text.size() < long_text) return {};
    static tutti::thread_pool all;
    return all;
}

namespace {

std::uint64_t constant_bytes_of(const tutti::relay::ir_module& m) {
    std::uint64_t bytes = 0;
    for (const auto& [name, f] : m)
        for (std::uint32_t i = 0; i < f.graph.size(); ++i)
            if (const tutti::relay::expr_id e{i}; f.graph.kind(e) == tutti::relay::expr_kind::constant) {
                const tutti::relay::tensor& value = f.graph.constant_value(e);
                bytes += static_cast<std::uint64_t>(value.size()) * tutti::kernel::bytes(value.type());
            }
    return bytes;
}

std::uint64_t all_constant_bytes = 0;

std::uint64_t size_of(const std::string& file) {
    std::error_code failed;
    const std::uintmax_t size = fs::is_regular_file(file, failed) ? fs::file_size(file, failed) : 0;
    return failed ? 0 : size;
}

} // namespace

std::uint64_t constant_bytes_read() { return all_constant_bytes; }

namespace {

// Returns the names of the results of a program. Returns none unless the names are distinct and not empty.
std::vector<std::string> names_in(source& from) {
    std::vector<std::string> names = std::move(from.results);
    if (const tutti::relay::function* const f = from.module.find("main"); f != nullptr && names.empty())
        names = tutti::relay::result_names(*f);
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::ranges::sort(sorted);
    const bool is_each_its_own = std::ranges::adjacent_find(sorted) == sorted.end();
    if (!is_each_its_own || (!sorted.empty() && sorted.front().empty())) names.clear();
    return names;
}

} // namespace

bool keep_result_names(source& from) {
    tutti::relay::function* const f = from.module.find("main");
    if (f == nullptr || f->root == tutti::relay::expr_id::none || from.results.empty()) return false;
    const tutti::relay::graph& g = f->graph;
    const tutti::relay::expr_id body = g.body(f->root);
    const bool is_tuple =
        g.type(body) != tutti::relay::type_id::none && g.types().kind(g.type(body)) == tutti::relay::type_kind::tuple;
    const std::size_t results = is_tuple ? g.types().fields(g.type(body)).size() : 1;
    if (results != from.results.size()) return false;
    const bool is_new = tutti::relay::result_names(*f).empty();
    tutti::relay::set_result_names(*f, from.results);
    return is_new;
}

source read_program(const std::string& file, const read_options& options) {
    doing("reading " + name_of(file));
    std::shared_ptr<const tutti::file::mapped_file> bytes;
    const auto model = model_in(file, bytes);
    if (!model && !options.dims.empty()) note(name_of(file), "is not a model, so --dim has no effect");
    if (!model && !(options.from.empty() && options.to.empty()))
        throw failure{wrong_usage, message(name_of(file), "is not an ONNX model; --from and --to are for models")};
    source from = model ? imported(*model, options) : source_of(name_of(file), std::move(bytes), options);
    from.results = names_in(from);
    bind_params(from, options);
    const std::uint64_t in_files =
        (model ? model->file()->bytes().size() + external_bytes(*model) : from.text.size()) + size_of(options.params);
    from.constant_bytes = std::min(constant_bytes_of(from.module), in_files);
    all_constant_bytes += from.constant_bytes;
    return from;
}

source source_of(std::string name, std::shared_ptr<const tutti::file::mapped_file> bytes, const read_options& options) {
    const std::string_view text = bytes->bytes();
    source from{.name = std::move(name), .bytes = std::move(bytes), .text = text};
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // some editors write it at the start of UTF-8 files
    if (from.text.starts_with(byte_order_mark)) from.text.remove_prefix(byte_order_mark.size());
    if (!options.allow_empty && from.text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw failure{wrong_input, message(from.name, "is empty; expected a program, or --allow-empty")};
    try {
        from.module = parsed(from);
    } catch (const tutti::relay::parse_error& e) {
        if (const std::size_t null = from.text.find('\0'); null != std::string_view::npos)
            throw failure{wrong_input, message(from.name, "is not text: byte " + std::to_string(null) +
                                                              " is null; expected a program as Relay text")};
        std::string said = e.what();
        constexpr std::string_view option = "printed with text_options::metadata";
        if (const std::size_t at = said.find(option); at != std::string::npos)
            said.replace(at, option.size(), "printed with `tutti opt --show-meta-data`");
        throw failure{wrong_input, said};
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from.name, e.what())};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to read it")};
    }
    return from;
}

tutti::relay::ir_module read_again(const source& from) { return from.again ? from.again() : parsed(from); }

std::string message(const source& from, const tutti::error& e, std::string_view by) {
    const auto* located = dynamic_cast<const tutti::relay::located_error*>(&e);
    const std::uint32_t line = located ? located->location().line : 0;
    const auto lines = static_cast<std::size_t>(std::ranges::count(from.text, '\n')) + 1;
    if (line == 0 || line > lines || from.text.empty()) return message(from.name, std::string{by} + e.what());
    // The message begins with the position, so the problem need not repeat it.
    std::string where = e.where();
    const std::uint32_t column = located->location().column;
    const std::string place = " at " + std::to_string(line) + ":" + std::to_string(column);
    if (where.ends_with(place)) where.resize(where.size() - place.size());
    std::string problem{by};
    problem.append(where).append(": ").append(e.problem());
    tutti::relay::diagnostic shown{located->location(), std::move(problem), e.expected()};
    std::size_t line_start = 0;
    for (std::uint32_t i = 1; i < line; ++i) line_start = from.text.find('\n', line_start) + 1;
    tutti::relay::text::quote_line(shown, from.text, line_start + shown.where.column - 1);
    return to_text(shown, from.name);
}

} // namespace program
