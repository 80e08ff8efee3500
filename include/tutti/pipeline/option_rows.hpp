#pragma once

#include <tutti/pipeline/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tutti {

/// How values of a type are read and written, without the type: one of these a type, whatever number of passes has such options.
struct option_operations {
    bool (*read)(std::string_view key, std::string_view word, void* member);
    void (*write)(const void* value, std::string& out); ///< null: the member holds values by names
    void (*describe)(std::string& out);                 ///< of a value
    /// Calls `write(key, value, out)` for the entries of a member that are not in `standard`, which may be null.
    void (*write_entries)(const void* member, const void* standard,
                          void (*write)(std::string_view key, const std::string& value, std::string& out),
                          std::string& out);
};

/// An option of a pass, without the pass's type.
struct option_row {
    std::string_view name;
    std::size_t offset; ///< of the member
    const option_operations* type;
};

/// The options of a pass as it is read and written at run time.
using option_rows = std::vector<option_row>;

/// An option of a pass, for people: its name, what it takes, and its value where it is not given.
struct option_description {
    std::string name;
    std::string type;      ///< "an integer", "True or False"
    std::string standard;  ///< as it is written in a pipeline's text
    bool any_name = false; ///< it takes values under any name; `type` is that of a value
};

namespace detail {

template <class T>
struct erased_option {
    static bool read(std::string_view, std::string_view word, void* member) {
        return option_type<T>::read(word, *static_cast<T*>(member));
    }
    static void write(const void* value, std::string& out) {
        option_type<T>::write(*static_cast<const T*>(value), out);
    }
    static void describe(std::string& out) { option_type<T>::describe(out); }
    static constexpr option_operations operations{read, write, describe, nullptr};
};

template <keyed_option Map>
struct erased_option<Map> {
    using value_type = option_type<typename Map::value_type::second_type>;

    static bool read(std::string_view key, std::string_view word, void* member) {
        return insert_keyed(key, word, *static_cast<Map*>(member));
    }
    static void describe(std::string& out) { value_type::describe(out); }
    static void write_entries(const void* member, const void* standard,
                              void (*write)(std::string_view, const std::string&, std::string&), std::string& out) {
        for (const auto& entry : *static_cast<const Map*>(member)) {
            bool usual = false;
            if (standard)
                for (const auto& each : *static_cast<const Map*>(standard)) usual = usual || each == entry;
            if (usual) continue;
            std::string value;
            value_type::write(entry.second, value);
            write(entry.first, value, out);
        }
    }
    static constexpr option_operations operations{read, nullptr, describe, write_entries};
};

inline const char* member_of(const void* pass, const option_row& row) {
    return static_cast<const char*>(pass) + row.offset;
}

inline std::size_t offset_of(const void* pass, const void* member) {
    return static_cast<std::size_t>(static_cast<const char*>(member) - static_cast<const char*>(pass));
}
// Not inline, so that each pass does not bring what makes a vector.
[[gnu::noinline, gnu::cold]] inline option_rows listed(const option_row* rows, std::size_t count) {
    return {rows, rows + count};
}

// The first option opens the bracket.
[[gnu::noinline, gnu::cold]] inline void write_option(std::string_view key, const std::string& value,
                                                      std::string& out) {
    out += out.ends_with('{') ? "" : ",";
    write_word(key, out);
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

/// Whether the option is a `T`.
template <class T>
bool is_of(const option_row& row) {
    return row.type == &detail::erased_option<T>::operations;
}

/// The options of a pass, in the order of their description; none if it describes none.
template <class P>
option_rows rows_of([[maybe_unused]] const P& pass) {
    if constexpr (describes_options<P> && detail::check_option_types<P>())
        return unpack_options<P>([&](const auto&... each) {
            const option_row rows[]{{each.name, detail::offset_of(&pass, &each(pass)),
                                     &detail::erased_option<option_member<P, decltype(each)>>::operations}...};
            return detail::listed(rows, sizeof...(each));
        });
    else
        return {};
}

/// What options there are, with the values that they have in `standard`.
[[gnu::cold]] inline std::vector<option_description> describe_options(const option_rows& rows, const void* standard) {
    std::vector<option_description> all;
    for (const option_row& row : rows) {
        option_description& option = all.emplace_back();
        option.name = row.name;
        option.any_name = row.type->write == nullptr;
        row.type->describe(option.type);
        if (row.type->write) row.type->write(detail::member_of(standard, row), option.standard);
    }
    return all;
}

/// Sets an option of the pass whose options are these, as `set_option(pass, key, value)` does.
inline option_outcome set_option(const option_rows& rows, void* pass, std::string_view key, std::string_view value) {
    const option_row* found = nullptr;
    for (const option_row& row : rows)
        if (row.type->write ? stands_for(key, row.name) : !found) {
            found = &row;
            if (row.type->write) break;
        }
    if (!found) return option_outcome::no_such_option;
    const bool done = found->type->read(key, value, static_cast<char*>(pass) + found->offset);
    return done ? option_outcome::set : option_outcome::no_such_value;
}

/// Appends the options of a pass that are not what `standard` has, `{key=value,key=[a,b]}`; all if that is null, nothing if there
/// are none.
[[gnu::noinline, gnu::cold]] inline void write_options(const option_rows& rows, const void* pass, const void* standard,
                                                       std::string& out) {
    const std::size_t start = out.size();
    out += '{';
    for (const option_row& row : rows) {
        const void* const member = detail::member_of(pass, row);
        const void* const usual = standard ? detail::member_of(standard, row) : nullptr;
        if (!row.type->write) {
            row.type->write_entries(member, usual, detail::write_option, out);
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

/// Appends those that are not what a default pass has; all, if there is no default pass.
template <class P>
void write_options([[maybe_unused]] const P& pass, [[maybe_unused]] std::string& out) {
    if constexpr (describes_options<P> && std::is_default_constructible_v<P>) {
        const P standard{};
        write_options(rows_of(pass), &pass, &standard, out);
    } else if constexpr (describes_options<P>) {
        write_options(rows_of(pass), &pass, nullptr, out);
    }
}

} // namespace tutti
