// A fuzz target for ONNX models: any bytes are a model or an error, and a model is a program that is right, or an error.

#include <tutti/error.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/op/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace relay = tutti::relay;

namespace {

std::optional<relay::ir_module> imported(std::string bytes) {
    using tutti::file::mapped_file;
    try {
        const relay::onnx::model m(std::make_shared<const mapped_file>(mapped_file::read_bytes{std::move(bytes)}),
                                   "model");
        return relay::onnx::import_model(m);
    } catch (const tutti::error&) {
        return std::nullopt;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::optional<relay::ir_module> m = imported(std::string(reinterpret_cast<const char*>(data), size));
    if (m) relay::verify(*m); // an error here is one of the importer's
    return 0;
}
