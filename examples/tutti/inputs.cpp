#include "inputs.hpp"

#include <tutti/error.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/file/zlib_unpacker.hpp>
#include <tutti/nearest.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/params/params_file.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include <CLI/CLI.hpp>

namespace program {

namespace relay = tutti::relay;
namespace file = tutti::file;
using relay::tensor;

namespace {

// The arrays of a file, or of standard input for "-".
file::npz_reader arrays_of(const std::string& name) {
    try {
        auto bytes = name == "-"
                         ? std::make_shared<const file::mapped_file>(file::mapped_file::read_bytes{read_text(name)})
                         : std::make_shared<const file::mapped_file>(name);
        return file::npz_reader(std::move(bytes), file::unpack_with_zlib);
    } catch (const tutti::error& e) {
        throw tutti::error(e.where() == name ? "" : e.where(), e.problem(), e.expected());
    }
}

} // namespace

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

void add_limit_options(CLI::App& command, relay::evaluate_options& limits) {
    const auto limit = [&](const char* name, auto& value, const char* help) {
        command.add_option(name, value, help)
            ->type_name("N")
            ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
            ->capture_default_str()
            ->group("Limits");
    };
    limit("--max-bytes", limits.max_bytes, "Bytes of inputs and other tensors at the same time");
    limit("--max-work", limits.max_work,
          "Steps: products, cells of windows, 16 for an element read or written, 4096 for a call");
    limit("--max-depth", limits.max_depth, "Calls of functions that are open at the same time");
}

void add_read_options(CLI::App& command, read_options& options) {
    command
        .add_option(
            "--params", options.params,
            "A file of NumPy arrays (.npz): parameters of @main that have their names become constants with their values")
        ->type_name("FILE");
    command
        .add_option("--dim", options.dims,
                    "The size of a dimension that has a name in an ONNX model; those that are not said are `?`")
        ->type_name("NAME=N")
        ->allow_extra_args(false);
}

void bind_params(source& program, const std::string& file) {
    if (file.empty()) return;
    relay::function* const f = program.module.find("main");
    if (f == nullptr)
        throw failure{wrong_input, message(program.name, relay::not_in_module("@main", program.module, "main").what())};
    try {
        relay::bind_params(*f, arrays_of(file));
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(file, e.what())};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(file, "there is not enough memory to read it")};
    }
}

std::vector<tensor> inputs_of(evaluator& e, const input_options& options) {
    const tutti::kernel::allowance::use here(e.allowance());
    std::vector<tensor> inputs;
    if (options.from == "synthetic") {
        for (const relay::parameter& p : e.parameters())
            inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type, options.seed));
        return inputs;
    }
    const auto refuse = [&](const std::string& what) {
        throw failure{wrong_input, message(name_of(options.from), what)};
    };
    try {
        const file::npz_reader arrays = arrays_of(options.from);
        std::vector<const file::npz_entry*> found;
        for (const relay::parameter& p : e.parameters()) {
            found.push_back(relay::find_array(arrays, p.name));
            if (found.back() == nullptr)
                refuse("there is no array for the parameter %" + p.name + " of type " +
                       relay::to_text(e.types(), p.type));
        }
        for (const file::npz_entry& each : arrays.entries()) {
            if (std::ranges::find(found, &each) != found.end()) continue;
            tutti::nearest_name meant(each.name);
            for (const relay::parameter& p : e.parameters()) meant.offer(p.name);
            throw relay::no_such_parameter(each, meant);
        }
        for (const relay::parameter& p : e.parameters()) {
            const file::npz_entry& at = *found[inputs.size()];
            relay::check_packed_size(at, e.types(), p.type);
            inputs.push_back(arrays.read(at));
            try {
                e.check(inputs.size() - 1, inputs.back());
            } catch (const tutti::error& what) {
                throw tutti::error("array " + at.name, what.problem(), what.expected());
            }
        }
    } catch (const tutti::error& error) {
        refuse(error.what());
    }
    return inputs;
}

} // namespace program
