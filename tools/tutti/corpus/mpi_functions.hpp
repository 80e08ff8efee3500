#pragma once

#include <cstddef>

namespace program::corpus {

/// The functions of MPI that a run needs. They are in a module of their own, `tutti_mpi.so`, which is loaded only under
/// an MPI launcher, so that the command starts fast and needs no MPI elsewhere.
struct mpi_functions {
    int version; ///< `mpi_version` of the module
    /// Initialises MPI. Returns the rank of this process, or -1 on failure.
    int (*start)();
    int (*size)(); ///< number of ranks
    void (*send)(int rank, const char* text, std::size_t size);
    /// Receives a message if one has arrived. Returns its sender's rank, or -1 if there is none. The text stays valid
    /// until the next call.
    int (*receive)(const char** text, std::size_t* size);
    /// Waits for all ranks and ends MPI.
    void (*finish)();
    /// Ends all ranks.
    void (*abort)(int code);
};
inline constexpr int mpi_version = 1;
/// The module's only exported function: `const mpi_functions* tutti_mpi()`.
inline constexpr const char* mpi_symbol = "tutti_mpi";

} // namespace program::corpus
