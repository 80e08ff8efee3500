#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::instrument {

/// A directed graph to lay out. Lengths are in pixels.
struct layout_graph {
    struct edge {
        std::uint32_t from, to;
    };
    std::vector<std::int64_t> widths{}, heights{}; ///< indexed by node
    std::vector<edge> edges{};
};

/// The positions of nodes, and the bends of edges.
struct layered_layout {
    std::vector<std::int64_t> x{}, y{}; ///< centres, indexed by node
    std::vector<std::uint32_t>
        first_bend{}; ///< offset of each edge's first point, then the total; points of edge `e` end at entry `e + 1`
    std::vector<std::int64_t> bend_x{}, bend_y{}; ///< points of all edges, ordered along each edge
    std::int64_t width = 0, height = 0;
    std::uint32_t layers = 0;
    std::uint64_t crossings = 0; ///< number of crossings between adjacent layers
};

namespace detail {

// Assigns nodes to layers, orders each layer to reduce crossings, then computes coordinates. Source: K. Sugiyama,
// S. Tagawa, M. Toda, Methods for Visual Understanding of Hierarchical System Structures, 1981. Coordinates are
// computed layer by layer, by least squares. Neighbours that would overlap are pooled. Integer arithmetic gives the
// same result on every platform.
class layout_maker {
    static constexpr std::int64_t margin = 12, gap = 18, bend_gap = 10, layer_gap = 34;
    static constexpr std::int64_t fine = 16; // subpixels per pixel while coordinates are computed
    static constexpr std::uint32_t none = 0xFFFFFFFFU, several = none - 1;

    using numbers = std::vector<std::uint32_t>;
    using lengths = std::vector<std::int64_t>;

    // Rows of different lengths, concatenated in one array.
    struct table {
        numbers first{}, items{};

        // Stores `count` items, `item(i)` in row `row(i)`. Within a row, items keep their order.
        template <class Row, class Item>
        table(std::size_t rows, std::size_t count, Row&& row, Item&& item) : first(rows + 1, 0), items(count, 0) {
            for (std::size_t i = 0; i < count; ++i) ++first[row(i) + 1];
            for (std::size_t i = 0; i < rows; ++i) first[i + 1] += first[i];
            numbers next = first;
            for (std::size_t i = 0; i < count; ++i) items[next[row(i)]++] = item(i);
        }
        std::size_t size(std::uint32_t row) const { return first[row + 1] - first[row]; }
    };

    const layout_graph& graph_;
    std::size_t real_; // number of nodes in the graph; bends of long edges have indices from `real_` on
    std::vector<layout_graph::edge> down_{}; // indexed by edge: the edge, reversed if it would close a cycle
    std::vector<char> turned_{};             // indexed by edge: true if it was reversed
    numbers depth_{};                        // indexed by node: length of the longest path to the node
    numbers layer_{};                        // indexed by node
    numbers main_{};  // indexed by node: its only predecessor on a longest path, or `none` or `several`
    numbers chain_{}; // indexed by edge: the edge's first bend, or `none`
    std::vector<layout_graph::edge> steps_{}; // edges between adjacent layers
    std::vector<numbers> rows_{};             // indexed by layer: its nodes, from left to right
    numbers place_{};                         // indexed by node: its position in the row
    lengths x_{}, width_{};                   // indexed by node, in subpixels

    // Reverses the edges that close a cycle in a depth-first search. Later steps ignore self-loops.
    void cut_cycles() {
        const std::size_t m = graph_.edges.size();
        const table out(
            real_, m, [&](std::size_t i) { return graph_.edges[i].from; },
            [](std::size_t i) { return static_cast<std::uint32_t>(i); });
        down_ = graph_.edges;
        turned_.assign(m, 0);
        std::vector<char> state(real_, 0); // 1: on the path, 2: done
        numbers path, met(real_, 0);
        for (std::uint32_t root = 0; root < real_; ++root) {
            if (state[root] != 0) continue;
            state[root] = 1;
            path.push_back(root);
            while (!path.empty()) {
                const std::uint32_t v = path.back();
                if (met[v] == out.size(v)) {
                    state[v] = 2;
                    path.pop_back();
                    continue;
                }
                const std::uint32_t e = out.items[out.first[v] + met[v]++], to = graph_.edges[e].to;
                if (to == v || state[to] == 2) continue;
                if (state[to] == 1) {
                    turned_[e] = 1;
                    down_[e] = {to, v};
                    continue;
                }
                state[to] = 1;
                path.push_back(to);
            }
        }
    }
    bool is_loop(std::size_t e) const { return down_[e].from == down_[e].to; }

