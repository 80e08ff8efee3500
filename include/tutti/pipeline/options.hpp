#pragma once

#include <tutti/described.hpp>
#include <tutti/fixed_string.hpp>
#include <tutti/pipeline/option_type.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

/// What came of setting an option.
enum class option_outcome { set, no_such_option, no_such_value, no_such_type };

/// An option as it stands in a pipeline's text.
struct option_text {
    std::string_view key;
    std::string_view value;
};

/// Clause: a `T` can be an option's type: of one value, or of values by names that the pass does not know beforehand.
template <class T>
concept option_member_type = option_value<T> || detail::keyed_option<T>;

namespace detail {

// f(option) for the option of that name; for the member that holds values by name, if there is one and no such option.
template <class P, class F>
constexpr option_outcome at_option(std::string_view key, F&& f) {
    auto outcome = option_outcome::no_such_option;
    for_each_option<P>([&](const auto& each) {
        if constexpr (!keyed_option<option_member<P, decltype(each)>>)
            if (stands_for(key, each.name)) outcome = f(each);
    });
    if (outcome != option_outcome::no_such_option) return outcome;
    for_each_option<P>([&](const auto& each) {
        if constexpr (keyed_option<option_member<P, decltype(each)>>) outcome = f(each);
    });
    return outcome;
}

template <class Map>
constexpr bool insert_keyed(std::string_view key, std::string_view word, Map& map) {
    using entry = typename Map::value_type;
    std::remove_const_t<typename entry::first_type> own_key;
    typename entry::second_type value{};
    read_word(key, own_key);
    if (!option_type<decltype(value)>::read(word, value)) return false;
    map.insert(map.end(), entry{std::move(own_key), std::move(value)});
    return true;
}

} // namespace detail

/// Sets the option of that name; the words are as they stand in a pipeline's text. A name that is no option's goes to the member
/// that holds values by name (a map), if there is one.
template <class P>
constexpr option_outcome set_option(P& pass, std::string_view key, std::string_view value) {
    return detail::at_option<P>(key, [&](const auto& each) {
        using T = option_member<P, decltype(each)>;
        bool done = false;
        if constexpr (detail::keyed_option<T>)
            done = detail::insert_keyed(key, value, each(pass));
        else if constexpr (option_value<T>)
            done = option_type<T>::read(value, each(pass));
        else
            return option_outcome::no_such_type;
        return done ? option_outcome::set : option_outcome::no_such_value;
    });
}

/// What `set_option` would do; no pass is made for it.
template <class P>
constexpr option_outcome check_option(std::string_view key, std::string_view value) {
    return detail::at_option<P>(key, [&](const auto& each) {
        using T = option_member<P, decltype(each)>;
        bool done = false;
        if constexpr (detail::keyed_option<T>)
            done = accepts_word<typename T::value_type::second_type>(value);
        else if constexpr (option_value<T>)
            done = accepts_word<T>(value);
        else
            return option_outcome::no_such_type;
        return done ? option_outcome::set : option_outcome::no_such_value;
    });
}

namespace detail {

// The front part of a text as a template argument.
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

} // namespace detail

/// The name of the first option whose type cannot be written as text; empty if there is none.
template <class P>
consteval std::string_view unreadable_option() {
    std::string_view name;
    for_each_option<P>([&](const auto& each) {
        if (!option_member_type<option_member<P, decltype(each)>> && name.empty()) name = each.name;
    });
    return name;
}

} // namespace tutti
