#include <tutti/cache/folder_cache.hpp>

#include "support/catch.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr tutti::digest run_a{1, 1}, run_b{2, 2};

struct new_folder {
    std::string path = (fs::temp_directory_path() / ("tutti-cache-" + std::to_string(getpid()))).string();
    new_folder() { fs::remove_all(path); }
    ~new_folder() { fs::remove_all(path); }

    std::vector<fs::path> files() const {
        std::vector<fs::path> all;
        for (const auto& each : fs::directory_iterator(path)) all.push_back(each.path());
        return all;
    }
};

void put(tutti::result_cache& to, const tutti::digest& run, std::uint64_t unit, std::string bytes) {
    tutti::fresh_result one{{unit, unit}, std::move(bytes)};
    to.store(run, {&one, 1});
}
std::string get(tutti::result_cache& from, const tutti::digest& run, std::uint64_t unit) {
    const tutti::cached_bytes found = from.find({run, {unit, unit}});
    return found ? std::string(found.bytes) : "none";
}
void change_byte(const fs::path& file, std::streamoff at) {
    std::fstream f(file, std::ios::in | std::ios::out | std::ios::binary);
    f.seekg(at);
    const int byte = f.get();
    f.seekp(at);
    f.put(static_cast<char>(byte ^ 1));
}

} // namespace

TEST_CASE("folder_cache: another process finds the results", "[cache][folder_cache]") {
    const new_folder folder;
    {
        tutti::folder_cache kept(folder.path);
        put(kept, run_a, 1, "one");
        CHECK(get(kept, run_a, 1) == "one"); // before it is written
        put(kept, run_a, 2, "");
        kept.flush();
        put(kept, run_b, 1, "other");
    }
    CHECK(folder.files().size() == 2);
    tutti::folder_cache again(folder.path);
    CHECK(get(again, run_a, 1) == "one");
    CHECK(get(again, run_a, 2).empty());
    CHECK(get(again, run_b, 1) == "other");
    CHECK(get(again, run_b, 2) == "none");
    CHECK(again.counts() == tutti::cache_counts{.found = 3, .missing = 1});
}

TEST_CASE("folder_cache: every changed byte and every truncated file counts as damage", "[cache][folder_cache]") {
    const new_folder folder;
    std::string file, name;
    {
        tutti::folder_cache kept(folder.path);
        for (const std::uint64_t unit : {1, 2, 3}) put(kept, run_a, unit, "result " + std::to_string(unit));
    }
    name = folder.files().at(0).string();
    {
        std::ifstream in(name, std::ios::binary);
        file.assign(std::istreambuf_iterator<char>(in), {});
    }
    const auto try_with = [&](const std::string& bytes) {
        std::ofstream(name, std::ios::binary) << bytes;
        tutti::folder_cache kept(folder.path);
        int found = 0;
        for (const std::uint64_t unit : {1, 2, 3}) {
            const std::string result = get(kept, run_a, unit);
            if (result != "none") {
                CHECK(result == "result " + std::to_string(unit));
                ++found;
            }
        }
        CHECK(kept.counts().damaged > 0);
        return found;
    };
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::string bad = file;
        bad[i] = static_cast<char>(bad[i] ^ 0x10);
        const int found = try_with(bad);
        CHECK(found == (i < file.size() - 24 ? 0 : 2)); // a result's own bytes spoil only that result
    }
    for (std::size_t size = 0; size < file.size(); size += 7) CHECK(try_with(file.substr(0, size)) == 0);
    CHECK(try_with(file + "x") == 0);
}

TEST_CASE("folder_cache: the undamaged results of a file with a damaged one are kept", "[cache][folder_cache]") {
    const new_folder folder;
    {
        tutti::folder_cache kept(folder.path);
        for (const std::uint64_t unit : {1, 2, 3}) put(kept, run_a, unit, "result " + std::to_string(unit));
    }
    change_byte(folder.files().at(0), static_cast<std::streamoff>(fs::file_size(folder.files().at(0))) - 1);
    {
        tutti::folder_cache kept(folder.path);
        CHECK(get(kept, run_a, 3) == "none");
        put(kept, run_a, 3, "result 3");
    }
    CHECK(folder.files().size() == 1);
    tutti::folder_cache again(folder.path);
    for (const std::uint64_t unit : {1, 2, 3}) CHECK(get(again, run_a, unit) == "result " + std::to_string(unit));
    CHECK(again.counts().damaged == 0);
}

