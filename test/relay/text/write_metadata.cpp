#include <tutti/relay/text/write_metadata.hpp>

#include <tutti/relay/text/base64.hpp>
#include <tutti/relay/text/tensor_bytes.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace tutti;
using kernel::tensor;

TEST_CASE("write_metadata: a node and its bytes for each constant, in their order", "[relay][text]") {
    const std::vector<tensor> constants{tensor({2}, {1.0F, 2.0F}), tensor::scalar(std::int64_t{7})};
    const std::string section = relay::write_metadata(constants);
    std::size_t at = 0, nodes = 0;
    while ((at = section.find("\"type_key\": \"relay.Constant\"", at) + 1) != 0) ++nodes;
    CHECK(nodes == 2);
    std::size_t before = section.find("\"b64ndarrays\"");
    REQUIRE(before != std::string::npos);
    for (const tensor& each : constants) {
        const std::size_t place = section.find(relay::text::to_base64(relay::text::to_bytes(each)), before);
        REQUIRE(place != std::string::npos);
        before = place;
    }
}
