#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Maps the numbers in a text to expressions, separately for each definition. Such numbers are the 5 in `%5` and the 5
/// in `meta[relay.Constant][5]`.
///
/// Cost: constant for consecutive numbers that start small, a hash table lookup for others. Memory is proportional to
///       the defined numbers.
class numbering {
public:
    /// Starts a new definition, in which no number is defined.
    void next_definition() { ++definition_; }

    /// Returns the expression of a number in this definition, or none.
    expr_id find(std::uint32_t number) const {
        if (number < dense_.size() && dense_[number].definition == definition_) return dense_[number].e;
        return sparse_.empty() ? expr_id::none : find_sparse(number);
    }

    /// True if an earlier definition defined the number.
    bool elsewhere(std::uint32_t number) const {
        const entry* e = at(number);
        return e != nullptr && e->definition != 0 && e->definition != definition_;
    }

    /// Reserves memory for `numbers` further consecutive numbers.
    void expect(std::size_t numbers) { dense_.reserve(dense_.size() + numbers); }

    void define(std::uint32_t number, expr_id e) {
        // The limit grows with the count of definitions, not with the table, so that a few large numbers cannot inflate
        // the table.
        if (number < dense_.size()) {
            dense_[number] = {e, definition_};
        } else if (number < ++defined_ * 2 + 1024) {
            if (number != dense_.size()) dense_.resize(number);
            dense_.push_back({e, definition_});
        } else {
            define_sparse(number, e);
        }
    }

private:
    struct entry {
        expr_id e = expr_id::none;
        std::uint32_t definition = 0;
    };

    [[gnu::noinline]] expr_id find_sparse(std::uint32_t number) const {
        const entry* e = at(number);
        return e != nullptr && e->definition == definition_ ? e->e : expr_id::none;
    }

    [[gnu::noinline]] void define_sparse(std::uint32_t number, expr_id e) {
        const std::uint32_t place = sparse_places_.find_or_add(
            hash_finish(number), [&](std::uint32_t i) { return sparse_[i].number == number; },
            [&] { sparse_.push_back({number, {}}); });
        sparse_[place].what = {e, definition_};
    }

    const entry* at(std::uint32_t number) const {
        if (number < dense_.size() && (dense_[number].definition == definition_ || sparse_.empty()))
            return &dense_[number];
        const std::uint32_t place =
            sparse_places_.find(hash_finish(number), [&](std::uint32_t i) { return sparse_[i].number == number; });
        if (place != intern_index::absent) return &sparse_[place].what;
        return number < dense_.size() ? &dense_[number] : nullptr;
    }

    struct sparse_entry {
        std::uint32_t number = 0;
        entry what{};
    };

    plain_vector<entry> dense_;
    plain_vector<sparse_entry> sparse_;
    intern_index sparse_places_;
    std::size_t defined_ = 0; // count of definitions past the end of `dense_`
    std::uint32_t definition_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
