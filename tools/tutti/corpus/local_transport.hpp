#pragma once

#include "transport.hpp"

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace program::corpus {

/// A worker's end of its connection: a stream of messages, each with its length before it.
class channel {
    int fd_;
    std::string read_{};

public:
    explicit channel(int fd) : fd_(fd) {}

    int fd() const { return fd_; }
    /// Sends a message. False if the other end is closed.
    bool send(std::string_view text) const;
    /// Reads available bytes, and waits for some. False if the other end is closed.
    bool fill();
    /// Takes the next complete message from the bytes read. False if there is none.
    bool take(std::string& message);
    void close();
};

/// Workers as child processes of this one. A dead worker is replaced.
class local_transport final : public transport {
public:
    /// Starts the workers. `work` runs in each until the channel is closed.
    local_transport(std::size_t count, std::function<void(channel&)> work);
    ~local_transport() override;

    std::size_t workers() const override { return all_.size(); }
    void send(std::size_t worker, std::string_view text) override;
    event receive(double seconds) override;

private:
    struct process {
        pid_t id = 0;
        channel to{-1};
    };

    void start(process& p);
    void end(process& p);

    std::function<void(channel&)> work_;
    std::vector<process> all_;
    std::deque<event> arrived_;
};

} // namespace program::corpus
