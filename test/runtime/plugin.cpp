#include <tutti/runtime/plugin.hpp>

#include "support/catch.hpp"

#include <cstring>
#include <string_view>
#include <type_traits>

namespace runtime = tutti::runtime;

namespace {

struct mixer {
    int channels = 0;
};
void add(mixer& to) { ++to.channels; }

} // namespace

TUTTI_PLUGIN("one-more-channel", "1.2", add)

TEST_CASE("plugin: the entry returns a description with the layout of a C struct", "[runtime][plugin]") {
    static_assert(std::is_standard_layout_v<runtime::plugin_description> &&
                  std::is_trivially_copyable_v<runtime::plugin_description>);
    const runtime::plugin_description& about = *tutti_plugin();
    CHECK(std::string_view(about.magic, sizeof about.magic) == runtime::plugin_magic);
    CHECK(about.size == sizeof about);
    CHECK(about.tutti.minor_number == static_cast<unsigned>(tutti::version.minor_number));
    CHECK(std::string_view(about.name) == "one-more-channel");
    CHECK(std::string_view(about.version) == "1.2");
    CHECK(std::string_view(about.host_name) == "mixer");
    CHECK(std::string_view(about.host).find("mixer") != std::string_view::npos);
    CHECK(std::string_view(about.standard_library).starts_with("lib"));
    CHECK(std::strlen(about.compiler) > 4);
    CHECK(&about == tutti_plugin());
    mixer to;
    about.add(&to);
    CHECK(to.channels == 1);
}
