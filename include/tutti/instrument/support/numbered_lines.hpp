#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tutti::internal {

/// Combines two hashes. The order matters.
[[gnu::cold]] inline std::uint64_t combined(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t mixed = (a ^ (b + 0x9E3779B97F4A7C15U)) * 0xBF58476D1CE4E5B9U;
    return mixed ^ mixed >> 29U;
}

/// A hash table from hashes to numbers.
class key_table {
    std::vector<std::uint64_t> places_; // pairs of a key and a number plus 1; at least half of the pairs are free
    std::size_t count_ = 0;

    std::size_t place_of(std::uint64_t key) const {
        std::size_t at = 2 * (key & (places_.size() / 2 - 1));
        while (places_[at + 1] != 0 && places_[at] != key) at = (at + 2) & (places_.size() - 1);
        return at;
    }

public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    void clear() {
        places_.clear();
        count_ = 0;
    }
    std::uint64_t find(std::uint64_t key) const { return places_.empty() ? none : places_[place_of(key) + 1] - 1; }
    void set(std::uint64_t key, std::uint64_t number) {
        if (4 * (count_ + 1) > places_.size()) {
            std::vector<std::uint64_t> old(places_.empty() ? 64 : 2 * places_.size());
            old.swap(places_);
            for (std::size_t at = 0; at < old.size(); at += 2)
                if (old[at + 1] != 0) {
                    const std::size_t to = place_of(old[at]);
                    places_[to] = old[at];
                    places_[to + 1] = old[at + 1];
                }
        }
        const std::size_t at = place_of(key);
        count_ += places_[at + 1] == 0 ? 1 : 0;
        places_[at] = key;
        places_[at + 1] = number + 1;
    }
};

/// The lines of a text, and the numbered names of values in them, such as `%12`.
///
/// A numbered name is one of the prefixes, then letters, digits and underscores, the last of them a digit. The first
/// occurrence of a name defines a value; other occurrences refer to it. A name that begins a line and precedes `=` or
/// `:` defines a new value. A line that begins with `}` ends the scope of all names.
///
/// `prefixes` are separated by spaces. Without prefixes, there are no names.
///
/// Cost: linear.
class numbered_lines {
public:
    using numbers = std::vector<std::uint64_t>;

    std::string_view text;
    numbers begins;   ///< offset of each line; at the end, the offset at which another line would begin
    numbers firsts;   ///< for each line its first name; then the number of names
    numbers patterns; ///< for each line a hash of its text, in which numbers of names count as equal
    numbers hashes;   ///< for each line a hash of its text
    // For each name its place in the text: the beginning, the number at its end, and the end. Then its line and value.
    // Vectors of one type, since each type costs the compiler more than this class.
    numbers name_begins, name_numbers, name_ends, name_lines, name_values;
    numbers definitions; ///< for each value the name that defines it

    [[gnu::cold]] numbered_lines(std::string_view whole, std::string_view prefixes) : text(whole) {
        key_table scope, defined;
        for (std::size_t begin = 0; begin < text.size();) {
            std::size_t end = text.find('\n', begin);
            if (end == std::string_view::npos) end = text.size();
            begins.push_back(begin);
            firsts.push_back(names());
            read_line(begin, end, prefixes, scope, defined);
            if (text[begin] == '}') {
                scope.clear();
                defined.clear();
            }
            begin = end + 1;
            if (begin >= text.size()) begins.push_back(begin);
        }
        if (begins.empty()) begins.push_back(0);
        firsts.push_back(names());
    }
    std::size_t size() const { return begins.size() - 1; }
    std::string_view line(std::size_t i) const { return text.substr(begins[i], begins[i + 1] - 1 - begins[i]); }
    std::size_t names() const { return name_begins.size(); }
    std::string_view name(std::size_t n) const { return text.substr(name_begins[n], name_ends[n] - name_begins[n]); }
    /// The letters of a name, without its number.
    std::string_view stem(std::size_t n) const { return text.substr(name_begins[n], name_numbers[n] - name_begins[n]); }
    std::string_view number(std::size_t n) const {
        return text.substr(name_numbers[n], name_ends[n] - name_numbers[n]);
    }
    /// True if the name defines its value.
    bool is_definition(std::size_t n) const { return definitions[name_values[n]] == n; }
    /// The position of a name in its line, counted in names.
    std::size_t place(std::size_t n) const { return n - firsts[name_lines[n]]; }
    static std::uint64_t key_of(std::string_view name) { return combined(0, hash_part(start, name)); }

