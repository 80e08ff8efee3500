#pragma once

#include <tutti/error.hpp>
#include <tutti/nearest.hpp>
#include <tutti/runtime/any_instrument.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// What an instrument that is made by name is given.
struct instrument_request {
    std::vector<std::string> passes{};             ///< around which passes it is to work; "all" stands for every one
    std::function<void(std::string_view)> write{}; ///< where it writes, when the context is left at the latest
};

/// An instrument that is known by name.
template <class Unit>
struct registered_instrument {
    std::string name;          ///< as it is written in an option: "op-diff"
    std::string help;          ///< what it does, in one line
    bool takes_passes = false; ///< it works around some passes, whose names it is to be given
    std::function<any_instrument<Unit>(instrument_request)> make{};
};

/// Instruments for passes over a `Unit` by their names, for programs that offer them to their users.
///
/// Example:
/// `known.add({"count", "Count the passes", false, [](auto request) { return counter{request.write}; }});`
template <class Unit>
class instrument_registry {
    std::vector<registered_instrument<Unit>> instruments_; // in the order of their names

public:
    /// Throws: `tutti::error` if there is one of that name.
    instrument_registry& add(registered_instrument<Unit> instrument) {
        const auto at = std::ranges::lower_bound(instruments_, instrument.name, {}, &registered_instrument<Unit>::name);
        if (at != instruments_.end() && at->name == instrument.name)
            throw error{"instrument " + instrument.name, "there is one of that name already", "another name"};
        instruments_.insert(at, std::move(instrument));
        return *this;
    }

    /// All instruments, in the order of their names.
    std::span<const registered_instrument<Unit>> list() const& { return instruments_; }
    void list() const&& = delete; // what it lists would be gone

    void find(std::string_view) const&& = delete;
    /// The instrument of that name, or null; valid until one is added.
    const registered_instrument<Unit>* find(std::string_view name) const& {
        const auto at = std::ranges::lower_bound(instruments_, name, {}, &registered_instrument<Unit>::name);
        return at != instruments_.end() && at->name == name ? &*at : nullptr;
    }

    /// An instrument of that name.
    ///
    /// Throws: `tutti::error` if there is none, with the name that was probably meant.
    any_instrument<Unit> make(std::string_view name, instrument_request request) const {
        if (const auto* found = find(name)) return found->make(std::move(request));
        nearest_name meant{name};
        std::string known;
        for (const auto& each : instruments_) {
            meant.offer(each.name);
            known += (known.empty() ? "" : ", ") + each.name;
        }
        const std::string problem = std::string{name} + ": no such instrument";
        if (meant.found().empty()) throw error{{}, problem, known.empty() ? known : "one of " + known};
        throw error{{}, problem + "; did you mean " + std::string{meant.found()} + "?"};
    }
};

} // namespace tutti::runtime
