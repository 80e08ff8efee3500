#pragma once

#include <tutti/instrument/support/numbered_lines.hpp>
#include <tutti/instrument/support/sequence_matcher.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::internal {

/// Matches the lines of two versions of a text in which values are numbered, so that a line whose numbers alone differ
/// counts as unchanged.
///
/// Lines are matched in order if they differ only in the numbers: first those with equal surroundings in the graph
/// of values, then the others. Values are matched by the lines that define them, or else by most of their uses. A line
/// is *kept* if each value in it matches the value at the same place of the other line. A comparison of the plain texts
/// is used instead if it finds as many equal lines.
///
/// Cost: memory for some numbers per line and name; time proportional to the number of lines times the number of
///       differing lines, up to a bound.
class line_matching {
    using numbers = numbered_lines::numbers;

public:
    static constexpr std::uint64_t none = key_table::none;

    /// A solution: for each line and value its counterpart, or none.
    struct pairs {
        numbers to_new, to_old; ///< lines that differ only in the numbers
        numbers value_new, value_old;
        numbers kept;          ///< 1 for each line of the old text that is kept, otherwise 0
        std::size_t changed{}; ///< number of old and new lines that are not kept
    };

    numbered_lines before, after;
    pairs found;
    std::string notes; ///< lines that state the numbers of values in kept lines where they differ from the old ones

    [[gnu::cold]] line_matching(std::string_view was, std::string_view is, std::string_view prefixes)
        : before(was, prefixes), after(is, prefixes) {
        restart();
        anchor(before.hashes, after.hashes);
        pairs plain = found;
        plain.kept = numbers(before.size());
        plain.changed = before.size() + after.size();
        for (std::size_t i = 0; i < before.size(); ++i)
            if (found.to_new[i] != none) {
                plain.kept[i] = 1;
                plain.changed -= 2;
            }
        if (plain.changed != 0 && before.names() != 0 && after.names() != 0) {
            match_structure();
            if (found.changed < plain.changed) write_notes();
            if (found.changed + count_notes() < plain.changed) return;
            notes.clear();
        }
        found = static_cast<pairs&&>(plain);
        const numbers kept = found.kept;
        anchor(before.patterns, after.patterns);
        match_values();
        keep();
        found.kept = kept;
    }

    /// True if an old line is not kept; false out of range.
    bool is_gone(std::size_t i) const { return i < found.kept.size() && found.kept[i] == 0; }
    /// True if a new line is no kept old line; false out of range.
    bool is_added(std::size_t j) const {
        return j < found.to_old.size() && (found.to_old[j] == none || found.kept[found.to_old[j]] == 0);
    }

private:
    std::size_t count_notes() const {
        std::size_t count = 0;
        for (const char c : notes) count += c == '\n' ? 1 : 0;
        return count;
    }
    void restart() {
        found.to_new.assign(before.size(), none);
        found.to_old.assign(after.size(), none);
    }
    // Matches lines with equal keys, in order, between the lines that are matched already.
    void anchor(const numbers& old_keys, const numbers& new_keys) {
        key_table in_old, in_new;
        for (std::size_t i = 0; i < before.size(); ++i)
            if (found.to_new[i] == none) in_old.set(old_keys[i], 0);
        for (std::size_t j = 0; j < after.size(); ++j)
            if (found.to_old[j] == none) in_new.set(new_keys[j], 0);
        numbers a, b, at_a, at_b;
        std::size_t i = 0, j = 0;
        while (i < before.size() || j < after.size()) {
            a.clear(), b.clear(), at_a.clear(), at_b.clear();
            for (; i < before.size() && found.to_new[i] == none; ++i)
                if (in_new.find(old_keys[i]) != none) a.push_back(old_keys[i]), at_a.push_back(i);
            for (; j < after.size() && found.to_old[j] == none; ++j)
                if (in_old.find(new_keys[j]) != none) b.push_back(new_keys[j]), at_b.push_back(j);
            if (!a.empty() && !b.empty()) {
                const sequence_matcher same{a.data(), a.size(), b.data(), b.size()};
                for (std::size_t x = 0, y = 0; x < a.size() && y < b.size();) {
                    if (same.gone(x)) {
                        ++x;
                    } else if (same.added(y)) {
                        ++y;
                    } else {
                        found.to_new[at_a[x]] = at_b[y];
                        found.to_old[at_b[y++]] = at_a[x++];
                    }
                }
            }
            while (i < before.size() && j < after.size() && found.to_new[i] == j) ++i, ++j;
        }
    }
    // Keys of lines, the most specific first.
    struct keys {
        numbers own, nearby_used, nearby, far, users, used;

