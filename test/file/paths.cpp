#include <tutti/file/paths.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>

#include <sys/stat.h>

namespace file = tutti::file;
namespace fs = std::filesystem;

static_assert(file::folder_of("a/b/c") == "a/b/");
static_assert(file::folder_of("/c") == "/");
static_assert(file::folder_of("c").empty());

TEST_CASE("paths: only a regular file is one", "[file][paths]") {
    const temporary_folder folder;
    std::ofstream{folder.path("some")} << "x";
    fs::create_symlink("some", folder.path("link"));
    REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
    CHECK(file::is_regular(folder.path("some")));
    CHECK(file::is_regular(folder.path("link")));
    CHECK_FALSE(file::is_regular(folder.path("pipe")));
    CHECK_FALSE(file::is_regular(folder.path()));
    CHECK_FALSE(file::is_regular(folder.path("none")));
    CHECK_FALSE(file::is_regular("/dev/null"));
}

TEST_CASE("paths: a file lies where its links lead", "[file][paths]") {
    const temporary_folder folder;
    fs::create_directories(folder.path("in/deep"));
    fs::create_directories(folder.path("inner")); // a path with the same prefix
    std::ofstream{folder.path("out")} << "x";
    std::ofstream{folder.path("inner/a")} << "x";
    std::ofstream{folder.path("in/deep/a")} << "x";
    fs::create_symlink("deep/a", folder.path("in/link"));
    fs::create_symlink("../out", folder.path("in/away"));
    fs::create_directory_symlink("..", folder.path("in/up"));
    CHECK(file::lies_within(folder.path("in/deep/a"), folder.path("in")));
    CHECK(file::lies_within(folder.path("in/link"), folder.path("in/")));
    CHECK_FALSE(file::lies_within(folder.path("in/away"), folder.path("in")));
    CHECK_FALSE(file::lies_within(folder.path("in/up/out"), folder.path("in")));
    CHECK_FALSE(file::lies_within(folder.path("inner/a"), folder.path("in")));
    CHECK_FALSE(file::lies_within(folder.path("none"), folder.path("in")));
    CHECK(file::real_path(folder.path("none")).empty());
}
