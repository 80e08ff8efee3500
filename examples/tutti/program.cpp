#include "program.hpp"

#include <tutti/printable.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/thread_pool.hpp>

#include "model_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#if __has_include(<unistd.h>) && __has_include(<sys/stat.h>)
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace program {

namespace {

// strerror of an errno that may have been left as it was.
std::string reason(int code) { return code == 0 ? "no reason was given" : std::strerror(code); }

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

bool is_terminal([[maybe_unused]] std::FILE* file) {
#if __has_include(<unistd.h>)
    return ::isatty(::fileno(file)) != 0;
#else
    return false;
#endif
}

namespace fs = std::filesystem;

// Writes all of a text, and says how that failed, or 0.
int write_all(std::FILE* to, std::string_view text) {
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
    return written ? 0 : errno != 0 ? errno : EIO;
}

// The file behind links, which is there or not.
fs::path behind_links(fs::path file) {
    std::error_code failed;
    for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(file, failed)); ++links)
        file = file.parent_path() / fs::read_symlink(file, failed);
    return file;
}

// Gives a new file the owner and the permissions of the one that it is to replace, as far as that may be done.
void make_alike(const fs::path& made, const fs::path& old, fs::perms permissions) {
#if __has_include(<unistd.h>) && __has_include(<sys/stat.h>)
    struct stat about{};
    if (::stat(old.c_str(), &about) == 0 && ::chown(made.c_str(), about.st_uid, about.st_gid) != 0) {
        // somebody else's, who has it now
    }
#endif
    std::error_code failed;
    fs::permissions(made, permissions, failed);
}

// A file of its own beside another one; none if it cannot be made.
std::pair<open_file, fs::path> open_beside(const fs::path& file) {
    for (int i = 0; i < 1000; ++i) {
        fs::path name = file;
        name += "." + std::to_string(i) + ".part";
        if (open_file made{std::fopen(name.c_str(), "wbx")}) return {std::move(made), std::move(name)};
        if (errno != EEXIST) break;
    }
    return {};
}

// Writes a file beside another, which it then replaces: true, or false if that is not how it can be done here. Throws:
// `failure` if there is no room for it.
bool replace_file(const std::string& name, std::string_view text) {
    std::error_code failed;
    const fs::path file = behind_links(name);
    const fs::file_status old = fs::status(file, failed);
    if (!file.has_filename() || (fs::exists(old) && !fs::is_regular_file(old))) return false;
    if (fs::exists(old) && !open_file{std::fopen(file.c_str(), "r+b")}) return false; // not to be written
    auto [beside, made] = open_beside(file);
    if (!beside) return false;
    if (fs::exists(old)) make_alike(made, file, old.permissions());
    int code = write_all(beside.get(), text);
    if (std::fclose(beside.release()) != 0 && code == 0) code = errno;
    if (code == 0) fs::rename(made, file, failed);
    const bool renamed = code == 0 && !failed;
    if (!renamed) fs::remove(made, failed);
    if (code != 0) throw failure{wrong_input, message(name_of(name), "cannot be written: " + reason(code))};
    return renamed;
}

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
        return "`" + given + "` is none; expected a whole number from " + std::to_string(least) + " to " +
               std::to_string(most);
    };
}

std::string with_hint(std::string_view what, std::string_view hint) {
    std::string text{what};
    return text.append(text.ends_with('?') ? " " : "; ").append(hint);
}

std::string name_of(const std::string& file) {
    if (file.empty()) return R"("")";
    return file == "-" ? "<stdin>" : file;
}

void report(std::string_view text) {
    const std::string shown = tutti::printable(text);
    std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void report_coloured(std::string_view text) {
    // an escape sequence that sets colours, ESC [ 0 ; 3 1 m, is not for printable to judge
    const auto colour_at = [&](std::size_t at) -> std::size_t {
        std::size_t end = at + 2;
        if (!text.substr(at).starts_with("\x1b[")) return 0;
        while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == ';')) ++end;
        return end < text.size() && text[end] == 'm' ? end + 1 - at : 0;
    };
    std::string shown;
    for (std::size_t begin = 0, at = 0; at <= text.size(); ++at) {
        const std::size_t size = at < text.size() && text[at] == '\x1b' ? colour_at(at) : 0;
        if (size == 0 && at < text.size()) continue;
        shown.append(tutti::printable(text.substr(begin, at - begin))).append(text.substr(at, size));
        begin = at + size;
        at += size == 0 ? 0 : size - 1;
    }
    std::fwrite(shown.data(), 1, shown.size(), stderr);
}

bool colours() {
    const char* const none = std::getenv("NO_COLOR");
    return is_terminal(stderr) && (!none || *none == '\0');
}

void note(std::string_view where, std::string_view what) {
    report(std::string{where}.append(": note: ").append(what).append("\n"));
}

// Of what is no regular file, whose size nobody knows: no end of a device is waited for.
constexpr std::size_t most_bytes = std::size_t{1} << 29;