    /// Returns for each line a hash of its pattern and of the lines that define its values, which `known` gives. Without
    /// `known`, the hash covers everything that the line depends on.
    [[gnu::cold]] numbers hash_used(const numbers* known) const {
        numbers made = patterns;
        for (std::size_t n = 0; n < names(); ++n) {
            const std::size_t from = definitions[name_values[n]], at = name_lines[from], line = name_lines[n];
            made[line] = combined(made[line], (at == line ? 0 : (known ? *known : made)[at]) + place(from));
        }
        return made;
    }
    /// Returns for each line a hash of its pattern and of its users, like `hash_used`.
    [[gnu::cold]] numbers hash_users(const numbers* known) const {
        numbers made = patterns;
        for (std::size_t n = names(); n-- > 0;) {
            const std::size_t from = definitions[name_values[n]], at = name_lines[from], line = name_lines[n];
            if (at != line) // a sum, since the order of users does not matter
                made[at] += combined(combined((known ? *known : made)[line], place(n)), 1 + place(from));
        }
        return made;
    }

private:
    static constexpr std::uint64_t start = 14695981039346656037U;

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
    static std::uint64_t next(std::uint64_t hash, std::uint64_t c) { return (hash ^ c) * 1099511628211U; } // FNV-1a
    static std::uint64_t hash_part(std::uint64_t hash, std::string_view part) {
        for (const char c : part) hash = next(hash, static_cast<unsigned char>(c));
        return hash;
    }
    // Returns the length of the prefix at a position, or 0.
    static std::size_t prefix_at(std::string_view rest, std::string_view prefixes) {
        while (!prefixes.empty()) {
            std::size_t end = prefixes.find(' ');
            if (end == std::string_view::npos) end = prefixes.size();
            if (end > 0 && rest.substr(0, end) == prefixes.substr(0, end)) return end;
            prefixes.remove_prefix(end < prefixes.size() ? end + 1 : end);
        }
        return 0;
    }
    // True if the name begins the line, maybe after `let`, and its value is defined there.
    bool defines(std::size_t line, std::size_t begin, std::size_t end, std::size_t line_end) const {
        while (line < begin && text[line] == ' ') ++line;
        const std::string_view ahead = text.substr(line, begin - line);
        if (!ahead.empty() && ahead != "let ") return false;
        while (end < line_end && text[end] == ' ') ++end;
        return end < line_end && (text[end] == '=' || text[end] == ':');
    }
    void read_line(std::size_t line, std::size_t line_end, std::string_view prefixes, key_table& scope,
                   key_table& defined) {
        std::uint64_t pattern = start, hash = start;
        for (std::size_t at = line; at < line_end;) {
            const bool inside = at > line && is_word(text[at]) && is_word(text[at - 1]);
            const std::size_t prefix = inside ? 0 : prefix_at(text.substr(at, line_end - at), prefixes);
            std::size_t end = at + prefix;
            while (prefix != 0 && end < line_end && is_word(text[end])) ++end;
            std::size_t number = end;
            while (number > at + prefix && is_digit(text[number - 1])) --number;
            if (number == end) { // no name
                const std::string_view part = text.substr(at, end > at ? end - at : 1);
                pattern = hash_part(pattern, part);
                hash = hash_part(hash, part);
                at += part.size();
                continue;
            }
            const std::string_view whole = text.substr(at, end - at);
            const std::uint64_t key = key_of(whole);
            std::uint64_t value = scope.find(key);
            const bool begins_line = defines(line, at, end, line_end);
            if (value == key_table::none || (begins_line && defined.find(key) == value)) {
                value = definitions.size();
                definitions.push_back(names());
                scope.set(key, value);
            }
            if (begins_line) defined.set(key, value);
            name_begins.push_back(at);
            name_numbers.push_back(number);
            name_ends.push_back(end);
            name_lines.push_back(firsts.size() - 1);
            name_values.push_back(value);
            hash = hash_part(hash, whole);
            pattern = next(hash_part(pattern, whole.substr(0, number - at)), 256);
            at = end;
        }
        patterns.push_back(combined(0, pattern));
        hashes.push_back(combined(0, hash));
    }
};

} // namespace tutti::internal
