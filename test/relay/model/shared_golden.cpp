#include <tutti/relay/model/dcgan.hpp>
#include <tutti/relay/model/dqn.hpp>
#include <tutti/relay/model/lstm.hpp>
#include <tutti/relay/model/mlp.hpp>
#include <tutti/relay/model/mobilenet.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/model/squeezenet.hpp>

#include "../golden.hpp"
#include "../programs.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

bool is_recorded(const relay::ir_module& m, const std::string& name) {
    std::string expected = test::file_text(std::string(test::shared_dir) + "/golden/models/" + name + ".relay");
    while (expected.ends_with("\n\n")) expected.pop_back();
    return relay::to_text(m, {.type_comments = false}) == expected;
}

} // namespace

TEST_CASE("models: without inferred types they are the reference's texts", "[relay][model][shared]") {
    CHECK(is_recorded(relay::model::dcgan(), "dcgan"));
    CHECK(is_recorded(relay::model::dqn(), "dqn"));
    CHECK(is_recorded(relay::model::lstm(), "lstm"));
    CHECK(is_recorded(relay::model::mlp(), "mlp"));
    CHECK(is_recorded(relay::model::mobilenet(), "mobilenet"));
    CHECK(is_recorded(relay::model::resnet(), "resnet18"));
    CHECK(is_recorded(relay::model::squeezenet(), "squeezenet"));
}
