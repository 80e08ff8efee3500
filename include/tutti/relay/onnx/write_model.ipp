#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/output_file.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/onnx/write/model_draft.hpp>
#include <tutti/relay/onnx/write_model.hpp>
#include <tutti/relay/op/infer.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Receives a file's bytes in memory.
struct bytes_in_memory {
    std::string bytes;
    void write(std::string_view more) { bytes += more; }
};

/// Returns the module with inferred types. Constants are shared.
inline ir_module with_types(const ir_module& m) {
    ir_module typed = m;
    infer_types(typed);
    return typed;
}

} // namespace detail

TUTTI_INLINE std::string model_bytes(const ir_module& m, const write_options& options) {
    const ir_module typed = detail::with_types(m);
    detail::bytes_in_memory made;
    model_draft(typed, options).write_to(made, static_cast<detail::bytes_in_memory*>(nullptr), {}, 0);
    return std::move(made.bytes);
}

TUTTI_INLINE void write_model(const ir_module& m, const std::string& path, const write_options& options) {
    const ir_module typed = detail::with_types(m);
    const model_draft draft(typed, options);
    // The messages of a file have fewer than 2^31 bytes; 2^24 are for nodes.
    constexpr std::uint64_t most_inside = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 24);
    const bool beside = options.constants == constant_place::beside ||
                        (options.constants == constant_place::automatic && draft.constant_bytes() > most_inside);
    output_file model(path);
    if (!beside) {
        draft.write_to(model, static_cast<output_file*>(nullptr), {}, 0);
    } else {
        const std::string data = path + ".data";
        output_file elements(data);
        draft.write_to(model, &elements, std::string_view(data).substr(data.rfind('/') + 1), 1024);
        elements.done();
    }
    model.done();
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
