#pragma once

#include <tutti/base/limit.hpp>
#include <tutti/base/printable.hpp>
#include <tutti/report/layered_layout.hpp>
#include <tutti/unit/unit_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::instrument {

/// Returns a line cut to at most `most` columns. A cut line ends with `…`.
[[gnu::cold]] inline std::string shortened(std::string_view line, std::size_t most) {
    std::string out;
    std::size_t taken = 0;
    const std::size_t all = tutti::internal::columns(line);
    for (std::size_t at = 0; at < line.size();) {
        const tutti::internal::utf8_character c = tutti::internal::utf8_character_at(line, at);
        if (all > most && taken + c.column >= most) return out += "…";
        tutti::internal::append_printable(out, line, at, c);
        taken += c.column;
        at += c.size;
    }
    return out;
}

/// Returns the style of a group's nodes, from 0 to 9. Style 0 is for nodes without a group; styles 1 to 3 are for the
/// groups "input", "constant" and "output". For other groups, a hash of the name selects a style from 4 to 9.
[[gnu::cold]] inline std::uint32_t style_of_group(std::string_view group) {
    if (group.empty()) return 0;
    if (group == "input") return 1;
    if (group == "constant") return 2;
    if (group == "output") return 3;
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char c : group) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return 4 + hash % 6;
}

/// A laid-out graph: the positions of the nodes, and their shortened labels and types.
struct graph_drawing {
    static constexpr std::size_t most_columns = 34; ///< maximum width of a label or type
    std::vector<std::string> labels{}, types{};
    layout_graph boxes{};
    layered_layout at{};
};

/// Lays out a graph. Each node is wide enough for its label and type.
///
/// Requires: edges connect existing nodes.
[[gnu::cold]] inline graph_drawing draw(const unit_graph& graph) {
    graph_drawing drawn;
    for (const unit_graph::node& each : graph.nodes) {
        drawn.labels.push_back(shortened(each.label, graph_drawing::most_columns));
        drawn.types.push_back(shortened(each.type, graph_drawing::most_columns));
        const std::size_t label = tutti::internal::columns(drawn.labels.back()) * 29 / 4,
                          type = tutti::internal::columns(drawn.types.back()) * 6;
        drawn.boxes.widths.push_back(static_cast<std::int64_t>((label < type ? type : label) + 22) / 2 * 2);
        drawn.boxes.heights.push_back(type == 0 ? 26 : 40);
    }
    for (const unit_graph::edge& each : graph.edges) drawn.boxes.edges.push_back({each.from, each.to});
    drawn.at = lay_out(drawn.boxes);
    return drawn;
}

