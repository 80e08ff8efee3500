#pragma once

#include <tutti/error.hpp>
#include <tutti/nearest.hpp>
#include <tutti/pipeline/option_writing.hpp>
#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/pass_config.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

namespace detail {

// A word of a text for a message, which a long one would bury.
inline std::string shown(std::string_view word) {
    constexpr std::size_t most = 60;
    return word.size() <= most ? std::string{word} : std::string{word.substr(0, most)} + "...";
}

} // namespace detail

/// An option as it stands in a pipeline's text.
struct option_text {
    std::string_view key;
    std::string_view value;
};

/// The first option that a pass does not take, and why.
struct rejected_option {
    std::size_t index = 0;
    option_outcome why = option_outcome::set; ///< `set`: it takes all of them
};

/// A pass that is known by name: what it says of itself, and how to make one with options.
template <class Unit>
struct registered_pass {
    std::string name;
    int opt_level = 0;
    std::vector<option_description> options{};
    std::vector<std::string> required{}; ///< the names of the passes that sequentials run before it
    std::function<any_pass<Unit>(std::span<const option_text>, rejected_option&)> make{};
};

/// What is wrong with an option of a pass, and what was expected.
struct option_problem {
    std::string problem;
    std::string expected;
};

/// Says what is wrong with an option that a pass rejected.
template <class Unit>
option_problem explain(const registered_pass<Unit>& pass, const option_text& option, option_outcome why) {
    nearest_name meant{option.key};
    std::string known;
    const option_description* found = nullptr;
    for (const option_description& each : pass.options) {
        if (each.any_name && why == option_outcome::no_such_value && !found) found = &each;
        if (each.any_name) continue;
        if (tutti::detail::stands_for(option.key, each.name)) found = &each;
        meant.offer(each.name);
        known += (known.empty() ? "" : ", ") + each.name;
    }
    const std::string key = detail::shown(option.key);
    if (why == option_outcome::no_such_value)
        return {pass.name + ": option " + key + ": `" + detail::shown(option.value) + "` is not of its type",
                found ? found->type : std::string{}};
    if (pass.options.empty()) return {pass.name + ": option " + key + ": it has no options", {}};
    if (!meant.found().empty())
        return {pass.name + ": option " + key + ": no such option; did you mean " + std::string{meant.found()} + "?",
                {}};
    return {pass.name + ": option " + key + ": no such option", "one of " + known};
}

/// Passes over a `Unit` by their names, so that pipelines can be made from text.
///
/// A pass's options are its data members, described once (`describes_options`); names, types and defaults
/// follow from that.
///
/// Example: `runtime::registry<ir_module> known{relay::passes}; known.add<my_pass>();`
template <class Unit>
class registry {
    std::vector<registered_pass<Unit>> passes_; // in the order of their names
    config_keys keys_;

    template <class... P>
    static std::vector<std::string> names_of(passes<P...>) {
        return {std::string{P{}.info.name}...};
    }

    template <class P>
    void insert(registered_pass<Unit> pass) {
        const auto at = std::ranges::lower_bound(passes_, pass.name, {}, &registered_pass<Unit>::name);
        if (at != passes_.end() && at->name == pass.name)
            throw error{"pass " + pass.name, "there is one of that name already", "another name"};
        pass.required = names_of(required_of<P>{});
        if constexpr (requires { typename P::config; }) keys_.add(typename P::config{});
        passes_.insert(at, std::move(pass));
    }

public:
    registry() = default;
    template <class... P>
    explicit registry(passes<P...>) {
        (add<P>(), ...);
    }

