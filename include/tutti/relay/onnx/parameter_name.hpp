#pragma once

#include <string>
#include <string_view>

namespace tutti::relay::onnx {

/// The parameter that an input of that name becomes: as the text may write it, with `_` for what it may not, and `input_` in front where
/// it begins with no letter.
inline std::string parameter_name(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = (c >= '0' && c <= '9') || c == '.';
        if (text.empty() && !letter) text = "input_";
        text += letter || digit ? c : '_';
    }
    return text.empty() ? "input" : text;
}

} // namespace tutti::relay::onnx
