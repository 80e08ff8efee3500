#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The types of a table with tuples flattened. A tensor or function is one leaf. A tuple consists of the leaves of its
/// fields, in sequence.
///
/// Cost: linear in the table; no recursion.
class type_leaves {
public:
    /// Limit on the leaves of one value. Nested tuples in a short text could have exponentially many leaves.
    static constexpr std::uint32_t limit = 1U << 20;

    /// If `boxed`, tuples are not flattened, for programs in which tuples can be fields of other values.
    constexpr explicit type_leaves(const type_table& types, bool boxed = false)
        : types_(&types), counts_(types.size(), 0), firsts_(types.size(), 0) {
        for (std::uint32_t t = 0; t < types.size(); ++t) {
            if (boxed || types.kind(type_id{t}) != type_kind::tuple) {
                counts_[t] = 1;
                continue;
            }
            firsts_[t] = static_cast<std::uint32_t>(before_.size());
            std::uint32_t count = 0;
            for (const type_id field : types.fields(type_id{t})) {
                before_.push_back(count);
                count = std::min(count + counts_[index(field)], limit + 1);
            }
            counts_[t] = count;
        }
    }

    /// Returns the number of leaves of a type. Throws: `tutti::error` above the limit.
    constexpr std::uint32_t count(type_id type) const {
        const std::uint32_t n = counts_[index(type)];
        if (n > limit) throw error("a tuple", "has too many fields, counting nested ones", "no more than 2^20");
        return n;
    }

    /// Returns the number of leaves before a field. Requires: `tuple` is a tuple type with that field.
    constexpr std::uint32_t before(type_id tuple, std::uint32_t field) const {
        return before_[firsts_[index(tuple)] + field];
    }

    /// Calls `f(name, type)` for each leaf, with a name such as `x`, or `x.0`, `x.1.0` for a tuple's fields.
    template <class F>
    constexpr void for_each(const std::string& name, type_id type, F&& f) const {
        struct part {
            std::string name;
            type_id type;
        };
        count(type);
        vector<part> rest{{name, type}};
        while (!rest.empty()) {
            const part p = std::move(rest.back());
            rest.pop_back();
            if (types_->kind(p.type) != type_kind::tuple) {
                f(p.name, p.type);
                continue;
            }
            const auto fields = types_->fields(p.type);
            for (std::size_t i = fields.size(); i-- > 0;) {
                std::string field = p.name + '.';
                append_number(field, static_cast<std::int64_t>(i));
                rest.push_back({std::move(field), fields[i]});
            }
        }
    }

private:
    const type_table* types_;
    plain_vector<std::uint32_t> counts_; // indexed by type: number of leaves
    plain_vector<std::uint32_t> firsts_; // indexed by tuple type: the index in before_ of its first field
    plain_vector<std::uint32_t> before_; // indexed by field: number of leaves before the field in its tuple
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
