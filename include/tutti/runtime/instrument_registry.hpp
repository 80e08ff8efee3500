#pragma once

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pipeline/option_rows.hpp>
#include <tutti/runtime/any_instrument.hpp>
#include <tutti/runtime/named_table.hpp>
#include <tutti/runtime/registered_pass.hpp>
#include <tutti/runtime/shared.hpp>
#include <tutti/runtime/text_writer.hpp>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti {

namespace runtime {

/// An option of an instrument that lists names of passes. "all" selects every pass. A name that is not in
/// `instrument_request::passes` is rejected when the text is parsed, unless that list is empty.
struct [[gnu::visibility("default")]] pass_names : std::vector<std::string> {
    /// Returns the names, or an empty list if "all" is among them. This is for instruments that treat an empty list as
    /// all passes.
    [[gnu::cold]] std::vector<std::string> or_all() const {
        for (const std::string& each : *this)
            if (each == "all") return {};
        return *this;
    }
};

} // namespace runtime

template <>
struct option_type<runtime::pass_names> {
    static bool read(std::string_view list, runtime::pass_names& names) {
        return option_type<std::vector<std::string>>::read(list, names);
    }
    static void write(const runtime::pass_names& names, std::string& out) {
        option_type<std::vector<std::string>>::write(names, out);
    }
    static void describe(std::string& out) { out += "a list [A,B] of passes, or [all]"; }
};

namespace runtime {

/// Settings for the creation of an instrument from text, in addition to its options.
struct instrument_request {
    text_writer write{};               ///< receives all output, at the latest when the context is left
    std::string pipeline{};            ///< text form of the pipeline, shown in output
    std::string settings{};            ///< text form of the program's options, shown in output
    std::string source{};              ///< name of the input, such as a file name, shown in output
    bool terminal = false;             ///< true if output goes to a terminal with colours
    std::vector<std::string> passes{}; ///< the known passes; other names are rejected; empty: not checked
    const std::vector<instrument::claimed_pass>* properties = nullptr; ///< the passes; see `instrument::claimed_passes`
    void (*file_problem)(const error&) =
        nullptr; ///< called if a file cannot be written while passes run; null: the hook throws
    void (*check_file)(std::string_view instrument, const std::string& file) =
        nullptr; ///< called with an instrument's file before it is opened; throws to reject it; null: accepts all
};

namespace detail {

/// Checks that a mandatory option has a value.
///
/// Throws: `input_error` if the option has none.
[[gnu::cold]] inline void check_given(std::string_view name, std::string_view key, const std::string& value) {
    if (!value.empty()) return;
    const std::string about = std::string{name} + ": option " + std::string{key};
    const std::string text = std::string{name} + "{" + std::string{key} + "=...}";
    raise(input_error{{about + ": is missing", text, std::string{name}}});
}

} // namespace detail

/// A registered instrument: its description, and a function that creates it with options.
template <class Unit>
struct registered_instrument {
    std::string_view name; ///< the name in text form, such as "print_ir"
    std::string_view help; ///< one-line description
    bool around_another;   ///< true if it wraps another instrument: `name(other)`
    tutti::internal::option_rows rows{};
    detail::shared standard{};                     ///< the options with their default values
    detail::shared (*copy)(const void*) = nullptr; ///< copies the options; null: no options
    any_instrument<Unit> (*make)(const void* options, const instrument_request&,
                                 const any_instrument<Unit>* inner) = nullptr;

    /// Returns descriptions of the instrument's options.
    std::vector<tutti::internal::option_description> options() const {
        return tutti::internal::describe_options(rows, standard.get());
    }
};

namespace detail {

template <class I>
detail::shared copy_of_options(const void* options) {
    return detail::shared::make(I(*static_cast<const I*>(options)));
}

template <class I, class Unit>
concept makes_instrument = requires(const I& i, const instrument_request& request) { i.make(request); };
template <class I, class Unit>
concept makes_instrument_around = requires(const I& i, const instrument_request& request,
                                           const any_instrument<Unit>& inner) { i.make(request, inner); };

} // namespace detail

/// A registry of named instruments for passes over a `Unit`. Programs with a registry can offer instruments to their
/// users: `parse_instruments` creates instruments from text.
///
/// An entry is a struct with a `name`, one line of `help`, and a function `make(request)` that returns the instrument.
/// The entry of a wrapping instrument has `make(request, other)` instead. The options of an instrument are data members
/// of the entry, which describes them in the same way as a pass.
///
/// Example:
/// ```
/// struct count {
///     static constexpr std::string_view name = "count", help = "Count the passes";
///     int from = 0;
///     static constexpr tutti::option_list<&count::from> options{"from"};
///     auto make(const tutti::runtime::instrument_request& r) const { return counter{from, r.write}; }
/// };
/// known.add<count>(); // count{from=3}
/// ```
template <class Unit>
class instrument_registry {
    tutti::detail::named_table<registered_instrument<Unit>> table_{"instrument"};

public:
    /// Adds an instrument. Its default options are those of `standard`.
    ///
    /// Throws: `tutti::error` if the name exists already.
    template <class I>
    instrument_registry& add(I standard = {}) {
        constexpr bool around = detail::makes_instrument_around<I, Unit>;
        constexpr bool makes = around || detail::makes_instrument<I, Unit>;
        constexpr bool described = tutti::internal::describes_options<I> || std::is_empty_v<I>;
        static_assert(makes, "tutti::runtime::instrument_registry::add<I>(): an I must make an instrument; write "
                             "auto make(const tutti::runtime::instrument_request&) const in it");
        static_assert(!makes || described,
                      "tutti::runtime::instrument_registry::add<I>(): an I must describe its options; write "
                      "static constexpr tutti::option_list<&I::member, ...> options{\"member\", ...}; in it");
        if constexpr (makes && described) {
            registered_instrument<Unit> known{.name = I::name, .help = I::help, .around_another = around};
            known.rows = tutti::internal::rows_of(standard);
            if constexpr (tutti::internal::describes_options<I>) known.copy = &detail::copy_of_options<I>;
            known.standard = detail::shared::make(std::move(standard));
            known.make = [](const void* options, [[maybe_unused]] const instrument_request& request,
                            [[maybe_unused]] const any_instrument<Unit>* inner) {
                const I& made = *static_cast<const I*>(options);
                if constexpr (around)
                    return any_instrument<Unit>{made.make(request, *inner)};
                else
                    return any_instrument<Unit>{made.make(request)};
            };
            table_.add(std::move(known));
        }
        return *this;
    }

    /// Returns the known instruments, sorted by name.
    const std::vector<registered_instrument<Unit>>& list() const& { return table_.list(); }
    void list() const&& = delete; // the list would dangle
    /// Returns the instrument with this name, or null. The pointer is valid until an instrument is added.
    const registered_instrument<Unit>* find(std::string_view name) const& { return table_.find(name); }
    void find(std::string_view) const&& = delete;
    /// Returns the instrument with this name.
    ///
    /// Throws: `tutti::input_error` if there is none. The message suggests the nearest name.
    const registered_instrument<Unit>& get(std::string_view name) const& { return table_.get(name); }
    void get(std::string_view) const&& = delete;
    /// Returns the complaint that no instrument has this name. It suggests the nearest name or lists all names.
    tutti::internal::complaint explain_missing(std::string_view name) const { return table_.explain_missing(name); }
};

} // namespace runtime

} // namespace tutti
