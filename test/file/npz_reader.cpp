#include <tutti/file/npz_reader.hpp>

#include <tutti/base/output_file.hpp>
#include <tutti/kernel/float16.hpp>

#include "npz_files.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

using namespace tutti;
using kernel::dtype;
using kernel::tensor;

namespace {

bool equal(const tensor& a, const tensor& b) {
    return a.type() == b.type() &&
           std::vector(a.shape().begin(), a.shape().end()) == std::vector(b.shape().begin(), b.shape().end()) &&
           (a.size() == 0 ||
            std::memcmp(a.memory(), b.memory(), static_cast<std::size_t>(a.size()) * kernel::bytes(a.type())) == 0);
}

std::vector<kernel::named_tensor> some() {
    return {{"w", tensor({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F})},
            {"scalar", tensor::scalar(std::int64_t{7})},
            {"bools", tensor({3}, {true, false, true})},
            {"none", tensor(dtype::float64, {0, 4})},
            {"bytes", tensor({3}, {std::int8_t{1}, std::int8_t{-2}, std::int8_t{3}})},
            {"a/b.c", tensor({1}, {2.5})}};
}

std::string problem_of(std::string bytes) {
    try {
        const file::npz_reader reader = test::reader_of(std::move(bytes));
        for (const file::npz_entry& e : reader.entries()) reader.read(e);
    } catch (const error& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("npz_reader: returns the written arrays", "[file][npz]") {
    const std::vector<kernel::named_tensor> arrays = some();
    const file::npz_reader reader = test::reader_of(test::npz_of(arrays));
    REQUIRE(reader.entries().size() == arrays.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        CHECK(reader.entries()[i].name == arrays[i].name);
        CHECK(equal(reader.read(reader.entries()[i]), arrays[i].value));
    }
    CHECK(reader.find("w") == &reader.entries()[0]);
    CHECK(reader.find("v") == nullptr);
}

TEST_CASE("npz_reader: elements stay in the file, which stays mapped", "[file][npz]") {
    const temporary_folder folder;
    output_file out(folder.path("x.npz"));
    out.write(test::npz_of(some()));
    out.done();
    tensor w;
    {
        const auto mapped = std::make_shared<const file::mapped_file>(folder.path("x.npz"));
        const file::npz_reader reader(mapped);
        w = reader.read(*reader.find("w"));
        const auto* const at = static_cast<const char*>(w.memory());
        CHECK(at > mapped->bytes().data());
        CHECK(at < mapped->bytes().data() + mapped->bytes().size());
        CHECK(reinterpret_cast<std::uintptr_t>(at) % 64 == 0);
    }
    CHECK(w.is_shared());
    CHECK(equal(w, some()[0].value));
}

TEST_CASE("npz_reader: copies elements whose place does not suit their type", "[file][npz]") {
    const std::string bytes = test::npz_of(some());
    for (std::size_t shift = 0; shift < 8; ++shift) { // each alignment
        std::string moved = bytes;
        const std::size_t begin = moved.find("PK\x03\x04");
        REQUIRE(begin == 0);
        // Shortens the extra field of the first entry, and moves everything after it.
        const auto length = static_cast<unsigned char>(moved[28]);
        REQUIRE(length > shift + 6);
        moved[28] = static_cast<char>(length - shift);
        moved.erase(30 + 5 + length - shift, shift);
        const std::size_t end = moved.size() - 22;
        const auto change = [&](std::size_t at) {
            std::uint32_t number = 0;
            std::memcpy(&number, &moved[at], 4);
            if (number != 0) number -= static_cast<std::uint32_t>(shift);
            std::memcpy(&moved[at], &number, 4);
            return number;
        };
        std::size_t at = change(end + 16);
        for (std::size_t i = 0; i < some().size(); ++i) {
            std::uint16_t name = 0;
            std::memcpy(&name, &moved[at + 28], 2);
            change(at + 42);
            at += 46 + name;
        }
        const file::npz_reader reader = test::reader_of(std::move(moved));
        for (const auto& [name, value] : some()) {
            const tensor read = reader.read(*reader.find(name));
            CHECK(equal(read, value));
            CHECK((read.size() == 0 ||
                   reinterpret_cast<std::uintptr_t>(read.memory()) % kernel::bytes(read.type()) == 0));
        }
    }
}

TEST_CASE("npz_reader: reports damage", "[file][npz]") {
    std::string bytes = test::npz_of({{"w", tensor({2}, {1.F, 2.F})}});
    std::string changed = bytes;
    changed[changed.find("\x3f\x00\x00\x00\x40") - 2] ^= 1;
    CHECK(problem_of(changed) == "array w: is damaged: its checksum does not match");
    CHECK(problem_of("text") == "is not an .npz file; expected a zip archive");
    CHECK(problem_of("\x93NUMPY\1") ==
          "is an .npy file, of one array; expected an .npz file, as `numpy.savez(file, name=array)` writes it");
    CHECK(problem_of(bytes + "x") == "is not an .npz file: its end record is missing or damaged");
    changed = bytes;
    changed.replace(changed.find("<f4"), 3, ">f4");
    CHECK(problem_of(changed) == "array w: is damaged: its checksum does not match");
    CHECK(problem_of(test::npz_of({{"w", tensor::scalar(1)}, {"w", tensor::scalar(1)}})) == "array w: occurs twice");
    changed = bytes;
    changed[changed.rfind("PK\x01\x02") + 10] = 8; // marks the entry as deflated
    CHECK(problem_of(changed) ==
          "array w: is compressed with method 8; expected no compression, as numpy.savez writes");
    for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(problem_of(bytes.substr(0, size)) != "none");
}

TEST_CASE("npz_reader: an .npy file is one array", "[file][npz]") {
    const tensor t({2}, std::initializer_list<float>{1, 2});
    const std::string archive = test::npz_of({{"t", t}});
    const std::size_t begin = archive.find("\x93NUMPY");
    const std::string npy = archive.substr(begin, test::reader_of(archive).entries()[0].size);
    const auto file_of = [](std::string bytes) {
        return std::make_shared<const file::mapped_file>(file::mapped_file::read_bytes{std::move(bytes)});
    };
    CHECK(equal(file::read_npy(file_of(npy)), t));
    for (std::size_t size = 0; size < npy.size(); ++size)
        CHECK_THROWS_AS(file::read_npy(file_of(npy.substr(0, size))), error);
    CHECK_THROWS_AS(file::read_npy(file_of(npy + '\0')), error);
    CHECK_THROWS_AS(file::read_npy(file_of(archive)), error);
}
