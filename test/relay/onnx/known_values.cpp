#include <tutti/relay/onnx/known_values.hpp>

#include <tutti/relay/ir/tensor_value.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("known_values: converts a tensor, and back", "[relay][onnx][known_values]") {
    const auto back = [](const tensor& t) { return tensor_of(known_values_of(t)); };
    const tensor i({2, 1}, {std::int64_t{-5}, std::int64_t{1} << 62});
    CHECK(same_value(back(i), i));
    const tensor f({3}, {0.1F, -1e30F, 2.0F});
    CHECK(same_value(back(f), f));
    const tensor b({2}, {true, false});
    CHECK(same_value(back(b), b));
    CHECK(same_value(back(tensor::scalar(kernel::float16(0.5F))), tensor::scalar(kernel::float16(0.5F))));
    known_values k = known_values_of(i);
    CHECK(k.complete());
    k.numbers[0].known = false;
    CHECK_FALSE(k.complete());
    CHECK(k.integers()[0].is_any());
    CHECK(k.integers()[1].value() == (std::int64_t{1} << 60) - 1); // the largest value of a dim
}
