#include "messages.hpp"

#include <tutti/base/printable.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace program {

namespace {

bool is_quiet = false, is_verbose = false;
std::string colour_choice = "auto";

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr double patience = 2; // seconds before progress is shown
constexpr std::size_t columns = 79;

// Rewrites the terminal's current line. Returns the number of characters shown.
std::size_t rewrite(std::size_t shown, std::string_view line) {
    std::string text{line.substr(0, columns)};
    const std::size_t size = text.size();
    if (size < shown) text.append(shown - size, ' ');
    std::fprintf(stderr, "\r%s%s", text.c_str(), line.empty() ? "\r" : "");
    std::fflush(stderr);
    return size;
}

// The progress line. `doing` sets its text, and a thread shows it.
class shown_line {
    std::mutex guard_;
    std::condition_variable_any changed_;
    std::string what_;
    std::size_t shown_ = 0;
    std::jthread thread_;

    void watch(const std::stop_token& stop) {
        std::unique_lock lock{guard_};
        changed_.wait_for(lock, stop, std::chrono::duration<double>(patience), [] { return false; });
        while (!stop.stop_requested()) {
            shown_ = rewrite(shown_, what_);
            changed_.wait_for(lock, stop, std::chrono::milliseconds(200), [] { return false; });
        }
    }

public:
    void set(std::string_view what) {
        const std::lock_guard lock{guard_};
        what_ = what;
    }
    // Clears the line before a message is written.
    void clear() {
        const std::lock_guard lock{guard_};
        if (shown_ != 0) shown_ = rewrite(shown_, "");
    }
    // Starts the thread, after all that the thread uses is constructed.
    void begin() {
        thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    }
    shown_line() = default;
    shown_line(const shown_line&) = delete;
    shown_line& operator=(const shown_line&) = delete;
    ~shown_line() {
        if (thread_.joinable()) {
            thread_.request_stop();
            thread_.join();
        }
        clear();
    }
};
std::optional<shown_line> current_line;

void write(std::string_view text) {
    if (current_line) current_line->clear();
    std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace

bool is_terminal([[maybe_unused]] std::FILE* file) {
#if __has_include(<unistd.h>)
    return ::isatty(::fileno(file)) != 0;
#else
    return false;
#endif
}

void add_message_options(CLI::App& command) {
    CLI::Option* const less =
        command.add_flag("-q,--quiet", is_quiet, "No notes and no progress, only errors")->group("Messages");
    command.add_flag("-v,--verbose", is_verbose, "Say what is done, with a line for each step and pass")
        ->group("Messages")
        ->excludes(less);
    command.add_option("--color", colour_choice, "Colours in messages")
        ->type_name("auto|always|never")
        ->check([](const std::string& word) {
            const bool known = word == "auto" || word == "always" || word == "never";
            return known ? std::string{} : "`" + word + "` is not valid; expected auto, always or never";
        })
        ->capture_default_str()
        ->group("Messages");
}

void report(std::string_view text) { write(tutti::printable(text)); }

void report_coloured(std::string_view text) {
    // An escape sequence for colours, such as ESC [ 0 ; 3 1 m, bypasses `printable`.
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
    write(shown);
}

bool colours() {
    if (colour_choice != "auto") return colour_choice == "always";
    const char* const none = std::getenv("NO_COLOR");
    return is_terminal(stderr) && (!none || *none == '\0');
}

void note(std::string_view where, std::string_view what) {
    if (!is_quiet) report(std::string{where}.append(": note: ").append(what).append("\n"));
}

std::string counted(std::size_t count, std::string_view what) {
    return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

void doing(std::string_view what) {
    if (is_verbose) report(std::string{what}.append("\n"));
    if (current_line) current_line->set(tutti::printable(what));
}

void doing(std::string_view what, std::size_t done, std::size_t total) {
    constexpr std::size_t width = 20;
    if (total == 0 || !current_line) return doing(what);
    std::string line = "[" + std::string(width * done / total, '=');
    line.resize(1 + width, ' ');
    current_line->set(line.append("] ").append(tutti::printable(what)));
}

progress_line::progress_line() {
    if (is_quiet || is_verbose || !is_terminal(stderr)) return;
    current_line.emplace();
    current_line->begin();
}
progress_line::~progress_line() { current_line.reset(); }

progress::progress() : next_(seconds() + patience) {}

void progress::tell(const std::string& line) {
    const double now = seconds();
    if (now < next_ || is_quiet || !is_terminal(stderr)) return;
    next_ = now + 0.1;
    shown_ = rewrite(shown_, line);
}
void progress::clear() {
    if (shown_ != 0) shown_ = rewrite(shown_, "");
}

} // namespace program
