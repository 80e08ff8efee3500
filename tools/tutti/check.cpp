// tutti check: reads a program, verifies it, and infers its types.

#include <tutti/base/error.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include "model_file.hpp"
#include "program.hpp"

#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace program {

namespace {

void check(const std::string& file, const read_options& options) {
    std::shared_ptr<const tutti::file::mapped_file> bytes;
    if (const auto model = model_in(file, bytes)) {
        write_text("-", description(*model));
        source from = imported(*model, options);
        return bind_params(from, options);
    }
    source from = source_of(name_of(file), std::move(bytes), options);
    bind_params(from, options);
    const tutti::executor_ref on = executor_for(from);
    try {
        doing("checking " + from.name);
        tutti::relay::verify(from.module, {}, on); // compares inferred types with those in comments
        tutti::relay::infer_types(from.module, on);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    }
}

} // namespace

void add_check(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("check", "Read a program, verify it, infer its types");
    const auto file = std::make_shared<std::string>("-");
    const auto options = std::make_shared<read_options>();
    command->add_option("FILE", *file, "The program, or an ONNX model; - is standard input")->capture_default_str();
    add_read_options(*command, *options);
    command->footer(
        R"(Prints nothing if the program is correct. A comment /* ty=T */ that differs from the inferred type is an error.

For an ONNX model, lists inputs, outputs and operators, and marks operators that cannot be imported.)");
    command->callback([=, &chosen] { chosen = [=] { check(*file, *options); }; });
}

} // namespace program
