#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace program::corpus {

/// Connects the scheduler with its workers, which are numbered from 0. Messages to and from one worker arrive in order.
class transport {
public:
    struct event {
        enum kind : unsigned char {
            none,    ///< nothing happened in time
            message, ///< a worker sent `text`
            lost,    ///< a worker died; all messages that it sent before have arrived. A new one has its number
            gone,    ///< a worker died, and nothing replaces it
        };
        kind what = none;
        std::size_t worker = 0;
        std::string text{};
    };

    transport() = default;
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;
    virtual ~transport() = default;

    virtual std::size_t workers() const = 0;
    /// Sends a message. A message to a dead worker is dropped; `lost` follows.
    virtual void send(std::size_t worker, std::string_view text) = 0;
    /// Waits for an event, at most the given time.
    virtual event receive(double seconds) = 0;
};

} // namespace program::corpus
