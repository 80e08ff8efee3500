#include <tutti/relay/onnx/rule.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("rule: rules are found by operator and domain", "[relay][onnx][rule]") {
    static constexpr import_rule own[]{{"A", nullptr}, {"A", nullptr, "com.example"}, {"B", nullptr}};
    constexpr rule_list rules{own};
    STATIC_REQUIRE(rules.find("A", "") == own);
    STATIC_REQUIRE(rules.find("A", "com.example") == own + 1);
    STATIC_REQUIRE(rules.find("C", "") == nullptr);
    STATIC_REQUIRE(rule_list().find("A", "") == nullptr);
}
