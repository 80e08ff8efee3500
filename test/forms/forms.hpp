#pragma once

#include <string>
#include <string_view>

namespace forms {

struct result {
    std::string text;
    std::string type; // the mangled name of ir_module
    float value = 0;
};

result header_only(std::string_view text);
result compiled(std::string_view text);

} // namespace forms
