#include <tutti/kernel/tensor.hpp>

#include "catch.hpp"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

using tutti::kernel::dtype;
using tutti::kernel::element_count;
using tutti::kernel::tensor;

namespace {

constexpr bool lives_in_constant_evaluation() {
    tensor a({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
    const tensor b = a;
    const tensor c = b.reshaped({3, 2});
    if (!a.is_shared() || !a.same_elements(c) || c.shape()[0] != 3) return false;
    a = tensor(dtype::boolean, {4});
    a.mutable_elements<bool>()[2] = true;
    const tensor d = std::move(a);
    return a.empty() && !d.elements<bool>()[0] && d.elements<bool>()[2] && b.elements<float>()[5] == 6;
}

} // namespace

TEST_CASE("tensor: is made, shared, reshaped and moved, in constant evaluation too", "[kernel][tensor]") {
    static_assert(lives_in_constant_evaluation());
    CHECK(lives_in_constant_evaluation());
}

TEST_CASE("tensor: counts its elements", "[kernel][tensor]") {
    CHECK(element_count(std::vector<std::int64_t>{}) == 1);
    CHECK(element_count(std::vector<std::int64_t>{3, 0, 5}) == 0);
    CHECK(tensor(dtype::int16, {2, 3, 4}).size() == 24);
    CHECK(tensor::scalar(7).rank() == 0);
    CHECK(tensor::scalar(7).size() == 1);
    CHECK(tensor(dtype::float32, {0, 3}).size() == 0);
    CHECK_FALSE(tensor(dtype::float32, {0, 3}).empty());
    CHECK(tensor().empty());
    CHECK(tensor().type() == dtype::none);
}

TEST_CASE("tensor: begins as zeros on a cache line's boundary", "[kernel][tensor]") {
    tensor t(dtype::float64, {100});
    const auto elements = t.elements<double>();
    CHECK(std::accumulate(elements.begin(), elements.end(), 0.0) == 0.0);
    CHECK(reinterpret_cast<std::uintptr_t>(elements.data()) % 64 == 0);
}

TEST_CASE("tensor: is shared only as long as there is another owner", "[kernel][tensor]") {
    tensor t(dtype::uint8, {3});
    CHECK_FALSE(t.is_shared());
    {
        const tensor other = t;
        CHECK(t.is_shared());
        CHECK(other.elements<std::uint8_t>().data() == t.elements<std::uint8_t>().data());
    }
    CHECK_FALSE(t.is_shared());
    t.mutable_elements<std::uint8_t>()[0] = 9;
    tensor& self = t;
    t = self;
    CHECK(t.elements<std::uint8_t>()[0] == 9);
    CHECK_FALSE(t.is_shared());
}
