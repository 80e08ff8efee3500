#include <tutti/runtime/extensions.hpp>

#include "support/catch.hpp"

#include <type_traits>

namespace runtime = tutti::runtime;

namespace {

struct next {
    static constexpr tutti::pass_info info{.name = "Next"};
    void operator()(int& n) const { ++n; }
};

} // namespace

TEST_CASE("extensions: a copy extends without changing the original", "[runtime][extensions]") {
    static_assert(std::is_copy_assignable_v<runtime::extensions<int>>);
    const runtime::extensions<int> known;
    runtime::extensions<int> more = known;
    more.passes.add<next>();
    CHECK(known.passes.find("Next") == nullptr);
    CHECK(more.passes.find("Next") != nullptr);
    CHECK(more.instruments.list().empty());
}
