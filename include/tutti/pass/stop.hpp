#pragma once

#include <tutti/base/steady_clock.hpp>
#include <tutti/pass/fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>

namespace tutti {

namespace internal {

/// Where a `try_run` keeps the error of the pass that fails.
struct failure_sink {
    /// Moves an error into the sink. `type` identifies its type. False if the sink is for another type of error, and
    /// cannot be made from `text` either.
    bool (*take)(failure_sink& sink, const void* type, void* error, std::string_view pass, std::string_view text);
    bool failed = false;
    std::string_view pass{};     ///< the pass that failed
    std::exception_ptr reason{}; ///< the error for `pass_failed` hooks; null without exceptions
};

} // namespace internal

/// A request to end runs early, from another thread, a signal handler, or at a deadline.
///
/// A context that refers to a requested token ends its runs at the next poll. Sequentials and adaptors poll before each
/// member: the remaining members are skipped, with `skip_reason::stopped`, and the unit stays as the last member left
/// it. A pass that takes long may poll with `ctx.stop_requested()`, and return early.
///
/// The token must outlive the runs.
///
/// Example:
/// ```
/// tutti::stop_token token;
/// tutti::pass_context ctx{tutti::stoppable{token}};
/// tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, unit); }); // another thread calls token.request()
/// if (token.stopped()) std::cerr << "stopped at " << token.stopped_at() << '\n';
/// ```
class stop_token {
    static constexpr std::size_t most_characters = 64;

    bool requested_ = false; // accessed atomically, as are the next two
    bool stopped_ = false;
    bool named_ = false;
    bool naming_ = false;
    bool depends_ = false;  // on the clock, or on another token
    bool reported_ = false; // by the adaptor that made the token
    unsigned char length_ = 0;
    char name_[most_characters]{};
    std::int64_t deadline_ = 0; // 0: none
    stop_token* outer_ = nullptr;
    internal::failure_sink* sink_ = nullptr;

    static constexpr bool load(const bool& flag) {
        return __builtin_is_constant_evaluated() ? flag : __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
    }
    static constexpr void store(bool& flag, bool to) {
        if (__builtin_is_constant_evaluated())
            flag = to;
        else
            __atomic_store_n(&flag, to, __ATOMIC_RELEASE);
    }
    static constexpr bool exchange(bool& flag, bool to) {
        if (!__builtin_is_constant_evaluated()) return __atomic_exchange_n(&flag, to, __ATOMIC_RELAXED);
        const bool before = flag;
        flag = to;
        return before;
    }
    constexpr bool deadline_has_passed() const { return deadline_ != 0 && internal::steady_clock::now() >= deadline_; }
    // Not inlined, so that a poll of a plain token stays small.
    [[gnu::noinline]] constexpr bool poll_others() {
        if (deadline_has_passed()) {
            store(requested_, true); // later polls need not read the clock
            store(stopped_, true);
            return true;
        }
        return outer_ != nullptr && outer_->poll();
    }

public:
    constexpr stop_token() = default;
    /// Creates a token that is also requested if `outer` is. `outer` may be null. For adaptors, which report a stop
    /// themselves.
    constexpr explicit stop_token(stop_token* outer) : depends_(outer != nullptr), reported_(true), outer_(outer) {}
    /// Creates a token that is also requested if a pass fails. For `try_run`.
    constexpr stop_token(stop_token* outer, internal::failure_sink& sink) : stop_token(outer) { sink_ = &sink; }
    stop_token(const stop_token&) = delete;
    stop_token& operator=(const stop_token&) = delete;

    /// Requests the end of the runs. May be called by any thread, and by a signal handler.
    constexpr void request() noexcept { store(requested_, true); }
    /// Requests the end of the runs after some time from now. Call this before the runs begin.
    void request_after(std::int64_t milliseconds) {
        deadline_ = internal::steady_clock::now() + milliseconds * 1'000'000;
        depends_ = true;
    }
    /// True if the end is requested.
    constexpr bool requested() const {
        return load(requested_) || (depends_ && (deadline_has_passed() || (outer_ != nullptr && outer_->requested())));
    }
    /// True if a pass, a sequential or an adaptor has polled since the request: the run did not complete.
    constexpr bool stopped() const { return load(stopped_); }
    /// Returns the name of the first pass that the stop skipped, or of the pass that polled and ended early; empty if no
    /// run was stopped. If parts are transformed in parallel, it is one of the passes that were running or next. Names
    /// are cut off after 64 characters.
    constexpr std::string_view stopped_at() const {
        return load(named_) ? std::string_view(name_, length_) : std::string_view();
    }
    /// Returns to the initial state, without a deadline. Requires: no run uses the token.
    constexpr void reset() {
        requested_ = stopped_ = named_ = naming_ = false;
        length_ = 0;
        deadline_ = 0;
        depends_ = outer_ != nullptr;
    }

    /// True if the end is requested; `stopped()` is then true. For scopes.
    constexpr bool poll() {
        if (load(requested_)) {
            store(stopped_, true);
            return true;
        }
        return depends_ && poll_others();
    }
    /// Returns where the error of a failing pass goes, or null outside of a `try_run`.
    constexpr internal::failure_sink* sink() const {
        const stop_token* each = this;
        while (each != nullptr && each->sink_ == nullptr) each = each->outer_;
        return each != nullptr ? each->sink_ : nullptr;
    }
    /// True if a pass has failed in the innermost `try_run`.
    constexpr bool failed() const {
        const internal::failure_sink* const to = sink();
        return to != nullptr && to->failed;
    }
    /// Ends the runs of the innermost `try_run`, after its sink has taken an error.
    constexpr void fail() {
        stop_token* each = this;
        while (each->sink_ == nullptr) each = each->outer_;
        each->sink_->failed = true;
        each->request();
    }
    /// Stores the name of the pass at which a stopped run ended, on this or an outer token. True for the first call,
    /// unless an adaptor reports the stop. For scopes.
    [[gnu::noinline, gnu::cold]] constexpr bool stop_at(std::string_view pass) {
        if (!stopped()) return outer_ != nullptr && outer_->stop_at(pass);
        if (exchange(naming_, true)) return false;
        for (const char c : pass.substr(0, most_characters)) name_[length_++] = c;
        store(named_, true);
        return !reported_;
    }
};

/// Context option: the context's runs end early if the token is requested. The counterpart of `context_options::stop`
/// for static contexts.
///
/// Example: `tutti::pass_context ctx{tutti::stoppable{token}};`
struct stoppable {
    stop_token* token;

    constexpr explicit stoppable(stop_token& to_poll) : token(&to_poll) {}
};

} // namespace tutti
