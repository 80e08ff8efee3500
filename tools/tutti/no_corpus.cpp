// tutti corpus, in a build without SQLite.

#include "program.hpp"

#include <CLI/CLI.hpp>

namespace program {

void add_corpus(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("corpus", "Not in this build, which lacks SQLite");
    command->group("");
    command->prefix_command();
    command->callback([&chosen] {
        chosen = [] {
            throw failure{wrong_usage,
                          message("tutti corpus", "this build lacks SQLite; expected a build of tutti with "
                                                  "-Dsqlite=enabled (libsqlite3-dev)")};
        };
    });
}

} // namespace program
