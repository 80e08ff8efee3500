#pragma once

#include <tutti/named_table.hpp>
#include <tutti/runtime/any_instrument.hpp>
#include <tutti/runtime/text_writer.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// What an instrument that is made by name is given.
struct instrument_request {
    std::vector<std::string> passes{}; ///< around which passes it is to work; "all" stands for every one
    text_writer write{};               ///< where it writes, when the context is left at the latest
    std::string value{};               ///< what it is given besides, such as a file
    std::string pipeline{};            ///< the text of the pipeline that will run, for those that write it down
};

/// An instrument that is known by name.
template <class Unit>
struct registered_instrument {
    std::string name;          ///< as it is written in an option: "op-diff"
    std::string help;          ///< what it does, in one line
    bool takes_passes = false; ///< it works around some passes, whose names it is to be given
    any_instrument<Unit> (*make)(instrument_request) = nullptr;
    std::string value{}; ///< what it must be given besides, as help shows it: "FILE"; empty if nothing
};

/// Instruments for passes over a `Unit` by their names, for programs that offer them to their users.
///
/// Example:
/// `known.add({"count", "Count the passes", false, [](auto request) { return counter{request.write}; }});`
template <class Unit>
class instrument_registry : public named_table<registered_instrument<Unit>> {
public:
    instrument_registry() : named_table<registered_instrument<Unit>>("instrument") {}

    /// An instrument of that name.
    ///
    /// Throws: `tutti::input_error` if there is none, with the name that was probably meant; what the instrument throws when it
    ///         is made, such as for a file that cannot be written.
    any_instrument<Unit> make(std::string_view name, instrument_request request) const {
        return this->get(name).make(std::move(request));
    }
};

} // namespace tutti::runtime
