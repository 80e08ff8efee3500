#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/text/base64.hpp>
#include <tutti/relay/text/tensor_bytes.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace tutti::relay {

/// The metadata section of a text with these constants: what `text_options::metadata` wants. The reference
/// reads it, too.
///
/// Example: `relay::to_text(m, {.metadata = relay::write_metadata})`
inline std::string write_metadata(std::span<const kernel::tensor> constants) {
    constexpr std::size_t first = 5; // node of a constant
    std::string places, nodes, arrays;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const std::string comma = i == 0 ? "" : ", ";
        places += comma + std::to_string(first + i);
        nodes += ", \n    {\n      \"type_key\": \"relay.Constant\", \n      \"attrs\": {\n        "
                 "\"_checked_type_\": \"0\", \n"
                 "        \"data\": \"" +
                 std::to_string(i) +
                 "\", \n        \"span\": \"0\", \n        \"virtual_device_\": \"3\"\n      }\n    }";
        arrays += (i == 0 ? "\n    \"" : ", \n    \"") + text::to_base64(text::to_bytes(constants[i])) + '"';
    }
    return "{\n  \"root\": 1, \n  \"nodes\": [\n    {\n      \"type_key\": \"\"\n    }, \n"
           "    {\n      \"type_key\": \"Map\", \n      \"keys\": [\n        \"relay.Constant\"\n      ], \n "
           "     \"data\": [2]\n    }, \n"
           "    {\n      \"type_key\": \"Array\", \n      \"data\": [" +
           places +
           "]\n    }, \n"
           "    {\n      \"type_key\": \"VirtualDevice\", \n      \"attrs\": {\n        \"device_type_int\": "
           "\"-1\", \n"
           "        \"memory_scope\": \"4\", \n        \"target\": \"0\", \n        \"virtual_device_id\": "
           "\"-1\"\n      }\n    }, \n"
           "    {\n      \"type_key\": \"runtime.String\"\n    }" +
           nodes + "\n  ], \n  \"b64ndarrays\": [" + arrays +
           "\n  ], \n  \"attrs\": {\"tvm_version\": \"0.11.1\"}\n}\n";
}

} // namespace tutti::relay