TEST_CASE("folder_cache: leaves files of others alone", "[cache][folder_cache]") {
    const new_folder folder;
    fs::create_directories(folder.path);
    std::ofstream(folder.path + "/notes.txt") << "mine";
    std::ofstream(folder.path + "/x.results") << "mine too";
    tutti::folder_cache kept(folder.path, 1000);
    for (std::uint64_t unit = 0; unit < 20; ++unit) put(kept, run_a, unit, std::string(300, 'x')), kept.flush();
    CHECK(fs::file_size(folder.path + "/notes.txt") == 4);
    CHECK(fs::file_size(folder.path + "/x.results") == 8);
}

TEST_CASE("folder_cache: stays within its size, and drops the least recently used file", "[cache][folder_cache]") {
    const new_folder folder;
    const std::string large(3000, 'x');
    tutti::folder_cache kept(folder.path, 10'000);
    for (std::uint64_t run = 1; run <= 6; ++run) {
        put(kept, {run, run}, 1, large);
        kept.flush();
        for (const fs::path& each : folder.files()) // as if each had been written a minute after the one before
            fs::last_write_time(each, fs::last_write_time(each) - std::chrono::minutes(1));
        tutti::folder_cache(folder.path).find({{1, 1}, {1, 1}}); // the first is used
    }
    std::uintmax_t size = 0;
    for (const fs::path& each : folder.files()) size += fs::file_size(each);
    CHECK(size <= 10'000);
    tutti::folder_cache again(folder.path);
    CHECK(get(again, {1, 1}, 1) == large);
    CHECK(get(again, {2, 2}, 1) == "none");
    CHECK(get(again, {6, 6}, 1) == large);
    CHECK(kept.counts().evicted == 3);
}

TEST_CASE("folder_cache: merges small files of a run", "[cache][folder_cache]") {
    const new_folder folder;
    {
        tutti::folder_cache kept(folder.path);
        for (std::uint64_t unit = 0; unit < 100; ++unit) put(kept, run_a, unit, std::to_string(unit)), kept.flush();
    }
    CHECK(folder.files().size() <= 16);
    tutti::folder_cache again(folder.path);
    for (std::uint64_t unit = 0; unit < 100; ++unit) CHECK(get(again, run_a, unit) == std::to_string(unit));
}

TEST_CASE("folder_cache: a folder that cannot be used is an error, and one that cannot be written a problem",
          "[cache][folder_cache]") {
    const new_folder folder;
    std::ofstream(folder.path) << "a file";
    CHECK_THROWS_WITH(tutti::folder_cache(folder.path),
                      Catch::Matchers::StartsWith(folder.path + ": is not a folder and cannot be created") &&
                          Catch::Matchers::EndsWith("expected a folder for cached results"));
    fs::remove(folder.path);
    tutti::folder_cache kept(folder.path);
    fs::remove_all(folder.path);
    put(kept, run_a, 1, "one");
    kept.flush();
    CHECK(kept.problem().find("cannot be opened") != std::string::npos);
    CHECK(kept.counts().stored == 0);
    CHECK(get(kept, run_a, 1) == "none");
}

TEST_CASE("folder_cache: two processes at once see only complete results", "[cache][folder_cache]") {
    const new_folder folder;
    constexpr int processes = 3;
    for (int process = 0; process < processes; ++process)
        if (fork() == 0) {
            bool good = true;
            for (std::uint64_t round = 0; round < 40; ++round) {
                tutti::folder_cache kept(folder.path, 40'000);
                for (std::uint64_t unit = 0; unit < 20; ++unit) {
                    const std::string expected(100 + unit, static_cast<char>('a' + unit));
                    const std::string found = get(kept, run_a, unit + round % 5);
                    good = good && (found == "none" || found == std::string(100 + unit + round % 5,
                                                                            static_cast<char>('a' + unit + round % 5)));
                    if (get(kept, run_a, unit) == "none") put(kept, run_a, unit, expected);
                    if (unit % 3 == static_cast<std::uint64_t>(process)) kept.flush();
                }
                good = good && kept.counts().damaged == 0;
            }
            std::_Exit(good ? 0 : 1);
        }
    for (int process = 0; process < processes; ++process) {
        int status = 1;
        wait(&status);
        CHECK(status == 0);
    }
}
