#pragma once

#include <tutti/pipeline/options.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tutti::runtime {

/// An option of a pass, for people: its name, what it takes, and its value where it is not given.
struct option_description {
    std::string name;
    std::string type;      ///< "an integer", "True or False"
    std::string standard;  ///< as it is written in a pipeline's text
    bool any_name = false; ///< it takes values under any name; `type` is that of a value
};

/// The options of a pass, in the order of their description; none if it describes none. `standard` is the pass that one
/// is to which no text gives options.
template <class P>
std::vector<option_description> describe_options(const P& standard) {
    std::vector<option_description> all;
    for_each_option<P>([&](const auto& each) {
        using T = option_member<P, decltype(each)>;
        option_description option{std::string{each.name}, {}, {}};
        if constexpr (option_value<T>) {
            option_type<T>::describe(option.type);
            option_type<T>::write(each(standard), option.standard);
        } else {
            option.any_name = true;
            option_type<typename T::value_type::second_type>::describe(option.type);
        }
        all.push_back(std::move(option));
    });
    return all;
}

namespace detail {

// `standard` may be null: then all options are written.
template <class P>
void write_options([[maybe_unused]] const P& pass, [[maybe_unused]] const P* standard,
                   [[maybe_unused]] std::string& out) {
    if constexpr (describes_options<P>) {
        bool first = true;
        const auto write = [&](std::string_view key, const std::string& value) {
            out += first ? '{' : ',';
            first = false;
            tutti::detail::write_word(key, out);
            out += '=';
            out += value;
        };
        for_each_option<P>([&](const auto& each) {
            using T = option_member<P, decltype(each)>;
            static_assert(option_value<T> || tutti::detail::keyed_option<T>,
                          "tutti::runtime::write_options(pass): an option must be of a type that can be "
                          "written as text; "
                          "specialise tutti::option_type for it, or tutti::option_words for an enumeration");
            if constexpr (option_value<T>) {
                std::string value, usual;
                option_type<T>::write(each(pass), value);
                if (standard) option_type<T>::write(each(*standard), usual);
                if (value != usual) write(each.name, value);
            } else if constexpr (tutti::detail::keyed_option<T>) {
                for (const auto& entry : each(pass)) {
                    if (standard && std::ranges::find(each(*standard), entry) != each(*standard).end()) continue;
                    std::string value;
                    option_type<typename T::value_type::second_type>::write(entry.second, value);
                    write(entry.first, value);
                }
            }
        });
        if (!first) out += '}';
    }
}

} // namespace detail

/// Appends the options of a pass that are not what `standard` has, `{key=value,key=[a,b]}`; nothing if there are none.
template <class P>
void write_options(const P& pass, const P& standard, std::string& out) {
    detail::write_options(pass, &standard, out);
}
/// Appends those that are not what a default pass has; all, if there is no default pass.
template <class P>
void write_options(const P& pass, std::string& out) {
    if constexpr (describes_options<P> && std::is_default_constructible_v<P>)
        write_options(pass, P{}, out);
    else
        detail::write_options<P>(pass, nullptr, out);
}

} // namespace tutti::runtime
