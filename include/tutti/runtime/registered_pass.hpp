#pragma once

#include <tutti/base/diagnostic.hpp>
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

namespace detail {

/// The first option that a pass rejects.
struct rejected_option {
    const tutti::internal::option_text* option = nullptr; ///< null if all options are accepted
    bool value = false;                                   ///< true if the value is wrong, false if the name is wrong
    tutti::internal::complaint said{};
};

/// Describes the mistake in an option that a pass rejected.
[[gnu::cold]] inline rejected_option reject(std::string_view name, const tutti::internal::option_rows& rows,
                                            const tutti::internal::option_text& option,
                                            tutti::internal::option_outcome why) {
    const std::string about = std::string{name} + ": option ", key = tutti::internal::shortened(option.key);
    if (why == tutti::internal::option_outcome::no_such_value) {
        std::string type;
        rows[tutti::internal::find_option(rows, option.key).index].type->describe(type);
        return {&option,
                true,
                {about + key + ": `" + tutti::internal::shortened(option.value) + "` is not of its type", type,
                 std::string{option.value}}};
    }
    if (rows.empty()) return {&option, false, {about + key + ": it has no options", {}, std::string{option.key}}};
    std::vector<std::string> known;
    for (const tutti::internal::option_row& row : rows)
        if (row.type->write) known.emplace_back(row.name);
    return {&option, false, tutti::internal::unknown_name("option", option.key, std::move(known), about)};
}

/// Appends an option read from a text. False if `options` already contains an option with this name.
inline bool add_option(std::vector<tutti::internal::option_text>& options, tutti::internal::option_text option) {
    for (const tutti::internal::option_text& each : options)
        if (tutti::internal::same_word(each.key, option.key)) return false;
    options.push_back(option);
    return true;
}
/// Returns the message for an option given twice.
[[gnu::cold]] inline tutti::internal::complaint given_twice(std::string_view name, std::string_view key) {
    return {std::string{name} + ": option " + std::string{key} + ": is given twice", "it once", std::string{key}};
}

/// Sets options of a pass, in order. Stops at the first rejected option and returns it.
inline rejected_option set_options(std::string_view name, const tutti::internal::option_rows& rows, void* pass,
                                   std::span<const tutti::internal::option_text> options) {
    for (const tutti::internal::option_text& option : options) tutti::internal::empty_option(rows, pass, option.key);
    for (const tutti::internal::option_text& option : options) {
        const tutti::internal::option_outcome outcome =
            tutti::internal::set_option(rows, pass, option.key, option.value);
        if (outcome != tutti::internal::option_outcome::set) return reject(name, rows, option, outcome);
    }
    return {};
}

} // namespace detail

/// A registered pass: its description, and a function that creates it with options.
template <class Unit, class Root = Unit>
struct registered_pass {
    std::string name{};
    int opt_level = 0;
    std::vector<std::string_view> required{}; ///< the names of the required passes
    tutti::internal::option_rows rows{};
    detail::shared object{};                       ///< the pass with default options
    detail::shared (*copy)(const void*) = nullptr; ///< copies the pass; null: it has no options
    any_pass<Unit, Root> standard;                 ///< `object` as a pass

    /// Returns descriptions of the pass's options.
    std::vector<tutti::internal::option_description> options() const {
        return tutti::internal::describe_options(rows, object.get());
    }

    /// Returns the pass with these options. Stops at the first rejected option and stores it in `rejected`.
    any_pass<Unit, Root> make(std::span<const tutti::internal::option_text> options,
                              detail::rejected_option& rejected) const {
        if (options.empty()) return standard;
        detail::shared pass = copy ? copy(object.get()) : object;
        rejected = detail::set_options(name, rows, pass.get(), options);
        return standard.with_object(std::move(pass));
    }
};

/// A registered adaptor, which turns a pass over a `Unit` or over its parts into another pass over a `Unit`.
template <class Unit, class Root = Unit>
struct registered_adaptor {
    std::string name; ///< including the label: `only_if[has_loops]`
    bool over_parts = false;
    /// Creates the adapted pass. `inner` points to an `any_pass` over a `Unit`, or over parts if `over_parts`.
    any_pass<Unit, Root> (*make)(const void* inner, std::span<const tutti::internal::option_text> options,
                                 detail::rejected_option& rejected) = nullptr;
};

} // namespace tutti::runtime
