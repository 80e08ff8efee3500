#pragma once

#include <tutti/diagnostic.hpp>
#include <tutti/pipeline/option_rows.hpp>
#include <tutti/runtime/any_pass.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// The first option that a pass does not take.
struct rejected_option {
    const option_text* option = nullptr; ///< null: it takes all of them
    bool value = false;                  ///< its value is wrong, not its name
    complaint said{};
};

/// Says what is wrong with an option that the pass of that name did not take.
[[gnu::cold]] inline rejected_option reject(std::string_view name, const option_rows& rows, const option_text& option,
                                            option_outcome why) {
    const std::string about = std::string{name} + ": option ", key = shortened(option.key);
    if (why == option_outcome::no_such_value) {
        std::string type;
        rows[tutti::find_option(rows, option.key).index].type->describe(type);
        return {
            &option,
            true,
            {about + key + ": `" + shortened(option.value) + "` is not of its type", type, std::string{option.value}}};
    }
    if (rows.empty()) return {&option, false, {about + key + ": it has no options", {}, std::string{option.key}}};
    std::vector<std::string> known;
    for (const option_row& row : rows)
        if (row.type->write) known.emplace_back(row.name);
    return {&option, false, unknown_name("option", option.key, std::move(known), about)};
}

/// Adds an option to those that a text gives; false if it gives one of that name already.
inline bool add_option(std::vector<option_text>& options, option_text option) {
    for (const option_text& each : options)
        if (same_word(each.key, option.key)) return false;
    options.push_back(option);
    return true;
}
/// Says that a text gives the pass of that name an option twice.
[[gnu::cold]] inline complaint given_twice(std::string_view name, std::string_view key) {
    return {std::string{name} + ": option " + std::string{key} + ": is given twice", "it once", std::string{key}};
}

/// Sets options of the pass of that name, as far as it takes them.
inline rejected_option set_options(std::string_view name, const option_rows& rows, void* pass,
                                   std::span<const option_text> options) {
    for (const option_text& option : options) empty_option(rows, pass, option.key);
    for (const option_text& option : options) {
        const option_outcome outcome = set_option(rows, pass, option.key, option.value);
        if (outcome != option_outcome::set) return reject(name, rows, option, outcome);
    }
    return {};
}

/// A pass that is known by name: what it says of itself, and how to make one with options.
template <class Unit, class Root = Unit>
struct registered_pass {
    std::string name{};
    int opt_level = 0;
    std::vector<std::string_view> required{}; ///< the names of the passes that sequentials run before it
    option_rows rows{};
    shared object{};                       ///< the pass as it is without options
    shared (*copy)(const void*) = nullptr; ///< copies it; null: it takes no options
    any_pass<Unit, Root> standard;         ///< likewise

    /// Its options, for people.
    std::vector<option_description> options() const { return describe_options(rows, object.get()); }

    /// The pass with these options, as far as it takes them.
    any_pass<Unit, Root> make(std::span<const option_text> options, rejected_option& rejected) const {
        if (options.empty()) return standard;
        shared pass = copy ? copy(object.get()) : object;
        rejected = set_options(name, rows, pass.get(), options);
        return standard.with_object(std::move(pass));
    }
};

/// An adaptor that is known by name: it makes a pass over a `Unit` of a pass over that, or over its parts.
template <class Unit, class Root = Unit>
struct registered_adaptor {
    std::string name; ///< with its label: `only_if[has_loops]`
    bool over_parts = false;
    /// `inner` is an `any_pass` over what its pass is to run over.
    any_pass<Unit, Root> (*make)(const void* inner, std::span<const option_text> options,
                                 rejected_option& rejected) = nullptr;
};

} // namespace tutti::runtime
