#pragma once

#include <tutti/diagnostic.hpp>
#include <tutti/failure.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti {

/// Things that are known by their names, in the order of these.
///
/// Adding is not made fast, so that a table costs the compiler little.
///
/// Requires: a `T` has a member `name` that is a text.
/// Cost:     a name is found in logarithmic time.
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
    /// `kind` is what messages call the things: "pass".
    ///
    /// Requires: it outlives the table.
    explicit named_table(std::string_view kind) : kind_(kind) {}

    /// Throws: `tutti::error` if there is one of that name.
    [[gnu::cold]] void add(T thing) {
        const std::string_view name = thing.name;
        if (find(name))
            raise(error{std::string{kind_} + " " + std::string{name}, "there is one of that name already",
                        "another name"});
        std::size_t place = place_of(name), last = things_.size();
        things_.push_back(std::move(thing));
        for (; last > place; --last)
            std::swap(things_[last], things_[last - 1]); // costs less to compile than an insertion
    }

    const std::vector<T>& list() const& { return things_; }
    void list() const&& = delete; // what it lists would be gone

    void find(std::string_view) const&& = delete;
    /// The thing of that name, or null; valid until one is added.
    const T* find(std::string_view name) const& {
        const std::size_t place = place_of(name);
        return place < things_.size() && things_[place].name == name ? &things_[place] : nullptr;
    }

    /// Says that there is no thing of that name; with the one that was probably meant, or with all.
    [[gnu::cold]] complaint explain_missing(std::string_view name) const {
        std::vector<std::string> known;
        for (const T& thing : things_) known.emplace_back(thing.name);
        return unknown_name(kind_, name, std::move(known));
    }

    /// The thing of that name.
    ///
    /// Throws: `tutti::input_error` if there is none.
    const T& get(std::string_view name) const& {
        if (const T* found = find(name)) return *found;
        raise(input_error{explain_missing(name)});
    }
    void get(std::string_view) const&& = delete;
};

} // namespace tutti
