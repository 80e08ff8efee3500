#pragma once

#include <tutti/base/folder.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti {

namespace internal {

/// Clause: `T` is a type of config values.
template <class T>
concept config_type = std::same_as<T, bool> || std::same_as<T, std::int64_t> || std::same_as<T, double> ||
                      std::same_as<T, std::string_view>;

} // namespace internal

/// A setting that passes read from their context. It has a default and a name that is unique across programs.
///
/// Example: `static constexpr tutti::config_key<std::int64_t> max_depth{"relay.FuseOps.max_depth", 256};`
template <internal::config_type T>
struct config_key {
    std::string_view name;
    T standard{};
};

/// The keys that a pass reads: `using config = tutti::config_list<max_depth>;`. Registries read this list.
template <const auto&... Key>
struct config_list {};

namespace detail {

/// The option that `set_config` returns.
template <internal::config_type T>
struct config_setting {
    std::string_view key;
    T value;
};

} // namespace detail

/// Context option: sets a key in a static context.
///
/// Example: `tutti::pass_context ctx{tutti::set_config(max_depth, 16)};`
template <internal::config_type T>
constexpr detail::config_setting<T> set_config(const config_key<T>& key, std::type_identity_t<T> value) {
    return {key.name, value};
}

template <class V>
    requires(std::unsigned_integral<V> && sizeof(V) >= sizeof(std::int64_t))
constexpr detail::config_setting<std::int64_t> set_config(const config_key<std::int64_t>& key, V) {
    static_assert(
        !std::unsigned_integral<V>,
        "tutti::set_config(key, value): a value must be signed, since an unsigned one may exceed the key's type; "
        "write static_cast<std::int64_t>(value) where it is known to fit");
    return {key.name, key.standard};
}

/// Returns the value of a key in a context or in a scope's context. Returns the key's default if the context does not
/// set the key or has no config.
///
/// Example: `const auto depth = tutti::config(ctx, max_depth);`
template <internal::config_type T, class Context>
constexpr T config([[maybe_unused]] const Context& context, const config_key<T>& key) {
    if constexpr (requires { context.config(key); })
        return context.config(key);
    else
        return key.standard;
}

} // namespace tutti
