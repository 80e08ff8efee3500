#include "../not_numbers.hpp"

#include <tutti/relay/eval/onednn.hpp>

#include "by_onednn.hpp"
#include "support/catch.hpp"

TEST_CASE("onednn: NaN goes where IEEE 754 and the reference have it", "[relay][eval][nan]") {
    constexpr std::string_view types[]{"float32"};
    constexpr bool skips_padding = true;
    CHECK(test::all_wrong_not_numbers(test::any_onednn(), types, skips_padding) == "");
}

TEST_CASE("onednn: log_softmax of one element is exactly 0", "[relay][eval][nan]") {
    test::numeric_run run(test::any_onednn(), {"(2, 1)", ""}, "nn.log_softmax(%x)", "float32");
    for (const double x : {0.0, 0.1, -3.0, 1e30, -1e-30}) {
        CHECK(run.of(0, x)[0] == 0);
        CHECK(run.of(0, x)[0] == 0);
    }
}
