#include <tutti/kernel/tensor.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
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
    const tensor nothing;
    tensor was = a;
    was = nothing;
    if (!was.empty() || was.rank() != 0) return false;
    a = tensor(dtype::boolean, {4});
    a.mutable_data<bool>()[2] = true;
    const tensor d = std::move(a);
    if (d.data<bool>() != d.elements<bool>().data()) return false;
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

TEST_CASE("tensor: capacity is the size of the memory, whatever its content", "[kernel][tensor]") {
    tensor t;
    CHECK(t.capacity() == 0);
    t.reset(dtype::float32, std::vector<std::int64_t>{4, 5});
    CHECK(t.capacity() == 80);
    t.reset(dtype::int8, std::vector<std::int64_t>{3});
    CHECK(t.capacity() == 80);
    t.reset(dtype::float64, std::vector<std::int64_t>{11});
    CHECK(t.capacity() == 88);
}

TEST_CASE("tensor: reset reuses the memory if possible", "[kernel][tensor]") {
    tensor t(dtype::float32, {2, 3});
    const void* memory = t.elements<float>().data();
    const std::vector<std::int64_t> smaller{5};
    t.reset(dtype::int32, smaller);
    CHECK(t.type() == dtype::int32);
    CHECK(t.size() == 5);
    CHECK(t.elements<std::int32_t>().data() == memory);
    t.mutable_elements<std::int32_t>()[4] = 7;
    CHECK(t.elements<std::int32_t>()[4] == 7);

    const std::vector<std::int64_t> larger{100};
    t.reset(dtype::float64, larger);
    CHECK(t.size() == 100);

    const tensor sharing = t;
    t.reset(dtype::float64, larger);
    CHECK_FALSE(t.same_elements(sharing));
    CHECK(t.identity() != sharing.identity());
    CHECK(t.identity() == tensor(t).identity());
    CHECK(sharing.size() == 100);
    t.reset(dtype::float16, std::vector<std::int64_t>{0, 4});
    CHECK(t.size() == 0);
    t.reset(dtype::float64, larger);
    CHECK(t.size() == 100);
}

TEST_CASE("tensor: shares another's elements under a shape of its own", "[kernel][tensor]") {
    const tensor t({2, 3}, {1, 2, 3, 4, 5, 6});
    tensor seen({1}, {9});
    seen.share(t, std::vector<std::int64_t>{3, 2});
    CHECK(seen.same_elements(t));
    CHECK(seen.shape()[0] == 3);
    seen.share(t, std::vector<std::int64_t>{6});
    CHECK(seen.rank() == 1);
    const tensor& itself = seen;
    seen = itself;
    CHECK(seen.elements<int>()[5] == 6);
    seen.share(tensor(), std::vector<std::int64_t>{0});
    CHECK(seen.empty());
}

TEST_CASE("tensor: is as it was where there is not enough memory", "[kernel][tensor][limits]") {
    tensor t({2, 3}, {1, 2, 3, 4, 5, 6});
    const std::int64_t too_many[]{std::int64_t{1} << 61, 1, 1};
    CHECK_THROWS_AS(t.reset(dtype::float64, too_many), std::bad_alloc);
    CHECK(t.rank() == 2);
    CHECK(t.size() == 6);
    CHECK(t.type() == dtype::int32);
    CHECK(t.elements<int>()[5] == 6);
}

namespace {

constexpr std::int64_t large = std::int64_t{1} << 40;

constexpr std::int64_t counted(std::initializer_list<std::int64_t> shape) {
    return tutti::kernel::checked_element_count({shape.begin(), shape.size()});
}

} // namespace

TEST_CASE("tensor: without elements, the other dimensions may be of any size and in any order",
          "[kernel][tensor][limits]") {
    static_assert(counted({}) == 1);
    static_assert(counted({2, 3}) == 6);
    static_assert(counted({large, 255}) == large * 255);
    static_assert(counted({large, 256}) == -1);
    static_assert(counted({large, large, 0}) == 0);
    static_assert(counted({0, large, large}) == 0);
    static_assert(counted({large, 0, large}) == 0);
    static_assert(counted({0, large << 20}) == 0);
    static_assert(counted({0, (large << 20) + 1}) == -1);
    static_assert(counted({0, -1}) == -1);
    static_assert(counted({-1, 0}) == -1);
    CHECK(counted({large, large, 0}) == 0);
    CHECK(counted({large, large, large}) == -1);
}

TEST_CASE("tensor: refers to elements that are not its own, as long as it or another needs them", "[kernel][tensor]") {
    const auto memory = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3, 4, 5, 6});
    tensor t = tensor::referring(dtype::float32, {2, 3}, memory->data(), memory);
    CHECK(memory.use_count() == 2);
    CHECK(t.type() == dtype::float32);
    CHECK(t.size() == 6);
    CHECK(t.elements<float>().data() == memory->data());
    CHECK(t.memory() == static_cast<const void*>(memory->data()));
    CHECK(t.capacity() == 0);

    // The elements are read-only, as if another tensor shared them.
    CHECK(t.is_shared());
    tensor other = t.reshaped({6});
    CHECK(other.same_elements(t));
    t.reset(dtype::float32, std::vector<std::int64_t>{2, 3});
    CHECK_FALSE(t.same_elements(other));
    CHECK(t.mutable_elements<float>().data() != memory->data());
    CHECK(memory.use_count() == 2);
    CHECK(other.is_shared());

    tensor moved = std::move(other);
    CHECK(moved.elements<float>()[5] == 6);
    other = tensor();
    CHECK(memory.use_count() == 2);
    {
        const tensor copy = moved;
        CHECK(memory.use_count() == 2);
    }
    t.share(moved, std::vector<std::int64_t>{3, 2});
    CHECK(t.elements<float>()[0] == 1);
    t = tensor();
    CHECK(memory.use_count() == 2);
    moved = tensor();
    CHECK(memory.use_count() == 1);
}

TEST_CASE("tensor: memory that was used before is none for elements with lanes either", "[kernel][tensor]") {
    tensor t(dtype::float64, {8});
    CHECK_THROWS_AS(t.reset(tutti::kernel::with_lanes(dtype::int8, 4), std::array<std::int64_t, 1>{2}), tutti::error);
    CHECK(t.type() == dtype::float64);
    CHECK(t.size() == 8);
}
