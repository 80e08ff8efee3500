#include <tutti/relay/eval/synthetic.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using tutti::kernel::dtype;

namespace {

float first(std::string_view name, std::vector<std::int64_t> shape) {
    return relay::synthetic_input(name, dtype::float32, shape).elements<float>()[0];
}

// The hashes of "" and "a" are test vectors of the authors of FNV-1a.
static_assert(relay::detail::synthetic_hash("") == 0xCBF29CE484222325U);
static_assert(relay::detail::synthetic_hash("a") == 0xAF63DC4C8601EC8CU);
// These are the first numbers of splitmix64 for the seeds 0 and 1234567.
static_assert(relay::detail::synthetic_unit(0, 0) == static_cast<float>(0xE220A8397B1DCDAFU >> 40) * 0x1p-24F);
static_assert(relay::detail::synthetic_unit(1234567, 0) == static_cast<float>(6457827717110365317U >> 40) * 0x1p-24F);

} // namespace

TEST_CASE("synthetic: the values of a parameter follow from its name and the elements' numbers", "[relay][eval]") {
    const auto unit = [](std::string_view name, std::uint64_t i) {
        return relay::detail::synthetic_unit(relay::detail::synthetic_hash(name), i);
    };
    const auto x = relay::synthetic_input("data", dtype::float32, std::vector<std::int64_t>{2, 3});
    for (std::uint64_t i = 0; i < 6; ++i) CHECK(x.elements<float>()[i] == 2 * unit("data", i) - 1);
    CHECK(first("bn_gamma", {4}) == 0.5F + unit("bn_gamma", 0));
    CHECK(first("bn_moving_var", {4}) == 0.5F + unit("bn_moving_var", 0));
    CHECK(first("bn_beta", {4}) == (2 * unit("bn_beta", 0) - 1) * 0.1F);
    CHECK(first("fc_bias", {4}) == (2 * unit("fc_bias", 0) - 1) * 0.1F);
    CHECK(first("bn_moving_mean", {4}) == (2 * unit("bn_moving_mean", 0) - 1) * 0.1F);
    CHECK(first("fc_weight", {4}) == 2 * unit("fc_weight", 0) - 1);
    CHECK(first("fc_weight", {4, 2, 6}) == (2 * unit("fc_weight", 0) - 1) * 0.5F);
    CHECK(first("bn_gamma1", {4}) == 2 * unit("bn_gamma1", 0) - 1);
    const auto n = relay::synthetic_input("n_bias", dtype::int32, std::vector<std::int64_t>{1000});
    for (std::uint64_t i = 0; i < 1000; ++i)
        CHECK(n.elements<std::int32_t>()[i] == static_cast<int>(std::floor(16 * unit("n_bias", i))));
}

TEST_CASE("synthetic: by type; a type of unknown shape, or of too many elements, is refused", "[relay][eval]") {
    relay::type_table types;
    const auto known = types.tensor(std::vector<relay::dim>{2, relay::dim::wide(2)}, dtype::float64);
    const auto unknown = types.tensor(std::vector<relay::dim>{relay::dim::any()}, dtype::float32);
    const auto x = relay::synthetic_input("x", types, known);
    CHECK(x.type() == dtype::float64);
    CHECK(x.size() == 4);
    CHECK(x.elements<double>()[0] == static_cast<double>(first("x", {1})));
    CHECK_THROWS_AS(relay::synthetic_input("x", types, unknown), tutti::error);
    const relay::dim many = std::int64_t{1} << 32; // its square overflows to 0
    const auto huge = types.tensor(std::vector<relay::dim>{many, many}, dtype::float32);
    CHECK_THROWS_WITH(relay::synthetic_input("x", types, huge), Catch::Matchers::Contains("fewer than 2^48 elements"));
    CHECK_THROWS_AS(relay::synthetic_input("x", types, types.tuple({})), tutti::error);
}
