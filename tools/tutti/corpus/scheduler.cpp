#include "scheduler.hpp"

#include <algorithm>

namespace program::corpus {

namespace {

constexpr std::size_t most_batches = 2; // sent to a worker at once, so that it need not wait
constexpr std::size_t most_modules = 64;
constexpr double wanted_seconds = 0.2; // for a batch
constexpr int most_deaths = 3;

} // namespace

scheduler::scheduler(const work_list& list, transport& workers, recorder& to)
    : list_(list), workers_(workers), to_(to), states_(workers.workers()), is_resumed_(to.rows() != 0) {}

bool scheduler::next(std::uint64_t& index) {
    if (!again_.empty()) {
        index = again_.front();
        again_.pop_front();
        return true;
    }
    for (; next_ < list_.size(); ++next_, ++skipped_, ++finished_) {
        if (is_resumed_ && to_.has(list_.name(next_), list_.bytes(next_))) continue;
        index = next_++;
        return true;
    }
    return false;
}

// Modules that fit into the wanted time, and fewer towards the end of the list.
std::size_t scheduler::batch_size() const {
    const double fit = seconds_ == 0 ? 1 : wanted_seconds / seconds_;
    const std::uint64_t left = list_.size() - next_ + again_.size();
    const auto share = static_cast<double>(left) / (4 * static_cast<double>(states_.size()));
    return static_cast<std::size_t>(std::clamp(std::min(fit, share), 1.0, static_cast<double>(most_modules)));
}

void scheduler::hand_out() {
    for (std::size_t n = 0; n < most_batches; ++n) {
        for (std::size_t w = 0; w < states_.size(); ++w) {
            worker_state& state = states_[w];
            if (state.is_gone || state.batches.size() > n) continue;
            // A module whose worker died is alone, so that another death is its own.
            const std::size_t size = again_.empty() ? batch_size() : 1;
            std::vector<std::uint64_t> batch;
            std::vector<task> tasks;
            for (std::uint64_t index = 0; batch.size() < size && next(index);) {
                batch.push_back(index);
                tasks.push_back({index, list_.name(index)});
            }
            if (batch.empty()) return;
            out_ += batch.size();
            state.batches.push_back(std::move(batch));
            workers_.send(w, to_message(tasks));
        }
    }
}

void scheduler::record(module_row& row) {
    to_.add(row, list_.name(row.index), list_.bytes(row.index));
    ++finished_;
    --out_;
}

void scheduler::take_rows(std::size_t worker, std::string_view text) {
    std::vector<module_row> rows = read_rows(text);
    double sum = 0;
    for (module_row& each : rows) {
        sum += each.seconds;
        record(each);
    }
    if (rows.empty()) return;
    const double mean = std::max(sum / static_cast<double>(rows.size()), 1e-6);
    seconds_ = seconds_ == 0 ? mean : 0.7 * seconds_ + 0.3 * mean;
    states_[worker].batches.pop_front();
}

// Returns the modules of a dead worker to the list.
void scheduler::take_back(std::size_t worker) {
    bool is_first = true;
    for (const auto& batch : states_[worker].batches) {
        for (const std::uint64_t index : batch) {
            if (batch.size() == 1 && is_first && ++deaths_[index] >= most_deaths) {
                module_row row;
                row.index = index;
                row.outcome = outcome_kind::crashed;
                row.message = "ended its worker " + std::to_string(most_deaths) + " times";
                record(row);
            } else {
                --out_;
                again_.push_back(index);
            }
        }
        is_first = false;
    }
    states_[worker].batches.clear();
}

void scheduler::handle(double seconds) {
    const transport::event e = workers_.receive(seconds);
    if (e.what == transport::event::message) take_rows(e.worker, e.text);
    if (e.what == transport::event::lost || e.what == transport::event::gone) take_back(e.worker);
    if (e.what == transport::event::gone) states_[e.worker].is_gone = true;
    to_.tick();
    if (std::ranges::all_of(states_, [](const worker_state& s) { return s.is_gone; }))
        throw failure{wrong_input, message("tutti corpus run", "all workers are gone; --resume continues")};
}

} // namespace program::corpus
