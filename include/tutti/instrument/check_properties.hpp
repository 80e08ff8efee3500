#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/instrument/support/claimed_passes.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Checks the statements of passes about properties. Before a pass, its `needs` must hold. After it, its `gives` must
/// hold, and no property may be lost that the pass keeps. A pass without statements keeps all properties.
///
/// Checks all properties in the lists of the pipeline's passes for which `unit_traits<Unit>::holds(unit, property)`
/// exists. Sequentials and adaptors are not checked, but their members are. A pass that another pass runs is checked if
/// the pipeline contains a pass of its name. If passes with the same name differ in a statement, it is not checked.
///
/// Cost:    checks all properties before and after each pass.
/// Throws:  `tutti::error` from its hooks: "after Fuse: typed no longer holds; …".
/// Example: `tutti::instrument::check_properties checks{tutti::instrument::claimed_passes<program>(pipeline)};`
class check_properties {
    using property_name = tutti::internal::property_name;
    struct known_pass {
        std::string name;
        std::vector<const tutti::internal::property_claims*> claims{};
    };
    struct known_property {
        const property_name* name;
        const void* unit;
        bool (*holds)(const void*);
    };
    struct held_before {
        std::vector<char> properties{};
    };

    std::vector<known_pass> passes_;
    std::vector<known_property> properties_;
    pass_frames<held_before> frames_;

    void add(const claimed_pass& pass) {
        std::size_t i = 0;
        while (i != passes_.size() && passes_[i].name != pass.name) ++i;
        if (i == passes_.size()) passes_.push_back({pass.name});
        passes_[i].claims.push_back(pass.claims);
        for (const tutti::internal::property_row& row : pass.rows)
            for (const tutti::internal::property_check& each : row.checks) {
                bool is_known = each.holds == nullptr;
                for (const known_property& known : properties_)
                    is_known = is_known || (known.unit == row.unit && *known.name == *each.name);
                if (!is_known) properties_.push_back({each.name, row.unit, each.holds});
            }
    }
    const known_pass* find(const pass_info& pass) const {
        if (pass.kind == pass_kind::pass)
            for (const known_pass& each : passes_)
                if (each.name == pass.name) return &each;
        return nullptr;
    }
    // True if all passes of this name make the statement.
    template <class F>
    static bool all(const known_pass& pass, F&& states) {
        for (const tutti::internal::property_claims* each : pass.claims)
            if (!states(each)) return false;
        return true;
    }
    static bool gives(const known_pass& pass, const property_name& property) {
        return all(pass, [&](const auto* claims) { return claims && claims->gives.contains(property); });
    }
    static bool keeps(const known_pass& pass, const property_name& property) {
        return all(pass, [&](const auto* claims) { return !claims || !claims->loses(property); });
    }
    static bool needs(const known_pass& pass, const property_name& property) {
        return all(pass, [&](const auto* claims) { return claims && claims->needs.contains(property); });
    }
    [[noreturn, gnu::cold]] static void refuse(std::string_view when, std::string_view pass,
                                               const property_name& property, std::string_view what,
                                               std::string expected) {
        raise(error{std::string{when}.append(" ").append(pass), std::string{property.text}.append(" ").append(what),
                    std::move(expected)});
    }

public:
    static constexpr std::string_view name = "check_properties";

    explicit check_properties(const std::vector<claimed_pass>& passes) {
        for (const claimed_pass& each : passes) add(each);
    }

    /// Returns an instrument for a part transformed in parallel; see `tutti::forks`.
    check_properties fork() const { return *this; }
    void join(check_properties&&) {}

    void enter_pass_ctx() { frames_.enter(); }
    void exit_pass_ctx() { frames_.exit(); }
    template <class Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        const known_pass* const pass = find(info);
        held_before held;
        if (pass != nullptr)
            for (const known_property& each : properties_) {
                const bool here = each.unit == &tutti::internal::unit_mark<Unit>;
                held.properties.push_back(here && each.holds(&unit) ? 1 : 0);
                if (here && held.properties.back() == 0 && needs(*pass, *each.name))
                    refuse("before", info.name, *each.name, "does not hold",
                           "a pass that gives it before one that needs it");
            }
        frames_.begin(info, std::move(held));
    }
    template <class Unit>
    void run_after_pass(const Unit& unit, const pass_info& info) {
        std::vector<char> held;
        frames_.end(info, [&](held_before& frame) { held = std::move(frame.properties); });
        const known_pass* const pass = find(info);
        if (pass == nullptr || held.size() != properties_.size()) return;
        for (std::size_t i = 0; i != properties_.size(); ++i) {
            const known_property& each = properties_[i];
            if (each.unit != &tutti::internal::unit_mark<Unit>) continue;
            const bool is_given = gives(*pass, *each.name), is_kept = held[i] != 0 && keeps(*pass, *each.name);
            if ((!is_given && !is_kept) || each.holds(&unit)) continue;
            if (is_given)
                refuse("after", info.name, *each.name, "does not hold, although the pass gives it",
                       "a pass to give what it states in its gives");
            refuse("after", info.name, *each.name, "no longer holds, although the pass does not break it",
                   "a pass to list in its breaks what it may break");
        }
    }
    template <class Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        frames_.end(info);
    }
};

} // namespace tutti::instrument
