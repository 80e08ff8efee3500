#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/runtime/named_table.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

class config_value;
/// Returns the name of a value's type: "an integer".
std::string type_name(const config_value& value);
/// Returns a value as text: `10`, `True`, `word`.
std::string to_text(const config_value& value);

/// The value of a config key: a bool, an integer, a decimal or text. An unsigned integer that does not fit into
/// `std::int64_t` has none of these types, and `pass_config` rejects it.
///
/// Not a `std::variant`, which takes longer to compile than the rest of this header.
class config_value {
    enum class kind : unsigned char { truth, integer, decimal, text, too_large };

    std::int64_t integer_ = 0; // also holds a bool
    double decimal_ = 0;
    std::string text_; // also holds the digits of an integer that is too large
    kind kind_;

public:
    template <std::integral T>
    config_value(T value)
        : integer_(static_cast<std::int64_t>(value)), kind_(std::same_as<T, bool> ? kind::truth : kind::integer) {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t))
            if (value > T{std::numeric_limits<std::int64_t>::max()}) {
                text_ = std::to_string(value);
                kind_ = kind::too_large;
            }
    }
    config_value(double value) : decimal_(value), kind_(kind::decimal) {}
    config_value(std::string value) : text_(std::move(value)), kind_(kind::text) {}
    config_value(std::string_view value) : config_value(std::string{value}) {}
    config_value(const char* value) : config_value(std::string{value}) {}

    /// True if the value has the type `T`, which is `std::string_view` for text.
    template <tutti::internal::config_type T>
    bool holds() const {
        if constexpr (std::same_as<T, bool>)
            return kind_ == kind::truth;
        else if constexpr (std::same_as<T, double>)
            return kind_ == kind::decimal;
        else
            return kind_ == (std::same_as<T, std::int64_t> ? kind::integer : kind::text);
    }
    /// Returns the value. Requires: `holds<T>()`.
    template <tutti::internal::config_type T>
    T get() const {
        if constexpr (std::same_as<T, std::string_view>)
            return text_;
        else if constexpr (std::same_as<T, double>)
            return decimal_;
        else
            return static_cast<T>(integer_);
    }
    /// Reads the value from a word. False if the word is not of the value's type.
    bool read(std::string_view word) {
        bool truth = false;
        switch (kind_) {
        case kind::truth:
            if (!option_type<bool>::read(word, truth)) return false;
            integer_ = truth ? 1 : 0;
            return true;
        case kind::integer:
            return option_type<std::int64_t>::read(word, integer_);
        case kind::decimal:
            return option_type<double>::read(word, decimal_);
        case kind::text:
            return option_type<std::string>::read(word, text_);
        case kind::too_large:
            break;
        }
        return false;
    }
    /// Converts an integer to a decimal if `other` is a decimal. True if both values now have the same type.
    bool become(const config_value& other) {
        if (kind_ == kind::integer && other.kind_ == kind::decimal) *this = static_cast<double>(integer_);
        return kind_ == other.kind_;
    }

    friend bool operator==(const config_value&, const config_value&) = default;
    friend std::string type_name(const config_value& value) {
        std::string text;
        switch (value.kind_) {
        case kind::truth:
            option_type<bool>::describe(text);
            break;
        case kind::integer:
            option_type<std::int64_t>::describe(text);
            break;
        case kind::decimal:
            option_type<double>::describe(text);
            break;
        case kind::text:
            option_type<std::string>::describe(text);
            break;
        case kind::too_large:
            text = "an integer above 9223372036854775807";
            break;
        }
        return text;
    }
    friend std::string to_text(const config_value& value) {
        std::string text;
        switch (value.kind_) {
        case kind::truth:
            option_type<bool>::write(value.integer_ != 0, text);
            break;
        case kind::integer:
            option_type<std::int64_t>::write(value.integer_, text);
            break;
        case kind::decimal:
            option_type<double>::write(value.decimal_, text);
            break;
        case kind::text:
            option_type<std::string>::write(value.text_, text);
            break;
        case kind::too_large:
            text = value.text_;
            break;
        }
        return text;
    }
};

/// A config key and its value.
struct config_entry {
    std::string name;
    config_value value;
};

/// The config keys that the passes of a program read, with their defaults.
class config_keys {
    tutti::detail::named_table<config_entry> keys_{"config key"};

public:
    /// Adds a key. Adding an equal key again has no effect.
    ///
    /// Throws: `tutti::error` if the name exists with another type or value.
    void add(config_entry key) {
        const config_entry* same = keys_.find(key.name);
        if (!same)
            keys_.add(std::move(key));
        else if (same->value != key.value)
            raise(error{"config key " + key.name,
                        "two passes declare different defaults for it, " + to_text(same->value) + " and " +
                            to_text(key.value),
                        "one key that both share"});
    }
    template <tutti::internal::config_type T>
    void add(const config_key<T>& key) {
        add(config_entry{std::string{key.name}, key.standard});
    }
    template <const auto&... Key>
    void add(tutti::config_list<Key...>) {
        (add(Key), ...);
    }

    const std::vector<config_entry>& list() const { return keys_.list(); }

    /// Returns the key with this name.
    ///
    /// Throws: `tutti::input_error` if there is none.
    const config_entry& find(std::string_view name) const { return keys_.get(name); }

    /// Parses `KEY=VALUE`, with a value of the key's type.
    ///
    /// Throws: `tutti::error` for an unknown key or a value of another type.
    config_entry read(std::string_view text) const {
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos) raise(error{"config " + std::string{text}, "has no value", "KEY=VALUE"});
        config_entry entry = find(text.substr(0, equals));
        const std::string_view word = text.substr(equals + 1);
        if (!entry.value.read(word))
            raise(error{"config key " + entry.name, "`" + std::string{word} + "` is not of its type",
                        type_name(entry.value)});
        return entry;
    }
};

/// The settings of a context: values of known config keys, each of the key's type.
///
/// Example: `runtime::pass_config settings{known.config(), {{"relay.FuseOps.max_depth", 16}}};`
class pass_config {
    std::vector<config_entry> entries_;

public:
    pass_config() = default;
    /// Stores values of known keys. Converts an integer to a decimal if the key is a decimal.
    ///
    /// Throws: `tutti::error` for an unknown key (listing the known keys), and for a value of the wrong type (naming
    ///         both types).
    pass_config(const config_keys& known, std::vector<config_entry> entries) : entries_(std::move(entries)) {
        for (config_entry& entry : entries_) {
            const config_value& standard = known.find(entry.name).value;
            if (!entry.value.become(standard))
                raise(error{"config key " + entry.name,
                            "is given " + type_name(entry.value) + ", " + to_text(entry.value), type_name(standard)});
        }
    }

    const std::vector<config_entry>& entries() const { return entries_; }

    /// Returns the last value that was set for a key, or the key's default if none was set.
    template <tutti::internal::config_type T>
    T operator()(const config_key<T>& key) const {
        for (std::size_t i = entries_.size(); i-- > 0;)
            if (entries_[i].name == key.name && entries_[i].value.template holds<T>())
                return entries_[i].value.template get<T>();
        return key.standard;
    }
};

} // namespace tutti::runtime
