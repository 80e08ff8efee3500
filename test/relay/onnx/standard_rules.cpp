#include <tutti/relay/onnx/standard_rules.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("standard_rules: no operator has two rules", "[relay][onnx][standard_rules]") {
    for (std::size_t i = 0; i < standard_rules.count; ++i) {
        const import_rule& rule = standard_rules.first[i];
        INFO(rule.op_type);
        CHECK(standard_rules.find(rule.op_type, rule.domain) == &rule);
        CHECK(rule.import != nullptr);
    }
    CHECK(standard_rules.find("Relu", "") != nullptr);
}
