#include <tutti/relay/transform/transforms.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace relay = tutti::relay;

namespace {

template <class... P>
constexpr auto names_of(tutti::passes<P...>) {
    std::array<std::string_view, sizeof...(P)> names{P::info.name...};
    std::ranges::sort(names);
    return names;
}
constexpr auto names = names_of(relay::transforms);

} // namespace

TEST_CASE("transforms: has every pass once, with a distinct name", "[relay][transform][transforms]") {
    static_assert(std::ranges::adjacent_find(names) == names.end());
    for (const char* name : {"AlterOpLayout", "EtaExpand", "FuseOps", "InferType", "Inline", "ToMixedPrecision"}) {
        INFO(name);
        CHECK(std::ranges::binary_search(names, name));
    }
    CHECK(!std::ranges::binary_search(names, "PrintIR")); // prints a program and changes nothing
}
