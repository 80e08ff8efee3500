#include <tutti/pass/class_name.hpp>

#include "support/catch.hpp"

#include <type_traits>

namespace mine {
struct Fold {
    static constexpr std::string_view inside = tutti::class_name<Fold>;
    struct Inner {};
};
template <class>
struct scale {
    struct part {};
};
enum class colour {};
namespace {
class hidden;
}
} // namespace mine

namespace {
using tutti::class_name;

static_assert(tutti::class_name<mine::Fold> == "Fold" && mine::Fold::inside == "Fold");
static_assert(tutti::class_name<mine::Fold::Inner> == "Inner");
static_assert(tutti::class_name<mine::scale<mine::scale<mine::Fold>>> == "scale");
static_assert(tutti::class_name<mine::scale<mine::Fold>::part> == "part");
static_assert(tutti::class_name<mine::colour> == "colour");
static_assert(tutti::class_name<mine::hidden> == "hidden");

constexpr auto lambda = [](int n) { return n; };
static_assert(tutti::class_name<std::remove_const_t<decltype(lambda)>>.empty());
static_assert(tutti::class_name<int (*)(int)>.empty());
} // namespace

TEST_CASE("class_name: is the name alone, for classes that have one", "[pass][class_name]") {
    struct local {};
    CHECK(tutti::class_name<local> == "local");
    const auto captures = [&](int) {};
    CHECK(tutti::class_name<decltype(captures)> == "");
    struct {
    } unnamed;
    CHECK(tutti::class_name<decltype(unnamed)> == "");
}