/// CSS of the node styles, for light and dark mode.
inline constexpr std::string_view graph_colours = R"css(
.s1 rect { fill: #eef6ff; stroke: #6aa5e8; rx: 13px } .s2 rect { fill: #f6f8fa; stroke-dasharray: 3 2 } .s3 rect { fill: #32383f; stroke: #32383f; rx: 13px }
.s3 text, .s3 text.t { fill: #fff } .s4 rect { fill: #ddf4ff; stroke: #218bff } .s5 rect { fill: #fbefff; stroke: #a475f9 } .s6 rect { fill: #fff1c2; stroke: #bf8700 }
.s7 rect { fill: #dafbe1; stroke: #2da44e } .s8 rect { fill: #ffe8e0; stroke: #e16f24 } .s9 rect { fill: #d3f1ee; stroke: #1b9c91 }
@media (prefers-color-scheme: dark) { .s1 rect { fill: #0f2237; stroke: #3b76b8 } .s2 rect { fill: #161b22 } .s3 rect { fill: #d1d9e0; stroke: #d1d9e0 }
.s3 text, .s3 text.t { fill: #0d1117 } .s4 rect { fill: #0c2d4d } .s5 rect { fill: #2c1a4d } .s6 rect { fill: #3b2a00 } .s7 rect { fill: #0f3620 }
.s8 rect { fill: #451d0c } .s9 rect { fill: #06322f } }
)css";

namespace detail {

// Appends text, escaped for an XML element or attribute.
inline void write_xml(std::string_view text, std::string& out) {
    for (const char c : printable(text)) {
        switch (c) {
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '&':
            out += "&amp;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
}
inline void write_dot(std::string_view text, std::string& out) {
    out += '"';
    for (const char c : printable(text)) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    out += '"';
}

class svg_writer {
    const unit_graph& graph_;
    const graph_drawing drawn_;
    std::string& out_;

    svg_writer& operator<<(std::string_view text) {
        out_ += text;
        return *this;
    }
    svg_writer& operator<<(std::int64_t number) {
        out_ += std::to_string(number);
        return *this;
    }
    // Draws a curve from (x, y) to the next point, and moves (x, y) there. The curve is vertical at each end.
    void curve(std::int64_t& x, std::int64_t& y, std::int64_t to_x, std::int64_t to_y) {
        const std::int64_t half = (y + to_y) / 2;
        if (x == to_x)
            *this << "V" << to_y;
        else
            *this << "C" << x << " " << half << " " << to_x << " " << half << " " << to_x << " " << to_y;
        x = to_x;
        y = to_y;
    }
    // Draws a vertical line through a layer, so that the edge touches no node.
    void bend(std::int64_t& x, std::int64_t& y, std::int64_t to_x, std::int64_t to_y, std::int64_t half) {
        curve(x, y, to_x, to_y - half);
        *this << "V" << (y = to_y + half);
    }
    void edge(std::size_t e) {
        const auto [from, to] = drawn_.boxes.edges[e];
        const layered_layout& at = drawn_.at;
        const std::int64_t half = drawn_.boxes.heights[from] / 2;
        std::int64_t x = at.x[from], y = at.y[from];
        *this << "<path d=\"M";
        if (from == to) {
            x += drawn_.boxes.widths[from] / 2;
            *this << x << " " << y - 6 << "c24 -10 24 22 0 12";
        } else {
            const std::int64_t down = at.y[to] > y ? 1 : -1;
            y += down * half;
            *this << x << " " << y;
            for (std::uint32_t i = at.first_bend[e]; i < at.first_bend[e + 1]; ++i)
                bend(x, y, at.bend_x[i], at.bend_y[i], down * 20);
            curve(x, y, at.x[to], at.y[to] - down * (drawn_.boxes.heights[to] / 2 + 4));
        }
        *this << "\"/>\n";
        const std::string& label = graph_.edges[e].label;
        if (label.empty()) return;
        *this << "<text class=\"e\" x=\"" << at.x[from] + 6 << "\" y=\"" << at.y[from] + half + 13 << "\">";
        write_xml(label, out_);
        *this << "</text>\n";
    }
    void node(std::size_t v) {
        const unit_graph::node& node = graph_.nodes[v];
        const std::int64_t wide = drawn_.boxes.widths[v], high = drawn_.boxes.heights[v];
        const std::int64_t x = drawn_.at.x[v], y = drawn_.at.y[v];
        *this << "<g class=\"s" << style_of_group(node.group) << "\"><title>";
        write_xml(node.label, out_);
        for (const std::string* each : {&node.type, &node.text})
            if (!each->empty()) write_xml("\n" + *each, out_);
        *this << "</title><rect x=\"" << x - wide / 2 << "\" y=\"" << y - high / 2 << "\" width=\"" << wide
              << "\" height=\"" << high << "\" rx=\"6\"/><text x=\"" << x << "\" y=\""
              << (drawn_.types[v].empty() ? y + 4 : y - 3) << "\">";
        write_xml(drawn_.labels[v], out_);
        *this << "</text>";
        if (!drawn_.types[v].empty()) {
            *this << "<text class=\"t\" x=\"" << x << "\" y=\"" << y + 12 << "\">";
            write_xml(drawn_.types[v], out_);
            *this << "</text>";
        }
        *this << "</g>\n";
    }

public:
    svg_writer(const unit_graph& graph, std::string& out) : graph_(graph), drawn_(draw(graph)), out_(out) {}

    void write(std::string_view title) {
        const std::int64_t wide = drawn_.at.width, high = drawn_.at.height;
        *this << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << wide << " " << high << "\" width=\""
              << wide << "\" height=\"" << high << "\" role=\"img\">\n<title>";
        write_xml(title, out_);
        *this << R"(</title>
<style>
svg { background: #fff; color: #1f2328; font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
text { text-anchor: middle; fill: currentColor; white-space: pre } .t { font-size: 10px; opacity: .75 }
.e { font-size: 10px; text-anchor: start; opacity: .75 }
path { fill: none; stroke: #8b949e; stroke-width: 1.2; marker-end: url(#a) } marker path { fill: #8b949e; stroke: none; marker: none }
rect { stroke: #8b949e; fill: #f6f8fa }
@media (prefers-color-scheme: dark) { svg { background: #0d1117; color: #e6edf3 } rect { fill: #161b22 } }
)" << graph_colours
              << R"(</style>
<defs><marker id="a" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
)";
        for (std::size_t e = 0; e < graph_.edges.size(); ++e) edge(e);
        for (std::size_t v = 0; v < graph_.nodes.size(); ++v) node(v);
        *this << "</svg>\n";
    }
};

} // namespace detail

/// Default maximum number of nodes in a picture. Browsers can still display this many.
inline constexpr std::uint64_t most_drawn_nodes = 20'000;

/// Returns an SVG picture of a graph. It is light or dark, as the reader's system prefers. Tooltips show each node's
/// label, type and text.
///
/// Requires: edges connect existing nodes.
/// Throws:   `tutti::error` if the graph has more than `most_nodes` nodes. `to_dot` has no limit.
[[gnu::cold]] inline std::string to_svg(const unit_graph& graph, std::string_view title = "graph",
                                        std::uint64_t most_nodes = most_drawn_nodes) {
    limit{"a picture of a graph", "nodes", "limit, or a DOT file", most_nodes}.check(graph.nodes.size());
    std::string out;
    detail::svg_writer{graph, out}.write(title);
    return out;
}

/// Returns a graph in DOT, the language of Graphviz.
///
/// Example: `digraph "graph" { node [shape=box]; n0 [label="scan"]; n1 [label="sort"]; n0 -> n1; }`, abridged
[[gnu::cold]] inline std::string to_dot(const unit_graph& graph, std::string_view title = "graph") {
    std::string out = "digraph ";
    detail::write_dot(title, out);
    out += " {\n  node [shape=box, fontname=monospace];\n";
    for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
        const unit_graph::node& node = graph.nodes[v];
        out.append("  n").append(std::to_string(v)).append(" [label=");
        detail::write_dot(node.type.empty() ? node.label : node.label + "\n" + node.type, out);
        if (!node.text.empty()) detail::write_dot(node.text, out += ", tooltip=");
        if (node.group == "input" || node.group == "output") out += ", shape=ellipse";
        if (node.group == "constant") out += ", style=dashed";
        out += "];\n";
    }
    for (const unit_graph::edge& edge : graph.edges) {
        out.append("  n").append(std::to_string(edge.from)).append(" -> n").append(std::to_string(edge.to));
        if (!edge.label.empty()) {
            detail::write_dot(edge.label, out += " [label=");
            out += ']';
        }
        out += ";\n";
    }
    return out += "}\n";
}

} // namespace tutti::instrument
