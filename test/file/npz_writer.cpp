#include <tutti/file/npz_writer.hpp>

#include "npz_files.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>

using namespace tutti;
using kernel::tensor;

TEST_CASE("npz_writer: elements are aligned to 64 bytes", "[file][npz]") {
    std::string name;
    for (int i = 0; i < 70; ++i) {
        name += 'n';
        const std::string bytes = test::npz_of({{name, tensor({1}, {std::uint32_t{0x12345678}})}});
        CHECK(bytes.find("\x78\x56\x34\x12") % 64 == 0);
    }
}

TEST_CASE("npz_writer: more arrays than an archive has room for are zip64", "[file][npz]") {
    test::written_text out;
    file::npz_writer<test::written_text> writer(out);
    const tensor one = tensor::scalar(std::int32_t{1});
    for (int i = 0; i < 65535; ++i) writer.add(std::to_string(i), one);
    writer.done();
    CHECK(out.text.rfind("PK\x06\x06") != std::string::npos);
    const file::npz_reader reader = test::reader_of(std::move(out.text));
    REQUIRE(reader.entries().size() == 65535);
    CHECK(reader.read(reader.entries()[65534]).data<std::int32_t>()[0] == 1);
}

TEST_CASE("npz_writer: an archive without arrays is one, too", "[file][npz]") {
    CHECK(test::reader_of(test::npz_of({})).entries().empty());
}

TEST_CASE("npz_writer: narrow elements are written as types that hold their values", "[file][npz]") {
    const auto written = [](kernel::dtype type) {
        kernel::tensor narrow;
        kernel::cast(kernel::tensor({2}, {1.0F, 0.5F}), type, narrow);
        const file::npz_reader reader = test::reader_of(test::npz_of({{"t", narrow}}));
        return reader.read(reader.entries()[0]);
    };
    CHECK(written(kernel::dtype::float8_e5m2).elements<float>()[1] == 0.5F);
    CHECK(written(kernel::dtype::int4).elements<std::int8_t>()[0] == 1);
    CHECK(written(kernel::dtype::uint2).elements<std::uint8_t>()[0] == 1);
}

TEST_CASE("npz_writer: bfloat16, which NumPy does not have, is written as float32", "[file][npz]") {
    const tensor t({2}, {kernel::bfloat16(1.5F), kernel::bfloat16(-0.1F)});
    const file::npz_reader reader = test::reader_of(test::npz_of({{"t", t}}));
    const tensor back = reader.read(reader.entries()[0]);
    REQUIRE(back.type() == kernel::dtype::float32);
    CHECK(back.elements<float>()[0] == 1.5F);
    CHECK(back.elements<float>()[1] == static_cast<float>(kernel::bfloat16(-0.1F)));
}
