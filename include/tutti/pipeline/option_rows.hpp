#pragma once

#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti {

namespace detail {

/// The entries of a member that maps names to values. Values are strings, as written in a pipeline's text.
using option_entries = std::vector<std::pair<std::string, std::string>>;

/// Type-erased operations that read and write values. There is one object per type, shared by all passes.
struct option_operations {
    bool (*read)(std::string_view key, const option_place& place, std::string_view word, void* member);
    void (*write)(const void* value, std::string& out); ///< null if the member maps names to values
    void (*describe)(std::string& out);                 ///< appends a description of the values' type
    option_entries (*entries)(const void* member);      ///< equal for equal maps; null for a single value
    void (*empty)(void* member);                        ///< empties a map; null for a single value
};

} // namespace detail

namespace internal {

/// A type-erased option of a pass.
struct option_row {
    std::string_view name;
    std::size_t offset; ///< offset of the member in the pass
    const detail::option_operations* type;
};

/// The options of a pass for reading and writing at run time.
using option_rows = std::vector<option_row>;

/// A readable description of an option: its name, type and default.
struct option_description {
    std::string name;
    std::string type;      ///< "an integer", "True or False"
    std::string standard;  ///< the default, as written in a pipeline's text
    bool any_name = false; ///< the option takes values under any name; `type` is the type of a value
};

} // namespace internal

namespace detail {

// Visible, since the address of `operations` identifies a type for programs and their plugins.
template <class T>
struct [[gnu::visibility("default")]] erased_option {
    static bool read(std::string_view, const option_place&, std::string_view word, void* member) {
        return option_type<T>::read(word, *static_cast<T*>(member));
    }
    static void write(const void* value, std::string& out) {
        option_type<T>::write(*static_cast<const T*>(value), out);
    }
    static void describe(std::string& out) { option_type<T>::describe(out); }
    static constexpr option_operations operations{read, write, describe, nullptr, nullptr};
};

// Not inlined, and shared by all maps, so that string handling is compiled once.
[[gnu::noinline, gnu::cold]] inline void add_entry(std::string_view key, std::string&& value, bool sorted,
                                                   option_entries& entries) {
    std::size_t at = entries.size();
    entries.emplace_back(key, std::move(value));
    for (; sorted && at > 0 && entries[at].first < entries[at - 1].first; --at) entries[at].swap(entries[at - 1]);
}

template <keyed_option Map>
struct [[gnu::visibility("default")]] erased_option<Map> {
    using value_type = option_type<typename Map::value_type::second_type>;

    static bool read(std::string_view key, const option_place& place, std::string_view word, void* member) {
        return set_keyed(key, place, word, *static_cast<Map*>(member));
    }
    static void describe(std::string& out) { value_type::describe(out); }
    static option_entries entries(const void* member) {
        constexpr bool sorted = requires { typename Map::key_type; };
        option_entries all;
        for (const auto& entry : *static_cast<const Map*>(member)) {
            std::string value;
            value_type::write(entry.second, value);
            add_entry(entry.first, std::move(value), sorted, all);
        }
        return all;
    }
    static void empty(void* member) { *static_cast<Map*>(member) = Map(); }
    static constexpr option_operations operations{read, nullptr, describe, entries, empty};
};

inline const char* member_of(const void* pass, const internal::option_row& row) {
    return static_cast<const char*>(pass) + row.offset;
}

inline std::size_t offset_of(const void* pass, const void* member) {
    return static_cast<std::size_t>(static_cast<const char*>(member) - static_cast<const char*>(pass));
}
// Not inlined, so that passes do not instantiate vector construction.
[[gnu::noinline, gnu::cold]] inline internal::option_rows listed(const internal::option_row* rows, std::size_t count) {
    return {rows, rows + count};
}

// Appends an option, after a comma unless it is the first in the bracket.
[[gnu::noinline, gnu::cold]] inline void write_option(std::string_view key, const std::string& value,
                                                      std::string& out) {
    out += out.ends_with('{') ? "" : ",";
    internal::write_word(key, out);
    out.append("=").append(value);
}

template <class P>
consteval bool check_option_types() {
    constexpr std::string_view name = unreadable_option<P>();
    if constexpr (name.empty())
        return true;
    else
        return refuse_option_type<P, verbatim<name.size()>(name)>();
}

} // namespace detail

