// Reports a crash of the process while a pass runs.

#include "program.hpp"

#include <csignal>
#include <cstddef>
#include <cstring>
#include <string_view>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace program {

namespace {

// Buffers for the signal handler, which must not allocate. The handler runs on its own stack, since a stack overflow
// may have caused the signal.
char pass_name[128], kept_in[1024];

#if __has_include(<unistd.h>)

void say(const char* text) {
    const ssize_t done = ::write(STDERR_FILENO, text, std::strlen(text));
    static_cast<void>(done); // an error cannot be reported
}

extern "C" void tell_of_crash(int signal) {
    const char* const name = signal == SIGSEGV   ? "a segmentation fault"
                             : signal == SIGABRT ? "an abort"
                             : signal == SIGFPE  ? "an arithmetic fault"
                             : signal == SIGBUS  ? "a bus error"
                                                 : "an illegal instruction";
    say("tutti: error: ");
    if (*pass_name != 0) {
        say("pass ");
        say(pass_name);
        say(": ");
    }
    say(name);
    say("; `tutti opt ");
    say(kept_in);
    say("` does the same again\n");
    ::raise(signal); // ends the process with the default action
}

#endif

void copy(std::string_view from, char* to, std::size_t room) {
    const std::size_t size = from.size() < room ? from.size() : room - 1;
    std::memcpy(to, from.data(), size);
    to[size] = 0;
}

} // namespace

void crash_teller::run_before_pass(const tutti::relay::ir_module&, const tutti::pass_info& info) {
    if (info.kind != tutti::pass_kind::sequential) copy(info.name, pass_name, sizeof pass_name);
}

void tell_of_crashes([[maybe_unused]] const std::string& reproducer) {
#if __has_include(<unistd.h>)
    static char stack[1 << 16];
    copy(reproducer, kept_in, sizeof kept_in);
    stack_t own{};
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    ::sigaltstack(&own, nullptr);
    struct sigaction handler{};
    handler.sa_handler = tell_of_crash;
    handler.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) ::sigaction(signal, &handler, nullptr);
#endif
}

} // namespace program
