#include <tutti/runtime/registered_pass.hpp>

#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/registry.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

namespace runtime = tutti::runtime;

TEST_CASE("registered_pass: makes the pass with options, and says which one it does not take",
          "[runtime][registered_pass]") {
    runtime::registry<int> all;
    all.add(add_amount{.amount = 3});
    const runtime::registered_pass<int>& pass = *all.find("AddAmount");
    CHECK(pass.options().front().standard == "3");
    const tutti::internal::option_text options[]{{"amount", "4"}, {"times", "300"}, {"off", "True"}};
    runtime::detail::rejected_option rejected;
    pass.make(std::span(options).first(1), rejected);
    CHECK(rejected.option == nullptr);
    pass.make(options, rejected);
    CHECK(rejected.option == &options[1]);
    CHECK(rejected.value);
    CHECK(rejected.said.asked == "300");
    CHECK(rejected.said.expected == "an integer from 0 to 255");
    const tutti::internal::option_text other[]{{"amuont", "4"}};
    pass.make(other, rejected);
    CHECK(!rejected.value);
    CHECK(rejected.said.meant == "amount");
}
