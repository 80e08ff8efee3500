#pragma once

#include "local_transport.hpp"
#include "mpi_functions.hpp"
#include "transport.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace program::corpus {

/// True if an MPI launcher such as `mpirun` started this process.
bool is_mpi_launched();
/// True if a launcher started this process as another rank than 0, which reports nothing.
bool is_other_rank();
/// Loads the module with the functions of MPI. Errors end the program.
const mpi_functions& load_mpi();

/// On rank 0: the workers of all ranks, those of rank 0 first. Each rank has as many workers, as child processes.
class mpi_transport final : public transport {
public:
    /// Takes the workers of this rank, which must have started before MPI.
    mpi_transport(const mpi_functions& mpi, local_transport& own);
    /// Lets the other ranks end.
    ~mpi_transport() override;

    std::size_t workers() const override { return own_.workers() * ranks_; }
    void send(std::size_t worker, std::string_view text) override;
    event receive(double seconds) override;

private:
    event take(int rank, std::string_view text);
    void find_silent();

    const mpi_functions& mpi_;
    local_transport& own_;
    std::size_t ranks_;
    std::vector<std::int64_t> heard_; // time of the last message from each rank; -1: given up
    std::deque<event> arrived_;
};

/// On the other ranks: passes messages between rank 0 and the workers of this rank until rank 0 ends.
void relay_messages(const mpi_functions& mpi, local_transport& own);

} // namespace program::corpus
