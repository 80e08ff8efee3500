// tutti model: writes a built-in network as text.

#include <tutti/base/error.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/relay/model/dcgan.hpp>
#include <tutti/relay/model/dqn.hpp>
#include <tutti/relay/model/lstm.hpp>
#include <tutti/relay/model/mlp.hpp>
#include <tutti/relay/model/mobilenet.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/model/squeezenet.hpp>
#include <tutti/relay/text/printer.hpp>

#include "file_ending.hpp"
#include "program.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace model = tutti::relay::model;
using tutti::relay::ir_module;

template <int Layers>
ir_module resnet(std::int64_t batch) {
    return model::resnet({.layers = Layers, .batch = batch});
}
ir_module dcgan(std::int64_t batch) { return model::dcgan({.batch = batch}); }
ir_module dqn(std::int64_t batch) { return model::dqn({.batch = batch}); }
ir_module lstm(std::int64_t batch) { return model::lstm({.batch = batch}); }
ir_module mlp(std::int64_t batch) { return model::mlp({.batch = batch}); }
ir_module mobilenet(std::int64_t batch) { return model::mobilenet({.batch = batch}); }
ir_module squeezenet(std::int64_t batch) { return model::squeezenet({.batch = batch}); }

struct model_options {
    std::string name;
    std::int64_t batch = 1;
    std::string output = "-";
};

void write_model(const model_options& options) {
    check_output("tutti model", "--output", options.output, content::relay_text);
    tutti::internal::nearest_name meant{options.name};
    for (const network& each : networks()) {
        meant.offer(each.name);
        if (each.name == options.name) {
            write_text(options.output, tutti::relay::to_text(each.make(options.batch), {.type_comments = false}));
            return;
        }
    }
    std::string what = options.name + ": no such model";
    if (!meant.found().empty()) what += "; did you mean " + std::string{meant.found()} + "?";
    throw failure{wrong_usage, message("tutti model", with_hint(what, "`tutti list models` lists them"))};
}

} // namespace

std::vector<network> networks() {
    return {
        {"dcgan", "generator of images of 3x64x64 from 100 random numbers", dcgan},
        {"dqn", "deep Q-network: the values of 18 actions from 4 frames of 84x84", dqn},
        {"lstm", "three steps of a long short-term memory of 8 units", lstm},
        {"mlp", "perceptron with two hidden layers, for images of 1x28x28", mlp},
        {"mobilenet", "convolutions of single channels, for images of 3x224x224", mobilenet},
        {"resnet18", "residual network of 18 layers, for images of 3x224x224", resnet<18>},
        {"resnet34", "residual network of 34 layers", resnet<34>},
        {"resnet50", "residual network of 50 layers", resnet<50>},
        {"resnet101", "residual network of 101 layers", resnet<101>},
        {"resnet152", "residual network of 152 layers", resnet<152>},
        {"squeezenet", "few parameters (version 1.1), for images of 3x224x224", squeezenet},
    };
}

void add_model(CLI::App& app, action& chosen) {
    CLI::App* const command =
        app.add_subcommand("model", "Write a built-in network as text; its parameters are variables");
    const auto options = std::make_shared<model_options>();
    command->add_option("NAME", options->name, "The network; `tutti list models` lists them")->required();
    command->add_option("--batch", options->batch, "The batch size")
        ->type_name("N")
        ->check(whole_number(1, 1 << 30))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Where to write it; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    command->callback([=, &chosen] { chosen = [=] { write_model(*options); }; });
}

} // namespace program
