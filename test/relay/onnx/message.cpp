#include <tutti/relay/onnx/message.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("message: fields by number, the last of several", "[relay][onnx][message]") {
    const std::string bytes =
        wire().number(1, 5).number(1, 6).text(2, "a").text(8, "\x01\x82\x01").number(8, 9).real(7, 0.5F).bytes;
    const message m({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0});
    CHECK(m.integer(1) == 6);
    CHECK(m.integer(3, -1) == -1);
    CHECK(m.text(2) == "a");
    CHECK(m.has(2));
    CHECK_FALSE(m.has(3));
    CHECK(m.count(1) == 2);
    CHECK(m.integers(8) == plain_vector<std::int64_t>{1, 130, 9});
    CHECK(m.floats(7) == plain_vector<float>{0.5F});
    CHECK_FALSE(m.child(3).exists());
    CHECK_FALSE(message().exists());
}
