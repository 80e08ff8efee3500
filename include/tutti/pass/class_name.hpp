#pragma once

#include <tutti/base/fixed_string.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tutti {

namespace detail {

// Returns the compiler's spelling of a type, such as "(anonymous namespace)::scale<2>". GCC and Clang end
// __PRETTY_FUNCTION__ with "T = TYPE]".
template <class T>
consteval auto written_type() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("T = ") + 4);
    text.remove_suffix(1);
    return text;
}

// Returns the name after all namespaces, without template arguments; empty if it is not an identifier, as for a lambda.
consteval std::string_view last_word(std::string_view type) {
    std::size_t begin = 0, end = type.size(), depth = 0;
    for (std::size_t i = 0; i < type.size(); ++i) {
        const char c = type[i];
        if (c == '<' && depth == 0 && i != begin) end = i;
        if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
        if (c != ':' || depth != 0) continue;
        begin = i + 1;
        end = type.size();
    }
    const char first = begin == end ? ' ' : type[begin];
    const bool is_word = first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
    return is_word ? type.substr(begin, end - begin) : std::string_view();
}

template <class T>
consteval auto stored_class_name() {
    constexpr bool is_named = std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T>;
    constexpr std::string_view word = is_named ? last_word(written_type<T>()) : std::string_view();
    char text[word.size() + 1]{};
    for (std::size_t i = 0; i < word.size(); ++i) text[i] = word[i];
    return fixed_string(text);
}
template <class T>
inline constexpr auto class_name_text = stored_class_name<T>();

} // namespace detail

/// The name of a class or an enumeration, without namespaces and template arguments; empty for lambdas and other types
/// whose names depend on the compiler.
///
/// Example: `static constexpr tutti::pass_info info{.name = tutti::class_name<fold_constant>};`, in the class itself
template <class T>
inline constexpr std::string_view class_name = detail::class_name_text<std::remove_cv_t<T>>.view();

} // namespace tutti
