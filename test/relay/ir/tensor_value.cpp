#include <tutti/relay/ir/tensor_value.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>

using tutti::kernel::float16;
using tutti::kernel::tensor;
using tutti::relay::same_value;
using tutti::relay::value_hash;

namespace {

constexpr bool alike(const tensor& a, const tensor& b) {
    const bool same = same_value(a, b);
    if (same != same_value(b, a)) throw "same_value is not symmetric";
    if (same && value_hash(a) != value_hash(b)) throw "the hashes of the same value differ";
    return same;
}

constexpr bool compares_elements() {
    return alike(tensor({2}, {1.0F, 2.0F}), tensor({2}, {1.0F, 2.0F})) &&
           !alike(tensor({2}, {1.0F, 2.0F}), tensor({2}, {1.0F, 3.0F})) &&
           alike(tensor({1, 2}, {true, false}), tensor({1, 2}, {true, false})) &&
           !alike(tensor::scalar(true), tensor::scalar(false));
}
static_assert(compares_elements());

template <class T>
void check_two_values(T a, T b) {
    CHECK(alike(tensor::scalar(a), tensor::scalar(a)));
    CHECK_FALSE(alike(tensor::scalar(a), tensor::scalar(b)));
    CHECK(value_hash(tensor::scalar(a)) != value_hash(tensor::scalar(b)));
}

} // namespace

TEST_CASE("tensor_value: elements count, of every type", "[relay][tensor_value]") {
    CHECK(compares_elements());
    check_two_values<bool>(false, true);
    check_two_values<std::int8_t>(-1, 1);
    check_two_values<std::int16_t>(-1, 1);
    check_two_values<std::int32_t>(-1, 1);
    check_two_values<std::int64_t>(1, std::int64_t{1} << 40);
    check_two_values<std::uint8_t>(255, 1);
    check_two_values<std::uint16_t>(65535, 1);
    check_two_values<std::uint32_t>(0xFFFFFFFFU, 1);
    check_two_values<std::uint64_t>(~std::uint64_t{0}, 1);
    check_two_values(float16(1.0F), float16(2.0F));
    check_two_values(1.0F, 2.0F);
    check_two_values(1.0, 2.0);
}

TEST_CASE("tensor_value: element type and shape count", "[relay][tensor_value]") {
    CHECK_FALSE(alike(tensor::scalar(std::int32_t{1}), tensor::scalar(std::int64_t{1})));
    CHECK_FALSE(alike(tensor({2, 1}, {1.0F, 2.0F}), tensor({1, 2}, {1.0F, 2.0F})));
    CHECK_FALSE(alike(tensor({1}, {1.0F}), tensor::scalar(1.0F)));
    CHECK_FALSE(alike(tensor(tutti::kernel::dtype::float32, {0, 3}), tensor(tutti::kernel::dtype::float32, {0, 4})));
    CHECK(alike(tensor(), tensor()));
    CHECK_FALSE(alike(tensor(), tensor::scalar(0.0F)));
}

TEST_CASE("tensor_value: bits count, not numbers", "[relay][tensor_value]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(alike(tensor::scalar(nan), tensor::scalar(nan)));
    CHECK_FALSE(alike(tensor::scalar(0.0F), tensor::scalar(-0.0F)));
    CHECK_FALSE(alike(tensor::scalar(0.0), tensor::scalar(-0.0)));
}

TEST_CASE("tensor_value: elements that are shared are not looked at", "[relay][tensor_value]") {
    const tensor a({2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
    CHECK(alike(a, tensor(a)));
    CHECK_FALSE(alike(a, a.reshaped({4})));
}

TEST_CASE("tensor_value: a fingerprint is of the type, the shape, and each byte", "[relay][tensor_value]") {
    using tutti::relay::value_fingerprint;
    static_assert(value_fingerprint(tensor::scalar(1)) == value_fingerprint(tensor::scalar(1)));
    CHECK(value_fingerprint(tensor()) == value_fingerprint(tensor()));
    CHECK(value_fingerprint(tensor({2, 1}, {1, 2})) != value_fingerprint(tensor({1, 2}, {1, 2})));
    CHECK(value_fingerprint(tensor({2}, {1, 2})) != value_fingerprint(tensor({2}, {1U, 2U})));
    for (const std::int64_t size : {1, 3, 8, 31, 32, 33, 64, 95}) { // below, at and above multiples of the block size
        tensor a(tutti::kernel::dtype::uint8, {size}), b(tutti::kernel::dtype::uint8, {size});
        CHECK(value_fingerprint(a) == value_fingerprint(b));
        for (std::uint8_t& each : b.mutable_elements<std::uint8_t>()) {
            each = 0x80;
            CHECK(value_fingerprint(a) != value_fingerprint(b));
            each = 0;
        }
        b.mutable_elements<std::uint8_t>().front() = 1;
        a.mutable_elements<std::uint8_t>().back() = 1;
        CHECK((value_fingerprint(a) == value_fingerprint(b)) == (size == 1));
    }
}
