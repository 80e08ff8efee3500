#pragma once

#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::text {

/// Names that are unique in a whole text: the second `p0` becomes `p01`, the third `p02`.
class unique_names {
public:
    /// The name for one more variable whose hint is given; `v` is put in front of a hint that starts with no
    /// letter.
    ///
    /// Characters that could not be read back become underscores: what is in no name, a dot that would read as
    /// a tuple's field, as in `x.0`, and a slash that nothing follows. (The reference leaves them.)
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
    /// Whether the name that was asked for last was not taken before.
    bool is_new() {
        if (taken_.size() == last_.size()) return false;
        last_.push_back(0);
        return true;
    }

    static void make_readable(std::string& name) {
        bool digits = true; // only digits up to the next dot
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
    plain_vector<std::uint64_t> last_; // by name: the number last put behind it
};

} // namespace tutti::relay::text
