#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/analysis/fusion_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

/// The immediate post-dominator of each node of a fusion graph, and the greatest pattern on the paths between the two.
///
/// Cost:   n log n at worst for n nodes; 16 bytes per node.
/// Source: lowest common ancestors in reverse order, found by jump pointers; see `scope_tree`.
class dominator_tree {
public:
    static constexpr std::uint32_t none = fusion_graph::none;

    constexpr explicit dominator_tree(const fusion_graph& g) : nodes_(g.size() + 1), outside_(g.size()) {
        nodes_[outside_] = {outside_, outside_, 0, fusion_pattern::elementwise, fusion_pattern::elementwise};
        for (std::uint32_t i = g.size(); i-- > 0;) {
            if (g.used_outside(i) || g.uses(i).empty())
                attach(i, outside_, fusion_pattern::opaque);
            else
                attach(i, g.uses(i));
        }
    }

    /// Returns the immediate post-dominator, or `none` if it is the outside.
    constexpr std::uint32_t parent(std::uint32_t node) const {
        return nodes_[node].parent == outside_ ? none : nodes_[node].parent;
    }
    /// Returns the greatest pattern on the paths between the node and its parent; opaque if the parent is `none`.
    constexpr fusion_pattern pattern(std::uint32_t node) const {
        return nodes_[node].parent == outside_ ? fusion_pattern::opaque : nodes_[node].pattern;
    }

    /// True if all paths from `node` to the outside lead through `other`, which may be `node`.
    constexpr bool leads_through(std::uint32_t node, std::uint32_t other) const {
        fusion_pattern on_the_way = fusion_pattern::elementwise;
        return up(node, nodes_[other].depth, on_the_way) == other;
    }

private:
    struct entry {
        std::uint32_t parent;
        std::uint32_t jump; // a more distant post-dominator
        std::uint32_t depth;
        fusion_pattern pattern;      // greatest pattern on the paths to the parent
        fusion_pattern jump_pattern; // greatest pattern on the paths to the target of the jump
    };

    constexpr void attach(std::uint32_t i, std::span<const fusion_graph::use> uses) {
        std::uint32_t meeting = uses.front().user;
        fusion_pattern pattern = uses.front().pattern;
        for (const auto& [user, dependence] : uses.subspan(1)) {
            meeting = common(meeting, user, pattern);
            pattern = std::max(pattern, dependence);
        }
        attach(i, meeting, pattern);
    }

    constexpr void attach(std::uint32_t i, std::uint32_t parent, fusion_pattern pattern) {
        const entry& p = nodes_[parent];
        const entry& j = nodes_[p.jump];
        const bool equal_steps = p.depth - j.depth == j.depth - nodes_[j.jump].depth;
        nodes_[i] = {parent, equal_steps ? j.jump : parent, p.depth + 1, pattern,
                     equal_steps ? std::max({pattern, p.jump_pattern, j.jump_pattern}) : pattern};
    }

    // Returns the meeting point of the paths from two nodes. Raises `pattern` to the greatest pattern on these paths.
    constexpr std::uint32_t common(std::uint32_t a, std::uint32_t b, fusion_pattern& pattern) const {
        a = up(a, nodes_[b].depth, pattern);
        b = up(b, nodes_[a].depth, pattern);
        while (a != b) { // both have the same depth, so their jumps have the same length
            const bool apart = nodes_[a].jump != nodes_[b].jump;
            a = step(a, apart, pattern);
            b = step(b, apart, pattern);
        }
        return a;
    }

    constexpr std::uint32_t up(std::uint32_t a, std::uint32_t depth, fusion_pattern& pattern) const {
        while (nodes_[a].depth > depth) a = step(a, nodes_[nodes_[a].jump].depth >= depth, pattern);
        return a;
    }

    constexpr std::uint32_t step(std::uint32_t a, bool jumps, fusion_pattern& pattern) const {
        const entry& n = nodes_[a];
        pattern = std::max(pattern, jumps ? n.jump_pattern : n.pattern);
        return jumps ? n.jump : n.parent;
    }

    plain_vector<entry> nodes_; // indexed by node; the last entry is the outside, an ancestor of every node
    std::uint32_t outside_;
};

} // namespace tutti::relay::inline TUTTI_FORM
