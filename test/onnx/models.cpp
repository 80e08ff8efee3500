#include "models.hpp"

#include <tutti/relay/onnx/import.hpp>

namespace tutti::test {

relay::ir_module import_file(const std::string& path, const std::vector<std::pair<std::string, std::int64_t>>& dims) {
    relay::onnx::import_options options;
    for (const auto& [name, size] : dims) options.dims.push_back({name, size});
    return relay::onnx::import_model(relay::onnx::open_model(path), options);
}

kernel::tensor read_tensor(const std::string& path) {
    using namespace relay::onnx;
    const shared_file file = std::make_shared<const file::mapped_file>(path);
    const std::string_view bytes = file->bytes();
    const file_part part{reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0};
    check_message(part, message_kind::tensor, [](message_kind, const file_part&) {});
    const tensor_view t{message(part)};
    t.check();
    return t.value(file);
}

} // namespace tutti::test
