#include "program.hpp"

#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parser.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

namespace program {

namespace {

// strerror of an errno that may have been left as it was.
std::string reason(int code) { return code == 0 ? "no reason was given" : std::strerror(code); }

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

} // namespace

std::string message(std::string_view where, std::string_view what) {
    std::string text{where};
    text.append(": error: ").append(what);
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

std::string with_hint(std::string_view what, std::string_view hint) {
    std::string text{what};
    return text.append(text.ends_with('?') ? " " : "; ").append(hint);
}

std::string name_of(const std::string& file) {
    if (file.empty()) return R"("")";
    return file == "-" ? "<stdin>" : file;
}

void report(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

std::string read_text(const std::string& file) {
    open_file opened;
    errno = 0;
    if (file != "-") opened.reset(std::fopen(file.c_str(), "rb"));
    std::FILE* const from = file == "-" ? stdin : opened.get();
    if (!from) throw failure{wrong_input, message(name_of(file), "cannot be opened: " + reason(errno))};
    std::string text;
    char part[1 << 16];
    while (const std::size_t size = std::fread(part, 1, sizeof part, from)) text.append(part, size);
    if (std::ferror(from)) throw failure{wrong_input, message(name_of(file), "cannot be read: " + reason(errno))};
    return text;
}

void write_text(const std::string& file, std::string_view text) {
    const std::string name = file == "-" ? "<stdout>" : name_of(file);
    errno = 0;
    std::FILE* const to = file == "-" ? stdout : std::fopen(file.c_str(), "wb");
    if (!to) throw failure{wrong_input, message(name, "cannot be opened: " + reason(errno))};
    const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
    const int code = errno;
    if (file != "-") std::fclose(to);
    if (!written) throw failure{wrong_input, message(name, "cannot be written: " + reason(code))};
}

source read_module(const std::string& file) {
    source from{name_of(file), read_text(file), {}};
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // which some editors put before UTF-8
    if (from.text.starts_with(byte_order_mark)) from.text.erase(0, byte_order_mark.size());
    try {
        from.module = tutti::relay::parse(from.text, {.source = from.name, .metadata = tutti::relay::read_metadata});
    } catch (const tutti::relay::parse_error& e) {
        throw failure{wrong_input, e.what()};
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from.name, e.what())};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to read it")};
    }
    return from;
}

std::string message(const source& from, const tutti::error& e, std::string_view by) {
    const auto* located = dynamic_cast<const tutti::relay::located_error*>(&e);
    if (!located) return message(from.name, std::string{by} + e.what());
    std::string problem{by};
    problem.append(e.where()).append(": ").append(e.problem());
    tutti::relay::diagnostic shown{located->location(), std::move(problem), e.expected()};
    std::size_t line_start = 0;
    for (std::uint32_t line = 1; line < shown.where.line; ++line) line_start = from.text.find('\n', line_start) + 1;
    tutti::relay::text::quote_line(shown, from.text, line_start + shown.where.column - 1);
    return to_text(shown, from.name);
}

} // namespace program
