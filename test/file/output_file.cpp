#include <tutti/file/output_file.hpp>

#include "catch.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>

using tutti::file::output_file;

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

TEST_CASE("output_file: is there when it is done", "[file][output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("some")} << "old";
    {
        output_file file(folder.path("some"));
        file.write("ab");
        file.write("");
        file.write("c");
        CHECK(folder.read("some") == "old");
        file.done();
    }
    CHECK(folder.files() == std::map<std::string, std::string>{{"some", "abc"}});
}

TEST_CASE("output_file: without that it has not been", "[file][output_file]") {
    const temporary_folder folder;
    std::ofstream{folder.path("some")} << "old";
    {
        output_file file(folder.path("some"));
        file.write("new");
    }
    CHECK(folder.files() == std::map<std::string, std::string>{{"some", "old"}});
}

TEST_CASE("output_file: says what cannot be written", "[file][output_file]") {
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
}
