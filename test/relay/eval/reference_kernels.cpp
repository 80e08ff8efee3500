#include <tutti/relay/eval/reference_kernels.hpp>

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>

#include "support/catch.hpp"

#include <cstddef>

using namespace tutti;
using relay::kernels::reference;

TEST_CASE("reference_kernels: are those of the set, sorted by operator", "[relay][eval]") {
    const auto table = relay::kernels::detail::reference_kernels<void>.all();
    REQUIRE(reference().rows().size() == table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        INFO(table[i].op->name);
        CHECK(reference().rows()[i].op == table[i].op);
        CHECK((i == 0 || table[i - 1].op->name < table[i].op->name));
        CHECK(table[i].concurrent);
    }
}