    /// Adds a pass that is made with its options' defaults, and those options that a text gives.
    ///
    /// Requires: a `P` is default-constructible and a pass over `Unit`; if it has data members, it describes
    ///           them.
    /// Throws:   `tutti::error` if there is a pass of that name.
    template <class P>
    registry& add() {
        constexpr bool described = describes_options<P> || std::is_empty_v<P> || requires { typename P::members; };
        static_assert(
            described,
            "tutti::runtime::registry::add<P>(): a pass must describe its options; write "
            "static constexpr auto options = boost::hana::make_tuple(tutti::option{\"member\", &P::member}...); in it");
        return add(P{});
    }
    /// Adds a pass that is there already: `known.add(tutti::make_pass<"Name">(f))`. Those options that it describes can
    /// be given by a text, which then change a copy of it; the rest of it is as it is here, such as where a `print_pass` writes.
    ///
    /// Requires: it can be copied if it describes options.
    /// Throws:   `tutti::error` if there is a pass of that name.
    template <class P>
    registry& add(P made) {
        const shared held = shared::make(std::move(made));
        const P* const standard = static_cast<const P*>(held.get());
        registered_pass<Unit> pass{std::string{standard->info.name}, standard->info.opt_level,
                                   describe_options(*standard)};
        pass.make = [held](std::span<const option_text> options, rejected_option& rejected) {
            if constexpr (describes_options<P>) {
                if (options.empty()) return any_pass<Unit>::named(std::type_identity<P>{}, held, held);
                const shared copy = shared::make(P(*static_cast<const P*>(held.get())));
                P* const changed = static_cast<P*>(copy.get());
                for (std::size_t i = 0; i < options.size(); ++i) {
                    rejected = {i, set_option(*changed, options[i].key, options[i].value)};
                    if (rejected.why != option_outcome::set) break;
                }
                return any_pass<Unit>::named(std::type_identity<P>{}, copy, held);
            } else {
                if (!options.empty()) rejected = {0, option_outcome::no_such_option};
                return any_pass<Unit>::named(std::type_identity<P>{}, held, held);
            }
        };
        insert<P>(std::move(pass));
        return *this;
    }

    /// All passes, in the order of their names.
    std::span<const registered_pass<Unit>> list() const& { return passes_; }
    void list() const&& = delete; // what it lists would be gone

    void find(std::string_view) const&& = delete;
    /// The pass of that name, or null; valid until one is added.
    const registered_pass<Unit>* find(std::string_view name) const& {
        const auto at = std::ranges::lower_bound(passes_, name, {}, &registered_pass<Unit>::name);
        return at != passes_.end() && at->name == name ? &*at : nullptr;
    }

    /// The known name that a misspelt one was probably meant to be, or nothing.
    std::string_view nearest(std::string_view name) const {
        nearest_name meant{name};
        for (const auto& pass : passes_) meant.offer(pass.name);
        return meant.found();
    }

    /// "FuseOp: no such pass; did you mean FuseOps?"; or, where no name is near, with all of them as what was
    /// expected.
    option_problem explain_missing(std::string_view name) const {
        std::string problem = detail::shown(name) + ": no such pass";
        if (const std::string_view meant = nearest(name); !meant.empty())
            return {problem + "; did you mean " + std::string{meant} + "?", {}};
        std::string known;
        for (const auto& pass : passes_) known += (known.empty() ? "" : ", ") + pass.name;
        return {std::move(problem), known.empty() ? "a pass that was added, and none was" : "one of " + known};
    }

    /// A pass of that name with these options.
    ///
    /// Throws: `tutti::error` if there is no such pass, option, or value.
    any_pass<Unit> make(std::string_view name, std::span<const option_text> options = {}) const {
        const registered_pass<Unit>* pass = find(name);
        if (!pass) {
            option_problem said = explain_missing(name);
            throw error{{}, std::move(said.problem), std::move(said.expected)};
        }
        rejected_option rejected;
        auto made = pass->make(options, rejected);
        if (rejected.why != option_outcome::set) {
            option_problem said = explain(*pass, options[rejected.index], rejected.why);
            throw error{{}, std::move(said.problem), std::move(said.expected)};
        }
        return made;
    }

    /// The config keys that the passes ask for.
    const config_keys& config() const { return keys_; }
};

} // namespace tutti::runtime
