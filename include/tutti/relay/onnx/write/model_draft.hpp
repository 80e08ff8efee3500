#pragma once

#include <tutti/base/byte_order.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/narrow.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/result_names.hpp>
#include <tutti/relay/ir/text_name.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/unique_names.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/onnx/write/graph_writer.hpp>
#include <tutti/relay/onnx/write_options.hpp>
#include <tutti/version.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// An ONNX model in memory, ready to be written: nodes, constants, inputs and outputs.
class model_draft {
public:
    /// Requires: the module's types are inferred; the module and `options.like` outlive the draft.
    /// Throws:   `tutti::error`, as `write_model` does.
    model_draft(const ir_module& m, const write_options& options) : options_(options) {
        const function* const f = m.find("main");
        if (f == nullptr) throw error("", "the module has no function @main", "one, which becomes the graph");
        if (options.opset != 0 && (options.opset < 17 || options.opset > newest_opset))
            throw error("", "version " + std::to_string(options.opset) + " of ONNX's operators",
                        "17 to " + std::to_string(newest_opset));
        // Starts over if a node needs a later version, because the version may change how other operators are written.
        for (std::int64_t opset = options.opset == 0 ? 17 : options.opset;;) {
            parts_ = {};
            parts_.need(opset);
            write(m, *f);
            if (parts_.opset() == opset) break;
            if (options.opset != 0)
                throw error("",
                            "needs version " + std::to_string(parts_.opset()) + " of ONNX's operators, not " +
                                std::to_string(options.opset),
                            std::to_string(parts_.opset()) + " or later");
            opset = parts_.opset();
        }
        parts_.drop_unused_constants();
        parts_.name_nodes(nodes_, true);
    }

    const model_parts& parts() const { return parts_; }
    const vector<model_node>& nodes() const { return nodes_; }

    /// Returns the total size of the constants in bytes.
    std::uint64_t constant_bytes() const {
        std::uint64_t sum = 0;
        for (const kernel::named_tensor& c : parts_.constants()) sum += raw_size(c.value);
        return sum;
    }

    /// Writes the model to `to`. If `outside` is not null, it receives the elements of each constant of `least_outside`
    /// bytes or more, and the model refers to these elements by their offset in the file `location`.
    ///
    /// `To` and `Outside` need a member function `write(std::string_view)`.
    template <class To, class Outside>
    void write_to(To& to, Outside* outside, std::string_view location, std::uint64_t least_outside) const {
        wire_writer body;
        for (const model_node& n : nodes_) body.message(field::graph::node, message_of(n));
        body.text(field::graph::name, graph_name());

        std::uint64_t size = body.bytes().size() + declarations_.bytes().size(), offset = 0;
        vector<std::string> heads;
        for (const kernel::named_tensor& c : parts_.constants()) {
            const std::uint64_t raw = raw_size(c.value);
            const bool outer = outside != nullptr && raw >= least_outside;
            wire_writer tensor = head_of(c);
            if (outer) {
                offset = put_outside(c.value, offset, *outside);
                add_place(tensor, location, offset - raw, raw);
            } else {
                tensor.begin(field::tensor::raw_data, raw);
            }
            const std::uint64_t whole = tensor.bytes().size() + (outer ? 0 : raw);
            heads.push_back(wire_writer().begin(field::graph::initializer, whole).fields(tensor.bytes()).bytes());
            size += heads.back().size() + (outer ? 0 : raw);
        }
        to.write(before_graph().begin(field::model::graph, size).bytes());
        to.write(body.bytes());
        for (std::size_t i = 0; i < heads.size(); ++i) {
            to.write(heads[i]);
            const tensor& t = parts_.constants()[i].value;
            if (outside == nullptr || raw_size(t) < least_outside) put_elements(t, to);
        }
        to.write(declarations_.bytes());
        to.write(after_graph().bytes());
    }

private:
    using values = graph_writer::values;

    static std::uint64_t raw_size(const tensor& t) {
        const auto count = static_cast<std::uint64_t>(t.size());
        return kernel::is_packed(t.type()) ? kernel::packed_size(t.type(), count) : count * kernel::bytes(t.type());
    }
    template <class To>
    static void put_elements(const tensor& t, To& to) {
        if (t.size() == 0) return;
        if (!kernel::is_packed(t.type())) {
            std::string swapped;
            return to.write(tutti::internal::little_endian_bytes(
                t.memory(), static_cast<std::size_t>(t.size()) * kernel::bytes(t.type()), kernel::bytes(t.type()),
                swapped));
        }
        vector<unsigned char> packed(raw_size(t), 0);
        kernel::pack(t.type(), static_cast<const unsigned char*>(t.memory()), static_cast<std::size_t>(t.size()),
                     packed.data());
        to.write({reinterpret_cast<const char*>(packed.data()), packed.size()});
    }
    // Writes padding up to an aligned offset, then the elements. Returns the offset past the elements.
    template <class Outside>
    static std::uint64_t put_outside(const tensor& t, std::uint64_t offset, Outside& outside) {
        constexpr std::uint64_t alignment = 64;
        const std::uint64_t gap = (alignment - offset % alignment) % alignment;
        outside.write(std::string(gap, '\0'));
        put_elements(t, outside);
        return offset + gap + raw_size(t);
    }

