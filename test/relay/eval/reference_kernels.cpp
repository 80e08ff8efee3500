#include <tutti/relay/eval/reference_kernels.hpp>

#include <tutti/relay/eval/reference.hpp>

#include "support/catch.hpp"

#include <cstddef>

using namespace tutti;
using relay::kernels::reference;

TEST_CASE("reference_kernels: are those of the set, sorted by operator", "[relay][eval]") {
    const auto table = relay::kernels::detail::reference_kernels<>.all();
    REQUIRE(table.size() == reference::count);
    REQUIRE(reference::all().size() == reference::count);
    for (std::size_t i = 0; i < table.size(); ++i) {
        INFO(table[i].op);
        CHECK(reference::all()[i].op == table[i].op);
        CHECK(reference::named(table[i].op) == reference::all()[i].run);
        CHECK((i == 0 || table[i - 1].op < table[i].op));
    }
}