    // Places each node one layer above its highest user. Nodes without users are placed as high as possible.
    void find_layers() {
        const std::size_t m = down_.size();
        const table out(
            real_, m, [&](std::size_t i) { return down_[i].from; },
            [](std::size_t i) { return static_cast<std::uint32_t>(i); });
        numbers waits(real_, 0), ready;
        for (std::size_t e = 0; e < m; ++e)
            if (!is_loop(e)) ++waits[down_[e].to];
        layer_.assign(real_, 0);
        for (std::uint32_t v = 0; v < real_; ++v)
            if (waits[v] == 0) ready.push_back(v);
        for (std::size_t i = 0; i < ready.size(); ++i) {
            const std::uint32_t v = ready[i];
            for (std::uint32_t j = out.first[v]; j < out.first[v + 1]; ++j) {
                const std::uint32_t e = out.items[j], to = down_[e].to;
                if (is_loop(e)) continue;
                if (layer_[to] <= layer_[v]) layer_[to] = layer_[v] + 1;
                if (--waits[to] == 0) ready.push_back(to);
            }
        }
        depth_ = layer_;
        for (std::size_t i = ready.size(); i-- > 0;) {
            const std::uint32_t v = ready[i];
            std::uint32_t user = none;
            for (std::uint32_t j = out.first[v]; j < out.first[v + 1]; ++j)
                if (const std::uint32_t e = out.items[j]; !is_loop(e) && layer_[down_[e].to] < user)
                    user = layer_[down_[e].to];
            if (user != none) layer_[v] = user - 1;
        }
    }

    // Returns the maximum span, in layers, of an edge with bends. Longer edges are straight, so that bends do not far
    // outnumber nodes and edges.
    std::uint32_t longest_bent() const {
        const std::size_t few = 4 * (real_ + down_.size()) + 1000;
        numbers spans;
        for (std::size_t e = 0; e < down_.size(); ++e) {
            if (is_loop(e)) continue;
            const std::uint32_t span = layer_[down_[e].to] - layer_[down_[e].from];
            if (span >= spans.size()) spans.resize(span + 1, 0);
            ++spans[span];
        }
        std::size_t bends = 0;
        for (std::uint32_t span = 2; span < spans.size(); ++span) {
            bends += std::size_t{spans[span]} * (span - 1);
            if (bends > few) return span - 1;
        }
        return none;
    }
    void add_bends() {
        const std::uint32_t most = longest_bent();
        chain_.assign(down_.size(), none);
        main_.assign(real_, none);
        width_.assign(real_, 0);
        for (std::size_t v = 0; v < real_; ++v) width_[v] = graph_.widths[v] * fine;
        for (std::size_t e = 0; e < down_.size(); ++e) {
            if (is_loop(e)) continue;
            const auto [from, to] = down_[e];
            if (layer_[to] - layer_[from] > most) continue;
            std::uint32_t last = from;
            for (std::uint32_t at = layer_[from] + 1; at < layer_[to]; ++at) {
                const auto bend = static_cast<std::uint32_t>(layer_.size());
                if (chain_[e] == none) chain_[e] = bend;
                layer_.push_back(at);
                width_.push_back(0);
                steps_.push_back({last, bend});
                last = bend;
            }
            steps_.push_back({last, to});
            if (depth_[to] == depth_[from] + 1) main_[to] = main_[to] == none ? last : several;
        }
    }

