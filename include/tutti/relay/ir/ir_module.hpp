#pragma once

#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/order.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay {

/// A Relay program: functions by name, in the order of their names.
///
/// (The reference's IRModule; `module` alone is a word of the C++ grammar.)
class ir_module {
public:
    struct definition {
        std::string name;
        relay::function function;
    };

    constexpr ir_module() = default;

    /// A module whose `main` is `f`.
    constexpr explicit ir_module(function f) { set("main", std::move(f)); }

    /// Adds a function, or replaces the one of that name.
    constexpr void set(std::string_view name, function f) {
        const std::size_t at = place(name);
        if (at != size() && definitions_[at].name == name)
            definitions_[at].function = std::move(f);
        else
            definitions_.insert(definitions_.begin() + static_cast<std::ptrdiff_t>(at),
                                {std::string(name), std::move(f)});
    }

    /// Adds functions, or replaces those of their names.
    ///
    /// Requires: no two of them have one name.
    /// Cost:     linear in the module, n log n in what is added; one by one, each moves the functions of greater names.
    constexpr void set(std::vector<definition> added) {
        const auto order = sorted_places(
            added.size(), [&](std::uint32_t a, std::uint32_t b) { return added[a].name < added[b].name; });
        std::vector<definition> all;
        all.reserve(size() + added.size());
        auto old = definitions_.begin();
        for (const std::uint32_t next : order) {
            definition& d = added[next];
            while (old != definitions_.end() && old->name < d.name) all.push_back(std::move(*old++));
            if (old != definitions_.end() && old->name == d.name) ++old;
            all.push_back(std::move(d));
        }
        for (; old != definitions_.end(); ++old) all.push_back(std::move(*old));
        definitions_ = std::move(all);
    }

    /// The function of that name, or null.
    constexpr const function* find(std::string_view name) const {
        const std::size_t at = place_of(name);
        return at != size() ? &definitions_[at].function : nullptr;
    }
    constexpr function* find(std::string_view name) { return const_cast<function*>(std::as_const(*this).find(name)); }

    /// The place of the function of that name in the order of names; `size()` if there is none.
    constexpr std::size_t place_of(std::string_view name) const {
        const std::size_t at = place(name);
        return at != size() && definitions_[at].name == name ? at : size();
    }

    /// Takes out the functions for which `unwanted(definition)` holds; it is asked in the order of names, once for each.
    template <class Unwanted>
    constexpr void remove_if(Unwanted&& unwanted) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < definitions_.size(); ++i) {
            if (unwanted(std::as_const(definitions_[i]))) continue;
            if (kept != i) definitions_[kept] = std::move(definitions_[i]);
            ++kept;
        }
        definitions_.erase(definitions_.begin() + static_cast<std::ptrdiff_t>(kept), definitions_.end());
    }

    constexpr std::size_t size() const { return definitions_.size(); }
    constexpr auto begin() { return definitions_.begin(); }
    constexpr auto end() { return definitions_.end(); }
    constexpr auto begin() const { return definitions_.begin(); }
    constexpr auto end() const { return definitions_.end(); }

private:
    /// Where the function of that name stands, or would stand.
    constexpr std::size_t place(std::string_view name) const {
        return first_place(size(), [&](std::size_t i) { return definitions_[i].name < name; });
    }

    std::vector<definition> definitions_;
};

} // namespace tutti::relay
