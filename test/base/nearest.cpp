#include <tutti/base/nearest.hpp>

#include "support/catch.hpp"

#include <array>
#include <string>
#include <string_view>

namespace {

using namespace std::literals;

constexpr std::string_view nearest(std::string_view misspelt) {
    tutti::internal::nearest_name meant(misspelt);
    for (const std::string_view name : std::array{"FuseOps"sv, "FoldConstant"sv, "InferType"sv}) meant.offer(name);
    return meant.found();
}

static_assert(tutti::internal::edit_distance("kitten", "sitting") == 3 &&
              tutti::internal::edit_distance("", "abc") == 3);
static_assert(tutti::internal::edit_distance("same", "same") == 0 && tutti::internal::edit_distance("ab", "ba") == 1);
static_assert(nearest("FuseOp") == "FuseOps" && nearest("Foldconstant") == "FoldConstant");

} // namespace

TEST_CASE("nearest: counts insertions, deletions and replacements", "[nearest]") {
    CHECK(tutti::internal::edit_distance("kitten", "sitting") == 3);
    CHECK(tutti::internal::edit_distance("abc", "") == 3);
    CHECK(tutti::internal::edit_distance("strides", "stride") == 1);
    CHECK(tutti::internal::edit_distance("tnah", "tanh") == 1);
    CHECK(tutti::internal::edit_distance("tnah", "tan") == 2);
    CHECK(tutti::internal::edit_distance("abcdef", "badcfe") == 3);
    CHECK(tutti::internal::edit_distance("ca", "abc") == 3); // transposed characters are not edited again
    CHECK(tutti::internal::edit_distance("", "ab") == 2);
}

TEST_CASE("nearest: finds the probable name, or none if all are too different", "[nearest]") {
    CHECK(nearest("FuseOp") == "FuseOps");
    CHECK(nearest("InfreType") == "InferType");
    CHECK(nearest("Vectorize").empty());
    CHECK(nearest("").empty());
    CHECK(nearest("Fu").empty());
    CHECK(nearest(std::string(100, 'F')).empty());
}

TEST_CASE("nearest: names too long to compare are far from everything", "[nearest]") {
    const std::string name(65, 'a');
    CHECK(tutti::internal::edit_distance(name, name) == 65);
}
