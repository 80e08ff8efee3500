#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/base64.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/relay/text/tensor_bytes.hpp>
#include <tutti/relay/text/text_options.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace text {

/// Writes the nodes of a metadata section, which refer to each other by index.
class metadata_writer {
public:
    /// Adds the nodes of `count` constants. Returns their indices, separated by commas.
    std::string constants(std::size_t count) {
        std::string places;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at =
                add("relay.Constant", "\"_checked_type_\": \"0\", \n        \"data\": \"" + std::to_string(i) +
                                          "\", \n        \"span\": \"0\", \n        "
                                          "\"virtual_device_\": \"3\"");
            places += (i == 0 ? "" : ", ") + std::to_string(at);
        }
        return places;
    }

    /// Adds the node of a call's attributes after the nodes that it refers to. Returns the index of the added node.
    std::size_t attributes(const kept_attributes& kept) {
        std::span<const attr_value> rest = kept.program->attrs()[kept.attributes];
        std::string members;
        for (const attr_field& f : kept.op->attributes) {
            const std::span<const attr_value> values = rest.empty() ? f.standard_values() : rest.first(extent(rest));
            rest = rest.subspan(rest.empty() ? 0 : values.size());
            members += (members.empty() ? "" : ", \n        ") + quoted(f.name) + ": ";
            if (values.empty())
                members += "\"0\"";
            else if (is_node(f))
                members += '"' + std::to_string(node(*kept.program, values)) + '"';
            else
                members += plain(*kept.program, values.front());
        }
        return add(kept.op->kept_as, members);
    }

    /// Adds the node of a list and returns its index. `places` lists the indices of the elements, with commas.
    std::size_t list(std::string_view places) {
        begin("Array");
        nodes_ += ", \n      \"data\": [" + std::string(places) + "]\n    }";
        return count_++;
    }

    const std::string& nodes() const { return nodes_; }

private:
    // Number of fixed nodes at the start of every section.
    static constexpr std::size_t first = 5;

    void begin(std::string_view kind) {
        nodes_ += ", \n    {\n      \"type_key\": \"";
        nodes_ += kind;
        nodes_ += '"';
    }
    std::size_t add(std::string_view kind, std::string_view members) {
        begin(kind);
        nodes_ += ", \n      \"attrs\": {\n        ";
        nodes_ += members;
        nodes_ += "\n      }\n    }";
        return count_++;
    }
    std::size_t number(std::string_view kind, std::string_view type, std::string_view value) {
        return add(kind, "\"dtype\": \"" + std::string(type) +
                             "\", \n        \"span\": \"0\", \n        \"value\": \"" + std::string(value) + '"');
    }

    // Adds the node of a value after the nodes of its elements. Returns the value's index, which is 0 for None.
    std::size_t node(const graph& g, std::span<const attr_value> values) {
        const attr_value v = values.front();
        switch (v.kind) {
        case attr_kind::none:
            return 0;
        case attr_kind::boolean:
            return number("IntImm", "bool", v.boolean() ? "1" : "0");
        case attr_kind::number:
            if (v.number().is_any()) return add("tir.Any", "\"dtype\": \"int32\", \n        \"span\": \"0\"");
            return number("IntImm", v.number().is_wide() ? "int64" : "int32", std::to_string(v.number().value()));
        case attr_kind::floating:
            return number("FloatImm", "float64", all_digits(v.floating()));
        case attr_kind::string:
        case attr_kind::dtype:
            begin("runtime.String");
            nodes_ += ", \n      \"repr_str\": " + plain(g, v) + "\n    }";
            return count_++;
        case attr_kind::list:
            break;
        }
        std::string places;
        values = values.subspan(1);
        for (std::uint32_t i = 0; i < v.count; ++i) { // lists nest at most once, so recursion is shallow
            places += (i == 0 ? "" : ", ") + std::to_string(node(g, values));
            values = values.subspan(extent(values));
        }
        return list(places);
    }

    static std::string plain(const graph& g, const attr_value& v) {
        switch (v.kind) {
        case attr_kind::boolean:
            return v.boolean() ? "\"1\"" : "\"0\"";
        case attr_kind::number:
            return '"' + std::to_string(v.number().value()) + '"';
        case attr_kind::floating:
            return '"' + all_digits(v.floating()) + '"';
        case attr_kind::string:
            return quoted(g.strings()[v.string()]);
        case attr_kind::dtype:
            return quoted(v.element() == dtype::none ? "" : kernel::name(v.element()));
        default:
            return "\"0\"";
        }
    }
    static std::string all_digits(double value) {
        std::array<char, 32> text{};
        return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
    }
    // Returns `value` as a JSON string.
    static std::string quoted(std::string_view value) {
        std::string text = "\"";
        for (const char c : value) {
            constexpr std::string_view digits = "0123456789abcdef";
            const auto code = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                text += '\\';
                text += c;
            } else if (code < 0x20) {
                text += "\\u00";
                text += digits[code >> 4U];
                text += digits[code & 15U];
            } else {
                text += c;
            }
        }
        return text + '"';
    }

    std::string nodes_;
    std::size_t count_ = first;
};

} // namespace text

TUTTI_INLINE std::string write_metadata(std::span<const kernel::tensor> constants,
                                        std::span<const kept_attributes> attributes) {
    text::metadata_writer writer;
    const std::string places = writer.constants(constants.size());
    std::string arrays;
    for (std::size_t i = 0; i < constants.size(); ++i)
        arrays += (i == 0 ? "\n    \"" : ", \n    \"") + text::to_base64(text::to_bytes(constants[i])) + '"';
    plain_vector<std::string_view> names; // names of kept attributes; `kept[i]` lists the nodes under `names[i]`
    vector<std::string> kept;
    for (const kept_attributes& each : attributes) {
        std::size_t of_name = 0;
        while (of_name < names.size() && names[of_name] != each.op->kept_as) ++of_name;
        if (of_name == names.size()) {
            names.push_back(each.op->kept_as);
            kept.emplace_back();
        }
        kept[of_name] += (kept[of_name].empty() ? "" : ", ") + std::to_string(writer.attributes(each));
    }
    std::string keys = "\"relay.Constant\"", data = "2";
    for (std::size_t i = 0; i < names.size(); ++i) {
        keys += ", \n        \"" + std::string(names[i]) + '"';
        data += ", " + std::to_string(writer.list(kept[i]));
    }
    return "{\n  \"root\": 1, \n  \"nodes\": [\n    {\n      \"type_key\": \"\"\n    }, \n"
           "    {\n      \"type_key\": \"Map\", \n      \"keys\": [\n        " +
           keys + "\n      ], \n      \"data\": [" + data +
           "]\n    }, \n"
           "    {\n      \"type_key\": \"Array\", \n      \"data\": [" +
           places +
           "]\n    }, \n"
           "    {\n      \"type_key\": \"VirtualDevice\", \n      \"attrs\": {\n        \"device_type_int\": "
           "\"-1\", \n"
           "        \"memory_scope\": \"4\", \n        \"target\": \"0\", \n        \"virtual_device_id\": "
           "\"-1\"\n      }\n    }, \n"
           "    {\n      \"type_key\": \"runtime.String\"\n    }" +
           writer.nodes() + "\n  ], \n  \"b64ndarrays\": [" + arrays +
           "\n  ], \n  \"attrs\": {\"tvm_version\": \"0.11.1\"}\n}\n";
}

} // namespace tutti::relay::inline TUTTI_FORM
