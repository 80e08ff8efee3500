#pragma once

#include <tutti/base/folder.hpp>

#include <string>

namespace tutti::testing {

/// The result of a check: success, or a message for the reader of a failed test.
///
/// It converts to bool and can be written to a stream, so that test frameworks show the message.
///
/// Example: `CHECK(match_text(text, pattern));` with Catch2 or doctest; `if (const outcome o = match_text(text,
///          pattern); !o) std::cerr << o;` without a framework
struct [[nodiscard]] outcome {
    bool ok = true;
    std::string message{};

    explicit operator bool() const { return ok; }

    template <class Stream>
    friend auto operator<<(Stream& out, const outcome& o) -> decltype(out << std::string{}) {
        return out << (o.ok ? std::string{"all is well"} : o.message);
    }
};

/// Returns the outcome of a failed check.
[[gnu::cold]] inline outcome failed(std::string message) { return {false, static_cast<std::string&&>(message)}; }

} // namespace tutti::testing
