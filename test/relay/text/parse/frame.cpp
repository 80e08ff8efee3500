#include <tutti/relay/text/parse/frame.hpp>

#include "support/catch.hpp"

using namespace tutti::relay::text;

TEST_CASE("frame: blocks hold lines, and blocks in braces or of the whole text close the frames in them",
          "[relay][text][frame]") {
    for (const auto k :
         {frame_kind::definition, frame_kind::program, frame_kind::literal, frame_kind::then, frame_kind::otherwise}) {
        CHECK(is_block(k));
        CHECK(is_braced(k));
    }
    for (const auto k : {frame_kind::bracketed, frame_kind::chain}) {
        CHECK(is_block(k));
        CHECK_FALSE(is_braced(k));
    }
    for (const auto k : {frame_kind::brackets, frame_kind::call, frame_kind::condition, frame_kind::let_value,
                         frame_kind::number_value})
        CHECK_FALSE(is_block(k));
}

TEST_CASE("frame: a million that are open take less than 64 MB", "[relay][text][frame]") {
    STATIC_REQUIRE(sizeof(frame) <= 64);
}
