#include <tutti/pass/config.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>

#include "support/catch.hpp"

namespace {

constexpr tutti::config_key<std::int64_t> depth{"test.depth", 256};
constexpr tutti::config_key<std::string_view> target{"test.target", "cpu"};

struct deep_context {
    std::int64_t config(const tutti::config_key<std::int64_t>& key) const { return key.standard + 1; }
};

} // namespace

static_assert(tutti::internal::config_type<bool> && tutti::internal::config_type<double> &&
              !tutti::internal::config_type<int>);
static_assert(tutti::config(tutti::pass_context{}, depth) == 256);

TEST_CASE("config: a context without settings gives the key's own value", "[pass][config]") {
    tutti::with(tutti::pass_context{}, [](auto& scope) {
        CHECK(tutti::config(scope, depth) == 256);
        CHECK(tutti::config(scope, target) == "cpu");
    });
}

TEST_CASE("config: a pass reads the settings of its context", "[pass][config]") {
    CHECK(tutti::config(deep_context{}, depth) == 257);
    CHECK(tutti::config(deep_context{}, target) == "cpu");
}