namespace internal {

/// True if the option's type is `T`.
template <class T>
bool is_of(const internal::option_row& row) {
    return row.type == &detail::erased_option<T>::operations;
}

/// Returns the options of a pass in the order of their description; an empty list if the pass describes none.
template <class P>
internal::option_rows rows_of([[maybe_unused]] const P& pass) {
    if constexpr (internal::describes_options<P> && detail::check_option_types<P>())
        return internal::unpack_options<P>([&](const auto&... each) {
            const internal::option_row rows[]{
                {each.name, detail::offset_of(&pass, &each(pass)),
                 &detail::erased_option<internal::option_member<P, decltype(each)>>::operations}...};
            return detail::listed(rows, sizeof...(each));
        });
    else
        return {};
}

/// Describes the options of a pass. The defaults are the values in the pass `standard`.
[[gnu::cold]] inline std::vector<internal::option_description> describe_options(const internal::option_rows& rows,
                                                                                const void* standard) {
    std::vector<internal::option_description> all;
    for (const internal::option_row& row : rows) {
        internal::option_description& option = all.emplace_back();
        option.name = row.name;
        option.any_name = row.type->write == nullptr;
        row.type->describe(option.type);
        if (row.type->write) row.type->write(detail::member_of(standard, row), option.standard);
    }
    return all;
}

/// Finds the option that a key refers to.
inline detail::option_place find_option(const option_rows& rows, std::string_view key) {
    return find_option(
        key, rows.size(), [&](std::size_t i) { return rows[i].name; },
        [&](std::size_t i) { return rows[i].type->write == nullptr; });
}

/// Sets an option of a pass whose type is erased, like `set_option(pass, key, value)`. `rows` are the pass's options.
inline internal::option_outcome set_option(const internal::option_rows& rows, void* pass, std::string_view key,
                                           std::string_view value) {
    const detail::option_place place = find_option(rows, key);
    if (place.index == detail::option_place::none) return internal::option_outcome::no_such_option;
    const internal::option_row& row = rows[place.index];
    const bool done = row.type->read(key, place, value, static_cast<char*>(pass) + row.offset);
    return done ? internal::option_outcome::set : internal::option_outcome::no_such_value;
}
/// Empties a member that maps names to values, in a pass whose type is erased, like `empty_option(pass, key)`.
inline void empty_option(const internal::option_rows& rows, void* pass, std::string_view key) {
    const detail::option_place place = find_option(rows, key);
    if (place.index == detail::option_place::none) return;
    const internal::option_row& row = rows[place.index];
    if (row.type->empty) row.type->empty(static_cast<char*>(pass) + row.offset);
}

} // namespace internal

namespace detail {

// Writes the entries of a member that maps names to values. Keys that would be ambiguous are prefixed with the member's
// name.
[[gnu::noinline, gnu::cold]] inline void write_entries(const internal::option_rows& rows, std::size_t row,
                                                       const option_entries& entries, std::string& out) {
    if (entries.empty()) return write_option(rows[row].name, "[]", out);
    for (const auto& [key, value] : entries) {
        std::string word;
        internal::write_word(key, word);
        const option_place place = internal::find_option(rows, word);
        if (place.index == row && place.skip == 0 && !place.whole) {
            write_option(key, value, out);
        } else {
            std::string full{rows[row].name};
            write_option(full.append(".").append(key), value, out);
        }
    }
}

} // namespace detail

namespace internal {

/// Appends the options of a pass that differ from those of `standard`, in the form `{key=value,key=[a,b]}`. Appends all
/// options if `standard` is null, and nothing if no option differs.
///
/// A member that maps names to values is written with all its entries, because reading one entry replaces all defaults.
[[gnu::noinline, gnu::cold]] inline void write_options(const internal::option_rows& rows, const void* pass,
                                                       const void* standard, std::string& out) {
    const std::size_t start = out.size();
    out += '{';
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const internal::option_row& row = rows[i];
        const void* const member = detail::member_of(pass, row);
        const void* const usual = standard ? detail::member_of(standard, row) : nullptr;
        if (!row.type->write) {
            const detail::option_entries entries = row.type->entries(member);
            if (!usual || entries != row.type->entries(usual)) detail::write_entries(rows, i, entries, out);
            continue;
        }
        std::string value, usual_value;
        row.type->write(member, value);
        if (usual) row.type->write(usual, usual_value);
        if (!usual || value != usual_value) detail::write_option(row.name, value, out);
    }
    if (out.size() == start + 1)
        out.resize(start);
    else
        out += '}';
}

/// The options in the text of a pipeline.
enum class written_options {
    changed, ///< those that differ from the defaults
    all      ///< all
};

/// Appends the options that differ from those of a default-constructed pass. Appends all options if there is no default
/// constructor, or if all are requested.
template <class P>
void write_options([[maybe_unused]] const P& pass, [[maybe_unused]] std::string& out,
                   [[maybe_unused]] written_options which = written_options::changed) {
    if constexpr (internal::describes_options<P> && std::is_default_constructible_v<P>) {
        const P standard{};
        write_options(rows_of(pass), &pass, which == written_options::all ? nullptr : &standard, out);
    } else if constexpr (internal::describes_options<P>) {
        write_options(rows_of(pass), &pass, nullptr, out);
    }
}

} // namespace internal

} // namespace tutti
