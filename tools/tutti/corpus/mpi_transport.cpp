#include "mpi_transport.hpp"

#include <tutti/base/steady_clock.hpp>

#include "../program.hpp"
#include "wire.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <dlfcn.h>

namespace program::corpus {

namespace {

using tutti::internal::steady_clock;

constexpr std::int64_t heartbeat = 5'000'000'000, silence = 60'000'000'000; // nanoseconds
// Waiting sleeps instead of spinning, since the ranks' workers need the processors.
constexpr double nap = 0.001;

// Kinds of messages between ranks.
enum kind : unsigned char { text_kind = 't', lost_kind = 'l', beat_kind = 'b', end_kind = 'e' };

std::string between_ranks(kind what, std::size_t worker, std::string_view text = {}) {
    wire_writer to;
    to.number(what).number(worker).text(text);
    return to.take();
}

const char* rank_variable() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
        if (const char* const rank = std::getenv(name)) return rank;
    return nullptr;
}

} // namespace

bool is_mpi_launched() { return rank_variable() != nullptr; }
bool is_other_rank() {
    const char* const rank = rank_variable();
    return rank && std::string_view{rank} != "0";
}

const mpi_functions& load_mpi() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const char* const given = std::getenv("TUTTI_MODULES");
    const fs::path here = given ? fs::path{given} : fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::string tried;
    for (const fs::path& folder : {here, fs::path{TUTTI_MODULES}}) {
        const std::string file = (folder / "tutti_mpi.so").string();
        void* const module = fs::exists(file, ignored) ? ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) : nullptr;
        tried += (tried.empty() ? "" : " nor ") + file;
        if (fs::exists(file, ignored) && !module)
            throw failure{wrong_input, message("tutti corpus run", std::string{"cannot load "} + ::dlerror())};
        if (!module) continue;
        const auto get = reinterpret_cast<const mpi_functions* (*)()>(::dlsym(module, mpi_symbol));
        if (const mpi_functions* const found = get ? get() : nullptr; found && found->version == mpi_version)
            return *found;
        throw failure{wrong_input, message(file, "belongs to another version of tutti")};
    }
    throw failure{wrong_input,
                  message("tutti corpus run", "an MPI launcher started this, but there is neither " + tried +
                                                  "; expected the package tutti-mpi, or a build with -Dmpi=enabled")};
}

mpi_transport::mpi_transport(const mpi_functions& mpi, local_transport& own)
    : mpi_(mpi), own_(own), ranks_(static_cast<std::size_t>(mpi.size())), heard_(ranks_, steady_clock::now()) {}

mpi_transport::~mpi_transport() {
    const std::string end = between_ranks(end_kind, 0);
    bool is_whole = true;
    for (std::size_t r = 1; r < ranks_; ++r) {
        if (heard_[r] < 0) is_whole = false;
        if (heard_[r] >= 0) mpi_.send(static_cast<int>(r), end.data(), end.size());
    }
    if (is_whole)
        mpi_.finish();
    else
        mpi_.abort(wrong_input); // `finish` would wait for the ranks that are silent
}

void mpi_transport::send(std::size_t worker, std::string_view text) {
    const std::size_t rank = worker / own_.workers();
    if (rank == 0) return own_.send(worker, text);
    if (heard_[rank] < 0) return;
    const std::string all = between_ranks(text_kind, worker % own_.workers(), text);
    mpi_.send(static_cast<int>(rank), all.data(), all.size());
}

transport::event mpi_transport::take(int rank, std::string_view text) {
    const auto from = static_cast<std::size_t>(rank);
    if (heard_[from] < 0) return {}; // its modules were given to others
    heard_[from] = steady_clock::now();
    wire_reader all{text};
    const std::uint64_t what = all.number();
    const std::size_t worker = from * own_.workers() + static_cast<std::size_t>(all.number());
    if (what == text_kind) return {event::message, worker, std::string{all.text()}};
    if (what == lost_kind) return {event::lost, worker, {}};
    return {};
}

// Gives up ranks that have been silent for long: their machine is gone, or stopped.
void mpi_transport::find_silent() {
    const std::int64_t now = steady_clock::now();
    for (std::size_t r = 1; r < ranks_; ++r) {
        if (heard_[r] < 0 || now - heard_[r] < silence) continue;
        heard_[r] = -1;
        for (std::size_t w = 0; w < own_.workers(); ++w) arrived_.push_back({event::gone, r * own_.workers() + w, {}});
    }
}

transport::event mpi_transport::receive(double seconds) {
    const std::int64_t end = steady_clock::now() + static_cast<std::int64_t>(seconds * 1e9);
    do {
        const char* text = nullptr;
        std::size_t size = 0;
        if (const int rank = mpi_.receive(&text, &size); rank >= 0) {
            event e = take(rank, {text, size});
            if (e.what != event::none) return e;
            continue;
        }
        find_silent();
        if (!arrived_.empty()) {
            event first = std::move(arrived_.front());
            arrived_.pop_front();
            return first;
        }
        if (event e = own_.receive(nap); e.what != event::none) return e;
    } while (steady_clock::now() < end);
    return {};
}

void relay_messages(const mpi_functions& mpi, local_transport& own) {
    const auto send = [&](kind what, std::size_t worker, std::string_view text = {}) {
        const std::string all = between_ranks(what, worker, text);
        mpi.send(0, all.data(), all.size());
    };
    for (std::int64_t last = steady_clock::now();;) {
        const char* text = nullptr;
        std::size_t size = 0;
        while (mpi.receive(&text, &size) >= 0) {
            wire_reader all{{text, size}};
            const std::uint64_t what = all.number(), worker = all.number();
            if (what == end_kind) return mpi.finish();
            own.send(static_cast<std::size_t>(worker), all.text());
        }
        const transport::event e = own.receive(nap);
        if (e.what == transport::event::message) send(text_kind, e.worker, e.text);
        if (e.what == transport::event::lost) send(lost_kind, e.worker);
        if (const std::int64_t now = steady_clock::now(); now - last > heartbeat) {
            last = now;
            send(beat_kind, 0);
        }
    }
}

} // namespace program::corpus
