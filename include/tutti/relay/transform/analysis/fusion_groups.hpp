#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/analysis/dominator_tree.hpp>
#include <tutti/relay/transform/analysis/fusion_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

/// Groups the nodes of a fusion graph into functions. Each node starts as a group of its own. The node and all nodes
/// between it and its post-dominator then join the post-dominator's group, if the patterns allow this.
///
/// There are three rounds. First, producers such as convolutions absorb elementwise operators. Then injective operators
/// and tuples join their post-dominators. Finally, injective operators join fused tuples.
///
/// Cost:   linear in the graph for bounded group sizes.
/// Source: the reference's rules, whose order matters.
class fusion_groups {
public:
    /// Forms the groups. With `opt_level` 0, no nodes join. No group exceeds `max_depth` nodes.
    constexpr fusion_groups(const fusion_graph& g, int opt_level, std::size_t max_depth)
        : g_(&g), max_depth_(max_depth), parents_(g.size()), patterns_(g.size()) {
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            parents_[i] = i;
            patterns_[i] = g.pattern(i);
        }
        if (opt_level == 0) return;
        sizes_.assign(g.size(), 1);
        visits_.assign(g.size(), none);
        const dominator_tree dominators(g);
        for (const round r : {round::producers, round::injective, round::tuples})
            for (std::uint32_t i = 0; i < g.size(); ++i) fuse(i, dominators.parent(i), dominators.pattern(i), r);
        for (std::uint32_t i = g.size(); i-- > 0;) parents_[i] = find(i);
    }

    /// Returns the root of a node's group: the node whose value leaves the group.
    constexpr std::uint32_t root(std::uint32_t node) const { return parents_[node]; }

private:
    using enum fusion_pattern;
    static constexpr std::uint32_t none = fusion_graph::none;

    enum class round : std::uint8_t { producers, injective, tuples };

    // Limits on the patterns of the groups between a node and its post-dominator, and on the post-dominator's pattern.
    struct limits {
        fusion_pattern between;
        fusion_pattern sink;
    };

    constexpr void fuse(std::uint32_t node, std::uint32_t sink, fusion_pattern dependence, round now) {
        if (sink == none || patterns_[node] == opaque || find(node) == find(sink)) return;
        if (now == round::tuples) {
            // A tuple at the root of its group is a result and does not absorb its fields.
            if (patterns_[node] <= injective && patterns_[sink] == tuple)
                fuse_within(node, sink, {injective, injective});
        } else if (patterns_[sink] == tuple) {
            return;
        } else if (patterns_[node] == out_elementwise_fusable) {
            if (now == round::producers && dependence == elementwise) fuse_within(node, sink, {broadcast, broadcast});
        } else if (patterns_[node] <= broadcast) {
            if (dependence <= injective || dependence == comm_reduce)
                fuse_within(node, sink, {injective, out_elementwise_fusable});
        } else if (patterns_[node] != comm_reduce) {
            if (now == round::injective) fuse_within(node, sink, {injective, injective});
        }
    }

    constexpr void fuse_within(std::uint32_t node, std::uint32_t sink, limits allowed) {
        if (patterns_[find(sink)] > allowed.sink || !collect(node, sink, allowed.between)) return;
        const std::uint32_t target = find(sink);
        for (const std::uint32_t member : members_) merge(find(member), target);
    }

    // Collects the nodes from `node` up to `sink`. True if all of them may join `sink`.
    constexpr bool collect(std::uint32_t node, std::uint32_t sink, fusion_pattern allowed) {
        members_.clear();
        std::size_t total = sizes_[find(sink)];
        const std::uint32_t visit = visit_count_++;
        const auto enter = [&](std::uint32_t i) {
            visits_[i] = visit;
            members_.push_back(i);
            // As in the reference, this adds the size of the node's group when the node was last a root, but checks
            // the pattern of the group's present root.
            return (total += sizes_[i]) <= max_depth_ && (i == node || patterns_[find(i)] <= allowed);
        };
        if (!enter(node)) return false;
        for (std::size_t next = 0; next < members_.size(); ++next)
            for (const auto& [user, pattern] : g_->uses(members_[next]))
                if (user != sink && visits_[user] != visit && !enter(user)) return false;
        return true;
    }

    constexpr void merge(std::uint32_t group, std::uint32_t target) {
        if (group == target) return;
        sizes_[target] += sizes_[group];
        parents_[group] = target;
        if (patterns_[group] == out_elementwise_fusable)
            patterns_[target] = std::max(patterns_[target], patterns_[group]);
    }

    constexpr std::uint32_t find(std::uint32_t i) {
        while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
        return i;
    }

    const fusion_graph* g_;
    std::size_t max_depth_;
    plain_vector<std::uint32_t> parents_;   // links towards the root of a node's group
    plain_vector<fusion_pattern> patterns_; // pattern of a node's group when the node was last a root
    plain_vector<std::size_t> sizes_;       // size of a node's group when the node was last a root
    plain_vector<std::uint32_t> visits_;    // the last visit of a node
    std::uint32_t visit_count_ = 0;
    plain_vector<std::uint32_t> members_;
};

} // namespace tutti::relay::inline TUTTI_FORM
