#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/posix.hpp>
#include <tutti/runtime/plugin.hpp>

#include <concepts>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#if defined(TUTTI_POSIX) && __has_include(<dlfcn.h>) && !defined(__EMSCRIPTEN__)
#include <cerrno>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#if __has_include(<link.h>)
#include <link.h>
#endif
#endif

namespace tutti::runtime {

/// The reasons for which a plugin is not loaded.
enum class plugin_problem : unsigned char {
    unsupported,      ///< this program cannot load libraries
    unreadable,       ///< the file cannot be read
    not_a_library,    ///< the system cannot load the file, or misses a symbol that it needs
    not_a_plugin,     ///< the library has no entry, or its description is malformed
    version,          ///< the plugin was built with another version of tutti
    standard_library, ///< the plugin was built with another standard library, or other settings of it
    host,             ///< the plugin extends programs of another type
    not_shared,       ///< the program hides its types, or does not export them to plugins
    failed            ///< the plugin's function threw, for example because a name is already taken
};

/// A plugin that was not loaded. `where()` is the file.
class [[gnu::visibility("default")]] plugin_error : public error {
    plugin_problem why_;

public:
    plugin_error(plugin_problem why, std::string file, std::string problem, std::string expected = {})
        : error(std::move(file), std::move(problem), std::move(expected)), why_(why) {}
    plugin_problem why() const noexcept { return why_; }
};

/// A loaded plugin.
struct loaded_plugin {
    std::string file, name, version;
};

namespace detail {

inline std::string to_text(const plugin_version& v) {
    return std::to_string(v.major_number) + "." + std::to_string(v.minor_number) + "." + std::to_string(v.patch_number);
}

// The plugin that a program of this type would load.
template <class Host>
plugin_description expected_plugin() {
    return describe_plugin<Host>("", "", nullptr);
}

// Before 1.0, each minor version has its own binary interface.
inline bool same_interface(const plugin_version& a, const plugin_version& b) {
    return a.major_number == b.major_number && (a.major_number != 0 || a.minor_number == b.minor_number);
}

/// Checks a description. Reads only members of C types, and those after `size` only if `size` covers them.
///
/// Throws: `plugin_error` if the plugin does not fit the program.
inline void check_plugin(const plugin_description* about, const plugin_description& wanted, const std::string& file) {
    const auto refuse = [&](plugin_problem why, std::string problem, std::string expected) {
        raise(plugin_error{why, file, std::move(problem), std::move(expected)});
    };
    const std::string version = to_text(wanted.tutti);
    if (about == nullptr || std::memcmp(about->magic, plugin_magic.data(), plugin_magic.size()) != 0 ||
        about->size < offsetof(plugin_description, name))
        refuse(plugin_problem::not_a_plugin, "has no valid description",
               "a library with TUTTI_PLUGIN of tutti " + version);
    if (!same_interface(about->tutti, wanted.tutti) || about->size < sizeof wanted)
        refuse(plugin_problem::version, "was built with tutti " + to_text(about->tutti),
               "tutti " + version + "; build the plugin again with the headers of this program");
    const auto by = [&] { return std::string{" ("} + about->compiler + ")"; };
    if (std::strcmp(about->standard_library, wanted.standard_library) != 0)
        refuse(plugin_problem::standard_library, std::string{"was built with "} + about->standard_library + by(),
               std::string{wanted.standard_library} + ", as this program");
    const bool knows_types = *about->host != 0 && *wanted.host != 0;
    const bool same = knows_types ? std::strcmp(about->host, wanted.host) == 0
                                  : std::strcmp(about->host_name, wanted.host_name) == 0 &&
                                        std::strcmp(about->form, wanted.form) == 0;
    if (same && about->host_identity != wanted.host_identity)
        refuse(plugin_problem::not_shared,
               std::string{"has its own copy of the type "} + wanted.host_name + ", whose address identifies it",
               "a program linked with -rdynamic, and units of visible types");
    if (same) return;
    if (std::strcmp(about->form, wanted.form) != 0)
        refuse(plugin_problem::host, std::string{"was built with the "} + about->form + " form of tutti/relay",
               std::string{"the "} + wanted.form + " form" +
                   (std::string_view{wanted.form} == "compiled" ? "; compile it with -DTUTTI_COMPILED"
                                                                : "; compile it without -DTUTTI_COMPILED"));
    std::string its = about->host_name, ours = wanted.host_name;
    if (its == ours) {
        its += std::string{" ("} + about->host + ")";
        ours += std::string{" ("} + wanted.host + ")";
    }
    refuse(plugin_problem::host, "extends programs with " + its, "a plugin for " + ours);
}

#if defined(RTLD_LOCAL)

/// True if this program is linked statically, so that it must not load libraries: they would need a second C library.
inline bool is_static_program() {
#if defined(PT_INTERP)
    bool has_interpreter = false;
    ::dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* found) {
            for (int i = 0; i < program->dlpi_phnum; ++i)
                if (program->dlpi_phdr[i].p_type == PT_INTERP) *static_cast<bool*>(found) = true;
            return 1; // the first entry is the program
        },
        &has_interpreter);
    return !has_interpreter;
#else
    return false;
#endif
}

