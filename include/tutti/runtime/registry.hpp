#pragma once

#include <tutti/named_table.hpp>
#include <tutti/pipeline/option_rows.hpp>
#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/pass_config.hpp>
#include <tutti/runtime/scope.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

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

/// Says what is wrong with an option that a pass rejected.
template <class Unit>
complaint explain(const registered_pass<Unit>& pass, const option_text& option, option_outcome why) {
    const std::string about = pass.name + ": option ";
    if (why == option_outcome::no_such_value) {
        std::string expected;
        for (const option_description& each : pass.options)
            if (stands_for(option.key, each.name) || (each.any_name && expected.empty())) expected = each.type;
        return {about + shortened(option.key) + ": `" + shortened(option.value) + "` is not of its type",
                std::move(expected), std::string{option.value}};
    }
    if (pass.options.empty())
        return {about + shortened(option.key) + ": it has no options", {}, std::string{option.key}};
    std::vector<std::string> known;
    for (const option_description& each : pass.options)
        if (!each.any_name) known.push_back(each.name);
    return unknown_name("option", option.key, std::move(known), about);
}

/// Passes over a `Unit` by their names, so that pipelines can be made from text.
///
/// A pass's options are its data members, described once (`describes_options`); names, types and defaults
/// follow from that.
///
/// Example: `runtime::registry<ir_module> known{relay::passes}; known.add<my_pass>();`
template <class Unit>
class registry : public named_table<registered_pass<Unit>> {
    using table = named_table<registered_pass<Unit>>;
    config_keys keys_;

    template <class... P>
    static std::vector<std::string> names_of(passes<P...>) {
        return {std::string{P{}.info.name}...};
    }

    template <class P>
    void insert(registered_pass<Unit> pass) {
        pass.required = names_of(typename tutti::detail::required_of<P>::type{});
        if constexpr (requires { typename P::config; }) keys_.add(typename P::config{});
        table::add(std::move(pass));
    }

public:
    registry() : table("pass") {}
    template <class... P>
    explicit registry(passes<P...>) : registry() {
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
        const auto standard = std::make_shared<const P>(std::move(made));
        registered_pass<Unit> pass{std::string{standard->info.name}, standard->info.opt_level,
                                   describe_options(rows_of(*standard), standard.get())};
        pass.make = [standard](std::span<const option_text> options, rejected_option& rejected) {
            if constexpr (describes_options<P>) {
                if (options.empty()) return any_pass<Unit>{standard, standard};
                const auto changed = std::make_shared<P>(*standard);
                for (std::size_t i = 0; i < options.size(); ++i) {
                    rejected = {i, set_option(*changed, options[i].key, options[i].value)};
                    if (rejected.why != option_outcome::set) break;
                }
                return any_pass<Unit>{std::shared_ptr<const P>{changed}, standard};
            } else {
                if (!options.empty()) rejected = {0, option_outcome::no_such_option};
                return any_pass<Unit>{standard, standard};
            }
        };
        insert<P>(std::move(pass));
        return *this;
    }

    /// A pass of that name with these options.
    ///
    /// Throws: `tutti::input_error` if there is no such pass, option, or value.
    any_pass<Unit> make(std::string_view name, std::span<const option_text> options = {}) const {
        const registered_pass<Unit>& pass = this->get(name);
        rejected_option rejected;
        auto made = pass.make(options, rejected);
        if (rejected.why != option_outcome::set)
            throw input_error{explain(pass, options[rejected.index], rejected.why)};
        return made;
    }

    /// The config keys that the passes ask for.
    const config_keys& config() const { return keys_; }
};

} // namespace tutti::runtime
