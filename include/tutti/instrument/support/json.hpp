#pragma once

#include <tutti/base/folder.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

// The JSON needed by instruments.

namespace tutti::internal {

/// Appends a text as a JSON string. Keeps invalid UTF-8.
[[gnu::cold]] inline void write_json_text(std::string_view text, std::string& out) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            (out += '\\') += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += c;
        }
    }
    out += '"';
}

/// Appends nanoseconds as microseconds: `12.345`.
[[gnu::cold]] inline void write_micros(std::int64_t nanoseconds, std::string& out) {
    char text[32];
    const bool negative = nanoseconds < 0;
    const std::int64_t size = negative ? -nanoseconds : nanoseconds;
    std::snprintf(text, sizeof text, "%s%lld.%03d", negative ? "-" : "", static_cast<long long>(size / 1000),
                  static_cast<int>(size % 1000));
    out += text;
}

} // namespace tutti::internal
