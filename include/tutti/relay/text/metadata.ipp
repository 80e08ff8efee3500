#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/text/base64.hpp>
#include <tutti/relay/text/json_document.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parse_options.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/relay/text/tensor_bytes.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace text {

/// Finds constants and attributes of calls in the JSON of a metadata section, whose nodes refer to each other by index.
class metadata_reader {
    using place = json_document::place;

public:
    explicit metadata_reader(const json_document& all)
        : all_(&all)
        , nodes_(list(member(json_document::root, "nodes", "the section"), "nodes"))
        , root_(number(member(json_document::root, "root", "the section"), "root")) {}

    metadata_content content() {
        const place map = node(root_);
        const vector<place> keys = list(member(map, "keys", "the root node"), "the root node's keys");
        const vector<place> places = list(member(map, "data", "the root node"), "the root node's data");
        if (keys.size() != places.size()) wrong("the root node has different numbers of keys and data");
        metadata_content found;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::string_view key = string(keys[i], "the root node's keys");
            const bool constants = key == "relay.Constant";
            if (!constants && !key.starts_with("relay.attrs.")) continue;
            const place array = node(number(places[i], "the place of the constants"));
            if (!constants) found.attributes.push_back({.name = std::string(key)});
            for (const place at : list(member(array, "data", "the constants' node"), "the constants' node")) {
                const place each = node(number(at, "a constant's place"));
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

    bool is(place v, json_kind kind) const { return all_->kind(v) == kind; }

    // Returns the member with this name, or none. Counts all members that it visits towards the limit.
    place find(place object, std::string_view name) {
        place found = json_document::none;
        std::uint64_t members = 1;
        all_->each_member(object, [&](std::string_view n, place v) {
            ++members;
            if (n == name) found = v;
        });
        looked_at_.take(members);
        return found;
    }
    place member(place object, const char* name, const char* where) {
        if (!is(object, json_kind::object)) wrong(std::string(where) + " is not a JSON object");
        const place at = find(object, name);
        if (at == json_document::none) wrong(std::string(where) + " has no `" + name + '`');
        return at;
    }
    vector<place> list(place v, const char* what) {
        if (!is(v, json_kind::list)) wrong(std::string(what) + ": not a JSON list");
        vector<place> all = all_->elements(v);
        looked_at_.take(all.size());
        return all;
    }

    // Returns an index, written as a number or as a string.
    std::size_t number(place v, const char* what) const {
        std::size_t n = 0;
        if ((is(v, json_kind::number) || is(v, json_kind::string)) && is_place(all_->text(v), n)) return n;
        wrong(std::string(what) + ": not a number");
    }
    static bool is_place(std::string_view text, std::size_t& n) {
        const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
        return bad == std::errc{} && end == text.data() + text.size();
    }

    place node(std::size_t at) const {
        if (at >= nodes_.size())
            wrong("there is no node " + std::to_string(at), "less than " + std::to_string(nodes_.size()));
        return nodes_[at];
    }

    std::string_view string(place v, const char* what) const {
        if (!is(v, json_kind::string)) wrong(std::string(what) + ": not a string");
        return all_->text(v);
    }

    vector<kept_value> attributes(place n) {
        vector<kept_value> found;
        const place all = member(n, "attrs", "a node of attributes");
        if (!is(all, json_kind::object)) wrong("the attributes of a node are not a JSON object");
        vector<std::pair<std::string_view, place>> members;
        all_->each_member(all, [&](std::string_view name, place v) { members.emplace_back(name, v); });
        looked_at_.take(members.size());
        std::sort(members.begin(), members.end()); // equal names stay in the order of the text
        for (std::size_t i = 0; i < members.size(); ++i) {
            const auto& [name, value] = members[i];
            if (i + 1 < members.size() && members[i + 1].first == name) continue; // the last one counts
            found.push_back({.name = std::string(name), .value = std::string(string(value, "an attribute"))});
            std::size_t at = 0;
            if (!is_place(found.back().value, at) || at >= nodes_.size()) continue;
            if (!append_node(found.back().node, nodes_[at], 0)) found.back().node.clear();
        }
        return found;
    }

    // Appends a node in the syntax of attributes. False if that syntax cannot express the node. Lists nest at most
    // once.
    bool append_node(std::string& out, place n, int depth) {
        written_.take(1);
        const std::string_view kind = string(member(n, "type_key", "a node"), "a node's type_key");
        if (kind == "Array") {
            out += '[';
            bool first = true;
            const place data = find(n, "data");
            if (data == json_document::none) return out += ']', true;
            for (const place at : list(data, "a list's node")) {
                if (!first) out += ", ";
                first = false;
                if (depth == 2 || !append_node(out, node(number(at, "an element's place")), depth + 1)) return false;
            }
            out += ']';
            return true;
        }
        const place attributes = find(n, "attrs");
        const auto text_of = [&](const char* name) {
            return string(member(attributes, name, "a number's node"), "a number's node");
        };
        if (kind.empty()) {
            out += "None";
        } else if (kind == "runtime.String") {
            const place text = find(n, "repr_str");
            append_quoted(out, text == json_document::none ? std::string_view() : string(text, "a string's node"));
        } else if (kind == "tir.Any") {
            out += '?';
        } else if (attributes == json_document::none) {
            return false;
        } else if (kind == "IntImm" && text_of("dtype") == "bool") {
            out += text_of("value") == "0" ? "False" : "True";
        } else if (kind == "IntImm") {
            out.append(text_of("value")).append(text_of("dtype") == "int64" ? "i64" : "");
        } else if (kind == "FloatImm") {
            out.append(text_of("value")).append("f");
        } else {
            return false;
        }
        return true;
    }

    kernel::tensor constant(place n) {
        const place attributes = member(n, "attrs", "a constant's node");
        const std::size_t at = number(member(attributes, "data", "a constant's node"), "a constant's data");
        if (!has_arrays_) {
            arrays_ = list(member(json_document::root, "b64ndarrays", "the section"), "b64ndarrays");
            has_arrays_ = true;
        }
        if (at >= arrays_.size() || !is(arrays_[at], json_kind::string))
            wrong("there is no tensor " + std::to_string(at));
        if (read_.size() <= at) read_.resize(arrays_.size());
        kernel::tensor& known = read_[at]; // constants may share a tensor
        if (!known.empty()) return known;
        const auto bytes = from_base64(all_->text(arrays_[at]));
        if (!bytes) wrong("tensor " + std::to_string(at) + " is not base64");
        try {
            return known = from_bytes(*bytes);
        } catch (const error& e) {
            throw error("metadata, tensor " + std::to_string(at), e.problem(), e.expected());
        }
    }

    const json_document* all_;
    budget written_{{"metadata", "values of attributes", {}, most_metadata_values}};
    budget looked_at_{{"metadata", "lookups of node members", {}, most_metadata_lookups}};
    vector<place> nodes_, arrays_;
    std::size_t root_;
    bool has_arrays_ = false;
    vector<kernel::tensor> read_; // indexed by position in `arrays_`
};

} // namespace text

TUTTI_INLINE metadata_content read_metadata(std::string_view section) {
    const text::json_document all(section, {"metadata", "values in the section", {}, text::most_metadata_values});
    return text::metadata_reader(all).content();
}

} // namespace tutti::relay::inline TUTTI_FORM
