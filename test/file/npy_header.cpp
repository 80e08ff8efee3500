#include <tutti/file/npy_header.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti;
using file::npy_header;
using kernel::dtype;

namespace {

std::string problem_of(std::string_view text) {
    try {
        const npy_header header(text);
    } catch (const error& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("npy_header: reads type, order and shape", "[file][npy]") {
    const npy_header header("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }");
    CHECK(header.element == dtype::float32);
    CHECK(header.fortran);
    CHECK(header.shape == std::vector<std::int64_t>{2, 3});
    CHECK(header.size() == 24);
    CHECK(npy_header("{'shape': (), 'descr': '|b1'}").shape.empty());
}

TEST_CASE("npy_header: reports errors", "[file][npy]") {
    CHECK(problem_of("") == "the array's header is broken; expected `{` in it");
    CHECK(problem_of("{'descr': '<f4'}") == "the array's header lacks its type or shape");
    CHECK(problem_of("{'descr': '<c8', 'shape': ()}").starts_with("the array's elements are of type <c8"));
    CHECK(problem_of("{'descr': '<f4', 'descr': '<f4'}") == "the array's header has the key descr twice");
    CHECK(problem_of("{'shape': (1, -1)}") == "the array's shape is broken; expected non-negative numbers");
    CHECK(problem_of("{'shape': (1000000000, 1000000000)}").ends_with("expected fewer than 2^48 elements"));
    CHECK(problem_of("{'depth': 1}") == "the array's header has the unknown key depth");
}

TEST_CASE("npy_beginning: is read back, for every type", "[file][npy]") {
    for (const dtype type :
         {dtype::boolean, dtype::int8, dtype::int16, dtype::int32, dtype::int64, dtype::uint8, dtype::uint16,
          dtype::uint32, dtype::uint64, dtype::float16, dtype::float32, dtype::float64}) {
        const std::string text = file::npy_beginning(kernel::tensor(type, {3, 1, 4}));
        CHECK(text.size() % 64 == 0);
        CHECK(text.starts_with(std::string_view("\x93NUMPY\x01\x00", 8)));
        const npy_header header(std::string_view(text).substr(10));
        CHECK(header.element == type);
        CHECK_FALSE(header.fortran);
        CHECK(header.shape == std::vector<std::int64_t>{3, 1, 4});
    }
}
