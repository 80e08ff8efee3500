#include <tutti/search/isolated.hpp>

#include "support/catch.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using tutti::instrument::isolated_end;
using tutti::instrument::isolated_writer;
using tutti::instrument::run_command;
using tutti::instrument::run_isolated;

TEST_CASE("run_isolated: returns the output of the other process, and changes nothing in this one",
          "[instrument][isolated]") {
    int n = 1;
    const std::string large(300'000, 'x');
    const isolated_end end = run_isolated([&](isolated_writer tell) {
        n = 2;
        tell("some");
        tell(large);
        std::puts("this is lost");
    });
    CHECK(end.way == isolated_end::returned);
    CHECK(end.said == "some" + large);
    CHECK(n == 1);
    CHECK(end.seconds < 5);
}

TEST_CASE("run_isolated: reports a crash, with the output before it", "[instrument][isolated]") {
    const isolated_end dead = run_isolated([](isolated_writer tell) {
        tell("before");
        std::abort();
    });
    CHECK(dead.way == isolated_end::killed);
    CHECK(tutti::instrument::signal_name(dead.code) == "SIGABRT");
    CHECK(dead.said == "before");
    const isolated_end left = run_isolated([](isolated_writer) { std::_Exit(3); });
    CHECK(left.way == isolated_end::exited);
    CHECK(left.code == 3);
    CHECK(run_isolated([](isolated_writer) { throw 1; }).way == isolated_end::killed);
    CHECK(tutti::instrument::signal_name(63) == "signal 63");
}

TEST_CASE("run_isolated: limits memory", "[instrument][isolated]") {
#if defined(__has_feature) // Clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TUTTI_TEST_SANITIZED
#endif
#endif
#if !defined(TUTTI_TEST_SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const auto allocate = [](isolated_writer tell) {
        char* volatile const room = static_cast<char*>(std::malloc(std::size_t{1} << 32));
        tell(room ? "some" : "none");
        std::free(room);
    };
    CHECK(run_isolated(allocate, {.max_bytes = std::uint64_t{1} << 31}).said == "none");
    CHECK(run_isolated(allocate).said == "some");
#endif
}

TEST_CASE("run_isolated: stops a process that does not end", "[instrument][isolated]") {
    const isolated_end end = run_isolated(
        [](isolated_writer tell) {
            tell("x");
            for (volatile bool on = true; on;) {}
        },
        {.seconds = 0.1});
    CHECK(end.way == isolated_end::timed_out);
    CHECK(end.said == "x");
    CHECK(end.seconds >= 0.1);
    CHECK(end.seconds < 5);
    const volatile std::sig_atomic_t stop = 1;
    CHECK(run_isolated(
              [](isolated_writer) {
                  for (volatile bool on = true; on;) {}
              },
              {.seconds = 60, .stop = &stop})
              .way == isolated_end::interrupted);
}

TEST_CASE("run_command: by the shell", "[instrument][isolated]") {
    CHECK(run_command("exit 0").way == isolated_end::returned);
    CHECK(run_command("exit 7").code == 7);
    CHECK(run_command("there-is-no-such-command").code == 127);
    CHECK(run_command("kill -SEGV $$").way == isolated_end::killed);
    CHECK(run_command("sleep 60", {.seconds = 0.1}).way == isolated_end::timed_out);
    CHECK(run_command("sleep 60 & exit 0", {.seconds = 30}).seconds < 20);
}
