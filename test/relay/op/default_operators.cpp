#include <tutti/relay/op/default_operators.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("default_operators: are the built-in ones", "[relay][op]") {
    const relay::op_set operators = relay::default_operators();
    CHECK(operators.find("add") == &relay::definition<relay::op::add>);
    CHECK(operators.find("nn.none") == nullptr);
    CHECK(operators.all().size() == relay::op_set(relay::standard_ops).all().size());
}
