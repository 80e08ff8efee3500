#pragma once

#include "recorder.hpp"
#include "transport.hpp"
#include "work_list.hpp"
#include "worker.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace program::corpus {

/// Hands out the modules of a work list to workers, in small batches, and records their answers.
class scheduler {
public:
    scheduler(const work_list& list, transport& workers, recorder& to);

    /// Hands out work until each worker has enough.
    void hand_out();
    /// Waits for an event, at most `seconds`, and handles it.
    void handle(double seconds);
    bool is_done() const { return finished_ == list_.size(); }

    std::uint64_t finished() const { return finished_; } ///< including those that had rows before
    std::uint64_t skipped() const { return skipped_; }   ///< modules that had rows before

private:
    struct worker_state {
        std::deque<std::vector<std::uint64_t>> batches{}; // sent, and not answered
        bool is_gone = false;
    };

    bool next(std::uint64_t& index);
    std::size_t batch_size() const;
    void take_rows(std::size_t worker, std::string_view text);
    void take_back(std::size_t worker);
    void record(module_row& row);

    const work_list& list_;
    transport& workers_;
    recorder& to_;
    std::vector<worker_state> states_;
    std::deque<std::uint64_t> again_;     // modules whose worker died
    std::map<std::uint64_t, int> deaths_; // workers that died while a module was alone in their batch
    std::uint64_t next_ = 0, finished_ = 0, skipped_ = 0, out_ = 0;
    double seconds_ = 0; // for a module, about
    bool is_resumed_;
};

} // namespace program::corpus
