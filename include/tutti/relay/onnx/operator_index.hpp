#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/string_table.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Numbers operators, identified by name and domain, from 0 in the order of addition.
class operator_index {
public:
    /// Returns the operator's number. If the operator is new, this is the previous `size()`.
    std::uint32_t add(std::string_view op_type, std::string_view domain) {
        key_.assign(domain).append(1, '\0').append(op_type);
        return index(names_.add(key_));
    }
    std::uint32_t size() const { return names_.size(); }

private:
    string_table names_; // domain, zero byte, name
    std::string key_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
