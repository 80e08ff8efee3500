#pragma once

#include <tutti/report/diff_script.hpp>
#include <tutti/report/graph_formats.hpp>
#include <tutti/report/graph_script.hpp>
#include <tutti/report/history_script.hpp>
#include <tutti/report/script.hpp>
#include <tutti/report/style.hpp>

#include <string>
#include <string_view>

namespace tutti::instrument {

/// Returns the beginning of a report page, up to the data. The page forbids loading other resources.
[[gnu::cold]] inline std::string report_page_begin(std::string_view title, std::string_view pipeline) {
    std::string out = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>)html";
    detail::write_xml(title.empty() ? "Passes" : std::string{title} + " - passes", out);
    out.append("</title>\n<style>")
        .append(report_style)
        .append(graph_colours)
        .append("</style>\n<script>\n\"use strict\";\n(() => {");
    out.append(report_script)
        .append(report_diff_script)
        .append(report_history_script)
        .append(report_graph_script)
        .append("})();\n</script>\n");
    out += R"html(</head>
<body>
<header>
<div class="what"><h1>)html";
    detail::write_xml(title.empty() ? "Passes" : title, out);
    out += R"html(</h1><p id="facts"></p></div>
<div class="finder"><input id="search" type="search" placeholder="Search passes, text, nodes  ( / )" aria-label="Search passes, text and nodes" autocomplete="off" spellcheck="false"><span id="found" role="status"></span></div>
</header>
)html";
    if (!pipeline.empty()) {
        out += "<details id=\"pipeline\"><summary>Pipeline</summary><code>";
        detail::write_xml(pipeline, out);
        out += "</code></details>\n";
    }
    return out += R"html(<div id="banners"></div>
<section id="timeline" aria-label="Timeline"><div id="bars"></div><div id="axis" aria-hidden="true"></div></section>
<section id="profile" aria-label="Profile" hidden></section>
<main>
<section id="side" aria-label="Passes"><div class="head"><h3>Passes</h3><label><input type="checkbox" id="only"> only passes that changed something</label></div>
<ol id="passes" role="listbox" tabindex="0" aria-label="Passes, in the order in which they ran"></ol></section>
<section id="detail" aria-label="The selected pass" aria-live="off"></section>
</main>
<footer><span class="keys"><kbd>&#8593;</kbd> <kbd>&#8595;</kbd> or <kbd>k</kbd> <kbd>j</kbd> pass, <kbd>p</kbd> <kbd>n</kbd> pass that changed something, <kbd>/</kbd> search, <kbd>Enter</kbd> next match,
<kbd>t</kbd> text (a click on a line's number shows the passes that made it), <kbd>g</kbd> graph, <kbd>r</kbd> remarks; in the graph <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, arrows go from node to node</span></footer>
<noscript><p class="banner note"><b>This page needs JavaScript</b> to show what is in it. It loads nothing.</p></noscript>
)html";
}

/// Returns an element with data for the page. `events` are JSON values separated by commas.
[[gnu::cold]] inline std::string report_page_data(std::string_view events) {
    std::string out = "<script type=\"application/json\" class=\"data\">[\n";
    return out.append(events).append("\n]</script>\n");
}

} // namespace tutti::instrument
