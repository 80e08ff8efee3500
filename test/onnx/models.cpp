#include "models.hpp"

#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/value_file.hpp>
#include <tutti/relay/onnx/write_model.hpp>

#include <memory>
#include <utility>

namespace tutti::test {

namespace {

using namespace relay::onnx;

message type_of(const model& m, const std::string& kind, std::size_t number) {
    const graph_view g = m.graph();
    for (const wire_field& f : kind == "input" ? g.inputs() : g.outputs())
        if (number-- == 0) return value_view(f.payload).type();
    return {};
}

std::vector<kernel::tensor> read(const model& m, const std::string& kind, std::size_t number, const std::string& path) {
    const auto all = read_value(std::make_shared<const file::mapped_file>(path), type_of(m, kind, number));
    return {all.begin(), all.end()};
}

std::string data_file(const std::string& folder, const std::string& kind, std::size_t number) {
    return folder + "/" + kind + "_" + std::to_string(number) + ".pb";
}

bool is_there(const std::string& file) {
    std::FILE* const opened = std::fopen(file.c_str(), "rb");
    if (opened) std::fclose(opened);
    return opened != nullptr;
}

// True if a tensor has the shape that the model declares. A symbolic dimension matches any size.
bool fits(const value_view& input, const kernel::tensor& t) {
    if (!input.has_shape()) return true;
    std::size_t axis = 0;
    for (const wire_field& each : input.dimensions()) {
        const message d(each.payload);
        if (axis == t.shape().size() || (d.has(1) && d.integer(1) != t.shape()[axis])) return false;
        ++axis;
    }
    return axis == t.shape().size();
}

} // namespace

void write_to(const relay::ir_module& m, const std::string& path, const std::string& file) {
    const model original = open_model(path);
    write_model(m, file, {.like = &original});
}

relay::ir_module written_and_imported(const relay::ir_module& m, const std::string& path) {
    const model original = open_model(path);
    std::string bytes = model_bytes(m, {.like = &original});
    return import_model(model(
        std::make_shared<const file::mapped_file>(file::mapped_file::read_bytes{std::move(bytes)}), "written.onnx"));
}

relay::ir_module import_test(const std::string& path, const std::string& data) {
    const model m = open_model(path);
    import_options options;
    std::size_t number = 0;
    for (const wire_field& f : m.graph().inputs()) {
        const value_view input(f.payload);
        const std::string file = data_file(data, "input", number);
        if (!is_there(file)) break; // inputs with initializers have no data
        const std::vector<kernel::tensor> tensors = read(m, "input", number, file);
        if (!input.is_tensor() || !fits(input, tensors.at(0))) {
            input_shapes shapes{.name = std::string(input.name()), .shapes = {}};
            for (const kernel::tensor& t : tensors) {
                shapes.shapes.emplace_back();
                for (const std::int64_t size : t.shape()) shapes.shapes.back().push_back(size);
            }
            options.inputs.push_back(std::move(shapes));
        }
        ++number;
    }
    return import_model(m, options);
}

std::vector<std::vector<kernel::tensor>> read_values(const std::string& path, const std::string& data,
                                                     const std::string& kind) {
    const model m = open_model(path);
    std::vector<std::vector<kernel::tensor>> all;
    for (std::size_t number = 0; type_of(m, kind, number).exists(); ++number) {
        const std::string file = data_file(data, kind, number);
        if (!is_there(file)) break;
        all.push_back(read(m, kind, number, file));
    }
    return all;
}

} // namespace tutti::test
