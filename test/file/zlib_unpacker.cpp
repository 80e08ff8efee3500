#include <tutti/file/zlib_unpacker.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <string>

TEST_CASE("unpack_with_zlib: unpacks the requested number of bytes", "[file][zlib_unpacker]") {
    std::string all;
    for (int i = 0; i < 500; ++i) all += "ab";
    std::string deflated(200, '\0');
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(all.data());
    stream.avail_in = static_cast<uInt>(all.size());
    stream.next_out = reinterpret_cast<Bytef*>(deflated.data());
    stream.avail_out = static_cast<uInt>(deflated.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflated.resize(deflated.size() - stream.avail_out);
    deflateEnd(&stream);

    const auto unpacker = tutti::file::unpack_with_zlib(deflated);
    std::string seen(1000, '\0');
    unpacker->read(seen.data(), 7);
    unpacker->read(seen.data() + 8, 0);
    unpacker->read(seen.data() + 7, 993);
    CHECK(seen == all);
    CHECK(unpacker->at_end());

    const auto first = tutti::file::unpack_with_zlib(deflated);
    first->read(seen.data(), 999);
    CHECK_FALSE(first->at_end());
    const auto beyond = tutti::file::unpack_with_zlib(deflated);
    std::string more(1001, '\0');
    CHECK_THROWS_AS(beyond->read(more.data(), more.size()), tutti::error);
}

TEST_CASE("unpack_with_zlib: refuses bytes that are damaged", "[file][zlib_unpacker]") {
    char some[8];
    CHECK_THROWS_AS(tutti::file::unpack_with_zlib("\xFF\xFF\xFF\xFF")->read(some, 8), tutti::error);
    CHECK_THROWS_AS(tutti::file::unpack_with_zlib("")->read(some, 8), tutti::error);
}
