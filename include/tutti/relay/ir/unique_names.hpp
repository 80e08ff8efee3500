#pragma once

#include <tutti/base/form.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tutti::relay::inline TUTTI_FORM {

/// Makes names unique: "x" stays the first time; later ones become "x_1", "x_2" and so on.
///
/// Example: `unique_names names; names("x"); names("x");` returns "x", then "x_1"
class unique_names {
public:
    /// Returns `wanted` if it is new, otherwise the first new name of `wanted` with "_" and a number from 1 on.
    ///
    /// Cost: amortised, linear in the name's length.
    std::string operator()(std::string_view wanted) {
        std::string name(wanted);
        const auto [at, is_new] = numbers_.try_emplace(name, 0);
        if (is_new) return name;
        std::uint32_t& number = at->second; // references stay valid when the map grows
        do name = std::string(wanted) + "_" + std::to_string(++number);
        while (!numbers_.try_emplace(name, 0).second);
        return name;
    }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_; // by name: the last number tried after it
};

} // namespace tutti::relay::inline TUTTI_FORM