/// True if a library's end is missing. The system would map it, and the program would die at the missing part.
inline bool is_truncated([[maybe_unused]] const std::string& file) {
#if defined(PT_LOAD)
    struct open_file {
        int number;
        ~open_file() { ::close(number); }
        bool read(void* to, std::size_t size, std::uint64_t at) const {
            return ::pread(number, to, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
        }
    } const from{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    ElfW(Ehdr) header;
    const bool is_library = from.read(&header, sizeof header, 0) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                            header.e_phentsize == sizeof(ElfW(Phdr));
    if (!is_library) return false; // the loader reports it
    const std::uint64_t size = static_cast<std::uint64_t>(::lseek(from.number, 0, SEEK_END));
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) part;
        if (!from.read(&part, sizeof part, header.e_phoff + i * sizeof part)) return true;
        if (part.p_type == PT_LOAD && (part.p_offset > size || part.p_filesz > size - part.p_offset)) return true;
    }
#endif
    return false;
}

/// Loads a library, which stays loaded, and returns its description.
///
/// Throws: `plugin_error`.
inline const plugin_description* open_plugin(const std::string& file, const plugin_description& wanted) {
    const auto refuse = [&](plugin_problem why, std::string problem, std::string expected = {}) {
        raise(plugin_error{why, file, std::move(problem), std::move(expected)});
    };
    if (is_static_program())
        refuse(plugin_problem::unsupported, "cannot be loaded, because this program is linked statically",
               "a program that is linked dynamically");
    if (::access(file.c_str(), R_OK) != 0)
        refuse(plugin_problem::unreadable, std::string{"cannot be read: "} + std::strerror(errno));
    if (is_truncated(file))
        refuse(plugin_problem::not_a_library, "cannot be loaded: its end is missing", "a complete shared library");
    // The system searches its own folders for names without a slash.
    const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const said = ::dlerror();
        std::string problem = said != nullptr ? said : "no reason was given";
        for (const std::string_view shown : {std::string_view{path}, std::string_view{file}})
            if (problem.starts_with(shown) && problem.substr(shown.size()).starts_with(": "))
                problem.erase(0, shown.size() + 2);
        const bool misses_ours = problem.find("tutti") != std::string::npos;
        refuse(plugin_problem::not_a_library, "cannot be loaded: " + problem,
               misses_ours
                   ? std::string{"a plugin built with the "} + wanted.form + " form of tutti " + to_text(wanted.tutti)
                   : std::string{"a shared library"});
    }
    const auto entry = reinterpret_cast<const plugin_description* (*)()>(::dlsym(library, plugin_entry));
    if (entry == nullptr)
        refuse(plugin_problem::not_a_plugin, std::string{"has no function "} + plugin_entry,
               "a library with TUTTI_PLUGIN");
    return entry();
}

#else

inline const plugin_description* open_plugin(const std::string& file, const plugin_description&) {
    raise(plugin_error{plugin_problem::unsupported, file, "cannot be loaded, because this system has no dlopen"});
}

#endif

} // namespace detail

namespace detail {

/// Adds a plugin, whose description has been checked, to a host.
template <class Host>
loaded_plugin add_checked(const plugin_description& plugin, Host& host, const std::string& file) {
    Host extended = host;
    if (const std::exception_ptr thrown = tutti::internal::caught([&] { plugin.add(&extended); })) {
        std::string problem = "it threw an exception that is not a std::exception";
        tutti::internal::with_what(thrown, [&](const char* what) { problem = what; });
        raise(plugin_error{plugin_problem::failed, file,
                           std::string{"plugin "} + plugin.name + " could not add everything: " + problem});
    }
    host = std::move(extended);
    return {file, plugin.name, plugin.version};
}

} // namespace detail

/// Adds a plugin to a host, after checking its description. If anything fails, the host is unchanged. Use it for a
/// plugin that is linked into the program: `add_plugin(*tutti_plugin(), host)`.
///
/// Throws: `plugin_error`; `where()` is "plugin".
template <std::copyable Host>
loaded_plugin add_plugin(const plugin_description& plugin, Host& host) {
    detail::check_plugin(&plugin, detail::expected_plugin<Host>(), "plugin");
    return detail::add_checked(plugin, host, "plugin");
}

/// Loads a plugin, a shared library with `TUTTI_PLUGIN`, and adds it to a host. If anything fails, the host is
/// unchanged. The library stays loaded until the program ends, since passes, instruments and units may refer to it.
/// Its symbols may be hidden.
///
/// Requires: `file` is trusted: its initialisers run before it is checked.
/// Throws:   `plugin_error`.
/// Example:  `runtime::extensions<mixer> known; runtime::load_plugin("./reverb.so", known);`
template <std::copyable Host>
loaded_plugin load_plugin(const std::string& file, Host& host) {
    const plugin_description wanted = detail::expected_plugin<Host>();
    const plugin_description* const plugin = detail::open_plugin(file, wanted);
    detail::check_plugin(plugin, wanted, file);
    return detail::add_checked(*plugin, host, file);
}

} // namespace tutti::runtime
