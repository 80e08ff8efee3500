// A fuzz target for writing ONNX models. A module imported from any bytes is written as a model, or refused. The
// written model can be imported, and its results have the same types.

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/write_model.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace relay = tutti::relay;
namespace onnx = tutti::relay::onnx;

namespace {

constexpr std::uint64_t most_work = 1 << 15;

relay::ir_module imported(std::string_view bytes, std::uint64_t max_work) {
    return onnx::import_model(onnx::model_in_memory(bytes, "model"), {.max_bytes = 1 << 20, .max_work = max_work});
}

std::string result_type(const relay::ir_module& m) {
    const relay::function& f = *m.find("main");
    return to_text(f.graph.types(), f.graph.type(f.graph.body(f.root)));
}

// True if the result types agree. Two kinds are not compared: types with unknown sizes, which the second import may
// determine, and tuples, since a tuple of one field comes back as a tensor.
bool is_same(std::string_view first, std::string_view second) {
    return first == second || first.find('?') != first.npos || first.find('(') == 0;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::optional<relay::ir_module> first;
    std::string bytes;
    try {
        first.emplace(imported({reinterpret_cast<const char*>(data), size}, most_work));
        bytes = onnx::model_bytes(*first);
    } catch (const tutti::error&) {
        return 0;
    }
    try {
        const relay::ir_module second = imported(bytes, 256 * most_work); // operators may be written as several nodes
        if (is_same(result_type(*first), result_type(second))) return 0;
        std::fprintf(stderr, "%s became %s\n", result_type(*first).c_str(), result_type(second).c_str());
    } catch (const tutti::error& e) {
        // The second import may determine unknown sizes, and find that they do not fit.
        const bool is_open = result_type(*first).find('?') != std::string::npos;
        if (is_open && e.problem().find("does not fit") != std::string_view::npos) return 0;
        std::fprintf(stderr, "a written model does not import: %s\n", e.what());
    }
    std::abort();
}
