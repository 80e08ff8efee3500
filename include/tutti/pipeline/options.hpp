#pragma once

#include <tutti/described.hpp>
#include <tutti/pipeline/option_type.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

/// What came of setting an option.
enum class option_outcome { set, no_such_option, no_such_value };

/// Sets the option of that name; the words are as they stand in a pipeline's text. A name that is no option's
/// goes to the member that holds values by name (a map), if there is one.
template <class P>
constexpr option_outcome set_option(P& pass, std::string_view key, std::string_view value) {
    auto outcome = option_outcome::no_such_option;
    for_each_option<P>([&](const auto& each) {
        using T = option_member<P, decltype(each)>;
        static_assert(option_value<T> || detail::keyed_option<T>,
                      "tutti::set_option(pass): an option must be of a type that can be read from text; specialise "
                      "tutti::option_type for it, or tutti::option_words for an enumeration");
        if constexpr (option_value<T>) {
            if (!detail::stands_for(key, each.name)) return;
            outcome = option_type<T>::read(value, each(pass)) ? option_outcome::set : option_outcome::no_such_value;
        }
    });
    if (outcome != option_outcome::no_such_option) return outcome;
    for_each_option<P>([&](const auto& each) {
        using T = option_member<P, decltype(each)>;
        if constexpr (detail::keyed_option<T>) {
            using entry = typename T::value_type;
            std::remove_const_t<typename entry::first_type> own_key;
            typename entry::second_type own_value{};
            option_type<decltype(own_key)>::read(key, own_key);
            const bool done = option_type<decltype(own_value)>::read(value, own_value);
            outcome = done ? option_outcome::set : option_outcome::no_such_value;
            if (done) each(pass).insert(each(pass).end(), entry{std::move(own_key), std::move(own_value)});
        }
    });
    return outcome;
}

} // namespace tutti
