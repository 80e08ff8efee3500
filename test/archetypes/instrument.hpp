#pragma once

#include <tutti/pass/instrument.hpp>

#include <exception>

// Minimal instruments: one per hook, and one with all hooks.

struct only_enters {
    void enter_pass_ctx() {}
};
struct only_exits {
    void exit_pass_ctx() {}
};
struct only_decides {
    bool should_run(const auto&, const tutti::pass_info&) { return true; }
};
struct only_before {
    void run_before_pass(const auto&, const tutti::pass_info&) {}
};
struct only_after {
    void run_after_pass(const auto&, const tutti::pass_info&) {}
};
struct only_skipped {
    void pass_skipped(const tutti::pass_info&, tutti::skip_reason) {}
};
struct only_failed {
    void pass_failed(const auto*, const tutti::pass_info&, const std::exception_ptr&) {}
};
struct all_hooks : only_enters, only_exits, only_decides, only_before, only_after, only_skipped, only_failed {};
struct measuring : only_before {
    void stop_clock() {}
    void start_clock() {}
};
