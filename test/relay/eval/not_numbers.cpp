#include "not_numbers.hpp"

#include <tutti/relay/eval/blocked.hpp>

#include "support/catch.hpp"

TEST_CASE("blocked: NaN goes where IEEE 754 and the reference have it", "[relay][eval][nan]") {
    constexpr std::string_view types[]{"float32", "float64", "float16", "bfloat16"};
    CHECK(test::all_wrong_not_numbers(tutti::relay::kernels::blocked(), types) == "");
}

TEST_CASE("blocked: log_softmax of one element is exactly 0", "[relay][eval][nan]") {
    test::numeric_run run(tutti::relay::kernels::blocked(), {"(1, 1)", ""}, "nn.log_softmax(%x)", "float32");
    test::numeric_run reference(tutti::relay::kernels::reference(), {"(1, 1)", ""}, "nn.log_softmax(%x)", "float32");
    for (const double x : {0.0, 0.1, -3.0, 1e30, -1e-30}) {
        CHECK(run.of(0, x)[0] == 0);
        CHECK(reference.of(0, x)[0] == 0);
    }
}