    static wire_writer head_of(const kernel::named_tensor& c) {
        wire_writer w;
        for (const std::int64_t d : c.value.shape()) w.number(field::tensor::dims, d);
        return w.number(field::tensor::data_type, element_number(c.value.type())).text(field::tensor::name, c.name);
    }
    static void add_place(wire_writer& tensor, std::string_view location, std::uint64_t offset, std::uint64_t size) {
        const auto entry = [&](std::string_view key, std::string_view value) {
            tensor.message(field::tensor::external_data,
                           wire_writer().text(field::entry::key, key).text(field::entry::value, value));
        };
        entry("location", location);
        entry("offset", std::to_string(offset));
        entry("length", std::to_string(size));
        tensor.number(field::tensor::data_location, 1);
    }

    std::string graph_name() const {
        const std::string_view kept = options_.like == nullptr ? std::string_view() : options_.like->graph().name();
        return kept.empty() ? "main" : std::string(kept);
    }
    // Returns the version of ONNX's file format that supports the operators and types of the model's opset.
    std::int64_t ir_version() const {
        constexpr struct {
            std::int64_t opset, ir;
        } versions[]{{18, 8}, {20, 9}, {22, 10}, {23, 11}, {24, 12}};
        for (const auto& v : versions)
            if (parts_.opset() <= v.opset) return v.ir;
        return 13;
    }
    wire_writer before_graph() const {
        wire_writer w;
        w.number(field::model::ir_version, ir_version()).text(field::model::producer_name, "tutti");
        w.text(field::model::producer_version, std::to_string(version.major_number) + "." +
                                                   std::to_string(version.minor_number) + "." +
                                                   std::to_string(version.patch_number));
        return w;
    }
    wire_writer after_graph() const {
        wire_writer w;
        const auto import = [&](std::string_view domain, std::int64_t version) {
            w.message(
                field::model::opset_import,
                wire_writer().text(field::operator_set::domain, domain).number(field::operator_set::version, version));
        };
        import("", parts_.opset());
        for (const std::string& d : parts_.domains()) import(d, 1);
        if (options_.like == nullptr) return w;
        const message root = options_.like->root();
        if (root.has(field::model::domain)) w.text(field::model::domain, root.text(field::model::domain));
        if (root.has(field::model::model_version))
            w.number(field::model::model_version, root.integer(field::model::model_version));
        if (root.has(field::model::doc_string)) w.text(field::model::doc_string, root.text(field::model::doc_string));
        for (const wire_field& f : root.fields(field::model::metadata_props))
            w.text(field::model::metadata_props, f.payload.text());
        return w;
    }

    void write(const ir_module& m, const function& f) {
        const graph& g = f.graph;
        nodes_.clear();
        declarations_ = {};
        vector<not_written> refused;
        graph_writer writer(m, g, parts_, nodes_, refused);
        const std::unordered_map<std::string, original_value> originals = original_values();
        for (std::size_t i = 0; i < g.params(f.root).size(); ++i) {
            const expr_id p = g.params(f.root)[i];
            const type_id t = g.type(p);
            if (!g.types().is_tensor(t)) {
                writer.refuse(p, "parameter %" + std::string(g.variable_name(p)), "is not a tensor");
                continue;
            }
            const std::string own(g.variable_name(p));
            const auto found = originals.find(own);
            const original_value original = found == originals.end() ? original_value{own} : found->second;
            const std::string name = parts_.fresh(original.name);
            writer.bind(p, {name});
            declare(field::graph::input, name, g.types().shape(t), g.types().element(t), original.declaration);
        }
        plain_vector<type_id> types;
        types.reserve(writer.width(g.type(g.body(f.root)))); // throws if there are too many results
        flatten(g.types(), g.type(g.body(f.root)), types);
        const vector<value_view> outputs = original_outputs(types.size());
        vector<std::string> known = result_names(f);
        if (known.size() != types.size()) known.clear();
        vector<std::string> names;
        for (std::size_t i = 0; i < types.size(); ++i)
            names.push_back(parts_.fresh(i < known.size()   ? known[i]
                                         : !outputs.empty() ? std::string(outputs[i].name())
                                                            : "out_" + std::to_string(i)));
        const values results = writer.write(g.body(f.root));
        if (!refused.empty()) report(refused);
        for (std::size_t i = 0; i < types.size(); ++i) {
            if (!g.types().is_tensor(types[i]))
                throw error("", "result " + std::to_string(i) + " is of type " + to_text(g.types(), types[i]),
                            "a tensor");
            declare(field::graph::output, names[i], g.types().shape(types[i]), g.types().element(types[i]),
                    outputs.empty() || outputs[i].name() != names[i] ? value_view() : outputs[i]);
        }
        name_results(results, names);
        parts_.drop_unused(nodes_, names);
    }

