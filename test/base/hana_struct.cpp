#include <tutti/base/hana_struct.hpp>

#include "support/catch.hpp"

#include <string>

#include <boost/hana/adapt_struct.hpp>

namespace {
struct adapted {
    int limit = 3;
    std::string name = "n";
};
} // namespace

BOOST_HANA_ADAPT_STRUCT(adapted, limit, name);

static_assert(tutti::internal::describes_options<adapted>);

TEST_CASE("hana_struct: a struct that was adapted with Hana's macros describes its options", "[described]") {
    adapted a;
    std::string names;
    tutti::detail::for_each_option<adapted>([&](const auto& each) {
        names += std::string{each.name} + " ";
        each(a) = {};
    });
    CHECK(names == "limit name ");
    CHECK((a.limit == 0 && a.name.empty()));
}
