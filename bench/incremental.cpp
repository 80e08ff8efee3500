// Incremental runs: the pipeline of level 3 over 10,000 functions of which 0, 1, 10 or 100 have changed since the
// results were cached, in memory and in a folder, and with two processes at once. Each result is compared with an
// uncached run. The target is 1/50 of the full time after one change.
//
//     bench_incremental [FUNCTIONS] [ROUNDS] [FOLDER]

#include <tutti/cache/cached.hpp>
#include <tutti/cache/folder_cache.hpp>
#include <tutti/cache/memory_cache.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/module_division.hpp>
#include <tutti/relay/unit.hpp>

#include "many_functions.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <sys/wait.h>
#include <unistd.h>

namespace {

bool all_same = true;
double full_time = 0;

/// Returns the module with this many functions changed, in a new way each time.
relay::ir_module with_changes(const relay::ir_module& before, int changes) {
    static int next = 1'000'000;
    relay::ir_module m = before;
    const int size = static_cast<int>(m.size());
    for (int i = 0; i < changes; ++i, ++next) m.begin()[next * 97LL % size].function = network(next);
    return m;
}

double seconds(relay::ir_module& m, const auto& pipeline) {
    const auto begin = std::chrono::steady_clock::now();
    tutti::with(tutti::pass_context{tutti::opt_level<3>}, [&](auto& scope) { scope.run(pipeline, m); });
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double cached_seconds(tutti::result_cache& cache, relay::ir_module& m) {
    return seconds(m, tutti::cached(cache, level_3));
}

/// Returns the digest of a module's text after an uncached run.
tutti::digest uncached(relay::ir_module m) {
    seconds(m, level_3);
    return tutti::digest_of(relay::to_text(m));
}

void print(const char* what, int changes, double took) {
    std::printf("%-34s %8d %10.1f ms   1/%.1f\n", what, changes, took * 1e3, full_time / took);
    std::fflush(stdout);
}

/// Times runs after 0, 1, 10 and 100 changes. `make()` returns the cache to use.
void measure(const char* what, const relay::ir_module& before, int rounds, auto&& make) {
    for (const int changes : {0, 1, 10, 100}) {
        double least = 1e300;
        for (int round = 0; round < rounds; ++round) {
            relay::ir_module m = with_changes(before, changes);
            const tutti::digest expected = round == 0 ? uncached(m) : tutti::digest{};
            least = std::min(least, cached_seconds(make(), m));
            if (round == 0) all_same = all_same && expected == tutti::digest_of(relay::to_text(m));
        }
        print(what, changes, least);
    }
}

} // namespace

int main(int argc, char** argv) {
    const int functions = argc > 1 ? std::atoi(argv[1]) : 10'000, rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    const std::string folder = argc > 3 ? argv[3] : "incremental-cache";
    std::filesystem::remove_all(folder);
    const relay::ir_module before = many_functions(functions);
    full_time = 1e300;
    for (int round = 0; round < rounds; ++round) {
        relay::ir_module m = before;
        full_time = std::min(full_time, seconds(m, level_3));
    }
    std::printf("%-34s %8s %13s   of the full time\n", "", "changed", "time");
    print("without a cache", functions, full_time);

    tutti::memory_cache memory;
    {
        relay::ir_module m = before;
        print("memory, cold", functions, cached_seconds(memory, m));
    }
    measure("memory, warm", before, rounds, [&]() -> tutti::memory_cache& { return memory; });

    std::optional<tutti::folder_cache> kept;
    {
        relay::ir_module m = before;
        print("folder, cold", functions, cached_seconds(kept.emplace(folder), m));
    }
    measure("folder, warm", before, rounds, [&]() -> tutti::folder_cache& { return *kept; });
    measure("folder, warm, new process", before, rounds, [&]() -> tutti::folder_cache& {
        kept.reset();
        return kept.emplace(folder); // as a new process: nothing is in memory
    });

    // Two processes run over the module at once, each with other changes.
    for (const bool warm : {false, true}) {
        kept.reset();
        if (!warm) std::filesystem::remove_all(folder);
        std::fflush(stdout);
        for (const int process : {0, 1})
            if (fork() == 0) {
                relay::ir_module m = before;
                for (int i = 0; i <= process; ++i) m = with_changes(before, 1);
                const relay::ir_module same = m;
                tutti::folder_cache own(folder);
                const double took = cached_seconds(own, m);
                print(warm ? "two processes, warm" : "two processes, cold", 1, took);
                std::_Exit(tutti::digest_of(relay::to_text(m)) == uncached(same) ? 0 : 1);
            }
        int status = 0;
        while (wait(&status) > 0) all_same = all_same && status == 0;
    }

    // A byte in the middle of each file is changed.
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
        std::FILE* const file = std::fopen(each.path().c_str(), "r+b");
        std::fseek(file, static_cast<long>(each.file_size() / 2), SEEK_SET);
        const int byte = std::fgetc(file);
        std::fseek(file, -1, SEEK_CUR);
        std::fputc(byte ^ 1, file);
        std::fclose(file);
    }
    measure("folder, damaged", before, 1, [&]() -> tutti::folder_cache& { return kept.emplace(folder); });
    kept.reset();
    std::filesystem::remove_all(folder);
    if (!all_same) return std::puts("a cached result differs from the uncached one"), 1;
}