    [[noreturn, gnu::cold]] static void report(const vector<not_written>& refused) {
        std::string text;
        for (const not_written& each : refused) {
            if (!text.empty()) text += "; ";
            text += each.what;
            if (each.count > 1) text += " (" + std::to_string(each.count) + " times)";
            if (!each.node.empty()) text += ", node `" + each.node + "`";
            text += ": " + each.why;
        }
        throw error("", "cannot be written as ONNX: " + text, "");
    }

    static void flatten(const type_table& types, type_id t, plain_vector<type_id>& all) {
        if (t == type_id::none || types.kind(t) != type_kind::tuple) return all.push_back(t);
        for (const type_id field : types.fields(t)) flatten(types, field, all);
    }

    // A value of `options_.like`, the model that the module was imported from.
    struct original_value {
        std::string_view name;
        value_view declaration{}; // empty for values that are not inputs
    };
    // Maps the names that the importer gives to parameters to values of the original model. Contains all tensor inputs,
    // and other values whose `text_name` is unique.
    std::unordered_map<std::string, original_value> original_values() const {
        std::unordered_map<std::string, original_value> all;
        if (options_.like == nullptr) return all;
        const graph_view g = options_.like->graph();
        unique_names names;
        for (const value_view& input : g.open_inputs())
            if (input.is_tensor()) all.emplace(names(text_name(input.name())), original_value{input.name(), input});
        std::unordered_set<std::string> ambiguous;
        const auto add = [&](std::string_view name) {
            if (std::string text = text_name(name); !all.emplace(text, original_value{name}).second)
                ambiguous.insert(std::move(text));
        };
        for (const wire_field& f : g.initializers()) add(tensor_view(message(f.payload)).name());
        for (const wire_field& n : g.nodes())
            for (const wire_field& f : node_view(n.payload).outputs()) add(f.payload.text());
        std::erase_if(
            all, [&](const auto& each) { return !each.second.declaration.exists() && ambiguous.contains(each.first); });
        return all;
    }
    vector<value_view> original_outputs(std::size_t count) const {
        vector<value_view> all;
        if (options_.like == nullptr) return all;
        for (const wire_field& f : options_.like->graph().outputs()) all.push_back(value_view(f.payload));
        if (all.size() != count) all.clear();
        return all;
    }

    void declare(std::uint32_t kind, std::string_view name, std::span<const dim> shape, dtype element,
                 const value_view& original) {
        vector<std::string> named;
        if (original.exists() && original.is_tensor())
            for (const wire_field& f : original.dimensions())
                named.emplace_back(message(f.payload).text(field::dimension::dim_param));
        const wire_writer type =
            type_message(shape, element, [&](std::size_t i) { return i < named.size() ? named[i] : std::string(); });
        wire_writer w = wire_writer().text(field::value_info::name, name).message(field::value_info::type, type);
        if (original.exists() && original.has(field::value_info::doc_string))
            w.text(field::value_info::doc_string, original.text(field::value_info::doc_string));
        declarations_.message(kind, w);
    }

    // Renames each value that is a result. Copies the value to the new name instead if no node computes it, if it has
    // already been renamed for another result, or if inner graphs may use it.
    void name_results(const values& results, const vector<std::string>& names) {
        std::unordered_map<std::string, std::string> renamed;
        std::unordered_set<std::string> made;
        bool has_graphs = false;
        for (const model_node& n : nodes_) {
            made.insert(n.outputs.begin(), n.outputs.end());
            has_graphs = has_graphs || n.op_type == "If" || n.op_type == "Loop";
        }
        for (std::size_t i = 0; i < results.size(); ++i)
            if (has_graphs || !made.contains(results[i]) || !renamed.emplace(results[i], names[i]).second)
                nodes_.push_back({"Identity", {results[i]}, {names[i]}});
        for (model_node& n : nodes_)
            for (vector<std::string>* const list : {&n.inputs, &n.outputs})
                for (std::string& v : *list)
                    if (const auto at = renamed.find(v); at != renamed.end()) v = at->second;
    }

    write_options options_;
    model_parts parts_;
    vector<model_node> nodes_;
    wire_writer declarations_; // inputs and outputs
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
