#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Makes names unique within a text: the second `p0` becomes `p01`, the third `p02`.
class unique_names {
public:
    /// Returns a name for another variable with this hint. A hint that does not start with a letter gets the prefix
    /// `v`.
    ///
    /// Characters that could not be read back become underscores: characters outside names, a dot that would read as a
    /// tuple's field, as in `x.0`, and a slash at the end. (The reference keeps them.)
    std::string next(std::string_view hint) {
        std::string name(hint);
        make_readable(name);
        if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name.insert(0, 1, 'v');
        const std::uint32_t known = index(taken_.add(name));
        if (is_new()) return name;
        std::string numbered;
        do {
            numbered = name + std::to_string(++last_[known]);
            taken_.add(numbered);
        } while (!is_new());
        return numbered;
    }

private:
    /// True if the name added last was free. Registers such a name.
    bool is_new() {
        if (taken_.size() == last_.size()) return false;
        last_.push_back(0);
        return true;
    }

    static void make_readable(std::string& name) {
        bool digits = true; // only digits up to the next dot or the end
        for (std::size_t i = name.size(); i-- > 0;) {
            const auto c = static_cast<unsigned char>(name[i]);
            if (c == '.') {
                if (digits || i + 1 == name.size() || name[i + 1] == '.' || name[i + 1] == '/') name[i] = '_';
            } else if (c == '/') {
                if (i + 1 == name.size() || name[i + 1] == '.' || name[i + 1] == '/') name[i] = '_';
            } else if (c >= 0x80 || (std::isalnum(c) == 0 && c != '_')) {
                name[i] = '_';
            }
            if (std::isdigit(static_cast<unsigned char>(name[i])) == 0) digits = false;
        }
    }

    string_table taken_;
    plain_vector<std::uint64_t> last_; // indexed by name: the last number appended to it
};

} // namespace tutti::relay::inline TUTTI_FORM::text
