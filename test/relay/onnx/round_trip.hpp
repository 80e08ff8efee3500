#pragma once

#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/testing/made_up_tensor.hpp>

#include "evaluated.hpp"
#include "written.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::test {

using relay::testing::elements;

/// A program to write as a model, import again and evaluate with synthetic inputs, once for each element type. The type
/// replaces `T` in the text. In the shapes of inputs, `?` becomes 3.
struct round_trip {
    std::string_view parameters; ///< "%x: Tensor[(2, ?), T]"
    std::string_view body;       ///< "abs(%x)"
    std::string_view types = ""; ///< "float32 int8"; empty if the text has no `T`
    elements kind = elements::small;
    double units = 0;       ///< largest allowed difference between integer results
    std::int64_t opset = 0; ///< `write_options::opset`
};

inline std::string with_type(std::string_view text, std::string_view type) {
    const auto in_word = [&](std::size_t at) {
        return at < text.size() && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z') ||
                                    (text[at] >= '0' && text[at] <= '9') || text[at] == '_');
    };
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == 'T' && !in_word(i - 1) && !in_word(i + 1))
            all += type;
        else
            all += text[i];
    return all;
}

/// Returns synthetic inputs for the `main` of a program.
inline std::vector<kernel::tensor> made_up_inputs(const relay::ir_module& m, elements kind, std::uint64_t seed) {
    relay::ir_module typed = m;
    relay::infer_types(typed);
    const relay::function& f = *typed.find("main");
    std::vector<kernel::tensor> all;
    for (const relay::expr_id p : f.graph.params(f.root)) {
        const relay::type_id t = f.graph.type(p);
        vector<std::int64_t> shape;
        for (const relay::dim d : f.graph.types().shape(t)) shape.push_back(d.is_any() ? 3 : d.value());
        all.push_back(relay::testing::made_up_tensor(f.graph.types().element(t), shape, kind, ++seed));
    }
    return all;
}

/// Returns how the results of two programs differ for the same inputs; empty if they agree. Floating-point numbers may
/// differ by rounding errors, integers by `units`.
inline std::string difference(const relay::ir_module& before, const relay::ir_module& after,
                              std::span<const kernel::tensor> inputs, double units = 0) {
    const auto was = relay::evaluate(before, inputs), is = relay::evaluate(after, inputs);
    if (was.size() != is.size()) return std::to_string(is.size()) + " results, not " + std::to_string(was.size());
    for (std::size_t i = 0; i < was.size(); ++i) {
        const bool wide = kernel::bytes(was[i].type()) >= 4;
        const double relative = wide ? 1e-5 : was[i].type() == kernel::dtype::bfloat16 ? 1e-2 : 1e-3;
        const std::vector<double> noise(units == 0 ? 0 : static_cast<std::size_t>(was[i].size()), units);
        if (const auto found = relay::differ(was[i], is[i], relative, noise))
            return "result " + std::to_string(i) + ": " + relay::to_text(*found);
    }
    return {};
}

/// Writes a module as a model and imports it. Returns how the results differ; empty if they agree.
inline std::string change_of(const relay::ir_module& m, elements kind = elements::small, double units = 0,
                             const relay::onnx::write_options& options = {}) {
    std::string nodes;
    try {
        nodes = nodes_of(m, options);
        const relay::ir_module again = relay::onnx::import_model(model_of(relay::onnx::model_bytes(m, options)));
        for (const std::uint64_t seed : {10U, 20U})
            if (const std::string text = difference(m, again, made_up_inputs(m, kind, seed), units); !text.empty())
                return text + "\n" + nodes;
    } catch (const error& e) {
        return std::string(e.what()) + "\n" + nodes;
    }
    return {};
}

/// Tests the programs of a row in turn. Returns the first program whose results change, and the change. Empty if the
/// results of no program change.
inline std::string change_of(const round_trip& row) {
    std::string_view rest = row.types;
    do {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view type = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::string text =
            "def @main(" + with_type(row.parameters, type) + ") { " + with_type(row.body, type) + " }";
        std::string change;
        try {
            change = change_of(program_of(text), row.kind, row.units, {.opset = row.opset});
        } catch (const error& e) {
            change = e.what();
        }
        if (!change.empty()) return text + "\n" + change;
    } while (!rest.empty());
    return {};
}

/// Returns the operators that have a rule but are not called in any row.
inline std::string rules_without_row(std::span<const relay::onnx::write_rule> rules, std::span<const round_trip> rows) {
    const auto has_call = [](std::string_view text, std::string_view op) {
        for (std::size_t at = 0; (at = text.find(op, at)) != std::string_view::npos; ++at) {
            const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
            if (begins && text.substr(at + op.size()).starts_with('(')) return true;
        }
        return false;
    };
    std::string missing;
    for (const relay::onnx::write_rule& rule : rules) {
        bool found = false;
        for (const round_trip& row : rows) found = found || has_call(row.body, rule.op);
        if (!found) missing.append(missing.empty() ? "" : " ").append(rule.op);
    }
    return missing;
}

} // namespace tutti::test
