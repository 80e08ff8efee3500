#pragma once

#include <memory>
#include <utility>

// A move-only unit.
struct tree {
    int value = 0;
    std::unique_ptr<tree> left{};
    std::unique_ptr<tree> right{};
};

inline tree leaf(int value) { return {.value = value}; }

inline tree node(int value, tree left, tree right) {
    return {.value = value,
            .left = std::make_unique<tree>(std::move(left)),
            .right = std::make_unique<tree>(std::move(right))};
}

inline int sum(const tree& t) { return t.value + (t.left ? sum(*t.left) : 0) + (t.right ? sum(*t.right) : 0); }
