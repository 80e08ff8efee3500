#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// A part of a composite value. The parts of its fields follow.
struct value_part {
    enum class kind : std::uint8_t { tensor, tuple, constructor, reference };

    kind what;
    std::uint32_t fields = 0;
    std::string_view name{}; ///< the constructor's name; empty for other kinds
};

/// Appends the printed form of a value: `Cons(…, Nil)`, `(…, …)`, `ref(…)`. `append(out, n)` writes the n-th tensor.
///
/// Cost: linear in the number of parts; no recursion.
template <class Append>
void append_value(std::string& out, std::span<const value_part> parts, Append&& append) {
    struct open_part {
        std::uint32_t left;
        bool pair; // true for a one-element tuple, which ends in a comma
    };
    plain_vector<open_part> open;
    std::size_t tensors = 0;
    for (const value_part& p : parts) {
        if (p.what == value_part::kind::tensor) append(out, tensors++);
        if (p.what == value_part::kind::constructor) out += p.name;
        if (p.what == value_part::kind::reference) out += "ref";
        const bool tuple = p.what == value_part::kind::tuple;
        if (p.fields != 0 || tuple) out += '(';
        if (p.fields != 0) {
            open.push_back({p.fields, tuple && p.fields == 1});
            continue;
        }
        if (tuple) out += ')';
        while (!open.empty() && --open.back().left == 0) {
            out += open.back().pair ? ",)" : ")";
            open.pop_back();
        }
        if (!open.empty()) out += ", ";
    }
}

} // namespace tutti::relay::inline TUTTI_FORM
