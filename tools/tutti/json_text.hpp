#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace program {

/// Returns the text of a document with a final line break. Bytes that are not UTF-8 are replaced.
inline std::string json_text(const nlohmann::ordered_json& all, int indentation = 2) {
    return all.dump(indentation, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

} // namespace program
