#pragma once

#include <tutti/instrument/support/files.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/report/graph_formats.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::instrument {

/// The format of a drawn graph.
enum class graph_form { svg, dot };

/// Options of `graph_file`.
struct graph_options {
    std::string file{};
    graph_form form = graph_form::svg;
    std::uint64_t nodes = most_drawn_nodes; ///< maximum number of nodes in an SVG picture; not used for dot
    file_problem problem = nullptr;         ///< called if the file cannot be written after the passes
};

/// Draws the unit's graph to a file when the outermost pass ends or fails. Draws nothing if a failure leaves no unit.
///
/// Requires: units have a graph (`unit_traits<Unit>::graph`).
/// Throws:   `tutti::error` from the constructor if the file cannot be written; from a hook if the picture has too many
///           nodes. A later write error is passed to `problem`, or thrown if `problem` is null.
/// Example:  `graph_file picture{{.file = "plan.svg"}};`
class graph_file {
    graph_options options_;
    tutti::internal::pass_nesting nesting_;

    [[gnu::cold]] void write(const unit_graph& graph) const {
        const bool dot = options_.form == graph_form::dot;
        const std::string text = dot ? to_dot(graph) : to_svg(graph, options_.file, options_.nodes);
        try_to_write(options_.problem, [&] { write_file(options_.file, text); });
    }

public:
    static constexpr std::string_view name = "graph_file";
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    explicit graph_file(graph_options options) : options_(std::move(options)) { check_writable(options_.file); }

    void enter_pass_ctx() { nesting_.enter(); }
    void exit_pass_ctx() { nesting_.exit(); }
    void run_before_pass(const auto&, const pass_info& info) { nesting_.begin(info); }
    template <class Unit>
    void run_after_pass([[maybe_unused]] const Unit& unit, const pass_info& info) {
        if (!nesting_.end(info) || !nesting_.empty()) return;
        if constexpr (tutti::internal::has_graph<Unit>) write(unit_traits<Unit>::graph(unit));
    }
    template <class Unit>
    void pass_failed([[maybe_unused]] const Unit* unit, const pass_info& info, const std::exception_ptr&) {
        if (!nesting_.end(info) || !nesting_.empty()) return;
        if constexpr (tutti::internal::has_graph<Unit>)
            if (unit) write(unit_traits<Unit>::graph(*unit));
    }

    /// For `check_instrument_of`.
    template <class Unit, class... Part>
    static consteval bool check_units(units<Unit, Part...>) {
        constexpr bool fits = tutti::internal::has_graph<Unit>;
        static_assert(fits,
                      "tutti::instrument::graph_file: a unit must have a graph; specialise tutti::unit_traits for "
                      "it, before it is used, with static tutti::unit_graph graph(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
