#pragma once

#include <tutti/pass/check.hpp>
#include <tutti/pass/run.hpp>
#include <tutti/runtime/instruments.hpp>
#include <tutti/runtime/pass_config.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// What a run-time context is made from.
template <class Unit>
struct context_options {
    int opt_level = 2;
    std::vector<std::string> disabled{}; ///< names of passes that sequentials leave out
    std::vector<std::string>
        required{}; ///< names of passes that they run at any level, and no instrument is asked about
    std::vector<any_instrument<Unit>> instruments{};
    pass_config config{}; ///< what passes ask for by `tutti::config(ctx, key)`
};

/// A context whose options are known at run time; each thread has a current one.
///
/// Example:
/// ```
/// runtime::pass_context<int> ctx{{.opt_level = 3, .disabled = {"FuseOps"}, .instruments = {timing}}};
/// int out = runtime::with(ctx, [&] { return runtime::pass_context<int>::current().run(pipeline, 1); });
/// ```
template <class Unit>
class pass_context {
    int opt_level_ = 2;
    std::vector<std::string> disabled_;
    std::vector<std::string> required_;
    runtime::instruments<Unit> instruments_;
    pass_config config_;

    static bool contains(const std::vector<std::string>& names, std::string_view name) {
        for (const std::string& each : names)
            if (each == name) return true;
        return false;
    }
    static pass_context*& innermost() {
        thread_local pass_context* context = nullptr;
        return context;
    }

public:
    pass_context() = default;
    explicit pass_context(context_options<Unit> options)
        : opt_level_(options.opt_level)
        , disabled_(std::move(options.disabled))
        , required_(std::move(options.required))
        , config_(std::move(options.config)) {
        instruments_.assign(std::move(options.instruments));
    }
    pass_context(const pass_context&) = delete;
    pass_context& operator=(const pass_context&) = delete;

    /// The context of the innermost `with` on this thread; outside of any, this thread's default one.
    static pass_context& current() {
        thread_local pass_context fallback;
        return innermost() ? *innermost() : fallback;
    }

    int opt_level() const { return opt_level_; }
    /// The value of a config key; its own if the context sets none.
    template <config_type T>
    T config(const config_key<T>& key) const {
        return config_(key);
    }
    const pass_config& config() const { return config_; }
    runtime::instruments<Unit>& instruments() { return instruments_; }
    const runtime::instruments<Unit>& instruments() const { return instruments_; }
    /// Whether there are no instruments; also after one threw when the context was entered or left.
    bool instruments_cleared() const { return instruments_.cleared(); }

    /// Leaves the old instruments, takes the new ones, enters them; whether or not the context is entered
    /// itself.
    ///
    /// Throws: what a hook throws. If it was an old one's, the context has no instruments afterwards; if a
    ///         new one's, neither, and those entered are left. `tutti::error` from within a hook.
    void override_instruments(std::vector<any_instrument<Unit>> list) {
        instruments_.check_idle();
        instruments_.exit();
        instruments_.assign(std::move(list));
        instruments_.enter();
    }

    /// Runs a pass in this context, whichever is the current one; see `scope::run`.
    template <class P, class U>
    auto run(const P& pass, U&& unit) {
        return scope<Unit>{*this}.run(pass, std::forward<U>(unit));
    }

    /// Whether a sequential would run the pass, and if not why.
    template <class P>
    tutti::detail::decision decide(const P& pass) const {
        if (contains(disabled_, pass.info.name)) return tutti::detail::decision::disabled;
        if (contains(required_, pass.info.name)) return tutti::detail::decision::run;
        return opt_level_ >= pass.info.opt_level ? tutti::detail::decision::run : tutti::detail::decision::opt_level;
    }
    /// Whether the context names the pass as required, so that no instrument is asked about it.
    template <class P>
    bool is_required(const P& pass) const {
        return contains(required_, pass.info.name);
    }

    /// Makes a context current as long as it lives; tells no instruments.
    class made_current {
        pass_context* outer_;

    public:
        explicit made_current(pass_context& entered) : outer_(std::exchange(innermost(), &entered)) {}
        ~made_current() { innermost() = outer_; }
        made_current(const made_current&) = delete;
    };
};

} // namespace tutti::runtime
