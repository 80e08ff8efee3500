#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/text/parse/characters.hpp>
#include <tutti/relay/text/parse/recent_words.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Removes trailing numbers after dots from a name. Returns `x` for `x.0.1`, which may be a field of a field of `%x`.
inline std::string_view without_fields(std::string_view name) {
    std::size_t end = name.size();
    for (std::size_t i = end; i-- > 0 && (name[i] == '.' || is_kind(name[i], digit));)
        if (name[i] == '.') end = i;
    return name.substr(0, end);
}

/// Maps names to variables, with nested scopes that may hide outer ones.
///
/// Cost: one comparison for a recent name, otherwise one hash; no allocation for a known name.
class scopes {
public:
    /// Largest count of numbers after dots that a name can contain, as in `x.0.1`. Further numbers are tuple fields.
    static constexpr std::size_t most_numbers = 4;

    /// Returns the largest count of numbers after dots in any bound name.
    std::size_t trailing_numbers() const { return trailing_numbers_; }

    /// Forgets all variables, but keeps the names.
    void clear() {
        for (const hidden_binding& h : hidden_) bound_[h.name] = {};
        for (const std::uint32_t name : for_good_) bound_[name] = {};
        hidden_.clear();
        for_good_.clear();
    }

    /// Returns the variable with this name, or none. Requires: the name is not empty.
    expr_id find(std::string_view name) {
        std::uint32_t& id = recent_[recent_place(name)];
        if (id >= names_.size() || !same_word(names_[string_id{id}], name)) id = index(names_.add(name));
        return id < bound_.size() ? bound_[id].variable : expr_id::none;
    }

    /// Returns a mark for `leave` and `bound_since`: the number of bound variables.
    std::size_t mark() const { return hidden_.size(); }

    /// True if the name was bound after the mark.
    bool bound_since(std::string_view name, std::size_t mark) {
        const std::uint32_t id = index(names_.add(name));
        return id < bound_.size() && bound_[id].depth > mark;
    }

    void bind(std::string_view name, expr_id variable) {
        binding& b = of(name);
        hidden_.push_back({index(names_.add(name)), b});
        b = {variable, static_cast<std::uint32_t>(hidden_.size())};
    }

    /// Binds a name in all scopes until `clear`.
    void bind_for_good(std::string_view name, expr_id variable) {
        of(name) = {variable, 0};
        for_good_.push_back(index(names_.add(name)));
    }

    /// Leaves the scopes entered after the mark.
    void leave(std::size_t mark) {
        for (; hidden_.size() > mark; hidden_.pop_back()) {
            binding& b = bound_[hidden_.back().name];
            if (b.depth != 0) b = hidden_.back().before;
        }
    }

    /// Returns the name most like `misspelt` among the last thousand bound names, or an empty string.
    std::string_view nearest(std::string_view misspelt) const {
        tutti::internal::nearest_name meant(misspelt);
        const std::size_t few = std::min<std::size_t>(hidden_.size(), 1000);
        for (const hidden_binding& h : hidden_.part(hidden_.size() - few, few)) meant.offer(names_[string_id{h.name}]);
        return meant.found();
    }

private:
    struct binding {
        expr_id variable = expr_id::none;
        std::uint32_t depth = 0; // number of bound variables, including this one; 0 for a name bound until `clear`
    };

    struct hidden_binding {
        std::uint32_t name;
        binding before;
    };

    binding& of(std::string_view name) {
        const std::uint32_t id = index(names_.add(name));
        if (id >= bound_.size()) bound_.resize(names_.size());
        if (is_kind(name.back(), digit)) {
            const auto numbers = std::ranges::count(name.substr(without_fields(name).size()), '.');
            trailing_numbers_ = std::clamp(static_cast<std::size_t>(numbers), trailing_numbers_, most_numbers);
        }
        return bound_[id];
    }

    string_table names_;
    std::array<std::uint32_t, recent_words> recent_{}; // the ids of recent names
    plain_vector<binding> bound_;                      // indexed by name
    plain_vector<hidden_binding> hidden_;
    plain_vector<std::uint32_t> for_good_;
    std::size_t trailing_numbers_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
