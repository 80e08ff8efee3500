#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/posix.hpp>
#include <tutti/base/steady_clock.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <type_traits>

#if defined(TUTTI_POSIX)
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#endif

namespace tutti::instrument {

/// The outcome of an isolated run.
struct isolated_end {
    enum how : std::uint8_t {
        returned,    ///< normally
        exited,      ///< with a nonzero exit code
        killed,      ///< by a signal: null pointer, stack overflow, abort
        timed_out,   ///< ended at the time limit
        interrupted, ///< ended by `isolated_options::stop`
    };
    how way = returned;
    int code = 0; ///< the exit code or the signal number
    double seconds = 0;
    std::string said{}; ///< the text from the `isolated_writer`
};

struct isolated_options {
    double seconds = 10;         ///< time limit
    std::uint64_t max_bytes = 0; ///< limit on the address space, beyond which allocations fail; 0: none
    /// A nonzero value ends the process. Checked at intervals and after signals; may be null.
    const volatile std::sig_atomic_t* stop = nullptr;
};

#if defined(TUTTI_POSIX)

/// Writes text from a process to its parent. Written text arrives even if the process dies afterwards.
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

// Moves this process to its own process group, limits its memory, and disables input, output and core dumps. On Linux,
// the process ends with its parent.
inline void isolate(const isolated_options& options) {
    ::setpgid(0, 0);
#if defined(__linux__)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (const auto most = static_cast<rlim_t>(options.max_bytes); most != 0) {
        const rlimit memory{most, most};
        ::setrlimit(RLIMIT_AS, &memory);
    }
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing >= 0)
        for (int fd = 0; fd < 3; ++fd) ::dup2(nothing, fd);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int each : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) ::signal(each, SIG_DFL);
}

// Reads a process's output until the process ends. Kills the process at the time limit or if `options.stop` is set.
inline isolated_end wait_for(pid_t process, int from, const isolated_options& options) {
    isolated_end end;
    const std::int64_t begin = tutti::internal::steady_clock::now();
    const auto seconds = [&] { return static_cast<double>(tutti::internal::steady_clock::now() - begin) * 1e-9; };
    bool open = true, killed = false;
    int status = 0;
    long pause = 20'000; // nanoseconds; a process ends soon after its pipe is closed
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
        if (!open) {
            const timespec time{0, pause};
            if (!ended) ::nanosleep(&time, nullptr);
            if (pause < 1'000'000) pause *= 2;
            continue;
        }
        pollfd there{from, POLLIN, 0};
        const int ready = ::poll(&there, 1, ended || killed ? 0 : left > 0.02 ? 20 : 1);
        if (ready <= 0) {
            open = open && !ended; // once our process has ended, only its children hold the pipe
            continue;
        }
        char part[1 << 12];
        const auto got = ::read(from, part, sizeof part);
        if (got > 0) end.said.append(part, static_cast<std::size_t>(got));
        if (got == 0 || (got < 0 && errno != EINTR)) open = false;
    }
    end.seconds = seconds();
    if (killed) return end;
    ::kill(-process, SIGKILL); // ends child processes left behind
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
    if (::pipe(ends) != 0) raise(error{"a child process", std::string{"cannot be created: "} + std::strerror(errno)});
    const pid_t process = ::fork();
    if (process < 0) {
        const int code = errno;
        ::close(ends[0]);
        ::close(ends[1]);
        raise(error{"a child process", std::string{"cannot be created: "} + std::strerror(code)});
    }
    if (process == 0) {
        ::close(ends[0]);
        isolate(options);
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

/// Runs a callable in a separate process, so that it may crash, overflow the stack, or hang. The process has no input,
/// its output is discarded, and its changes to memory are lost. The callable reports results through the
/// `isolated_writer` passed to it.
///
/// Requires: a system with `fork`; elsewhere `f` runs in this process without protection. No other thread holds a
///           lock that `f` needs.
/// Cost:     about half a millisecond, more in a process with much memory.
/// Throws:   `tutti::error` if no process can be created. An exception in `f` terminates the child process.
/// Example:  `run_isolated([&](auto tell) { tell(is_right(run(passes, unit)) ? "right" : "wrong"); }, {.seconds = 5})`
template <class F>
isolated_end run_isolated(F&& f, const isolated_options& options = {}) {
    using body = std::remove_reference_t<F>;
    return detail::run_isolated(
        options, const_cast<std::remove_const_t<body>*>(&f),
        [](void* context, isolated_writer tell) noexcept { (*static_cast<body*>(context))(tell); });
}

/// Runs a shell command in isolation, like `run_isolated`. Exit code 0 counts as `returned`.
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

/// Returns the name of a signal: "SIGSEGV".
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
