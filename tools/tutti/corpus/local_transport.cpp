#include "local_transport.hpp"

#include "../program.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace program::corpus {

bool channel::send(std::string_view text) const {
    char size[4];
    for (int i = 0; i < 4; ++i) size[i] = static_cast<char>(text.size() >> 8 * i);
    std::string all{size, sizeof size};
    all.append(text);
    for (std::string_view left = all; !left.empty();) {
        const ssize_t sent = ::send(fd_, left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) return false;
        if (sent > 0) left.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool channel::fill() {
    char part[1 << 16];
    const ssize_t got = ::read(fd_, part, sizeof part);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    read_.append(part, static_cast<std::size_t>(got));
    return got != 0;
}

bool channel::take(std::string& message) {
    if (read_.size() < 4) return false;
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= static_cast<std::size_t>(static_cast<unsigned char>(read_[i])) << 8 * i;
    if (read_.size() - 4 < size) return false;
    message = read_.substr(4, size);
    read_.erase(0, 4 + size);
    return true;
}

void channel::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    read_.clear();
}

local_transport::local_transport(std::size_t count, std::function<void(channel&)> work)
    : work_(std::move(work)), all_(count) {
    for (process& each : all_) start(each);
}

local_transport::~local_transport() {
    for (process& each : all_) ::shutdown(each.to.fd(), SHUT_RDWR);
    for (process& each : all_) end(each);
}

void local_transport::start(process& p) {
    int ends[2];
    errno = 0;
    const bool has_pair = ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
    const pid_t id = has_pair ? ::fork() : -1;
    if (id < 0)
        throw failure{wrong_input,
                      message("tutti corpus run", std::string{"a worker cannot be started: "} + std::strerror(errno))};
    if (id == 0) {
        ::close(ends[0]);
        for (process& other : all_) other.to.close();
        for (const int ignored : {SIGINT, SIGHUP, SIGPIPE}) std::signal(ignored, SIG_IGN); // the parent decides
        std::signal(SIGTERM, SIG_DFL);
        channel to{ends[1]};
        work_(to);
        ::_exit(0);
    }
    ::close(ends[1]);
    p = {id, channel{ends[0]}};
}

void local_transport::end(process& p) {
    p.to.close();
    if (p.id > 0) {
        ::kill(p.id, SIGKILL);
        while (::waitpid(p.id, nullptr, 0) < 0 && errno == EINTR) {}
    }
    p.id = 0;
}

void local_transport::send(std::size_t worker, std::string_view text) { all_[worker].to.send(text); }

transport::event local_transport::receive(double seconds) {
    if (arrived_.empty()) {
        std::vector<pollfd> there;
        for (const process& each : all_) there.push_back({each.to.fd(), POLLIN, 0});
        if (::poll(there.data(), there.size(), static_cast<int>(std::ceil(std::max(0.0, seconds) * 1e3))) <= 0)
            return {};
        for (std::size_t w = 0; w < all_.size(); ++w) {
            if (there[w].revents == 0) continue;
            const bool is_open = all_[w].to.fill();
            std::string text;
            while (all_[w].to.take(text)) arrived_.push_back({event::message, w, std::move(text)});
            if (is_open) continue;
            end(all_[w]);
            start(all_[w]);
            arrived_.push_back({event::lost, w, {}});
        }
    }
    if (arrived_.empty()) return {};
    event first = std::move(arrived_.front());
    arrived_.pop_front();
    return first;
}

} // namespace program::corpus
