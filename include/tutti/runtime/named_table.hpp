#pragma once

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/failure.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti {

namespace detail {

/// A table of things, sorted by name.
///
/// Adding is slow: the code is optimised for compile time.
///
/// Requires: a `T` has a member `name` that converts to `std::string_view`.
/// Cost:     lookup by name is logarithmic.
/// Example:  `named_table<network> networks{"network"}; networks.add({.name = "mlp"}); networks.get("mpl"); // throws`
template <class T>
class named_table {
    std::string_view kind_;
    std::vector<T> things_;

    std::size_t place_of(std::string_view name) const {
        std::size_t first = 0;
        for (std::size_t count = things_.size(); count > 0;) {
            const std::size_t half = count / 2;
            const bool before = std::string_view{things_[first + half].name} < name;
            first += before ? half + 1 : 0;
            count = before ? count - half - 1 : half;
        }
        return first;
    }

public:
    /// Creates an empty table. `kind` is the noun for messages, such as "pass".
    ///
    /// Requires: the characters of `kind` outlive the table.
    explicit named_table(std::string_view kind) : kind_(kind) {}

    /// Adds a thing.
    ///
    /// Throws: `tutti::error` if the name exists already.
    [[gnu::cold]] void add(T thing) {
        const std::string_view name = thing.name;
        if (find(name))
            raise(error{std::string{kind_} + " " + std::string{name}, "the name is already taken", "another name"});
        std::size_t place = place_of(name), last = things_.size();
        things_.push_back(std::move(thing));
        for (; last > place; --last) std::swap(things_[last], things_[last - 1]); // compiles faster than insert()
    }

    const std::vector<T>& list() const& { return things_; }
    void list() const&& = delete; // the list would dangle

    void find(std::string_view) const&& = delete;
    /// Returns the thing with this name, or null. The pointer is valid until a thing is added.
    const T* find(std::string_view name) const& {
        const std::size_t place = place_of(name);
        return place < things_.size() && things_[place].name == name ? &things_[place] : nullptr;
    }

    /// Returns the complaint that no thing has this name. It suggests the nearest name or lists all names.
    [[gnu::cold]] internal::complaint explain_missing(std::string_view name) const {
        std::vector<std::string> known;
        for (const T& thing : things_) known.emplace_back(thing.name);
        return internal::unknown_name(kind_, name, std::move(known));
    }

    /// Returns the thing with this name.
    ///
    /// Throws: `tutti::input_error` if there is none.
    const T& get(std::string_view name) const& {
        if (const T* found = find(name)) return *found;
        raise(input_error{explain_missing(name)});
    }
    void get(std::string_view) const&& = delete;
};

} // namespace detail

} // namespace tutti
