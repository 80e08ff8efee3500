#pragma once

#include <tutti/pass/option_type.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/unpack.hpp>

namespace tutti {

/// Clause: a `P` describes its data members, which are its options.
///
/// Example, at namespace scope outside of any namespace, with `boost/hana/adapt_struct.hpp`:
/// `BOOST_HANA_ADAPT_STRUCT(fuse_ops, fuse_opt_level, max_depth);`
template <class P>
concept describes_options = boost::hana::Struct<P>::value;

namespace detail {

/// Calls `f(name, accessor)` for each option of a `P` in the order of their description; `accessor(pass)` is
/// the member.
template <class P, class F>
constexpr void for_each_option([[maybe_unused]] F&& f) {
    if constexpr (describes_options<P>)
        boost::hana::unpack(boost::hana::accessors<P>(), [&](auto... option) {
            (f(std::string_view(boost::hana::first(option).c_str()), boost::hana::second(option)), ...);
        });
}

template <class P, class Accessor>
using member_type = std::remove_cvref_t<decltype(std::declval<Accessor>()(std::declval<P&>()))>;

} // namespace detail

/// What came of setting an option.
enum class option_outcome { set, no_such_option, no_such_value };

/// Sets the option of that name; the words are as they stand in a pipeline's text. A name that is no option's
/// goes to the member that holds values by name (a map), if there is one.
template <class P>
constexpr option_outcome set_option(P& pass, std::string_view key, std::string_view value) {
    auto outcome = option_outcome::no_such_option;
    detail::for_each_option<P>([&](std::string_view name, auto get) {
        using T = detail::member_type<P, decltype(get)>;
        static_assert(option_value<T> || detail::keyed_option<T>,
                      "tutti::set_option(pass): an option must be of a type that can be read from text; specialise "
                      "tutti::option_type for it, or tutti::option_words for an enumeration");
        if constexpr (option_value<T>) {
            if (!detail::stands_for(key, name)) return;
            outcome = option_type<T>::read(value, get(pass)) ? option_outcome::set : option_outcome::no_such_value;
        }
    });
    if (outcome != option_outcome::no_such_option) return outcome;
    detail::for_each_option<P>([&](std::string_view, auto get) {
        using T = detail::member_type<P, decltype(get)>;
        if constexpr (detail::keyed_option<T>) {
            using entry = typename T::value_type;
            std::remove_const_t<typename entry::first_type> own_key;
            typename entry::second_type own_value{};
            option_type<decltype(own_key)>::read(key, own_key);
            const bool done = option_type<decltype(own_value)>::read(value, own_value);
            outcome = done ? option_outcome::set : option_outcome::no_such_value;
            if (done) get(pass).insert(get(pass).end(), entry{std::move(own_key), std::move(own_value)});
        }
    });
    return outcome;
}

} // namespace tutti
