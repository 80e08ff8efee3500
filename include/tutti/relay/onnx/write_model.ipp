#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/output_file.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/onnx/write/model_draft.hpp>
#include <tutti/relay/onnx/write_model.hpp>
#include <tutti/relay/op/infer.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Passes bytes to a function.
struct byte_sink {
    const std::function<void(std::string_view)>* to;
    void write(std::string_view bytes) const {
        if (!bytes.empty()) (*to)(bytes);
    }
};

} // namespace detail

TUTTI_INLINE void write_model(const ir_module& m, const model_output& to, const write_options& options) {
    ir_module typed = m; // shares the constants
    infer_types(typed);
    const model_draft draft(typed, options);
    // Messages must be smaller than 2^31 bytes; 2^24 bytes are reserved for nodes.
    constexpr std::uint64_t most_inside = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 24);
    const bool beside = options.constants == constant_place::beside ||
                        (options.constants == constant_place::automatic && draft.constant_bytes() > most_inside);
    if (beside ? !to.constants : draft.constant_bytes() > most_inside)
        throw error("", "has " + std::to_string(draft.constant_bytes()) + " bytes of constants",
                    "model_output::constants, which stores them beside the model");
    const detail::byte_sink model{&to.model}, constants{&to.constants};
    draft.write_to(model, beside ? &constants : nullptr, to.constants_name, 1024);
}

TUTTI_INLINE std::string model_bytes(const ir_module& m, const write_options& options) {
    std::string bytes;
    write_model(m, {.model = [&](std::string_view more) { bytes += more; }}, options);
    return bytes;
}

TUTTI_INLINE void write_model(const ir_module& m, const std::string& path, const write_options& options) {
    const std::string beside = path + ".data";
    output_file model(path);
    std::optional<output_file> constants;
    write_model(m,
                {.model = [&](std::string_view bytes) { model.write(bytes); },
                 .constants =
                     [&](std::string_view bytes) {
                         if (!constants) constants.emplace(beside);
                         constants->write(bytes);
                     },
                 .constants_name = beside.substr(beside.rfind('/') + 1)},
                options);
    if (constants) constants->done();
    model.done();
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
