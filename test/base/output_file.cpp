#include <tutti/base/output_file.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <sys/stat.h>

using tutti::output_file;
namespace fs = std::filesystem;

namespace {

template <class Body>
std::string problem_of(Body&& body) {
    try {
        body();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("output_file: the file exists when it is complete", "[output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("some")} << "old";
    {
        output_file file(folder.path("some"));
        file.write("ab");
        file.write("");
        file.write("c");
        CHECK(folder.read("some") == "old");
        file.flush();
        CHECK(folder.files() == std::map<std::string, std::string>{
                                    {"some", "old"}, {std::filesystem::path(file.unfinished()).filename(), "abc"}});
        file.done();
    }
    CHECK(folder.files() == std::map<std::string, std::string>{{"some", "abc"}});
}

TEST_CASE("output_file: without that it has not been", "[output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("some")} << "old";
    {
        output_file file(folder.path("some"));
        file.write("new");
    }
    CHECK(folder.files() == std::map<std::string, std::string>{{"some", "old"}});
}

TEST_CASE("output_file: an error names a file that cannot be written", "[output_file]") {
    const temporary_folder folder;
    CHECK(problem_of([&] { output_file file(folder.path("none/some")); }) ==
          folder.path("none/some") + ": cannot be opened: No such file or directory");
    CHECK(problem_of([&] {
              output_file file(folder.path("taken"));
              file.write("x");
              std::filesystem::create_directory(folder.path("taken"));
              file.done();
          }).starts_with(folder.path("taken") + ": cannot be written: "));
    CHECK(folder.files().empty());
    CHECK(problem_of([] { output_file file(""); }) == "cannot be opened: No such file or directory");
}

TEST_CASE("output_file: never opens an existing file with the name of its temporary file", "[output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("victim")} << "precious";
    fs::create_symlink("victim", folder.path("some.0.part"));
    std::ofstream{folder.path("some.1.part")} << "precious";
    fs::create_directory(folder.path("some.2.part"));
    tutti::write_file(folder.path("some"), "new");
    CHECK(folder.read("some") == "new");
    CHECK(folder.read("victim") == "precious");
    CHECK(fs::is_symlink(folder.path("some.0.part")));
    CHECK(folder.read("some.1.part") == "precious");
    CHECK_FALSE(fs::exists(folder.path("some.3.part")));
}

TEST_CASE("output_file: replaces the file behind a link, and keeps its permissions", "[output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("some")} << "old";
    fs::permissions(folder.path("some"), fs::perms{0640});
    fs::create_directory(folder.path("links"));
    fs::create_symlink("../some", folder.path("links/1"));
    fs::create_symlink("1", folder.path("links/2"));
    tutti::write_file(folder.path("links/2"), "new");
    CHECK(folder.read("some") == "new");
    CHECK((fs::status(folder.path("some")).permissions() & fs::perms::mask) == fs::perms{0640});
    CHECK(fs::is_symlink(folder.path("links/2")));
    fs::create_symlink("new", folder.path("dangling"));
    tutti::check_writable(folder.path("dangling"));
    CHECK_FALSE(fs::exists(folder.path("new")));
    tutti::write_file(folder.path("dangling"), "made");
    CHECK(folder.read("new") == "made");
    tutti::remove_file(folder.path("dangling"));
    CHECK(fs::is_symlink(folder.path("dangling")));
    CHECK_FALSE(fs::exists(folder.path("new")));
    fs::create_symlink("round", folder.path("round"));
    CHECK_THROWS_AS(tutti::write_file(folder.path("round"), "x"), tutti::error);
    CHECK_THROWS_AS(tutti::check_writable(folder.path("round")), tutti::error);
}

TEST_CASE("output_file: writes to devices and pipes, and leaves them in place", "[output_file]") {
    const temporary_folder folder;
    for (const char* device : {"/dev/null", "/dev/full"}) {
        if (!fs::exists(device)) continue;
        tutti::check_writable(device);
        const bool is_full = device == std::string{"/dev/full"};
        CHECK(problem_of([&] { tutti::write_file(device, "x"); }) ==
              (is_full ? "/dev/full: cannot be written: No space left on device" : "none"));
        tutti::remove_file(device);
        CHECK(fs::is_character_file(device));
    }
    REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
    tutti::check_writable(folder.path("pipe")); // does not wait for a reader
    CHECK(tutti::read_file(folder.path("pipe")).empty());
    CHECK(tutti::file_exists(folder.path("pipe")));
}

TEST_CASE("output_file: a name of the greatest length is no exception", "[output_file]") {
    const temporary_folder folder;
    const std::string name(250, 'n');
    tutti::check_writable(folder.path(name));
    tutti::write_file(folder.path(name), "x");
    { const output_file again(folder.path(name)); }
    CHECK(folder.files() == std::map<std::string, std::string>{{name, "x"}});
}

TEST_CASE("growing_file: replaces a file, and each addition is visible immediately", "[output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("some")} << "old";
    tutti::growing_file file{folder.path("some")};
    CHECK(folder.read("some") == "old");
    file.begin("a");
    CHECK(folder.read("some") == "a");
    file.add("b");
    tutti::growing_file moved{std::move(file)};
    moved.add("c");
    CHECK(folder.files() == std::map<std::string, std::string>{{"some", "abc"}});
}

TEST_CASE("is_same_file: sees through links", "[output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("a")} << "a";
    std::ofstream{folder.path("b")} << "a";
    fs::create_symlink("a", folder.path("link"));
    CHECK(tutti::is_same_file(folder.path("a"), folder.path("link")));
    CHECK_FALSE(tutti::is_same_file(folder.path("a"), folder.path("b")));
    CHECK_FALSE(tutti::is_same_file(folder.path("a"), folder.path("none")));
}
