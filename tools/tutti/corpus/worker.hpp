#pragma once

#include "local_transport.hpp"
#include "row.hpp"
#include "settings.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace program::corpus {

/// A module to examine.
struct task {
    std::uint64_t index;
    std::string name;
};
/// A message with tasks, from the scheduler to a worker. The worker answers with one message with a row for each.
std::string to_message(const std::vector<task>& tasks);
std::vector<task> read_tasks(std::string_view message);
std::vector<module_row> read_rows(std::string_view message);

/// Examines the modules of each message until the channel is closed. A child process examines the modules of a message
/// in turn. If it dies, the module that it was examining is examined again in a child process of its own, and that
/// result counts.
void work(const run_settings& settings, channel& to);

} // namespace program::corpus
