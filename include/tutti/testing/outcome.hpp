#pragma once

#include <string>

namespace tutti::testing {

/// What a check has found: whether all is well, and if not what is wrong, in lines for whoever reads a failed test.
///
/// It is a condition and can be written to a stream, so that frameworks for tests show the message by themselves.
///
/// Example: `CHECK(match_text(text, pattern));` with Catch2 or doctest; `if (const outcome o = match_text(text, pattern); !o)
///          std::cerr << o;` without
struct [[nodiscard]] outcome {
    bool ok = true;
    std::string message{};

    explicit operator bool() const { return ok; }

    template <class Stream>
    friend auto operator<<(Stream& out, const outcome& o) -> decltype(out << std::string{}) {
        return out << (o.ok ? std::string{"all is well"} : o.message);
    }
};

/// The outcome of a check that has failed.
[[gnu::cold]] inline outcome failed(std::string message) { return {false, static_cast<std::string&&>(message)}; }

} // namespace tutti::testing
