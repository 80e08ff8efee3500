#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>
#include <tutti/instrument/steady_clock.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#if __has_include(<sys/wait.h>)
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace tutti::instrument {

/// How what ran in a process of its own ended.
struct isolated_end {
    enum how : std::uint8_t {
        returned,    ///< by itself
        exited,      ///< with an exit code that is not 0
        killed,      ///< by a signal: a null pointer, no stack left, abort
        timed_out,   ///< it was ended, since its time was over
        interrupted, ///< it was ended, since `isolated_options::stop` said so
    };
    how way = returned;
    int code = 0; ///< the exit code, or the signal
    double seconds = 0;
    std::string said{}; ///< what was written to the parent
};

struct isolated_options {
    double seconds = 10; ///< how long it may take
    /// Looked at while it runs, and when a signal comes: ends it, once it is not 0.
    const volatile std::sig_atomic_t* stop = nullptr;
};

#if __has_include(<sys/wait.h>)

/// Writes from a process to the one that has started it: what is written is there even if the process dies after that.
class isolated_writer {
    int to_;

public:
    explicit isolated_writer(int to) : to_(to) {}

    void operator()(std::string_view text) const {
        while (!text.empty()) {
            const auto written = ::write(to_, text.data(), text.size());
            if (written < 0 && errno != EINTR) return;
            if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
        }
    }
};

namespace detail {

// A process group of its own, which hears and says nothing, and leaves no core.
inline void isolate() {
    ::setpgid(0, 0);
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing >= 0)
        for (int fd = 0; fd < 3; ++fd) ::dup2(nothing, fd);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int each : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) ::signal(each, SIG_DFL);
}

// Reads what a process writes, until it has ended or is made to.
inline isolated_end wait_for(pid_t process, int from, const isolated_options& options) {
    isolated_end end;
    const std::int64_t begin = steady_clock::now();
    const auto seconds = [&] { return static_cast<double>(steady_clock::now() - begin) * 1e-9; };
    bool open = true, killed = false;
    int status = 0;
    const auto kill_it = [&](isolated_end::how why) {
        if (killed) return;
        end.way = why;
        killed = true;
        ::kill(-process, SIGKILL);
        ::kill(process, SIGKILL);
    };
    for (bool ended = false; open || !ended;) {
        const double left = options.seconds - seconds();
        if (left <= 0) kill_it(isolated_end::timed_out);
        if (options.stop && *options.stop != 0) kill_it(isolated_end::interrupted);
        if (!ended) ended = ::waitpid(process, &status, WNOHANG) == process;
        pollfd there{from, POLLIN, 0};
        const int wait = ended || killed ? 0 : left > 0.02 ? 20 : 1;
        const int ready = ::poll(&there, open ? 1 : 0, open ? wait : 1);
        if (ready <= 0) {
            open = open && !ended; // who holds it still is none of ours
            continue;
        }
        char part[1 << 12];
        const auto got = ::read(from, part, sizeof part);
        if (got > 0) end.said.append(part, static_cast<std::size_t>(got));
        if (got == 0 || (got < 0 && errno != EINTR)) open = false;
    }
    end.seconds = seconds();
    if (killed) return end;
    ::kill(-process, SIGKILL); // what it has started and left
    if (WIFSIGNALED(status)) {
        end.way = isolated_end::killed;
        end.code = WTERMSIG(status);
    } else if (WEXITSTATUS(status) != 0) {
        end.way = isolated_end::exited;
        end.code = WEXITSTATUS(status);
    }
    return end;
}

template <class F>
isolated_end run_isolated(const isolated_options& options, void* context, F f) {
    int ends[2];
    errno = 0;
    if (::pipe(ends) != 0) raise(error{"a process of its own", std::string{"cannot be made: "} + std::strerror(errno)});
    const pid_t process = ::fork();
    if (process < 0) {
        const int code = errno;
        ::close(ends[0]);
        ::close(ends[1]);
        raise(error{"a process of its own", std::string{"cannot be made: "} + std::strerror(code)});
    }
    if (process == 0) {
        ::close(ends[0]);
        isolate();
        f(context, isolated_writer{ends[1]});
        ::_exit(0);
    }
    ::close(ends[1]);
    ::setpgid(process, process);
    const isolated_end end = wait_for(process, ends[0], options);
    ::close(ends[0]);
    return end;
}

} // namespace detail

/// Runs something in a process of its own, so that it may die, run out of stack, or not end. What it changes is lost; it tells
/// what it has found out through the `isolated_writer` that it is given. It hears nothing, and what it prints is lost.
///
/// Requires: a system with `fork`, elsewhere it runs in this process and nothing ends it; no other thread holds what it needs,
///           such as a lock.
/// Cost:     about a millisecond, more in a process that has taken much memory.
/// Throws:   `tutti::error` if there can be no more processes. What `f` throws is std::terminate's, in there.
/// Example:  `run_isolated([&](auto tell) { tell(is_right(run(passes, unit)) ? "right" : "wrong"); }, {.seconds = 5})`
template <class F>
isolated_end run_isolated(F&& f, const isolated_options& options = {}) {
    using body = std::remove_reference_t<F>;
    return detail::run_isolated(
        options, const_cast<std::remove_const_t<body>*>(&f),
        [](void* context, isolated_writer tell) noexcept { (*static_cast<body*>(context))(tell); });
}

/// Runs a command of the shell the same way: `returned` if its exit code is 0.
inline isolated_end run_command(const std::string& command, const isolated_options& options = {}) {
    return run_isolated(
        [&](isolated_writer) {
            ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
            ::_exit(127);
        },
        options);
}

#else

class isolated_writer {
    std::string* to_;

public:
    explicit isolated_writer(std::string& to) : to_(&to) {}

    void operator()(std::string_view text) const { to_->append(text); }
};

template <class F>
isolated_end run_isolated(F&& f, const isolated_options& = {}) {
    isolated_end end;
    f(isolated_writer{end.said});
    return end;
}

inline isolated_end run_command(const std::string& command, const isolated_options& = {}) {
    isolated_end end;
    end.code = std::system(command.c_str());
    end.way = end.code == 0 ? isolated_end::returned : isolated_end::exited;
    return end;
}

#endif

/// What a signal is called that ended a process: "SIGSEGV".
inline std::string signal_name(int signal) {
    struct known {
        int number;
        const char* name;
    };
    constexpr known names[]{{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},  {SIGFPE, "SIGFPE"},
                            {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}};
    for (const known& each : names)
        if (each.number == signal) return each.name;
    return "signal " + std::to_string(signal);
}

} // namespace tutti::instrument
