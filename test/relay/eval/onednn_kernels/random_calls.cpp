#include "../random_calls.hpp"

#include <tutti/relay/eval/onednn.hpp>

#include "by_onednn.hpp"
#include "support/catch.hpp"

// With the environment variable TUTTI_ROUNDS=100, this test runs 10,000 calls of each of four kinds.
TEST_CASE("onednn: random calls of its own kernels agree with the reference", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    CHECK(test::difference_of_random_calls(test::any_onednn(), random, test::rounds(400)) == "");
}
