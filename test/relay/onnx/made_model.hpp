#pragma once

#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/text/printer.hpp>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::test {

/// A message in the wire format, to which fields are appended.
struct wire {
    std::string bytes;

    wire& varint(std::uint64_t n) {
        for (; n >= 0x80; n >>= 7) bytes += static_cast<char>(n | 0x80);
        bytes += static_cast<char>(n);
        return *this;
    }
    wire& number(std::uint32_t field, std::int64_t value) {
        return varint(field << 3U).varint(static_cast<std::uint64_t>(value));
    }
    wire& real(std::uint32_t field, float value) {
        varint(field << 3U | 5U);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (unsigned i = 0; i < 32; i += 8) bytes += static_cast<char>(bits >> i);
        return *this;
    }
    wire& text(std::uint32_t field, std::string_view value) {
        varint(field << 3U | 2U).varint(value.size());
        bytes += value;
        return *this;
    }
    wire& message(std::uint32_t field, const wire& inner) { return text(field, inner.bytes); }
};

/// Returns an int64 tensor, encoded as in most model files.
inline wire int64_tensor(std::string_view name, std::initializer_list<std::int64_t> shape,
                         std::initializer_list<std::int64_t> values) {
    wire t;
    for (const std::int64_t d : shape) t.number(1, d);
    t.number(2, 7).text(8, name);
    std::string raw;
    for (const std::int64_t v : values)
        for (unsigned i = 0; i < 64; i += 8) raw += static_cast<char>(static_cast<std::uint64_t>(v) >> i);
    return t.text(9, raw);
}

inline wire float_tensor(std::string_view name, std::initializer_list<std::int64_t> shape,
                         std::span<const float> values) {
    wire t;
    for (const std::int64_t d : shape) t.number(1, d);
    t.number(2, 1).text(8, name);
    for (const float v : values) t.real(4, v);
    return t;
}
inline wire float_tensor(std::string_view name, std::initializer_list<std::int64_t> shape,
                         std::initializer_list<float> values) {
    return float_tensor(name, shape, std::span<const float>(values.begin(), values.size()));
}

inline wire integer_attribute(std::string_view name, std::int64_t value) {
    return wire().text(1, name).number(3, value).number(20, 2);
}
inline wire real_attribute(std::string_view name, float value) {
    return wire().text(1, name).real(2, value).number(20, 1);
}
inline wire text_attribute(std::string_view name, std::string_view value) {
    return wire().text(1, name).text(4, value).number(20, 3);
}
inline wire integers_attribute(std::string_view name, std::initializer_list<std::int64_t> values) {
    wire a = wire().text(1, name);
    for (const std::int64_t v : values) a.number(8, v);
    return a.number(20, 7);
}
inline wire tensor_attribute(std::string_view name, const wire& tensor) {
    return wire().text(1, name).message(5, tensor).number(20, 4);
}
inline wire graph_attribute(std::string_view name, const wire& graph) {
    return wire().text(1, name).message(6, graph).number(20, 5);
}

/// Returns the description of a graph input or output. A dimension is a size, or -1, -2 or -3 for the names a, b or c.
inline wire value_info(std::string_view name, std::initializer_list<std::int64_t> shape, std::int64_t element = 1) {
    wire dimensions;
    for (const std::int64_t d : shape) {
        wire dimension;
        if (d < 0)
            dimension.text(2, std::string_view("abc").substr(static_cast<std::size_t>(-d - 1), 1));
        else
            dimension.number(1, d);
        dimensions.message(1, dimension);
    }
    const wire tensor = wire().number(1, element).message(2, dimensions);
    return wire().text(1, name).message(2, wire().message(1, tensor));
}

/// A model that is built node by node.
struct made_model {
    wire graph;
    std::int64_t opset = 17;

    made_model& input(std::string_view name, std::initializer_list<std::int64_t> shape, std::int64_t element = 1) {
        graph.message(11, value_info(name, shape, element));
        return *this;
    }
    made_model& initializer(const wire& tensor) {
        graph.message(5, tensor);
        return *this;
    }
    made_model& node(std::string_view op_type, std::initializer_list<std::string_view> inputs,
                     std::initializer_list<std::string_view> outputs, std::initializer_list<wire> attributes = {},
                     std::string_view name = {}, std::string_view domain = {}) {
        wire n;
        for (const std::string_view i : inputs) n.text(1, i);
        for (const std::string_view o : outputs) n.text(2, o);
        if (!name.empty()) n.text(3, name);
        n.text(4, op_type);
        for (const wire& a : attributes) n.message(5, a);
        if (!domain.empty()) n.text(7, domain);
        graph.message(1, n);
        return *this;
    }
    made_model& output(std::string_view name) {
        graph.message(12, value_info(name, {}));
        return *this;
    }

    std::string bytes() const {
        return wire().number(1, 8).message(7, graph).message(8, wire().number(2, opset)).bytes;
    }
};

inline relay::onnx::model model_of(std::string bytes, std::string name = "m.onnx") {
    return relay::onnx::model(
        std::make_shared<const file::mapped_file>(file::mapped_file::read_bytes{std::move(bytes)}), std::move(name));
}
inline relay::onnx::model model_of(const made_model& m) { return model_of(m.bytes()); }

/// Imports a model. Returns the printed program without type comments.
inline std::string imported(const made_model& m, const relay::onnx::import_options& options = {}) {
    return relay::to_text(relay::onnx::import_model(model_of(m), options),
                          {.version_line = false, .type_comments = false});
}
/// Imports a model. Returns the printed body of `main`, without indentation.
inline std::string imported_body(const made_model& m, const relay::onnx::import_options& options = {}) {
    const std::string text = imported(m, options);
    std::string body;
    for (std::size_t at = text.find("{\n") + 2; at < text.size() && text[at] != '}';) {
        const std::size_t end = text.find('\n', at);
        body += (body.empty() ? "" : "\n") + text.substr(at + 2, end - at - 2);
        at = end + 1;
    }
    return body;
}

/// Returns the error that `f` throws; empty if it throws none.
template <class F>
std::string refused(F&& f) {
    try {
        f();
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

inline std::string import_refused(const made_model& m, const relay::onnx::import_options& options = {}) {
    return refused([&] { relay::onnx::import_model(model_of(m), options); });
}

} // namespace tutti::test
