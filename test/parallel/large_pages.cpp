#include <tutti/parallel/large_pages.hpp>

#include <tutti/relay/ir/plain_vector.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

using tutti::ask_for_large_pages;
using tutti::large_pages_from;

TEST_CASE("large_pages: an array that is not large asks for none", "[large_pages]") {
    const std::unique_ptr<char[]> small(new char[4096]);
    CHECK_FALSE(ask_for_large_pages(small.get(), 4096));
    CHECK_FALSE(ask_for_large_pages(nullptr, large_pages_from - 1)); // too small, so the pointer is not used
}

TEST_CASE("large_pages: a large array keeps the written elements, up to its ends", "[large_pages]") {
    const std::size_t size = large_pages_from + 12345;
    const std::unique_ptr<unsigned char[]> large(new unsigned char[size]);
    ask_for_large_pages(large.get(), size);
    for (std::size_t i = 0; i < size; ++i) large[i] = static_cast<unsigned char>(i * 7);
    ask_for_large_pages(large.get(), size); // does not change the elements
    std::size_t same = 0;
    for (std::size_t i = 0; i < size; ++i) same += large[i] == static_cast<unsigned char>(i * 7) ? 1 : 0;
    CHECK(same == size);
}

TEST_CASE("large_pages: a large vector of plain values is as a small one", "[large_pages]") {
    const std::size_t count = 2 * large_pages_from / sizeof(std::uint64_t);
    tutti::relay::plain_vector<std::uint64_t> grown;
    for (std::size_t i = 0; i < count; ++i) grown.push_back(i * i);
    const tutti::relay::plain_vector<std::uint64_t> copy = grown;
    std::size_t same = 0;
    for (std::size_t i = 0; i < count; ++i) same += grown[i] == i * i && copy[i] == i * i ? 1 : 0;
    CHECK(same == count);
}
