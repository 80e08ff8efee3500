#include <tutti/instrument/support/files.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>

using namespace tutti::instrument;

TEST_CASE("files: are written whole, and written over", "[instrument][files]") {
    const temporary_folder folder;
    write_file(folder.path("a"), "one\n");
    CHECK(folder.read("a") == "one\n");
    write_file(folder.path("a"), "two");
    CHECK(folder.files() == std::map<std::string, std::string>{{"a", "two"}});
}

TEST_CASE("files: an error names a file that cannot be written, and removes the remains", "[instrument][files]") {
    const temporary_folder folder;
    CHECK_THROWS_WITH(write_file(folder.path("no/a"), ""),
                      folder.path("no/a") + ": cannot be opened: No such file or directory");
    CHECK_THROWS_WITH(check_writable(folder.path("no/a")),
                      folder.path("no/a") + ": cannot be written: No such file or directory");
    std::filesystem::create_directory(folder.path("taken"));
    CHECK_THROWS_AS(write_file(folder.path("taken"), "x"), tutti::error);
    CHECK(folder.files().empty());
    if (std::filesystem::exists("/dev/full")) {
        std::filesystem::create_symlink("/dev/full", folder.path("full"));
        CHECK_THROWS_WITH(write_file(folder.path("full"), "x"),
                          folder.path("full") + ": cannot be written: No space left on device");
        CHECK(std::filesystem::is_symlink(folder.path("full")));
    }
}

namespace {

std::string noted;

} // namespace

TEST_CASE("files: an error during passes goes to the error handler, others are thrown", "[instrument][files]") {
    const temporary_folder folder;
    const auto fails = [&] { write_file(folder.path("no/a"), ""); };
    CHECK_THROWS_AS(try_to_write(nullptr, fails), tutti::error);
    const file_problem note = [](const tutti::error& e) { noted = e.what(); };
    noted.clear();
    CHECK_FALSE(try_to_write(note, fails));
    CHECK(noted == folder.path("no/a") + ": cannot be opened: No such file or directory");
    noted.clear();
    CHECK(try_to_write(note, [&] { write_file(folder.path("a"), "x"); }));
    CHECK_THROWS_AS(try_to_write(note, [] { throw std::bad_alloc{}; }), std::bad_alloc);
    CHECK(noted.empty());
}

TEST_CASE("files: the check whether a file is writable does not change it", "[instrument][files]") {
    const temporary_folder folder;
    write_file(folder.path("a"), "one");
    check_writable(folder.path("a"));
    check_writable(folder.path("b"));
    CHECK(folder.files() == std::map<std::string, std::string>{{"a", "one"}});
}

TEST_CASE("files: folders are made with those around them", "[instrument][files]") {
    const temporary_folder folder;
    make_folder(folder.path("a/b/c"));
    make_folder(folder.path("a/b"));
    CHECK(std::filesystem::is_directory(folder.path("a/b/c")));
    write_file(folder.path("file"), "");
    CHECK_THROWS_WITH(make_folder(folder.path("file/b")),
                      folder.path("file/b") + ": cannot be created as a folder: Not a directory");
}

TEST_CASE("files: names of passes are made safe", "[instrument][files]") {
    CHECK(file_name("FuseOps") == "FuseOps");
    CHECK(file_name("../a b::c$(d)") == "_._a_b__c__d_");
    CHECK(file_name("") == "_");
    CHECK(file_name(std::string(300, 'x')).size() == 100);
}

TEST_CASE("files: a folder is no file that could be written", "[instrument][files]") {
    const temporary_folder folder;
    CHECK_THROWS_WITH(tutti::instrument::check_writable(folder.path()), Catch::Contains("cannot be written"));
    tutti::instrument::check_writable(folder.path("new"));
    tutti::instrument::write_file(folder.path("new"), "a");
    tutti::instrument::check_writable(folder.path("new"));
    tutti::instrument::append_to_file(folder.path("new"), "b");
    CHECK(folder.read("new") == "ab");
    CHECK_THROWS_AS(tutti::instrument::append_to_file(folder.path("none/new"), "b"), tutti::error);
}