    // Sets the initial order by a depth-first search that ignores the direction of edges. This keeps related nodes
    // together.
    void first_order() {
        const std::size_t n = layer_.size(), m = steps_.size();
        std::uint32_t layers = 0;
        for (const std::uint32_t at : layer_)
            if (at >= layers) layers = at + 1;
        rows_.resize(layers);
        place_.assign(n, none);
        const table around(
            n, 2 * m, [&](std::size_t i) { return i % 2 == 0 ? steps_[i / 2].to : steps_[i / 2].from; },
            [&](std::size_t i) { return i % 2 == 0 ? steps_[i / 2].from : steps_[i / 2].to; });
        numbers path, met(n, 0);
        const auto enter = [&](std::uint32_t v) {
            place_[v] = static_cast<std::uint32_t>(rows_[layer_[v]].size());
            rows_[layer_[v]].push_back(v);
            path.push_back(v);
        };
        for (std::uint32_t root = 0; root < n; ++root) {
            if (place_[root] != none) continue;
            enter(root);
            while (!path.empty()) {
                const std::uint32_t v = path.back();
                if (met[v] == around.size(v))
                    path.pop_back();
                else if (const std::uint32_t next = around.items[around.first[v] + met[v]++]; place_[next] == none)
                    enter(next);
            }
        }
    }

    // Sorts a row stably by the keys of its nodes.
    static void sort(numbers& row, const lengths& key, numbers& spare) {
        const std::size_t n = row.size();
        spare.resize(n);
        for (std::size_t size = 1; size < n; size *= 2) {
            for (std::size_t begin = 0; begin < n; begin += 2 * size) {
                const std::size_t middle = begin + size < n ? begin + size : n,
                                  end = begin + 2 * size < n ? begin + 2 * size : n;
                std::size_t a = begin, b = middle, to = begin;
                while (a < middle || b < end) {
                    const bool first = a < middle && (b == end || key[row[a]] <= key[row[b]]);
                    spare[to++] = row[first ? a++ : b++];
                }
            }
            row.swap(spare);
        }
    }
    // Sorts the nodes of each layer by the mean position of their neighbours in the layer swept before.
    void sweep(const table& neighbours, bool downward, lengths& key, numbers& spare) {
        const std::size_t layers = rows_.size();
        for (std::size_t i = 1; i < layers; ++i) {
            numbers& row = rows_[downward ? i : layers - 1 - i];
            for (const std::uint32_t v : row) {
                const std::size_t many = neighbours.size(v);
                std::int64_t sum = 0;
                for (std::uint32_t j = neighbours.first[v]; j < neighbours.first[v + 1]; ++j)
                    sum += place_[neighbours.items[j]];
                const std::size_t wide = rows_[layer_[v] + (downward ? 0U - 1U : 1U)].size();
                key[v] = many != 0 ? sum * 1024 / static_cast<std::int64_t>(many)
                                   : std::int64_t{place_[v]} * 1024 * static_cast<std::int64_t>(wide) /
                                         static_cast<std::int64_t>(row.size());
            }
            sort(row, key, spare);
            for (std::size_t at = 0; at < row.size(); ++at) place_[row[at]] = static_cast<std::uint32_t>(at);
        }
    }
    // Returns the number of crossings between edges of adjacent layers.
    std::uint64_t crossings(const table& below) const {
        std::uint64_t all = 0;
        numbers tree, ends;
        for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
            tree.assign(rows_[i + 1].size() + 1,
                        0); // Fenwick tree: counts of edges by end position (P. Fenwick, 1994)
            std::uint32_t seen = 0;
            for (const std::uint32_t v : rows_[i]) {
                ends.clear();
                for (std::uint32_t j = below.first[v]; j < below.first[v + 1]; ++j)
                    ends.push_back(place_[below.items[j]]);
                for (const std::uint32_t end : ends) {
                    std::uint32_t not_right = 0;
                    for (std::size_t k = end + 1; k > 0; k &= k - 1) not_right += tree[k];
                    all += seen - not_right;
                }
                for (const std::uint32_t end : ends)
                    for (std::size_t k = end + 1; k < tree.size(); k += k & (~k + 1)) ++tree[k];
                seen += static_cast<std::uint32_t>(ends.size());
            }
        }
        return all;
    }
    std::uint64_t order(const table& above, const table& below) {
        lengths key(layer_.size(), 0);
        numbers spare;
        std::uint64_t fewest = crossings(below);
        std::vector<numbers> best = rows_;
        for (int round = 0; round < 8 && fewest != 0; ++round) {
            const bool downward = round % 2 == 0;
            sweep(downward ? above : below, downward, key, spare);
            if (const std::uint64_t now = crossings(below); now < fewest) {
                fewest = now;
                best = rows_;
            }
        }
        rows_.swap(best);
        for (const numbers& row : rows_)
            for (std::size_t at = 0; at < row.size(); ++at) place_[row[at]] = static_cast<std::uint32_t>(at);
        return fewest;
    }

