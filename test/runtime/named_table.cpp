#include <tutti/runtime/named_table.hpp>

#include "support/catch.hpp"

namespace {

struct network {
    std::string name;
    int layers = 0;
};

tutti::detail::named_table<network> networks() {
    tutti::detail::named_table<network> all{"network"};
    for (const char* name : {"mlp", "resnet", "dqn", "lstm"}) all.add({name, static_cast<int>(all.list().size())});
    return all;
}

std::string message(auto&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

} // namespace

TEST_CASE("named_table: lists by name, and finds", "[named_table]") {
    const auto all = networks();
    std::string names;
    for (const network& each : all.list()) names += each.name + " ";
    CHECK(names == "dqn lstm mlp resnet ");
    for (const char* name : {"dqn", "lstm", "mlp", "resnet"}) CHECK(all.get(name).name == name);
    CHECK(all.find("resnet")->layers == 1);
    for (const char* name : {"", "dqm", "m", "mlpp", "z"}) CHECK(all.find(name) == nullptr);
    const tutti::detail::named_table<network> none{"network"};
    CHECK((none.list().empty() && !none.find("mlp")));
}

TEST_CASE("named_table: refuses duplicate names, and reports missing ones", "[named_table]") {
    auto all = networks();
    CHECK(message([&] { all.add({"mlp"}); }) == "network mlp: the name is already taken; expected another name");
    CHECK(all.list().size() == 4);
    CHECK(message([&] { all.get("resnets"); }) == "resnets: no such network; did you mean resnet?");
    CHECK(message([&] { all.get("x"); }) == "x: no such network; expected one of dqn, lstm, mlp, resnet");
}
