#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/text/parse/characters.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// The names of data types, or of constructors, that a text declares.
///
/// Cost: one hash of the name per call; none while nothing is declared.
class declared_names {
public:
    bool empty() const { return count_ == 0; }

    /// Adds a name. False if it is declared already.
    bool declare(std::string_view name) {
        const std::uint32_t id = index(names_.add(name));
        if (id >= declared_.size()) declared_.resize(names_.size(), 0);
        if (declared_[id] != 0) return false;
        declared_[id] = 1;
        ++count_;
        return true;
    }
    bool has(std::string_view name) {
        if (empty()) return false;
        const std::uint32_t id = index(names_.add(name));
        return id < declared_.size() && declared_[id] != 0;
    }
    void offer_to(tutti::internal::nearest_name& meant) const {
        for (std::uint32_t id = 0; id < declared_.size(); ++id)
            if (declared_[id] != 0) meant.offer(names_[string_id{id}]);
    }

private:
    string_table names_;
    plain_vector<char> declared_; // indexed by name: true if declared
    std::size_t count_ = 0;
};

/// The data types and constructors that a text defines.
struct declarations {
    explicit declarations(std::string_view all) : text(all) {}

    std::string_view text;
    declared_names types;        ///< types defined so far, or, after the first call of `has_type`, all types
    declared_names constructors; ///< constructors of all types defined so far
    declared_names with_fields;  ///< constructors with fields
    bool searched = false;

    /// True if any part of the text defines a type with this name.
    bool has_type(std::string_view name) {
        if (!searched) search();
        return types.has(name);
    }

    /// True if a constructor has fields.
    bool has_fields(std::string_view name) { return with_fields.has(name); }

private:
    // Finds lines that begin with `type` or `extern type`. The verifier rejects a type found only in a comment.
    void search() {
        searched = true;
        const std::string_view word = "type ";
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) {
            const std::size_t line = text.rfind('\n', at) + 1; // 0 in the first line
            const std::string_view before = text.substr(line, at - line);
            if (before.find_first_not_of(" \t") != before.npos && before != "extern ") continue;
            std::size_t first = at + word.size();
            while (first < text.size() && text[first] == ' ') ++first;
            std::size_t end = first;
            while (end < text.size() && is_kind(text[end], letter | digit)) ++end;
            if (end != first) types.declare(text.substr(first, end - first));
        }
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::text
