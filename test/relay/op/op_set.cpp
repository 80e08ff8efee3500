#include <tutti/relay/op/op_set.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "support/catch.hpp"

#include <string_view>
#include <vector>

using namespace tutti::relay;

namespace {

struct my_add : op::add {
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
};
struct my_op : op::elementwise {
    static constexpr std::string_view name = "my.op";
};

using few = op_list<op::add, op::multiply, op::nn::relu, op::sigmoid>;

static_assert(op_set(few{}).find("nn.relu") == &definition<op::nn::relu>);
static_assert(op_set(few{}).find("relu") == nullptr && op_set().find("add") == nullptr);
static_assert(op_set(few{}).with<my_op>().find("my.op") == &definition<my_op>);

} // namespace

TEST_CASE("op_set: finds operators by name", "[relay][op_set]") {
    const op_set ops = few{};
    CHECK(ops.find("add") == &definition<op::add>);
    CHECK(ops.find("sigmoid") == &definition<op::sigmoid>);
    CHECK(ops.find("") == nullptr);
    CHECK(ops.find("sigmoi") == nullptr);
    CHECK(op_set().find("add") == nullptr);
    CHECK(op_set(op_list<>()).find("add") == nullptr);
}

TEST_CASE("op_set: custom operators precede built-in ones of the same name", "[relay][op_set]") {
    const op_set standard = few{};
    const op_set ops = standard.with<my_op, my_add>();
    CHECK(ops.find("add") == &definition<my_add>);
    CHECK(ops.find("my.op") == &definition<my_op>);
    CHECK(ops.find("multiply") == &definition<op::multiply>);
    CHECK(standard.find("add") == &definition<op::add>);
    CHECK(standard.find("my.op") == nullptr);
    CHECK(ops.with<op::add>().find("add") == &definition<op::add>);
}

TEST_CASE("op_set: lists all by name, each once", "[relay][op_set]") {
    std::vector<std::string_view> names;
    for (const op_def* op : op_set(few{}).with<my_add, my_op>().all()) names.push_back(op->name);
    CHECK(names == std::vector<std::string_view>{"add", "multiply", "my.op", "nn.relu", "sigmoid"});
}

TEST_CASE("op_set: the nearest name, of both kinds", "[relay][op_set]") {
    const op_set ops = op_set(few{}).with<my_op>();
    CHECK(ops.nearest("nn.rleu") == "nn.relu");
    CHECK(ops.nearest("my.ops") == "my.op");
    CHECK(ops.nearest("relu") == "nn.relu"); // a missing prefix is ignored
    CHECK(ops.nearest("rellu") == "nn.relu");
    CHECK(ops.nearest("layer_norm").empty());
}
