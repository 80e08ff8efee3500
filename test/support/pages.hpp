#pragma once

#include <tutti/unit/unit_traits.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A unit that can be stored in a cache, and that cannot be copied, and a unit with such parts.

struct page {
    std::vector<int> values{};

    page() = default;
    explicit page(std::vector<int> all) : values(std::move(all)) {}
    page(page&&) = default;
    page& operator=(page&&) = default;
};
struct book {
    std::vector<page> pages{};
};

template <>
struct tutti::unit_traits<page> {
    static constexpr std::string_view name = "page";
    static std::uint64_t fingerprint(const page& p) {
        std::uint64_t hash = p.values.size();
        for (const int v : p.values) hash = hash * 1'000'003 + static_cast<std::uint64_t>(v);
        return hash;
    }
    static std::string to_bytes(const page& p) {
        return {reinterpret_cast<const char*>(p.values.data()), p.values.size() * sizeof(int)};
    }
    static bool from_bytes(page& p, std::string_view bytes) {
        if (bytes.size() % sizeof(int) != 0) return false;
        p.values.resize(bytes.size() / sizeof(int));
        if (!bytes.empty()) std::memcpy(p.values.data(), bytes.data(), bytes.size());
        return true;
    }
};
template <>
struct tutti::unit_traits<book> {
    static constexpr std::string_view name = "book";
    static std::vector<page>& parts(book& b) { return b.pages; }
};
