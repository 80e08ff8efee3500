// tutti check: reads a program, verifies it, infers its types.

#include <tutti/error.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include "program.hpp"

#include <memory>

#include <CLI/CLI.hpp>

namespace program {

namespace {

void check(const std::string& file, const std::string& params) {
    if (file != "-" && is_model(file, {})) write_text("-", describe_model(file));
    source from = read_module(file);
    bind_params(from, params);
    try {
        tutti::relay::verify(from.module); // which compares types that are noted in the text
        tutti::relay::infer_types(from.module);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    }
}

} // namespace

void add_check(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("check", "Read a program, verify it, infer its types");
    const auto file = std::make_shared<std::string>("-");
    const auto params = std::make_shared<std::string>();
    command->add_option("FILE", *file, "The program, or an ONNX model; - is standard input")->capture_default_str();
    add_params_option(*command, *params);
    command->footer("Prints nothing if all is well. A comment /* ty=T */ that is not the inferred type is an error.\n"
                    "Of an ONNX model it prints inputs, outputs and operators, and which of these cannot be imported.");
    command->callback([=, &chosen] { chosen = [=] { check(*file, *params); }; });
}

} // namespace program
