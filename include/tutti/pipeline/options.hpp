#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/fixed_string.hpp>
#include <tutti/pipeline/option_type.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

namespace internal {

/// The result of setting an option.
enum class option_outcome { set, no_such_option, no_such_value, no_such_type };

/// An option in a pipeline's text.
struct option_text {
    std::string_view key;
    std::string_view value;
};

} // namespace internal

namespace detail {

/// Clause: `T` can be the type of an option, with a single value or with a map from arbitrary names to values.
template <class T>
concept option_member_type = option_value<T> || detail::keyed_option<T>;

/// The option that a key refers to, by index.
struct option_place {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    std::size_t index = none;
    std::size_t skip = 0; // length of the prefix `map.` before the name of an entry
    bool whole = false;   // the key is the name of a member that maps names to values
};

} // namespace detail

namespace internal {

/// Finds the option that a key refers to, among `count` options.
///
/// The name of an option refers to that option, `map.key` refers to an entry of the member `map`, and any other key
/// refers to an entry of the first member that maps names to values.
constexpr detail::option_place find_option(std::string_view key, std::size_t count, auto&& name_of, auto&& is_keyed) {
    detail::option_place found;
    std::size_t first = detail::option_place::none;
    for (std::size_t i = count; i-- > 0;) {
        const bool keyed = is_keyed(i);
        const std::string_view name = name_of(i);
        if (keyed) first = i;
        if (stands_for(key, name)) {
            if (!keyed || found.index == detail::option_place::none || found.skip != 0 || found.whole)
                found = {i, 0, keyed};
            if (!keyed) return found;
        } else if (keyed && !found.whole && found.skip <= name.size()) {
            detail::word_chars chars{key};
            if (detail::starts_with(chars, name) && !chars.done() && chars.next() == '.' && !chars.done())
                found = {i, name.size() + 1};
        }
    }
    return found.index == detail::option_place::none ? detail::option_place{first} : found;
}

} // namespace internal

namespace detail {

template <class P>
constexpr option_place place_of_option(std::string_view key) {
    return internal::unpack_options<P>([&](const auto&... each) {
        const std::string_view names[sizeof...(each) + 1]{each.name...};
        const bool keyed[sizeof...(each) + 1]{keyed_option<internal::option_member<P, decltype(each)>>...};
        return internal::find_option(
            key, sizeof...(each), [&](std::size_t i) { return names[i]; }, [&](std::size_t i) { return keyed[i]; });
    });
}

// Calls `f(option, place)` for the option that a key refers to.
template <class P, class F>
constexpr internal::option_outcome at_option(std::string_view key, F&& f) {
    const option_place place = place_of_option<P>(key);
    auto outcome = internal::option_outcome::no_such_option;
    std::size_t i = 0;
    for_each_option<P>([&](const auto& each) {
        if (i++ == place.index) outcome = f(each, place);
    });
    return outcome;
}

// Sets an entry of a member that maps names to values. If the key is the member's name, the word `[]` empties the
// member.
template <class Map>
constexpr bool set_keyed(std::string_view key, const option_place& place, std::string_view word, Map& map) {
    if (place.whole && is_empty_list(word)) {
        map = Map();
        return true;
    }
    using entry = typename Map::value_type;
    std::remove_const_t<typename entry::first_type> own_key;
    typename entry::second_type value{};
    word_chars chars{key};
    for (std::size_t i = 0; i < place.skip; ++i) chars.next();
    while (!chars.done()) own_key.push_back(chars.next());
    if (!option_type<decltype(value)>::read(word, value)) return false;
    for (auto& each : map)
        if (each.first == own_key) {
            each.second = std::move(value);
            return true;
        }
    map.insert(map.end(), entry{std::move(own_key), std::move(value)});
    return true;
}

} // namespace detail

namespace internal {

/// Sets the option that a key refers to. The key and the value are words, as written in a pipeline's text.
///
/// An unknown key becomes an entry of the first member that maps names to values, if there is one. `map.name=value`
/// sets an entry of the member `map`, and `map=[]` empties the map.
template <class P>
constexpr internal::option_outcome set_option(P& pass, std::string_view key, std::string_view value) {
    return detail::at_option<P>(key, [&](const auto& each, const detail::option_place& place) {
        using T = internal::option_member<P, decltype(each)>;
        bool done = false;
        if constexpr (detail::keyed_option<T>)
            done = detail::set_keyed(key, place, value, each(pass));
        else if constexpr (detail::option_value<T>)
            done = option_type<T>::read(value, each(pass));
        else
            return internal::option_outcome::no_such_type;
        return done ? internal::option_outcome::set : internal::option_outcome::no_such_value;
    });
}

/// Empties the member that a key refers to, if the member maps names to values. Call this for all keys of a text before
/// setting options, so that the text's entries replace the default entries.
template <class P>
constexpr void empty_option(P& pass, std::string_view key) {
    detail::at_option<P>(key, [&](const auto& each, const detail::option_place&) {
        using T = internal::option_member<P, decltype(each)>;
        if constexpr (detail::keyed_option<T>) each(pass) = T();
        return internal::option_outcome::set;
    });
}

} // namespace internal

namespace detail {

/// Returns the result that `set_option` would return for a `P`, without an object of that type.
template <class P>
constexpr internal::option_outcome check_option(std::string_view key, std::string_view value) {
    return detail::at_option<P>(key, [&](const auto& each, [[maybe_unused]] const option_place& place) {
        using T = internal::option_member<P, decltype(each)>;
        bool done = false;
        if constexpr (detail::keyed_option<T>)
            done = (place.whole && is_empty_list(value)) || accepts_word<typename T::value_type::second_type>(value);
        else if constexpr (option_value<T>)
            done = accepts_word<T>(value);
        else
            return internal::option_outcome::no_such_type;
        return done ? internal::option_outcome::set : internal::option_outcome::no_such_value;
    });
}

// Returns the first N characters of a text as a template argument.
template <std::size_t N>
consteval auto verbatim(std::string_view text) {
    char front[N + 1]{};
    for (std::size_t i = 0; i < N; ++i) front[i] = text[i];
    return fixed_string<N + 1>{front};
}

template <class P, fixed_string Option>
inline constexpr bool has_text_form = false;

template <class P, fixed_string Option>
consteval bool refuse_option_type() {
    static_assert(
        has_text_form<P, Option>,
        "tutti::option: an option must be of a type that can be written as text; specialise tutti::option_type for "
        "it, or tutti::option_words for an enumeration");
    return false;
}

/// Returns the name of the first option whose type cannot be written as text, or "".
template <class P>
consteval std::string_view unreadable_option() {
    std::string_view name;
    for_each_option<P>([&](const auto& each) {
        if (!option_member_type<internal::option_member<P, decltype(each)>> && name.empty()) name = each.name;
    });
    return name;
}

} // namespace detail

} // namespace tutti
