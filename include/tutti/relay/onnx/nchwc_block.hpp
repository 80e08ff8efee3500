#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/tensor_view.hpp>

#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The domain of the operators on data in blocks of channels, which ONNX Runtime's optimiser writes.
inline constexpr std::string_view nchwc_domain = "com.microsoft.nchwc";

namespace detail {

/// Determines which block sizes fit the weights of a graph.
class nchwc_blocks {
public:
    explicit nchwc_blocks(const graph_view& g) {
        for (const wire_field& f : g.initializers()) {
            const tensor_view t{message(f.payload)};
            if (index(names_.add(t.name())) == tensors_.size()) tensors_.push_back(t);
        }
        for (const wire_field& f : g.nodes()) {
            const node_view node(f.payload);
            if (node.domain() != nchwc_domain) continue;
            if (node.op_type() == "Conv") note_convolution(node);
            if (node.op_type() == "ReorderOutput") note_channels(node);
        }
    }

    /// Returns the only block size that fits; 0 if both or neither fit.
    std::int64_t only() const { return fits_8_ == fits_16_ ? 0 : fits_8_ ? 8 : 16; }

private:
    void note_convolution(const node_view& node) {
        const tensor_view* const weight = tensor_named(name_of(node.inputs(), 1));
        if (weight == nullptr) return;
        const plain_vector<std::int64_t> shape = weight->shape();
        if (shape.size() != 4) return;
        const attribute_view group = node.attribute("group");
        const std::int64_t groups = group.exists() ? group.integer_value() : 1;
        fits_8_ = fits_8_ && fits(8, shape[0], shape[1], groups);
        fits_16_ = fits_16_ && fits(16, shape[0], shape[1], groups);
        made_.add(name_of(node.outputs(), 0));
        if (channels_.size() < made_.size()) channels_.push_back(shape[0]);
    }

    // Rules out block sizes that would leave a whole block of a convolution's result unused.
    void note_channels(const node_view& node) {
        const std::int64_t used = node.attribute("channels").integer_value();
        const std::uint32_t place = index(made_.add(name_of(node.inputs(), 0)));
        if (place >= channels_.size() || used < 1 || used > channels_[place]) return;
        fits_8_ = fits_8_ && channels_[place] - used < 8;
        fits_16_ = fits_16_ && channels_[place] - used < 16;
    }

    static bool fits(std::int64_t block, std::int64_t outputs, std::int64_t inputs, std::int64_t groups) {
        if (outputs % block != 0) return false;
        if (groups <= 1) return inputs < block || inputs % block == 0;
        return (inputs == 1 && outputs == groups) || (inputs % block == 0 && outputs / groups % block == 0);
    }

    const tensor_view* tensor_named(std::string_view name) {
        const std::uint32_t place = index(names_.add(name));
        return place < tensors_.size() ? &tensors_[place] : nullptr;
    }

    static std::string_view name_of(const wire_fields& all, std::size_t wanted) {
        std::size_t i = 0;
        for (const wire_field& f : all)
            if (i++ == wanted) return f.payload.text();
        return {};
    }

    string_table names_;
    plain_vector<tensor_view> tensors_; // indexed by name
    string_table made_;                 // names of the results of convolutions
    plain_vector<std::int64_t> channels_;
    bool fits_8_ = true, fits_16_ = true;
};

} // namespace detail

/// Returns the number of channels in a block of a graph's `com.microsoft.nchwc` operators: 8, 16, or 0 if the weights
/// do not determine it. Models do not store this number. It depends on the processor on which the model was saved: 16
/// with AVX-512, else 8.
///
/// Cost: linear in the graph.
inline std::int64_t nchwc_block(const graph_view& g) { return detail::nchwc_blocks(g).only(); }

} // namespace tutti::relay::inline TUTTI_FORM::onnx
