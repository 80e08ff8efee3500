#pragma once

#include <tutti/relay/plugin.hpp>

#include <string>
#include <string_view>

namespace CLI {
class App;
}

// Plugins, which --load adds.

namespace program {

/// Returns the passes, instruments, operators and kernels of the library and of all loaded plugins.
tutti::relay::extensions& extensions();

/// Loads a plugin. Errors end the program.
void load_plugin(const std::string& file);

/// Adds `--load` to a command. `main` has loaded the plugins by the time that the option is parsed.
void add_load_option(CLI::App& command);

/// The kinds of things that plugins add.
enum class added_kind : unsigned char { pass, instrument, op, kernels };

/// Returns the plugin that added something, such as "my-plugin 1.0 (./my.so)", or "" if no plugin did. A pass over parts
/// is named `function(MyPass)`.
std::string_view plugin_of(added_kind kind, std::string_view name);

} // namespace program
