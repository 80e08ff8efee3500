#include "file_ending.hpp"

#include "model_file.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace program {

namespace {

struct format {
    std::string_view name;
    std::string_view endings; // between blanks
};

// Formats that somebody may expect here, or whose files somebody may name by mistake.
constexpr format formats[]{
    {"an ONNX model", " onnx ort "},
    {"a file of NumPy arrays", " npz npy "},
    {"Relay text", " relay "},
    {"JSON", " json jsonl "},
    {"a page", " html htm xhtml md pdf "},
    {"a picture", " svg dot png jpg jpeg gif bmp webp "},
    {"a table", " csv tsv xls xlsx parquet arrow feather "},
    {"a model of another system",
     " pb pbtxt tflite h5 hdf5 keras pt pth ckpt safetensors gguf caffemodel prototxt mlmodel params "},
    {"a program of another system", " mlir ll bc tir py ipynb c cc cpp cxx h hpp cu js ts rs "},
    {"a library or an object file", " o a so dylib dll obj lib exe wasm ptx cubin "},
    {"an archive", " zip gz tgz tar xz bz2 zst 7z "},
    {"structured data", " xml yaml yml toml pkl pickle mat msgpack proto bin "},
};

// The ending in lower case, without its dot; "" if the name has none.
std::string ending_of(std::string_view file) {
    const std::string_view name = file.substr(file.find_last_of('/') + 1);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return {};
    std::string ending(name.substr(dot + 1));
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return ending;
}

} // namespace

bool is_npz(std::string_view file) { return ending_of(file) == "npz"; }

void check_ending(std::string_view option, std::string_view file, std::string_view what, std::string_view endings) {
    const std::string ending = ending_of(file);
    if (ending.empty() || file == "-") return;
    std::string allowed(endings);
    std::ranges::replace(allowed, '.', ' ');
    if ((' ' + allowed + ' ').find(' ' + ending + ' ') != std::string::npos) return;
    for (const format& each : formats) {
        if (each.endings.find(' ' + ending + ' ') == std::string_view::npos) continue;
        throw failure{wrong_usage,
                      message(option, "`" + std::string(file) + "` has the ending of " + std::string(each.name) +
                                          ", but " + std::string(what) + " is written; expected " +
                                          std::string(endings) + ", or no ending")};
    }
}

void check_relay_ending(std::string_view option, const std::string& file) {
    check_ending(option, file, "Relay text", ".relay or .txt");
    if (file != "-" && holds_model(file))
        throw failure{
            wrong_usage,
            message(option, "`" + file + "` is an ONNX model, but Relay text is written; expected another file")};
}

void check_npz_ending(std::string_view option, std::string_view file) {
    check_ending(option, file, "a file of NumPy arrays", ".npz");
}

} // namespace program
