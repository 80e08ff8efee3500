#pragma once

#include <tutti/error.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/limit.hpp>
#include <tutti/relay/text/base64.hpp>
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

/// Finds the constants in the JSON of a metadata section: nodes that refer to each other by their places.
class metadata_reader {
public:
    explicit metadata_reader(const nlohmann::json& all)
        : nodes_(&list(member(all, "nodes", "the section"), "nodes"))
        , arrays_(&all)
        , root_(number(member(all, "root", "the section"), "root")) {}

    std::vector<kernel::tensor> constants() {
        const nlohmann::json& map = node(root_);
        const nlohmann::json& keys = list(member(map, "keys", "the root node"), "the root node's keys");
        const nlohmann::json& places = list(member(map, "data", "the root node"), "the root node's data");
        if (keys.size() != places.size()) wrong("the root node has not as many data as keys");
        std::vector<kernel::tensor> found;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (keys[i] != "relay.Constant") continue;
            const nlohmann::json& array = node(number(places[i], "the place of the constants"));
            for (const nlohmann::json& place :
                 list(member(array, "data", "the constants' node"), "the constants' node"))
                found.push_back(constant(node(number(place, "a constant's place"))));
        }
        return found;
    }

private:
    [[noreturn]] static void wrong(std::string problem, std::string expected = {}) {
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
};

/// How many values the JSON of a section may have: each takes some 50 bytes, however short its text is.
inline constexpr std::uint64_t most_metadata_values = std::uint64_t{1} << 22;

} // namespace text

/// The constants of a metadata section, by number: what `parse_options::metadata` wants.
///
/// Throws:  `tutti::error` that says what is wrong with the section.
/// Example: `relay::parse(text, {.metadata = relay::read_metadata})`
inline std::vector<kernel::tensor> read_metadata(std::string_view section) {
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
    return text::metadata_reader(all).constants();
}

} // namespace tutti::relay
