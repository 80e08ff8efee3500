#pragma once

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tutti::relay::text {

/// Names that are unique in a whole text: the second `p0` becomes `p01`, the third `p02`.
class unique_names {
public:
    /// The name for one more variable whose hint is given; `v` is put in front of a hint that starts with no
    /// letter.
    ///
    /// Characters that could not be read back become underscores: what is in no name, and a dot that would
    /// read as a tuple's field, as in `x.0`. (The reference leaves them.)
    std::string next(std::string_view hint) {
        std::string name(hint);
        make_readable(name);
        if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name.insert(0, 1, 'v');
        const auto known = taken_.find(name);
        if (known == taken_.end()) {
            taken_.emplace(name, 0);
            return name;
        }
        std::string numbered;
        do numbered = name + std::to_string(++known->second);
        while (taken_.contains(numbered));
        taken_.emplace(numbered, 0);
        return numbered;
    }

private:
    static void make_readable(std::string& name) {
        bool digits = true; // only digits up to the next dot
        for (std::size_t i = name.size(); i-- > 0;) {
            const auto c = static_cast<unsigned char>(name[i]);
            if (c == '.') {
                if (digits || i + 1 == name.size() || name[i + 1] == '.') name[i] = '_';
            } else if (c >= 0x80 || (std::isalnum(c) == 0 && c != '_')) {
                name[i] = '_';
            }
            if (std::isdigit(static_cast<unsigned char>(name[i])) == 0) digits = false;
        }
    }

    std::map<std::string, std::uint64_t, std::less<>> taken_; // by name: the number last put behind it
};

} // namespace tutti::relay::text