std::string read_text(const std::string& file) {
    open_file opened;
    errno = 0;
    if (file != "-") opened.reset(std::fopen(file.c_str(), "rb"));
    std::FILE* const from = file == "-" ? stdin : opened.get();
    if (!from) throw failure{wrong_input, message(name_of(file), "cannot be opened: " + reason(errno))};
    if (is_terminal(from)) note("tutti", "reading from the terminal; Ctrl-D ends what is read");
    std::error_code ignored;
    const bool is_stream = file == "-" || !fs::is_regular_file(file, ignored);
    std::string text;
    char part[1 << 16];
    while (std::feof(from) == 0 && std::ferror(from) == 0) { // a terminal's end is told once
        const std::size_t size = std::fread(part, 1, sizeof part, from);
        if (is_stream && size > most_bytes - text.size())
            throw failure{wrong_input,
                          message(name_of(file), "gives more than 536,870,912 bytes; expected no more, or a file")};
        text.append(part, size);
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
    std::error_code failed;
    const bool to_stdout = file == "-" || fs::equivalent(file, "/dev/stdout", failed);
    if (!to_stdout && replace_file(file, text)) return;
    const std::string name = file == "-" ? "<stdout>" : name_of(file);
    errno = 0;
    open_file opened{to_stdout ? nullptr : std::fopen(file.c_str(), "wb")};
    if (!to_stdout && !opened) throw failure{wrong_input, message(name, "cannot be opened: " + reason(errno))};
    const std::string shown = to_stdout && is_terminal(stdout) ? tutti::printable(text) : std::string{};
    int code = write_all(to_stdout ? stdout : opened.get(), shown.empty() ? text : shown);
    if (opened && std::fclose(opened.release()) != 0 && code == 0) code = errno;
    if (code != 0) throw failure{wrong_input, message(name, "cannot be written: " + reason(code))};
}

new_file::new_file(std::string name) : name_(std::move(name)) {
    std::error_code failed;
    const fs::path file = behind_links(name_);
    const bool is_new = !fs::exists(fs::status(file, failed));
    open_file opened;
    if (file.has_filename() && (is_new || fs::is_regular_file(file, failed))) {
        const bool writable = is_new || open_file{std::fopen(file.c_str(), "r+b")} != nullptr;
        auto [beside, made] = writable ? open_beside(file) : std::pair<open_file, fs::path>{};
        opened = std::move(beside);
        if (opened) beside_ = made.string();
    }
    errno = 0;
    if (!opened) opened.reset(std::fopen(name_.c_str(), "wb"));
    if (!opened) throw failure{wrong_input, message(name_of(name_), "cannot be opened: " + reason(errno))};
    file_ = opened.release();
}

new_file::~new_file() {
    if (!file_) return;
    std::fclose(static_cast<std::FILE*>(file_));
    std::error_code failed;
    if (!beside_.empty()) fs::remove(beside_, failed);
}

void new_file::write(std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), static_cast<std::FILE*>(file_)) != text.size())
        throw failure{wrong_input, message(name_of(name_), "cannot be written: " + reason(errno))};
}

void new_file::done() {
    errno = 0;
    std::error_code failed;
    const bool closed = std::fclose(static_cast<std::FILE*>(std::exchange(file_, nullptr))) == 0;
    if (closed && !beside_.empty()) fs::rename(beside_, behind_links(name_), failed);
    if (closed && !failed) return;
    const std::string why = closed ? failed.message() : reason(errno);
    if (!beside_.empty()) fs::remove(beside_, failed);
    throw failure{wrong_input, message(name_of(name_), "cannot be written: " + why)};
}

namespace {

tutti::relay::ir_module parsed(const source& from) {
    return tutti::relay::parse(
        from.text, {.source = from.name, .metadata = tutti::relay::read_metadata, .executor = executor_for(from)});
}

} // namespace

tutti::executor_ref executor_for(const source& from) {
    constexpr std::size_t long_text = std::size_t{1} << 20; // in a millisecond threads are hardly started
    if (from.text.size() < long_text) return {};
    static tutti::thread_pool all;
    return all;
}

source read_program(const std::string& file, const read_options& options) {
    std::shared_ptr<const tutti::file::mapped_file> bytes;
    const auto model = model_in(file, bytes);
    if (!model && !options.dims.empty()) note(name_of(file), "is no model, so that --dim says nothing of it");
    source from = model ? imported(*model, options) : source_of(name_of(file), std::move(bytes));
    bind_params(from, options);
    return from;
}

source source_of(std::string name, std::shared_ptr<const tutti::file::mapped_file> bytes) {
    const std::string_view text = bytes->bytes();
    source from{.name = std::move(name), .bytes = std::move(bytes), .text = text};
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // which some editors put before UTF-8
    if (from.text.starts_with(byte_order_mark)) from.text.remove_prefix(byte_order_mark.size());
    try {
        from.module = parsed(from);
    } catch (const tutti::relay::parse_error& e) {
        if (const std::size_t null = from.text.find('\0'); null != std::string_view::npos)
            throw failure{wrong_input, message(from.name, "is no text: byte " + std::to_string(null) +
                                                              " is a null; expected a program as Relay text")};
        throw failure{wrong_input, e.what()};
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
    if (line == 0 || line > lines) return message(from.name, std::string{by} + e.what());
    // The place is said by what begins the message.
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
