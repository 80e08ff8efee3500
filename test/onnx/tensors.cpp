// tensors FILE...: prints the tensors of models (initializers and attributes of nodes), or the tensor of a file that
// holds one. Each line has the file, the tensor's name, type and shape, and a checksum of its bytes unless it holds
// strings.

#include <tutti/file/crc32.hpp>
#include <tutti/relay/onnx/external_data.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace tutti;
using namespace tutti::relay::onnx;

void show(const std::string& file, const tensor_view& t, const shared_file& bytes) {
    std::string text = file + "\t" + std::string(t.name()) + "\t" + std::string(name_of_element(t.element())) + "\t";
    for (const std::int64_t d : t.shape()) text += std::to_string(d) + ",";
    if (t.type() != dtype::none) {
        const tensor value = t.value(bytes);
        const std::string_view elements{value.size() == 0 ? nullptr : static_cast<const char*>(value.memory()),
                                        static_cast<std::size_t>(value.size()) * kernel::bytes(value.type())};
        text += "\t" + std::to_string(file::crc32(elements));
    }
    std::printf("%s\n", text.c_str());
}

void show_file(const std::string& file) {
    if (file.ends_with(".onnx")) {
        const model m = open_model(file);
        for (const wire_field& f : m.graph().initializers()) show(file, tensor_view(message(f.payload)), m.file());
        for (const wire_field& n : m.graph().nodes())
            for (const wire_field& a : node_view(n.payload).fields(5))
                if (attribute_view(a.payload).has(5)) show(file, attribute_view(a.payload).tensor_value(), m.file());
        return;
    }
    const auto bytes = std::make_shared<const file::mapped_file>(file);
    const std::string_view all = bytes->bytes();
    const file_part part{reinterpret_cast<const unsigned char*>(all.data()), all.size(), 0};
    check_message(part, message_kind::tensor, [](message_kind, const file_part&) {});
    const tensor_view t{message(part)};
    t.check();
    show(file, t, bytes);
}

} // namespace

int main(int count, char** files) {
    for (int i = 1; i < count; ++i) {
        try {
            show_file(files[i]);
        } catch (const std::exception& e) {
            std::printf("%s\t%s\n", files[i], e.what());
        }
    }
}
