#include <tutti/relay/model/resnet.hpp>

#include "catch.hpp"
#include "../golden.hpp"
#include "../programs.hpp"

using namespace tutti;

TEST_CASE("resnet: 18 layers without inferred types are the reference's text", "[relay][resnet]") {
    std::string expected = test::file_text(std::string(test::shared_dir) + "/golden/models/resnet18.relay");
    while (expected.ends_with("\n\n")) expected.pop_back();
    CHECK((relay::to_text(relay::model::resnet(), {.type_comments = false}) == expected));
}
