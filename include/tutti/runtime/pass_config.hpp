#pragma once

#include <tutti/failure.hpp>
#include <tutti/named_table.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pipeline/option_type.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tutti::runtime {

/// The value of a config key.
using config_value = std::variant<bool, std::int64_t, double, std::string>;

/// A config key and its value.
struct config_entry {
    std::string name;
    config_value value;
};

/// What the type of a value is called: "an integer".
inline std::string type_name(const config_value& value) {
    std::string text;
    std::visit([&]<class T>(const T&) { option_type<T>::describe(text); }, value);
    return text;
}

/// A value as text: `10`, `True`, `word`.
inline std::string to_text(const config_value& value) {
    std::string text;
    std::visit([&]<class T>(const T& v) { option_type<T>::write(v, text); }, value);
    return text;
}

/// The config keys that the passes of a program ask for, each with the value where it is not set.
class config_keys {
    named_table<config_entry> keys_{"config key"};

public:
    /// Adds a key; adding it again changes nothing.
    ///
    /// Throws: `tutti::error` if there is one of that name with another type or value.
    void add(config_entry key) {
        const config_entry* same = keys_.find(key.name);
        if (!same)
            keys_.add(std::move(key));
        else if (same->value != key.value)
            raise(error{"config key " + key.name,
                        "two passes ask for it, one for " + to_text(same->value) + " and one for " +
                            to_text(key.value) + " where it is not set",
                        "one key that both use"});
    }
    template <config_type T>
    void add(const config_key<T>& key) {
        using stored = std::conditional_t<std::same_as<T, std::string_view>, std::string, T>;
        add(config_entry{std::string{key.name}, stored{key.standard}});
    }
    template <const auto&... Key>
    void add(config_list<Key...>) {
        (add(Key), ...);
    }

    const std::vector<config_entry>& list() const { return keys_.list(); }

    /// The key of that name.
    ///
    /// Throws: `tutti::input_error` if there is none.
    const config_entry& find(std::string_view name) const { return keys_.get(name); }

    /// Reads `KEY=VALUE`; the value is of the key's type.
    ///
    /// Throws: `tutti::error` if there is no such key, or the value is of another type.
    config_entry read(std::string_view text) const {
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos) raise(error{"config " + std::string{text}, "has no value", "KEY=VALUE"});
        config_entry entry = find(text.substr(0, equals));
        const std::string_view word = text.substr(equals + 1);
        const bool done = std::visit([&]<class T>(T& value) { return option_type<T>::read(word, value); }, entry.value);
        if (!done)
            raise(error{"config key " + entry.name, "`" + std::string{word} + "` is not of its type",
                        type_name(entry.value)});
        return entry;
    }
};

/// The settings of a context: values of config keys, all of them known and of the right type.
///
/// Example: `runtime::pass_config settings{known.config(), {{"relay.FuseOps.max_depth", 16}}};`
class pass_config {
    std::vector<config_entry> entries_;

public:
    pass_config() = default;
    /// An integer will do for a decimal.
    ///
    /// Throws: `tutti::error` for a key that is not known (it lists those that are), and for a value of the
    ///         wrong type (it names both).
    pass_config(const config_keys& known, std::vector<config_entry> entries) : entries_(std::move(entries)) {
        for (config_entry& entry : entries_) {
            const config_value& standard = known.find(entry.name).value;
            if (const auto* whole = std::get_if<std::int64_t>(&entry.value);
                whole && std::holds_alternative<double>(standard))
                entry.value = static_cast<double>(*whole);
            if (entry.value.index() != standard.index())
                raise(error{"config key " + entry.name,
                            "is given " + type_name(entry.value) + ", " + to_text(entry.value), type_name(standard)});
        }
    }

    const std::vector<config_entry>& entries() const { return entries_; }

    /// The value of a key, the last one if it was given several times; the key's own if it was not given.
    template <config_type T>
    T operator()(const config_key<T>& key) const {
        using stored = std::conditional_t<std::same_as<T, std::string_view>, std::string, T>;
        for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
            if (entry->name == key.name)
                if (const auto* value = std::get_if<stored>(&entry->value)) return T{*value};
        return key.standard;
    }
};

} // namespace tutti::runtime
