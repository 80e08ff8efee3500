#pragma once

#include <tutti/pass/class_name.hpp>
#include <tutti/version.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#if defined(__cpp_rtti)
#include <typeinfo>
#endif

namespace tutti::runtime {

/// The version of tutti, for messages and comparison.
struct plugin_version {
    std::uint32_t major_number, minor_number, patch_number;
};

/// Describes a plugin. It has the layout of a C struct, so that a program can read it before it knows that it and the
/// plugin agree on C++ types. New members are added at the end; `size` tells which there are.
struct plugin_description {
    char magic[8];                ///< `plugin_magic`
    std::uint32_t size;           ///< size of this struct
    plugin_version tutti;         ///< version of the headers that the plugin was built with
    const char* name;             ///< name of the plugin
    const char* version;          ///< version of the plugin, in any form
    const char* standard_library; ///< the C++ standard library, with the settings that change its types
    const char* compiler;         ///< the compiler, for messages
    const char* form;             ///< "compiled" or "header-only", the form of tutti/relay
    const char* host;             ///< the mangled name of the type that `add` expects; empty without run-time types
    const char* host_name;        ///< a readable name of that type
    const void* host_identity;    ///< the address of a variable that program and plugin share if they share the type
    void (*add)(void* host);      ///< adds everything to the host
};

/// The first bytes of each `plugin_description`.
inline constexpr std::string_view plugin_magic = "tutti.p1";

/// The name of the function that returns a plugin's description.
inline constexpr const char* plugin_entry = "tutti_plugin";

namespace detail {

#if defined(_LIBCPP_VERSION)
inline constexpr const char* standard_library = _LIBCPP_ABI_VERSION == 1 ? "libc++ with ABI 1" : "libc++ with ABI 2";
#elif defined(__GLIBCXX__)
inline constexpr const char* standard_library = "libstdc++"
#if !_GLIBCXX_USE_CXX11_ABI
                                                " with _GLIBCXX_USE_CXX11_ABI=0"
#endif
#if _GLIBCXX_INLINE_VERSION
                                                " with inline namespaces"
#endif
#if defined(_GLIBCXX_DEBUG)
                                                " with _GLIBCXX_DEBUG"
#endif
    ;
#else
inline constexpr const char* standard_library = "an unknown standard library";
#endif

#if defined(TUTTI_COMPILED)
inline constexpr const char* form_name = "compiled";
#else
inline constexpr const char* form_name = "header-only";
#endif

// All compilers with the Itanium ABI agree on mangled names, but not on __PRETTY_FUNCTION__.
template <class T>
const char* mangled_name() {
#if defined(__cpp_rtti)
    return typeid(T).name();
#else
    return "";
#endif
}

// A variable whose address identifies a type of hosts.
template <class Host>
[[gnu::visibility("default")]] inline constexpr char host_mark = 0;

template <class F>
struct host_of {};
template <class Host>
struct host_of<void (*)(Host&)> {
    using type = Host;
};

template <class Host>
plugin_description describe_plugin(const char* name, const char* version, void (*add)(void*)) {
    constexpr auto number = [](int n) { return static_cast<std::uint32_t>(n); };
    plugin_description about{
        .magic = {},
        .size = sizeof(plugin_description),
        .tutti = {number(tutti::version.major_number), number(tutti::version.minor_number),
                  number(tutti::version.patch_number)},
        .name = name,
        .version = version,
        .standard_library = standard_library,
#if defined(__clang__)
        .compiler = "Clang " __clang_version__,
#elif defined(__GNUC__)
        .compiler = "GCC " __VERSION__,
#else
        .compiler = "an unknown compiler",
#endif
        .form = form_name,
        .host = mangled_name<Host>(),
        .host_name = class_name<Host>.data(), // ends with a zero
        .host_identity = &host_mark<Host>,
        .add = add,
    };
    for (std::size_t i = 0; i < plugin_magic.size(); ++i) about.magic[i] = plugin_magic[i];
    return about;
}

template <auto Add>
plugin_description describe_plugin(const char* name, const char* version) {
    constexpr bool adds = requires { typename host_of<decltype(Add)>::type; };
    static_assert(adds, "TUTTI_PLUGIN(name, version, add): add must be a function from the host's type; write "
                        "void add(tutti::runtime::extensions<my_unit>& to)");
    if constexpr (adds) {
        using host = typename host_of<decltype(Add)>::type;
        return describe_plugin<host>(name, version, [](void* to) { Add(*static_cast<host*>(to)); });
    } else {
        return {};
    }
}

} // namespace detail

} // namespace tutti::runtime

/// Makes a shared library a plugin: defines its entry, the only symbol that must be visible. `add` is a function
/// `void add(Host&)`; `Host` is the type that the program passes to `runtime::load_plugin`, such as
/// `runtime::extensions<Unit>` or `relay::extensions`.
///
/// Requires: used once per library, outside of namespaces. `name` and `version` are literals.
/// Example:  `TUTTI_PLUGIN("my-passes", "1.0", add_all)`
#define TUTTI_PLUGIN(name, version, add)                                                                               \
    extern "C" [[gnu::visibility("default")]] const tutti::runtime::plugin_description* tutti_plugin();                \
    extern "C" const tutti::runtime::plugin_description* tutti_plugin() {                                              \
        static_assert(sizeof("" name) > 1, "TUTTI_PLUGIN(name, version, add): a name must not be empty; messages "     \
                                           "show it");                                                                 \
        static const tutti::runtime::plugin_description about =                                                        \
            tutti::runtime::detail::describe_plugin<&add>("" name, "" version);                                        \
        return &about;                                                                                                 \
    }
