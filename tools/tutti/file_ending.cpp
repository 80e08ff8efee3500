#include "file_ending.hpp"

#include <tutti/base/error.hpp>

#include "model_file.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace program {

namespace {

struct format {
    std::string_view name;
    std::string_view endings; // each with a space before and after it
};

// Formats that users may expect to be written, or request by mistake.
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

// Returns the ending in lower case, without the dot, or "" if there is none.
std::string ending_of(std::string_view file) {
    const std::string_view name = file.substr(file.find_last_of('/') + 1);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return {};
    std::string ending(name.substr(dot + 1));
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return ending;
}

struct content_format {
    std::string_view written; // beginning of a message: subject and verb
    std::string_view endings; // suggested in a message
};

content_format format_of(content what) {
    switch (what) {
    case content::relay_text:
        return {"Relay text is", ".relay or .txt"};
    case content::program:
        return {"Relay text or an ONNX model is", ".relay, .txt or .onnx"};
    case content::results:
        return {"text is", ".npz or .txt"};
    case content::comparison:
        return {"text is", ".txt"};
    case content::arrays:
        return {"a file of NumPy arrays is", ".npz"};
    case content::page:
        return {"a page of HTML is", ".html or .htm"};
    case content::trace:
        return {"JSON is", ".json"};
    }
    return {};
}

// Returns the reason for refusing a file. The problem is empty if the file is accepted.
tutti::internal::complaint complaint_of(const std::string& file, content what) {
    if (file == "-" || (what == content::program && is_onnx(file))) return {};
    const auto [written, endings] = format_of(what);
    const std::string ending = ending_of(file);
    std::string allowed(endings);
    std::ranges::replace(allowed, '.', ' ');
    std::ranges::replace(allowed, ',', ' ');
    const auto is_of = [&](std::string_view list) { return list.find(' ' + ending + ' ') != std::string_view::npos; };
    if (!ending.empty() && !is_of(allowed + ' '))
        for (const format& each : formats)
            if (is_of(each.endings))
                return {"`" + file + "` has the ending of " + std::string(each.name) + ", but " + std::string(written) +
                            " written",
                        std::string(endings) + ", or no ending", file};
    if (holds_model(file))
        return {"`" + file + "` is an ONNX model, but " + std::string(written) + " written", "another file", file};
    return {};
}

} // namespace

bool is_onnx(std::string_view file) { return ending_of(file) == "onnx"; }
bool is_npz(std::string_view file) { return ending_of(file) == "npz"; }

void check_output(std::string_view command, std::string_view option, const std::string& file, content what) {
    const tutti::internal::complaint found = complaint_of(file, what);
    if (found.problem.empty()) return;
    throw failure{wrong_usage,
                  message(command, tutti::error{std::string(option), found.problem, found.expected}.what())};
}

void check_instrument_file(std::string_view instrument, const std::string& file) {
    constexpr std::pair<std::string_view, content> written[]{
        {"report", content::page}, {"time_trace", content::trace}, {"crash_reproducer", content::relay_text}};
    for (const auto& [name, what] : written) {
        if (name != instrument) continue;
        tutti::internal::complaint found = complaint_of(file, what);
        if (found.problem.empty()) continue;
        found.problem.insert(0, std::string(instrument) + ": option file: ");
        throw tutti::input_error{std::move(found)};
    }
}

} // namespace program
