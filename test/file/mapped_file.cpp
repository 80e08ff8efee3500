#include <tutti/file/mapped_file.hpp>

#include <tutti/kernel/tensor.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

using tutti::file::mapped_file;
using tutti::kernel::dtype;
using tutti::kernel::tensor;

namespace {

void write(const std::string& name, const std::string& bytes) { std::ofstream{name, std::ios::binary} << bytes; }

std::string problem_of(const std::string& name) {
    try {
        const mapped_file file(name);
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("mapped_file: has the bytes of a file", "[file][mapped_file]") {
    const temporary_folder folder;
    const std::string bytes = "abc" + std::string(100'000, '\0') + "def";
    write(folder.path("some"), bytes);
    const mapped_file file(folder.path("some"));
    CHECK(file.is_mapped());
    CHECK(file.bytes() == bytes);
    file.forget(file.bytes().substr(5, 90'000));
    file.forget(file.bytes());
    file.forget(file.bytes().substr(7, 9));
    CHECK(file.bytes() == bytes);
}

TEST_CASE("mapped_file: reads files that cannot be mapped", "[file][mapped_file]") {
    const temporary_folder folder;
    write(folder.path("empty"), "");
    const mapped_file empty(folder.path("empty"));
    CHECK(empty.bytes().empty());
    CHECK_FALSE(empty.is_mapped());

    const std::string pipe = folder.path("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const std::string sent(200'000, 'x');
    std::thread writer([&] { write(pipe, sent); });
    const mapped_file received(pipe); // must open the pipe only once, since there is no second writer
    writer.join();
    CHECK(received.bytes() == sent);
    CHECK_FALSE(received.is_mapped());

    const mapped_file given(mapped_file::read_bytes{"xyz"});
    CHECK(given.bytes() == "xyz");
    given.forget(given.bytes());
    CHECK(given.bytes() == "xyz");
}

TEST_CASE("mapped_file: says which file cannot be read, and why", "[file][mapped_file]") {
    const temporary_folder folder;
    CHECK(problem_of(folder.path("none")) == folder.path("none") + ": cannot be opened: No such file or directory");
    CHECK(problem_of(folder.path()) == folder.path() + ": cannot be read: Is a directory");
}

TEST_CASE("mapped_file: tensors that refer to it keep it, when the file is gone, too", "[file][mapped_file]") {
    const temporary_folder folder;
    const std::vector<float> values{1, 2, 3, 4};
    std::string bytes(sizeof(float) * values.size(), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    write(folder.path("some"), bytes);
    tensor t;
    {
        const auto file = std::make_shared<const mapped_file>(folder.path("some"));
        t = tensor::referring(dtype::float32, {2, 2}, file->bytes().data(), file);
    }
    write(folder.path("new"), std::string(16, 'x'));
    std::filesystem::rename(folder.path("new"), folder.path("some"));
    CHECK(std::vector<float>(t.elements<float>().begin(), t.elements<float>().end()) == values);
}

TEST_CASE("mapped_file: bytes of the caller are used in place", "[file][mapped_file]") {
    const auto bytes = std::make_shared<const std::string>("abc");
    const mapped_file kept(mapped_file::borrowed_bytes{*bytes, bytes});
    CHECK(kept.bytes().data() == bytes->data());
    CHECK_FALSE(kept.is_mapped());
    CHECK(bytes.use_count() == 2);
    kept.forget(kept.bytes());
    CHECK(kept.bytes() == "abc");
}
