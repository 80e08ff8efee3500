#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/narrow.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/ir/unique_names.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/tensor_view.hpp>
#include <tutti/relay/onnx/write/model_node.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Returns ONNX's code for an element type, or 0 if ONNX does not support the type.
constexpr std::int64_t element_number(dtype type) {
    for (std::size_t i = 0; i < std::size(detail::elements); ++i)
        if (detail::elements[i].type == type && type != dtype::none) return static_cast<std::int64_t>(i);
    return 0;
}

/// Returns the first version of ONNX's operators that supports an element type.
constexpr std::int64_t opset_of(dtype type) {
    switch (type) {
    case dtype::int2:
    case dtype::uint2:
        return 25;
    case dtype::float8_e8m0fnu:
        return 24;
    case dtype::float4_e2m1fn:
        return 23;
    case dtype::int4:
    case dtype::uint4:
        return 21;
    default:
        return kernel::is_narrow(type) ? 19 : 1;
    }
}

/// Returns the first version of ONNX's operators in which an operator supports bfloat16; 1 if version 17 does.
constexpr std::int64_t opset_of_bfloat16(std::string_view op_type) {
    constexpr std::string_view since_22[]{"Acos",
                                          "Acosh",
                                          "Asin",
                                          "Asinh",
                                          "Atan",
                                          "Atanh",
                                          "AveragePool",
                                          "Conv",
                                          "ConvTranspose",
                                          "Cos",
                                          "Cosh",
                                          "DeformConv",
                                          "GlobalAveragePool",
                                          "GlobalMaxPool",
                                          "GridSample",
                                          "HardSwish",
                                          "InstanceNormalization",
                                          "MaxPool",
                                          "MaxRoiPool",
                                          "RoiAlign",
                                          "Round",
                                          "Sin",
                                          "Sinh",
                                          "Tan"};
    for (const std::string_view each : since_22)
        if (op_type == each) return 22;
    if (op_type == "IsInf") return 20;
    return op_type == "QuantizeLinear" ? 19 : 1;
}

/// State shared by all graphs of a model being written: constants, names and the version of the operators.
class model_parts {
public:
    /// Returns `wanted` if no value has this name, otherwise a new name that begins with it.
    std::string fresh(std::string_view wanted) { return names_(wanted); }

    /// Gives nodes unique names derived from their sources' names. If `last_is_exact`, the last node of each source
    /// gets the source's name unchanged. All other nodes get the name with a number appended.
    void name_nodes(vector<model_node>& nodes, bool last_is_exact) {
        std::unordered_set<std::string> exact;
        for (std::size_t i = nodes.size(); i-- > 0;) {
            std::string& name = nodes[i].name;
            if (name.empty()) continue;
            if (last_is_exact && exact.insert(name).second && node_names_.insert(name).second) continue;
            std::string made;
            do made = name + "_" + std::to_string(++node_counts_[name]);
            while (!node_names_.insert(made).second);
            name = std::move(made);
        }
    }

    /// Counts a function body that is written in place of a call. Throws: `tutti::error` after 2^18 bodies, since
    /// nested calls may multiply the number of bodies.
    void note_body() {
        if (++bodies_ > most_bodies) throw error("", "has more than 2^18 function calls to inline", "fewer calls");
    }

    /// Counts the tensors of a tuple that is written. Throws: `tutti::error` after 2^22 tensors in total, since nested
    /// tuples may multiply the number of tensors.
    void note_fields(std::size_t count) { check_fields(fields_ += count); }
    static void check_fields(std::size_t count) {
        if (count > most_fields) throw error("", "has tuples with more than 2^22 tensors in total", "fewer tensors");
    }

