#pragma once

#include <tutti/base/form.hpp>

#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Converts a foreign name, such as a tensor's name in a model file, to a variable name for Relay text. Letters, digits
/// and underscores stay, and so do dots before letters or underscores. Other characters become underscores. A name that
/// would not begin with a letter gets the prefix `v`, as in the printer.
///
/// Distinct names may become equal.
///
/// Example: `text_name("Identity_1:0")` is "Identity_1_0", `text_name("0/conv.weight.1")` "v0_conv.weight_1"
inline std::string text_name(std::string_view name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (i == 0 && !is_letter(c)) text = "v";
        const bool stays =
            is_letter(c) || (c >= '0' && c <= '9') ||
            (c == '.' && i != 0 && i + 1 < name.size() && (is_letter(name[i + 1]) || name[i + 1] == '_'));
        text += stays ? c : '_';
    }
    return text.empty() ? "v" : text;
}

} // namespace tutti::relay::inline TUTTI_FORM
