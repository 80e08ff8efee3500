// The time and peak memory of opening a file with 500 MB of weights, and of importing an ONNX model of 100 MB whose
// weights are unaligned and must be copied. The targets are a peak of 1.1 times the size of the file, and 0.3 s for the
// model.
//
//     bench_open_weights [FOLDER]    writes the files to FOLDER (default: /tmp)

#include <tutti/base/output_file.hpp>
#include <tutti/file/npz_writer.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/params/params_file.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;

namespace {

constexpr int arrays = 100;
constexpr std::int64_t rows = 1250, columns = 1000; // 5 MB per array

std::string name_of(int i) { return "w" + std::to_string(i); }

void write(const std::string& name) {
    tutti::output_file to(name);
    tutti::file::npz_writer<tutti::output_file> writer(to);
    kernel::tensor t(kernel::dtype::float32, {rows, columns});
    for (int i = 0; i < arrays; ++i) {
        std::ranges::fill(t.mutable_elements<float>(), static_cast<float>(i));
        writer.add(name_of(i), t);
    }
    writer.done();
    to.done();
}

double most_megabytes() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) * 1024 / 1e6;
}

// Appends a length-delimited field of a protobuf message.
void field(std::string& to, unsigned number, std::string_view bytes) {
    const auto varint = [&](std::size_t n) {
        for (; n >= 0x80; n >>= 7) to += static_cast<char>(n | 0x80);
        to += static_cast<char>(n);
    };
    varint(number << 3U | 2U);
    varint(bytes.size());
    to += bytes;
}
std::string value_info(std::string_view name) { // has the shape (1, 1000)
    std::string shape, tensor = "\x08\x01", type, made;
    field(shape, 1, "\x08\x01");
    field(shape, 1, "\x08\xe8\x07");
    field(tensor, 2, shape);
    field(type, 1, tensor);
    field(made, 1, name);
    field(made, 2, type);
    return made;
}

// Writes a model that multiplies its input by 25 matrices of 1000 x 1000 elements in turn. Each matrix is one byte
// further from alignment than the previous one.
void write_model(const std::string& name) {
    tutti::output_file to(name);
    std::string graph;
    const std::string elements(4'000'000, '\0');
    for (int i = 0; i < 25; ++i) {
        const std::string next = "x" + std::to_string(i + 1);
        std::string node, tensor("\x08\xe8\x07\x08\xe8\x07\x10\x01");
        field(node, 1, "x" + std::to_string(i));
        field(node, 1, name_of(i));
        field(node, 2, next);
        field(node, 4, "MatMul");
        field(graph, 1, node);
        field(tensor, 8, name_of(i));
        field(tensor, 9, elements);
        if (i % 2 == 0) field(tensor, 12, ".");
        field(graph, 5, tensor);
    }
    field(graph, 11, value_info("x0"));
    field(graph, 12, value_info("x25"));
    std::string model("\x08\x08"), opset("\x10\x11");
    field(model, 7, graph);
    field(model, 8, opset);
    to.write(model);
    to.done();
}

void import(const std::string& name) {
    const auto begin = std::chrono::steady_clock::now();
    const relay::ir_module m = relay::onnx::import_model(relay::onnx::open_model(name));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("a model of 100 MB: imported in %.0f ms, %.0f MB at most\n", took.count(), most_megabytes());
}

void open(const std::string& name) {
    relay::builder b;
    std::vector<relay::expr> params;
    for (int i = 0; i < arrays; ++i) params.push_back(b.variable(name_of(i), {rows, columns}));
    relay::ir_module m(b.function(params, params[0]));
    const auto begin = std::chrono::steady_clock::now();
    relay::read_params(m, name);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("500 MB of weights: opened in %.0f ms, %.0f MB at most\n", took.count(), most_megabytes());
}

} // namespace

int main(int count, char** arguments) {
    const std::string folder = count > 1 ? arguments[1] : "/tmp";
    // Each measurement runs in its own process, so that its peak memory is measured separately.
    const auto apart = [](void (*f)(const std::string&), const std::string& name) {
        std::fflush(stdout);
        if (const pid_t child = fork(); child == 0) {
            f(name);
            std::fflush(stdout);
            _exit(0);
        } else {
            waitpid(child, nullptr, 0);
        }
    };
    const std::string weights = folder + "/tutti-weights.npz", model = folder + "/tutti-model.onnx";
    apart(write, weights);
    apart(open, weights);
    std::remove(weights.c_str());
    apart(write_model, model);
    apart(import, model);
    std::remove(model.c_str());
}
