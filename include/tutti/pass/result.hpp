#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_error.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/pass/stop_context.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

namespace detail {

template <class E>
std::string_view error_text(const E& error) {
    if constexpr (requires { std::string_view(error.what()); })
        return error.what();
    else if constexpr (std::is_convertible_v<const E&, std::string_view>)
        return error;
    else
        return "it returned an error";
}

} // namespace detail

/// The result of a pass that may fail without an exception: the change of the unit, or an error.
///
/// The pass works in place. It returns a `change`, `{}` if it does not know whether the unit changed, or an `E`. After
/// an error, the remaining passes are skipped, instruments receive `pass_failed` for the pass and the surrounding passes, and
/// `try_run` returns the error. If the pass does not run in a `try_run`, a run-time context throws the error, and a
/// static one does not compile.
///
/// Example:
/// ```
/// struct check_depth {
///     static constexpr tutti::pass_info info{.name = "CheckDepth"};
///     tutti::result<> operator()(tree& t) const {
///         if (depth(t) > 100) return tutti::pass_error{"the tree is too deep"};
///         return tutti::unchanged;
///     }
/// };
/// ```
template <class E = pass_error>
class [[nodiscard("the pass may have failed; test the result, or return it")]] result {
    tutti::change what_ = tutti::change::unknown;
    std::optional<E> error_{};
    std::string_view pass_{};

public:
    using error_type = E;

    result() = default;
    result(tutti::change what) : what_(what) {}
    result(E error) : error_(std::move(error)) {}
    /// Creates the result of a `try_run` in which a pass failed.
    result(E error, std::string_view pass) : error_(std::move(error)), pass_(pass) {}

    /// True if there is no error.
    explicit operator bool() const { return !error_; }
    /// Returns the error. Requires: there is one.
    const E& error() const& { return *error_; }
    E&& error() && { return *std::move(error_); }
    /// Returns the change of the unit; `unknown` if there is an error.
    tutti::change change() const { return what_; }
    /// Returns the name of the pass that failed, if this is the result of a `try_run`; valid as long as the pass.
    std::string_view pass() const { return pass_; }

    /// Passes an error on to the `try_run` around the pass. For the library, which calls passes.
    template <class Context>
    tutti::change hand_over(Context& ctx, const pass_info& info) && {
        if (error_) [[unlikely]]
            fail(ctx, info);
        return what_;
    }

private:
    template <class Context>
    [[gnu::noinline, gnu::cold]] void fail([[maybe_unused]] Context& ctx, [[maybe_unused]] const pass_info& info) {
        constexpr bool can_stop = Context::may_stop;
        static_assert(can_stop, "tutti::scope::run(pass, unit): a pass that returns a tutti::result must run in a "
                                "try_run, which returns its error; write tutti::try_run(scope, pass, unit)");
        if constexpr (can_stop) {
            const std::string_view text = detail::error_text(*error_);
            if (!detail::hand_to_try_run(internal::stop_of(ctx), info, *error_, text)) raise_error(text);
        }
    }
    static constexpr bool is_exception = std::is_base_of_v<std::exception, E>;

    [[noreturn]] void raise_error(std::string_view text) {
        if constexpr (is_exception)
            raise(std::move(*error_));
        else
            raise(pass_error(text));
    }
};

namespace detail {

template <class E>
struct sink_of : internal::failure_sink {
    std::optional<E> error{};

    sink_of() : failure_sink{&move_into} {}
    static bool move_into(failure_sink& sink, const void* type, void* error, std::string_view,
                          [[maybe_unused]] std::string_view text) {
        auto& to = static_cast<sink_of&>(sink).error;
        if (type == &error_type<E>)
            to.emplace(std::move(*static_cast<E*>(error)));
        else if constexpr (std::is_constructible_v<E, std::string_view>)
            to.emplace(text);
        else
            return false;
        return true;
    }
};

} // namespace detail

/// Runs a pass in place, and returns the error of the first pass that fails by returning a `tutti::result`.
///
/// After an error, the unit is as the failing pass left it. Exceptions propagate as usual. Parts of units are
/// transformed in sequence, so that the first part's error is returned. If a pass returns another type of error, its
/// text becomes an `E`; if that is impossible, the error is thrown.
///
/// Example:
/// ```
/// const auto done = tutti::with(ctx, [&](auto& scope) { return tutti::try_run(scope, pipeline, unit); });
/// if (!done) std::cerr << done.pass() << ": " << done.error().what() << '\n';
/// ```
template <class E = pass_error, class Scope, class P, class Unit>
[[nodiscard("the pass may have failed; test the result, or return it")]] result<E> try_run(Scope& scope, P&& pass,
                                                                                           Unit& unit) {
    detail::sink_of<E> sink;
    stop_token token{internal::stop_of(scope), sink};
    const change made =
        internal::with_stop(scope, token, [&](auto& inside) -> change { return inside.run(pass, unit); });
    if (sink.failed) return {std::move(*sink.error), sink.pass};
    return made;
}

} // namespace tutti
