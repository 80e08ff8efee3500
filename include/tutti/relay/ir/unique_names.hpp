#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Makes names unique: the first "x" is unchanged, later ones become "x_1", "x_2" and so on.
///
/// Example: `unique_names names; names("x"); names("x");` returns "x", then "x_1"
class unique_names {
public:
    /// Returns `wanted` if it is new, otherwise the first new name among `wanted` + "_1", `wanted` + "_2", ….
    ///
    /// Cost: amortised linear in the name's length.
    std::string operator()(std::string_view wanted) {
        const std::uint32_t first = place_of(wanted);
        std::string name(wanted);
        if (first == tried_.size()) {
            tried_.push_back(0);
            return name;
        }
        do name = std::string(wanted) + "_" + std::to_string(++tried_[first]);
        while (place_of(name) != tried_.size());
        tried_.push_back(0);
        return name;
    }

private:
    // Returns the index of a name in `tried_`; this is the size of `tried_` if the name is new.
    std::uint32_t place_of(std::string_view name) { return index(names_.add(name)); }

    string_table names_;
    plain_vector<std::uint32_t> tried_; // indexed by name: the last suffix tried for it
};

} // namespace tutti::relay::inline TUTTI_FORM
