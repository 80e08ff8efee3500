// Models in the ONNX format, which `tutti` takes where it takes a program.

#include <tutti/error.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/onnx/import.hpp>

#include "program.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace onnx = tutti::relay::onnx;

std::vector<onnx::dim_binding>& bound_dims() {
    static std::vector<onnx::dim_binding> dims;
    return dims;
}

// The first byte of every model there is: the field of its format's version. No text has it.
constexpr char first_byte = 0x08;

onnx::model open(const std::string& file, std::string text) {
    std::shared_ptr<const tutti::file::mapped_file> bytes;
    if (file == "-")
        bytes = std::make_shared<const tutti::file::mapped_file>(tutti::file::mapped_file::read_bytes{std::move(text)});
    else
        bytes = std::make_shared<const tutti::file::mapped_file>(file);
    return onnx::model(std::move(bytes), file == "-" ? name_of(file) : file);
}

// "NAME=N", or what is wrong with it.
std::string add_dim(const std::string& given) {
    const std::size_t equal = given.rfind('=');
    const char* const end = given.data() + given.size();
    std::int64_t size = 0;
    if (equal != std::string::npos && equal != 0) {
        const auto [rest, bad] = std::from_chars(given.data() + equal + 1, end, size);
        if (bad == std::errc{} && rest == end && size >= 0) {
            bound_dims().push_back({given.substr(0, equal), size});
            return {};
        }
    }
    return "`" + given + "` is none; expected NAME=SIZE, such as batch=1";
}

std::string type_of(const onnx::value_view& v) {
    if (!v.is_tensor()) return "no tensor";
    std::string text = "Tensor[(";
    bool first = true;
    for (const onnx::wire_field& f : v.dimensions()) {
        const onnx::message d(f.payload);
        text += std::exchange(first, false) ? "" : ", ";
        text += d.has(1) ? std::to_string(d.integer(1)) : d.text(2).empty() ? "?" : std::string(d.text(2));
    }
    return (v.has_shape() ? text + "), " : "Tensor[of no known rank, ") +
           std::string(onnx::name_of_element(v.element())) + "]";
}

// The error's place is the file, which is what a message begins with.
[[noreturn]] void refuse(const tutti::error& e) {
    throw failure{wrong_input,
                  message(e.where(), e.problem() + (e.expected().empty() ? "" : "; expected " + e.expected()))};
}

} // namespace

bool is_model(const std::string& file, const std::string& text) {
    if (file == "-") return text.starts_with(first_byte);
    if (file.ends_with(".onnx")) return true;
    std::FILE* const opened = std::fopen(file.c_str(), "rb");
    if (opened == nullptr) return false;
    const int first = std::fgetc(opened);
    std::fclose(opened);
    return first == first_byte;
}

source read_model(const std::string& file, std::string text) {
    try {
        const onnx::model m = open(file, std::move(text));
        source from{name_of(file), {}, onnx::import_model(m, {.dims = bound_dims()})};
        for (const onnx::wire_field& f : m.graph().outputs())
            from.results.emplace_back(onnx::value_view(f.payload).name());
        return from;
    } catch (const tutti::error& e) {
        refuse(e);
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(name_of(file), "there is not enough memory to read it")};
    }
}

std::string describe_model(const std::string& file) {
    try {
        const onnx::model m = open(file, {});
        std::string text = "ONNX model, opset " + std::to_string(m.opset()) + ", by " +
                           (m.producer().empty() ? "nobody that it names" : std::string(m.producer())) + "\ninputs:\n";
        std::vector<std::string_view> initial;
        for (const onnx::wire_field& f : m.graph().initializers())
            initial.push_back(onnx::tensor_view(onnx::message(f.payload)).name());
        std::sort(initial.begin(), initial.end());
        for (const onnx::wire_field& f : m.graph().inputs()) {
            const onnx::value_view v(f.payload);
            if (!std::binary_search(initial.begin(), initial.end(), v.name()))
                text += "  " + std::string(v.name()) + ": " + type_of(v) + "\n";
        }
        text += "outputs:\n";
        for (const onnx::wire_field& f : m.graph().outputs()) {
            const onnx::value_view v(f.payload);
            text += "  " + std::string(v.name()) + ": " + type_of(v) + "\n";
        }
        text += "operators:\n";
        for (const onnx::operator_use& u : onnx::operators_of(m, {}, onnx::standard_rules))
            text += "  " + (u.domain.empty() ? "" : std::string(u.domain) + ".") + std::string(u.op_type) + ": " +
                    std::to_string(u.count) + (u.supported ? "\n" : ", cannot be imported\n");
        return text;
    } catch (const tutti::error& e) {
        refuse(e);
    }
}

bool dims_given() { return !bound_dims().empty(); }

void add_dim_option(CLI::App& command) {
    command
        .add_option_function<std::vector<std::string>>(
            "--dim", [](const std::vector<std::string>&) {},
            "What a dimension with a name is, where FILE is an ONNX model; others are ?")
        ->type_name("NAME=SIZE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(add_dim);
}

} // namespace program
