#include "inputs.hpp"

#include <tutti/error.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include "npz.hpp"

#include <algorithm>
#include <limits>

#include <CLI/CLI.hpp>

namespace program {

namespace relay = tutti::relay;
using relay::tensor;

void add_input_options(CLI::App& command, input_options& options) {
    command
        .add_option(
            "--inputs", options.from,
            "Where the values of the parameters of @main come from: synthetic, or a file of NumPy arrays by the "
            "parameters' names (.npz)")
        ->type_name("FILE")
        ->capture_default_str();
    command.add_option("--seed", options.seed, "Which synthetic ones")
        ->type_name("N")
        ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
        ->capture_default_str();
}

std::vector<tensor> inputs_of(relay::evaluator<>& e, const input_options& options) {
    const tutti::kernel::allowance::use here(e.allowance());
    std::vector<tensor> inputs;
    if (options.from == "synthetic") {
        for (const relay::parameter& p : e.parameters())
            inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type, options.seed));
        return inputs;
    }
    const std::string bytes = read_text(options.from);
    const auto refuse = [&](const std::string& what) {
        throw failure{wrong_input, message(name_of(options.from), what)};
    };
    try {
        const std::vector<npz_entry> arrays = read_npz(bytes);
        const auto array_for = [&](const relay::parameter& p) {
            return std::ranges::find(arrays, p.name, &npz_entry::name);
        };
        for (const relay::parameter& p : e.parameters())
            if (array_for(p) == arrays.end())
                refuse("there is no array for the parameter %" + p.name + " of type " +
                       relay::to_text(e.types(), p.type));
        for (const npz_entry& each : arrays)
            if (std::ranges::find(e.parameters(), each.name, &relay::parameter::name) == e.parameters().end())
                refuse("array " + each.name + ": there is no such parameter");
        for (const relay::parameter& p : e.parameters()) {
            const auto at = array_for(p);
            // Not unpacked if it is larger than what is wanted.
            constexpr std::uint64_t most_header = 12 + 65536;
            const auto shape = e.types().shape(p.type);
            const auto count = relay::element_count(shape);
            const auto wanted =
                static_cast<std::uint64_t>(count.value_or(0)) * tutti::kernel::bytes(e.types().element(p.type));
            if (relay::is_static(shape) && at->size > wanted + most_header)
                throw tutti::error("array " + p.name, "has " + std::to_string(at->size) + " bytes",
                                   relay::to_text(e.types(), p.type));
            inputs.push_back(read_array(*at));
            try {
                e.check(inputs.size() - 1, inputs.back());
            } catch (const tutti::error& what) {
                throw tutti::error("array " + p.name, what.problem(), what.expected());
            }
        }
    } catch (const tutti::error& error) {
        refuse(error.what());
    }
    return inputs;
}

} // namespace program