    bool is_bend(std::uint32_t v) const { return v >= real_; }
    // Returns the minimum distance between the centres of two neighbours in a row.
    std::int64_t apart(std::uint32_t left, std::uint32_t right) const {
        const std::int64_t between = is_bend(left) || is_bend(right) ? bend_gap : gap;
        return (width_[left] + width_[right]) / 2 + between * fine;
    }
    // Positions the nodes of a row by weighted least squares: as close to their wanted positions as their order and
    // widths allow. Neighbours that would overlap are pooled.
    void settle(const numbers& row, const lengths& wanted, const lengths& weight) {
        struct pool {
            std::int64_t sum, weight;
            std::size_t count;
            std::int64_t at() const { return sum / weight; }
        };
        std::vector<pool> pools;
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) offset += apart(row[i - 1], row[i]);
            pool now{(wanted[row[i]] - offset) * weight[row[i]], weight[row[i]], 1};
            while (!pools.empty() && pools.back().at() > now.at()) {
                now = {now.sum + pools.back().sum, now.weight + pools.back().weight, now.count + pools.back().count};
                pools.pop_back();
            }
            pools.push_back(now);
        }
        std::size_t i = 0;
        offset = 0;
        for (const pool& each : pools)
            for (std::size_t k = 0; k < each.count; ++k, ++i) {
                if (i > 0) offset += apart(row[i - 1], row[i]);
                x_[row[i]] = each.at() + offset;
            }
    }
    void find_places(const table& above, const table& below) {
        const std::size_t n = layer_.size(), layers = rows_.size();
        x_.assign(n, 0);
        for (const numbers& row : rows_) {
            std::int64_t at = 0;
            for (std::size_t i = 0; i < row.size(); ++i) x_[row[i]] = i == 0 ? 0 : at += apart(row[i - 1], row[i]);
            for (const std::uint32_t v : row) x_[v] -= at / 2;
        }
        lengths wanted(n, 0), weight(n, 1);
        const auto is_main = [&](std::uint32_t v, std::uint32_t up) {
            return v < real_ && depth_[v] > 1 && main_[v] == up;
        };
        const auto is_source = [&](std::uint32_t v) { return above.size(v) == 0; };
        const auto look = [&](std::uint32_t v, const table& there, std::int64_t& sum, std::int64_t& many) {
            for (std::uint32_t j = there.first[v]; j < there.first[v + 1]; ++j) {
                const std::uint32_t other = there.items[j];
                // strong pulls straighten long edges and long paths; inputs pull weakly and stay beside these paths
                const bool enters = is_source(v) || is_source(other);
                const std::int64_t pull = is_main(v, other) || is_main(other, v) ? 64
                                          : enters                               ? 1
                                          : is_bend(v) && is_bend(other)         ? 16
                                                                                 : 4;
                sum += x_[other] * pull;
                many += pull;
            }
        };
        constexpr int rounds = 12;
        for (int round = 0; round < rounds; ++round) {
            const bool downward = round % 2 == 0, both = round >= rounds - 4;
            for (std::size_t i = 0; i < layers; ++i) {
                const numbers& row = rows_[downward ? i : layers - 1 - i];
                for (std::size_t at = 0; at < row.size(); ++at) {
                    const std::uint32_t v = row[at];
                    std::int64_t sum = 0, many = 0;
                    if (downward || both) look(v, above, sum, many);
                    if (!downward || both) look(v, below, sum, many);
                    wanted[v] = many != 0 ? sum / many : x_[v];
                    weight[v] = many != 0 ? many : 1;
                    if (above.size(v) + below.size(v) != 0 || row.size() == 1) continue;
                    // a node without edges is placed beside its neighbour in the row
                    wanted[v] = at > 0 ? wanted[row[at - 1]] + apart(row[at - 1], v) : x_[row[1]] - apart(v, row[1]);
                }
                settle(row, wanted, weight);
            }
        }
    }

    void write(layered_layout& out) const {
        std::int64_t left = 0, right = 0;
        for (std::size_t v = 0; v < x_.size(); ++v) {
            if (v == 0 || x_[v] - width_[v] / 2 < left) left = x_[v] - width_[v] / 2;
            if (v == 0 || x_[v] + width_[v] / 2 > right) right = x_[v] + width_[v] / 2;
        }
        const auto pixel = [&](std::uint32_t v) { return (x_[v] - left) / fine + margin; };
        lengths middle;
        std::int64_t at = margin;
        for (const numbers& row : rows_) {
            std::int64_t high = 0;
            for (const std::uint32_t v : row)
                if (!is_bend(v) && graph_.heights[v] > high) high = graph_.heights[v];
            middle.push_back(at + high / 2);
            at += high + layer_gap;
        }
        for (std::uint32_t v = 0; v < real_; ++v) {
            out.x.push_back(pixel(v));
            out.y.push_back(middle[layer_[v]]);
        }
        out.first_bend.push_back(0);
        for (std::size_t e = 0; e < down_.size(); ++e) {
            if (chain_[e] != none) {
                const std::uint32_t count = layer_[down_[e].to] - layer_[down_[e].from] - 1;
                for (std::uint32_t i = 0; i < count; ++i) {
                    const std::uint32_t bend = chain_[e] + (turned_[e] != 0 ? count - 1 - i : i);
                    out.bend_x.push_back(pixel(bend));
                    out.bend_y.push_back(middle[layer_[bend]]);
                }
            }
            out.first_bend.push_back(static_cast<std::uint32_t>(out.bend_x.size()));
        }
        out.width = rows_.empty() ? 0 : (right - left) / fine + 2 * margin;
        out.height = rows_.empty() ? 0 : at - layer_gap + margin;
        out.layers = static_cast<std::uint32_t>(rows_.size());
    }

