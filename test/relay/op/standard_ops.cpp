#include <tutti/relay/op/standard_ops.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <string_view>

using namespace tutti::relay;

static_assert(op_set(standard_ops).find("nn.conv2d") == &definition<op::nn::conv2d>);

TEST_CASE("standard_ops: unique names, each with a type relation and attributes", "[relay][standard_ops]") {
    const auto all = op_set(standard_ops).all();
    CHECK(all.size() >= 127);
    CHECK(std::ranges::adjacent_find(all, {}, &op_def::name) == all.end());
    for (const op_def* op : all) {
        INFO(op->name);
        CHECK(op->infer != nullptr);
        for (const attr_field& f : op->attributes) {
            INFO(f.name);
            CHECK(f.standard_values().empty() == f.required);
            CHECK(std::ranges::count(op->attributes, f.name, &attr_field::name) == 1);
        }
    }
}

TEST_CASE("standard_ops: a misspelt name has a neighbour", "[relay][standard_ops]") {
    const op_set ops = standard_ops;
    CHECK(ops.nearest("nn.cov2d") == "nn.conv2d");
    CHECK(ops.nearest("concatinate") == "concatenate");
}
