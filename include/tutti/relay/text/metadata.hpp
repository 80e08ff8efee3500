#pragma once

#include <tutti/error.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/limit.hpp>
#include <tutti/relay/text/base64.hpp>
#include <tutti/relay/text/parse_options.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/relay/text/tensor_bytes.hpp>
#include <tutti/relay/text/write_metadata.hpp> // metadata of both directions in one header

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace tutti::relay {

namespace text {

/// How many values the JSON of a section may have: each takes some 50 bytes, however short its text is.
inline constexpr std::uint64_t most_metadata_values = std::uint64_t{1} << 22;

/// Finds the constants, and the attributes of calls, in the JSON of a metadata section: nodes that refer to each other by their
/// places.
class metadata_reader {
public:
    explicit metadata_reader(const nlohmann::json& all)
        : nodes_(&list(member(all, "nodes", "the section"), "nodes"))
        , arrays_(&all)
        , root_(number(member(all, "root", "the section"), "root")) {}

    metadata_content content() {
        const nlohmann::json& map = node(root_);
        const nlohmann::json& keys = list(member(map, "keys", "the root node"), "the root node's keys");
        const nlohmann::json& places = list(member(map, "data", "the root node"), "the root node's data");
        if (keys.size() != places.size()) wrong("the root node has not as many data as keys");
        metadata_content found;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::string& key = string(keys[i], "the root node's keys");
            const bool constants = key == "relay.Constant";
            if (!constants && !key.starts_with("relay.attrs.")) continue;
            const nlohmann::json& array = node(number(places[i], "the place of the constants"));
            if (!constants) found.attributes.push_back({.name = key});
            for (const nlohmann::json& place :
                 list(member(array, "data", "the constants' node"), "the constants' node")) {
                const nlohmann::json& each = node(number(place, "a constant's place"));
                if (constants)
                    found.constants.push_back(constant(each));
                else
                    found.attributes.back().calls.push_back(attributes(each));
            }
        }
        return found;
    }

private:
    [[noreturn, gnu::cold, gnu::noinline]] static void wrong(std::string problem, std::string expected = {}) {
        throw error("metadata", std::move(problem), std::move(expected));
    }

    static const nlohmann::json& member(const nlohmann::json& object, const char* name, const char* where) {
        if (!object.is_object()) wrong(std::string(where) + " is no JSON object");
        const auto at = object.find(name);
        if (at == object.end()) wrong(std::string(where) + " has no `" + name + '`');
        return *at;
    }
    static const nlohmann::json& list(const nlohmann::json& value, const char* what) {
        if (!value.is_array()) wrong(std::string(what) + ": no JSON list");
        return value;
    }

    // A place is a number, or text that is one.
    static std::size_t number(const nlohmann::json& value, const char* what) {
        if (value.is_number_unsigned()) return value.get<std::size_t>();
        if (value.is_string()) {
            const auto& text = value.get_ref<const std::string&>();
            std::size_t n = 0;
            const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
            if (bad == std::errc{} && end == text.data() + text.size()) return n;
        }
        wrong(std::string(what) + ": no number");
    }

    const nlohmann::json& node(std::size_t place) const {
        if (place >= nodes_->size())
            wrong("there is no node " + std::to_string(place), "less than " + std::to_string(nodes_->size()));
        return (*nodes_)[place];
    }

    static const std::string& string(const nlohmann::json& value, const char* what) {
        if (!value.is_string()) wrong(std::string(what) + ": no text");
        return value.get_ref<const std::string&>();
    }

    std::vector<kept_value> attributes(const nlohmann::json& n) {
        std::vector<kept_value> found;
        const nlohmann::json& all = member(n, "attrs", "a node of attributes");
        if (!all.is_object()) wrong("the attributes of a node are no JSON object");
        for (const auto& [name, value] : all.items()) {
            found.push_back({.name = name, .value = string(value, "an attribute")});
            std::size_t place = 0;
            const std::string& text = found.back().value;
            const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), place);
            if (bad != std::errc{} || end != text.data() + text.size() || place >= nodes_->size()) continue;
            if (!append_node(found.back().node, (*nodes_)[place], 0)) found.back().node.clear();
        }
        return found;
    }

    // What a node is, as the text writes attributes; false if that is not written. Lists are in lists at most.
    bool append_node(std::string& out, const nlohmann::json& n, int depth) {
        written_.take(1);
        const std::string& kind = string(member(n, "type_key", "a node"), "a node's type_key");
        if (kind == "Array") {
            out += '[';
            bool first = true;
            const auto data = n.find("data");
            if (data == n.end()) return out += ']', true;
            for (const nlohmann::json& place : list(*data, "a list's node")) {
                if (!first) out += ", ";
                first = false;
                if (depth == 2 || !append_node(out, node(number(place, "an element's place")), depth + 1)) return false;
            }
            out += ']';
            return true;
        }
        const auto attributes = n.find("attrs");
        const auto text_of = [&](const char* name) -> const std::string& {
            return string(member(*attributes, name, "a number's node"), "a number's node");
        };
        if (kind.empty()) {
            out += "None";
        } else if (kind == "runtime.String") {
            const auto text = n.find("repr_str");
            append_quoted(out, text == n.end() ? std::string() : string(*text, "a string's node"));
        } else if (kind == "tir.Any") {
            out += '?';
        } else if (attributes == n.end()) {
            return false;
        } else if (kind == "IntImm" && text_of("dtype") == "bool") {
            out += text_of("value") == "0" ? "False" : "True";
        } else if (kind == "IntImm") {
            out += text_of("value") + (text_of("dtype") == "int64" ? "i64" : "");
        } else if (kind == "FloatImm") {
            out += text_of("value") + 'f';
        } else {
            return false;
        }
        return true;
    }

    kernel::tensor constant(const nlohmann::json& n) {
        const nlohmann::json& attributes = member(n, "attrs", "a constant's node");
        const std::size_t place = number(member(attributes, "data", "a constant's node"), "a constant's data");
        const nlohmann::json& arrays = list(member(*arrays_, "b64ndarrays", "the section"), "b64ndarrays");
        if (place >= arrays.size() || !arrays[place].is_string()) wrong("there is no tensor " + std::to_string(place));
        if (read_.size() <= place) read_.resize(arrays.size());
        kernel::tensor& known = read_[place]; // constants may share a tensor
        if (!known.empty()) return known;
        const auto bytes = from_base64(arrays[place].get_ref<const std::string&>());
        if (!bytes) wrong("tensor " + std::to_string(place) + " is no base64");
        try {
            return known = from_bytes(*bytes);
        } catch (const error& e) {
            throw error("metadata, tensor " + std::to_string(place), e.problem(), e.expected());
        }
    }

    const nlohmann::json* nodes_;
    const nlohmann::json* arrays_;
    std::size_t root_;
    std::vector<kernel::tensor> read_; // by place in the arrays
    budget written_{{"metadata", "values of attributes", {}, most_metadata_values}};
};

} // namespace text

/// The constants of a metadata section, and the attributes of calls, by number: what `parse_options::metadata` wants.
///
/// Throws:  `tutti::error` that says what is wrong with the section.
/// Example: `relay::parse(text, {.metadata = relay::read_metadata})`
inline metadata_content read_metadata(std::string_view section) {
    nlohmann::json all;
    try {
        budget values({"metadata", "values in the section", {}, text::most_metadata_values});
        const auto count = [&](int, nlohmann::json::parse_event_t event, const nlohmann::json&) {
            using event_t = nlohmann::json::parse_event_t;
            if (event == event_t::value || event == event_t::object_start || event == event_t::array_start)
                values.take(1);
            return true;
        };
        all = nlohmann::json::parse(section, count);
    } catch (const nlohmann::json::exception& e) {
        throw error("metadata", std::string("the section is no JSON: ") + e.what());
    }
    return text::metadata_reader(all).content();
}

} // namespace tutti::relay