public:
    explicit layout_maker(const layout_graph& graph) : graph_(graph), real_(graph.widths.size()) {}

    layered_layout make() {
        cut_cycles();
        find_layers();
        add_bends();
        first_order();
        const std::size_t n = layer_.size(), m = steps_.size();
        const table above(
            n, m, [&](std::size_t i) { return steps_[i].to; }, [&](std::size_t i) { return steps_[i].from; });
        const table below(
            n, m, [&](std::size_t i) { return steps_[i].from; }, [&](std::size_t i) { return steps_[i].to; });
        layered_layout out;
        out.crossings = order(above, below);
        find_places(above, below);
        write(out);
        return out;
    }
};

} // namespace detail

/// Lays out a directed graph in layers from top to bottom, with few crossings. Each node is below its predecessors, and
/// edges bend around the nodes of the layers that they cross.
///
/// Edges that close a cycle go upwards. Equal graphs have equal layouts on every platform.
///
/// Requires: `widths` and `heights` have an entry per node; edges connect existing nodes.
/// Cost:     n log n in nodes and edges. To limit the number of bends, the longest edges may be straight.
[[gnu::cold]] inline layered_layout lay_out(const layout_graph& graph) { return detail::layout_maker{graph}.make(); }

} // namespace tutti::instrument
