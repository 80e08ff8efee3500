// The module tutti_mpi.so: see mpi_functions.hpp.

#include "mpi_functions.hpp"

#include <cstddef>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace {

constexpr int tag = 1;
std::vector<char> received;

int start() {
    int is_running = 0, rank = -1;
    MPI_Initialized(&is_running);
    if (is_running == 0 && MPI_Init(nullptr, nullptr) != MPI_SUCCESS) return -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int size() {
    int count = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

void send(int rank, const char* text, std::size_t size) {
    MPI_Send(text, static_cast<int>(size), MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

int receive(const char** text, std::size_t* size) {
    int is_there = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return -1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    received.resize(static_cast<std::size_t>(count));
    MPI_Recv(received.data(), count, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *text = received.data();
    *size = received.size();
    return status.MPI_SOURCE;
}

void finish() { MPI_Finalize(); }

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

constexpr program::corpus::mpi_functions functions{
    program::corpus::mpi_version, start, size, send, receive, finish, abort_all};

} // namespace

extern "C" __attribute__((visibility("default"))) const program::corpus::mpi_functions* tutti_mpi() {
    return &functions;
}