    /// Removes the nodes of a graph whose outputs nothing uses: a rule may have replaced several nodes by one.
    ///
    /// Requires: the graph is complete, and this function has been called for all graphs that it contains.
    void drop_unused(vector<model_node>& nodes, const vector<std::string>& results) {
        used_.insert(results.begin(), results.end());
        const auto is_used = [&](const std::string& output) { return !output.empty() && used_.contains(output); };
        for (std::size_t i = nodes.size(); i-- > 0;) {
            model_node& n = nodes[i];
            if (std::any_of(n.outputs.begin(), n.outputs.end(), is_used))
                used_.insert(n.inputs.begin(), n.inputs.end());
            else
                n.outputs.clear();
        }
        const auto dropped = [](const model_node& n) { return n.outputs.empty(); };
        nodes.erase(std::remove_if(nodes.begin(), nodes.end(), dropped), nodes.end());
    }
    /// Removes constants that no node uses. A rule may have replaced a constant, such as a zero point of another type.
    ///
    /// Requires: `drop_unused` has been called for all graphs.
    void drop_unused_constants() {
        const auto unused = [&](const kernel::named_tensor& c) { return !used_.contains(c.name); };
        constants_.erase(std::remove_if(constants_.begin(), constants_.end(), unused), constants_.end());
        small_.clear();
        large_.clear();
    }

    /// Returns the name of a constant with this value, and adds the constant if needed. Small constants are shared if
    /// they are equal, and large ones if they use the same memory.
    std::string constant(const tensor& value) {
        constexpr std::int64_t small = 64;
        const std::uint64_t hash = value.size() <= small ? value_hash(value) : 0;
        if (value.size() <= small) {
            const auto [first, last] = small_.equal_range(hash);
            for (auto each = first; each != last; ++each)
                if (same_value(constants_[each->second].value, value)) return constants_[each->second].name;
            small_.emplace(hash, constants_.size());
        } else if (const auto found = large_.find(value.identity()); found != large_.end()) {
            for (const std::size_t at : found->second)
                if (same_elements(constants_[at].value.shape(), value.shape()) &&
                    constants_[at].value.type() == value.type())
                    return constants_[at].name;
        }
        if (value.size() > small) large_[value.identity()].push_back(constants_.size());
        need(opset_of(value.type()));
        constants_.push_back({fresh("constant"), value});
        return constants_.back().name;
    }

    const vector<kernel::named_tensor>& constants() const { return constants_; }

    /// Notes that a node needs at least this version of ONNX's operators.
    void need(std::int64_t opset) { opset_ = std::max(opset_, opset); }
    std::int64_t opset() const { return opset_; }

    /// Notes that nodes use operators of this domain.
    void import_domain(std::string_view domain) {
        if (std::find(domains_.begin(), domains_.end(), domain) == domains_.end()) domains_.emplace_back(domain);
    }
    const vector<std::string>& domains() const { return domains_; }

private:
    static constexpr std::uint32_t most_bodies = std::uint32_t{1} << 18;

    static constexpr std::size_t most_fields = std::size_t{1} << 22;

    std::uint32_t bodies_ = 0;
    std::size_t fields_ = 0;
    std::int64_t opset_ = 17;
    vector<std::string> domains_;
    vector<kernel::named_tensor> constants_;
    std::unordered_multimap<std::uint64_t, std::size_t> small_;     // constant indices by hash of the value
    std::unordered_map<std::uintptr_t, vector<std::size_t>> large_; // constant indices by `tensor::identity`
    unique_names names_;
    std::unordered_set<std::string> node_names_;
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, std::uint32_t> node_counts_;
};

/// Returns a tensor type as a protocol buffers message. `dimension(i)` returns the name of the unknown dimension i, or
/// an empty string.
template <class Dimension>
wire_writer type_message(std::span<const dim> shape, dtype element, const Dimension& dimension) {
    wire_writer sizes;
    std::size_t at = 0;
    for (const dim d : shape) {
        wire_writer one;
        if (d.is_any()) {
            if (const std::string name = dimension(at); !name.empty()) one.text(field::dimension::dim_param, name);
        } else {
            one.number(field::dimension::dim_value, d.value());
        }
        sizes.message(field::shape::dim, one);
        ++at;
    }
    const wire_writer t = wire_writer()
                              .number(field::tensor_type::elem_type, element_number(element))
                              .message(field::tensor_type::shape, sizes);
    return wire_writer().message(field::type::tensor_type, t);
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