        explicit keys(const numbered_lines& lines)
            : own(lines.patterns)
            , nearby_used(lines.hash_used(&own))
            , nearby(lines.hash_users(&own))
            , far(joined(lines.hash_used(&nearby_used), lines.hash_users(&nearby)))
            , users(joined(lines.hash_users(nullptr), nearby_used))
            , used(joined(lines.hash_used(nullptr), nearby)) {
            nearby = joined(nearby_used, nearby);
        }
    };
    void anchor_all(const keys& was, const keys& is) {
        anchor(was.used, is.used);
        anchor(was.users, is.users);
        anchor(was.far, is.far);
        anchor(was.nearby, is.nearby);
        anchor(was.nearby_used, is.nearby_used);
        anchor(was.own, is.own);
        match_values();
        keep();
    }
    static numbers joined(const numbers& a, const numbers& b) {
        numbers made = a;
        for (std::size_t i = 0; i < made.size(); ++i) made[i] = combined(made[i], b[i]);
        return made;
    }
    // Repeats the matching with the values that it has matched, as long as more lines are kept.
    void match_structure() {
        const keys was(before), is(after);
        restart();
        anchor_all(was, is);
        for (int round = 0; round < 4 && found.changed != 0; ++round) {
            pairs last = found;
            numbers old_keys = before.patterns, new_keys = after.patterns;
            for (std::size_t n = 0; n < before.names(); ++n)
                if (!before.is_definition(n))
                    old_keys[before.name_lines[n]] =
                        combined(old_keys[before.name_lines[n]], found.value_new[before.name_values[n]]);
            for (std::size_t n = 0; n < after.names(); ++n) {
                const std::uint64_t value = after.name_values[n];
                if (!after.is_definition(n))
                    new_keys[after.name_lines[n]] =
                        combined(new_keys[after.name_lines[n]], found.value_old[value] == none ? none - 1 : value);
            }
            restart();
            anchor(old_keys, new_keys);
            anchor_all(was, is);
            if (found.changed < last.changed) continue;
            found = static_cast<pairs&&>(last);
            return;
        }
    }
    void match_values() {
        found.value_new.assign(before.definitions.size(), none);
        found.value_old.assign(after.definitions.size(), none);
        // Pairs and votes: for each value a candidate and the number of uses for it, less those for others.
        numbers votes_new = found.value_new, votes_old = found.value_old;
        numbers count_new(votes_new.size()), count_old(votes_old.size());
        for (const bool by_use : {false, true})
            for (std::size_t i = 0; i < before.size(); ++i) {
                if (found.to_new[i] == none) continue;
                const std::size_t first = before.firsts[i], other = after.firsts[found.to_new[i]];
                for (std::size_t n = first; n < before.firsts[i + 1]; ++n) {
                    const std::size_t o = other + n - first, v = before.name_values[n], w = after.name_values[o];
                    if (found.value_new[v] != none || found.value_old[w] != none) continue;
                    if (!by_use) {
                        if (before.is_definition(n) && after.is_definition(o)) pair_values(v, w);
                        continue;
                    }
                    vote(votes_new, count_new, v, w);
                    vote(votes_old, count_old, w, v);
                }
            }
        for (std::size_t v = 0; v < votes_new.size(); ++v)
            if (votes_new[v] != none && votes_old[votes_new[v]] == v) pair_values(v, votes_new[v]);
    }
    void pair_values(std::size_t v, std::uint64_t w) {
        found.value_new[v] = w;
        found.value_old[w] = v;
    }
    static void vote(numbers& votes, numbers& counts, std::size_t of, std::uint64_t candidate) {
        if (counts[of] == 0) votes[of] = candidate;
        votes[of] == candidate ? ++counts[of] : --counts[of];
    }
    // Determines which lines are kept.
    void keep() {
        found.kept.assign(before.size(), 0);
        found.changed = before.size() + after.size();
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (found.to_new[i] == none || !agree(i, found.to_new[i])) continue;
            found.kept[i] = 1;
            found.changed -= 2;
        }
    }
    bool agree(std::size_t i, std::size_t j) const {
        const std::size_t count = before.firsts[i + 1] - before.firsts[i];
        if (count != after.firsts[j + 1] - after.firsts[j]) return false;
        std::size_t x = before.begins[i], y = after.begins[j];
        for (std::size_t n = before.firsts[i], o = after.firsts[j]; n < before.firsts[i + 1]; ++n, ++o) {
            if (before.text.substr(x, before.name_numbers[n] - x) != after.text.substr(y, after.name_numbers[o] - y))
                return false;
            if (found.value_new[before.name_values[n]] != after.name_values[o]) return false;
            x = before.name_ends[n];
            y = after.name_ends[o];
        }
        return before.text.substr(x, before.begins[i + 1] - 1 - x) == after.text.substr(y, after.begins[j + 1] - 1 - y);
    }

    // The names of a part of the text in which each name has one new number. `made` has four numbers for each: a hash of
    // the stem, the old number, the old name and the new one.
    struct segment {
        numbers made;
        key_table known;                   // finds the first of the four numbers
        std::size_t begin = none, end = 0; // the lines in which names have other numbers
    };
    // Adds the names of a kept line. False if one of them has another new number than in an earlier line.
    bool add(segment& to, std::size_t i) {
        const std::size_t first = before.firsts[i], other = after.firsts[found.to_new[i]];
        bool differs = false;
        for (const bool adds : {false, true})
            for (std::size_t n = first, o = other; n < before.firsts[i + 1]; ++n, ++o) {
                const std::uint64_t key = numbered_lines::key_of(before.name(n)), at = to.known.find(key);
                if (at != none && after.number(to.made[at + 3]) != after.number(o)) return false;
                differs = differs || before.number(n) != after.number(o);
                if (at != none || !adds) continue;
                to.known.set(key, to.made.size());
                to.made.push_back(numbered_lines::key_of(before.stem(n)));
                to.made.push_back(value_of(before.number(n)));
                to.made.push_back(n);
                to.made.push_back(o);
            }
        if (!differs) return true;
        if (to.begin == none) to.begin = i;
        to.end = i;
        return true;
    }
    void write_notes() {
        segment now;
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (found.kept[i] == 0 || add(now, i)) continue;
            write(now); // another scope
            now = {};
            add(now, i);
        }
        write(now);
    }
    // Returns a number without leading zeros, otherwise none.
    static std::uint64_t value_of(std::string_view digits) {
        if ((digits.size() > 1 && digits[0] == '0') || digits.size() > 15) return none;
        std::uint64_t n = 0;
        for (const char c : digits) n = 10 * n + static_cast<std::uint64_t>(c - '0');
        return n;
    }
    static int compare(const void* a, const void* b) {
        const auto *x = static_cast<const std::uint64_t*>(a), *y = static_cast<const std::uint64_t*>(b);
        while (*x == *y) ++x, ++y; // ends at the latest at the old name
        return *x < *y ? -1 : 1;
    }
    void write(segment& part) {
        if (part.begin == none) return;
        numbers& made = part.made;
        std::qsort(made.data(), made.size() / 4, 4 * sizeof(std::uint64_t), compare);
        std::string head = "renumbered in line";
        head.append(part.begin == part.end ? " " : "s ").append(std::to_string(part.begin + 1));
        if (part.begin != part.end) head.append("-").append(std::to_string(part.end + 1));
        head += ": ";
        std::string line;
        for (std::size_t i = 0, last = 0; i < made.size(); i = last + 4) {
            const std::uint64_t from = made[i + 1], to = value_of(after.number(made[i + 3]));
            for (last = i; last + 4 < made.size(); last += 4) {
                const std::uint64_t a = made[last + 5], b = value_of(after.number(made[last + 7]));
                if (from == none || to == none || a == none || b == none || made[last + 4] != made[i] ||
                    a - from != b - to)
                    break;
            }
            if (before.number(made[i + 2]) == after.number(made[i + 3])) continue;
            if (line.size() > 70) {
                notes.append(head).append(line).append("\n");
                line.clear();
            }
            line += line.empty() ? "" : ", ";
            write_range(before, made[i + 2], made[last + 2], line);
            line += " to ";
            write_range(after, made[i + 3], made[last + 3], line);
        }
        notes.append(head).append(line).append("\n");
    }
    static void write_range(const numbered_lines& in, std::size_t first, std::size_t last, std::string& out) {
        out.append(in.name(first));
        if (in.number(first) != in.number(last)) out.append("-").append(in.name(last));
    }
};

} // namespace tutti::internal
