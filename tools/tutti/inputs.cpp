#include "inputs.hpp"

#include <tutti/base/error.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/output_file.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/file/zlib_unpacker.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/params/params_file.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "given_arrays.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <utility>

#include <CLI/CLI.hpp>

#if __has_include(<sys/resource.h>) && __has_include(<unistd.h>)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace program {

namespace relay = tutti::relay;
namespace file = tutti::file;
using relay::tensor;

namespace {

constexpr const char* more_than_a_value = "is more than a value; expected an expression";

// Parses the value of a parameter, which may use the data types of a program. Returns a function without parameters
// that computes the value.
relay::function value_of_text(const relay::ir_module& types, std::string_view name, std::string_view text) {
    relay::ir_module around;
    around.data_types() = types.data_types();
    std::string whole = relay::to_text(around); // constructors must be defined before the value uses them
    whole += "def @main() {\n";
    const auto lines_before = static_cast<std::uint32_t>(std::ranges::count(whole, '\n'));
    whole += text;
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(whole, '\n')) + 1;
    const std::string where = "--param " + std::string(name);
    try {
        relay::ir_module made = [&] {
            try {
                return relay::parse(whole + "\n}\n", {.source = where});
            } catch (const relay::parse_error& e) {
                if (e.diagnostics().front().where.line <= lines) throw;
                relay::parse(whole, {.source = where}); // reports an error at the end of the value, not at the brace
                throw failure{wrong_usage, message(where, more_than_a_value)};
            }
        }();
        if (made.size() != 1) throw failure{wrong_usage, message(where, more_than_a_value)};
        return *made.find("main");
    } catch (const relay::parse_error& e) {
        std::vector<relay::diagnostic> found = e.diagnostics();
        for (relay::diagnostic& d : found) d.where.line -= std::min(d.where.line - 1, lines_before);
        throw failure{wrong_usage, relay::parse_error(where, std::move(found)).what()};
    }
}

// Replaces a parameter of `main` with a let that binds the value in the text NAME=VALUE.
void bind_value(const relay::ir_module& m, relay::function& f, const std::string& given) {
    const std::size_t equals = std::min(given.find('='), given.size());
    const std::string name = given.substr(0, equals);
    const relay::graph& g = f.graph;
    std::vector<relay::expr_id> left(g.params(f.root).begin(), g.params(f.root).end());
    const auto bound = std::ranges::find_if(left, [&](relay::expr_id p) { return g.variable_name(p) == name; });
    if (given.find_first_not_of(" \t\n\r", equals + 1) == std::string::npos)
        throw failure{wrong_usage, message("--param " + name, "has no value; expected NAME=VALUE")};
    if (bound == left.end()) {
        tutti::internal::nearest_name meant(name);
        for (const relay::expr_id p : left) meant.offer(g.variable_name(p));
        const std::string found(meant.found());
        throw failure{wrong_usage,
                      message("--param " + name,
                              "@main has no such parameter" + (found.empty() ? "" : "; did you mean %" + found + '?'))};
    }
    const relay::expr_id parameter = *bound;
    left.erase(bound);
    const relay::function value = value_of_text(m, name, std::string_view(given).substr(equals + 1));
    relay::rewriter r(f);
    relay::copier values(value.graph, r.to());
    const relay::expr_id made = values.copy(value.graph.body(value.root));
    for (const relay::expr_id e : relay::post_order(value.graph, value.graph.body(value.root)))
        r.to().set_location(values[e], {}); // the value is not part of the program's text
    f = r.rewrite([&](relay::rewriter& into, relay::expr_id e) {
        if (e != f.root) return into.rebuild(e);
        for (relay::expr_id& p : left) p = into[p];
        const relay::expr_id body = into.to().let(into[parameter], made, into[g.body(e)]);
        return into.to().function(left, body, g.result_annotation(e), g.function_attributes(e), g.type_params(e));
    });
}

} // namespace

void add_input_options(CLI::App& command, input_options& options) {
    command
        .add_option(
            "--inputs", options.from,
            "The values of the parameters of @main: synthetic, a file of NumPy arrays with the parameters' names (.npz), "
            "or values in their order: one array (.npy), one value of ONNX's test data (.pb), or a folder with input_0.pb "
            "and so on")
        ->type_name("FILE")
        ->capture_default_str();
    command.add_option("--seed", options.seed, "The seed of synthetic inputs")
        ->type_name("N")
        ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
        ->capture_default_str();
}

namespace {

// Returns the memory for evaluation: half of the memory available to the process. Everything else uses the other half.
std::uint64_t half_of_memory() {
    std::uint64_t most = ~std::uint64_t{0};
#if __has_include(<sys/resource.h>) && __has_include(<unistd.h>)
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) most = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
    rlimit allowed{};
    if (::getrlimit(RLIMIT_AS, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY)
        most = std::min<std::uint64_t>(most, allowed.rlim_cur);
    for (const char* group : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        const std::string text = tutti::read_file(group); // memory limit of the container
        std::uint64_t bytes = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), bytes).ec == std::errc{} && bytes != 0)
            most = std::min(most, bytes);
    }
#endif
    return most == ~std::uint64_t{0} ? usual_limits.max_bytes : most / 2;
}

// Returns `times` x `count`, saturated.
std::uint64_t scaled(std::uint64_t times, std::uint64_t count) {
    return count > ~std::uint64_t{0} / times ? ~std::uint64_t{0} : times * count;
}
std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) { return a > ~b ? ~std::uint64_t{0} : a + b; }

} // namespace

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

void add_limit_options(CLI::App& command, limit_options& limits) {
    const auto limit = [&](const char* name, auto& value, const std::string& standard, const char* help) {
        command.add_option(name, value, help)
            ->type_name("N")
            ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
            ->default_str(standard)
            ->group("Limits");
    };
    limit("--max-bytes", limits.max_bytes, "half of the memory",
          "Bytes of inputs and other tensors in memory at the same time");
    limit(
        "--max-work", limits.max_work, "2^34, and more for large weights",
        "Steps: 1 for a product or a cell of a window, 16 for an element read, 64 for one written, 4096 for a call. The "
        "default is 2^34, plus 2^13 for each byte of constants in the program's files, plus 2^5 for each byte of parameters");
    limit("--max-depth", limits.max_depth, std::to_string(limits.max_depth), "The depth of nested function calls");
}

relay::evaluate_options limits_for(const limit_options& options, const relay::ir_module& m,
                                   std::uint64_t constant_bytes) {
    relay::evaluate_options limits = usual_limits;
    limits.max_depth = options.max_depth;
    limits.max_bytes = options.max_bytes ? *options.max_bytes : half_of_memory();
    std::uint64_t parameters = 0;
    if (const relay::function* const f = m.find("main"); f != nullptr && f->root != relay::expr_id::none) {
        const relay::type_table& types = f->graph.types();
        for (const relay::expr_id p : f->graph.params(f->root))
            if (const relay::type_id type = f->graph.annotation(p);
                type != relay::type_id::none && types.kind(type) == relay::type_kind::tensor)
                parameters = sum_of(parameters, relay::detail::bytes_of(types, type));
    }
    parameters = std::min(parameters, limits.max_bytes); // larger parameters would exceed max_bytes
    const std::uint64_t standard = sum_of(usual_limits.max_work, sum_of(scaled(std::uint64_t{1} << 13, constant_bytes),
                                                                        scaled(std::uint64_t{1} << 5, parameters)));
    limits.max_work = options.max_work.value_or(standard);
    return limits;
}

std::string with_switches(const source& from, std::string message) {
    constexpr std::string_view larger = "or a larger max_", known = "a tensor of known shape";
    if (const std::size_t at = message.find(larger); at != std::string::npos)
        message.replace(at, larger.size(), "or a larger --max-");
    if (const std::size_t at = message.find(known); at != std::string::npos && !from.open_dims.empty()) {
        std::string switches;
        for (const std::string& each : from.open_dims) switches += " --dim=" + each + "=SIZE";
        message.insert(at + known.size(), ", as with" + switches);
    }
    return message;
}

void add_read_options(CLI::App& command, read_options& options) {
    command
        .add_option(
            "--params", options.params,
            "A file of NumPy arrays (.npz), which become constants in place of the parameters of @main with their names")
        ->type_name("FILE");
    command
        .add_option("--param", options.values,
                    "The value of a parameter of @main as Relay text; may be of a data type: xs='Cons(1, Nil)'")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command
        .add_option("--dim", options.dims,
                    "The size of a named dimension of an ONNX model; dimensions without a size are `?`")
        ->type_name("NAME=N")
        ->allow_extra_args(false);
    command
        .add_option("--input-shape", options.shapes,
                    "The shape of an input of an ONNX model, in place of the model's own")
        ->type_name("NAME:N,N")
        ->allow_extra_args(false);
    command
        .add_option("--from", options.from,
                    "Import only the part of an ONNX model that begins with these values, which become inputs")
        ->type_name("NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        .add_option("--to", options.to,
                    "Import only the part of an ONNX model that computes these values, which become results")
        ->type_name("NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        .add_option("--nchwc-block", options.nchwc_block,
                    "The channels in a block, for a model that ONNX Runtime saved at its level `all` and whose weights "
                    "fit both: 16 for processors with AVX-512, else 8")
        ->type_name("N")
        ->check(CLI::IsMember({"8", "16"}));
    command.add_flag("--allow-empty", options.allow_empty, "Accept an empty text as a program without functions");
    const auto limit = [&](const char* name, auto& value, std::uint64_t standard, const char* help) {
        command.add_option(name, value, help)
            ->type_name("N")
            ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
            ->default_str(std::to_string(standard))
            ->group("Limits");
    };
    const relay::onnx::import_options usual;
    limit("--max-import-bytes", options.max_import_bytes, usual.max_bytes,
          "Bytes of constants made by importing an ONNX model, beyond four times its size");
    limit(
        "--max-import-work", options.max_import_work, usual.max_work,
        "Steps of importing an ONNX model, beyond its size: 16 for a node, 4 for an expression, 1 for an operand or a dimension, "
        "including unrolled loops");
}

void bind_params(source& program, const read_options& options) {
    const std::string& file = options.params;
    if (file.empty() && options.values.empty()) return;
    relay::function* const f = program.module.find("main");
    if (f == nullptr)
        throw failure{wrong_input, message(program.name, relay::not_in_module("@main", program.module, "main").what())};
    for (const std::string& each : options.values) bind_value(program.module, *f, each);
    if (file.empty()) return;
    try {
        relay::bind_params(*f, arrays_of(file));
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(file, e.what())};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(file, "there is not enough memory to read it")};
    }
}

std::string with_input_hint(const evaluator& e, const input_options& inputs, std::string message) {
    const bool has_integers = std::ranges::any_of(e.parameters(), [&](const relay::parameter& p) {
        return e.types().is_tensor(p.type) && tutti::kernel::is_integer(e.types().element(p.type));
    });
    if (inputs.from == "synthetic" && has_integers)
        message += "tutti: note: the inputs are synthetic, integers from 0 to 15; use --inputs=FILE for others\n";
    return message;
}

void refuse_values(const source& from) {
    const relay::function* const f = from.module.find("main");
    if (f == nullptr) return;
    const relay::type_table& types = f->graph.types();
    for (const relay::expr_id p : f->graph.params(f->root)) {
        const relay::type_id type = f->graph.annotation(p);
        if (type == relay::type_id::none) continue;
        if (types.kind(type) != relay::type_kind::data && types.kind(type) != relay::type_kind::reference) continue;
        const std::string name(f->graph.variable_name(p));
        throw failure{wrong_input,
                      message(from.name, "the parameter %" + name + " is of type " + relay::to_text(types, type) +
                                             ", which an array cannot hold; expected --param " + name + "=VALUE")};
    }
}

namespace {

constexpr std::size_t no_array = ~std::size_t{0};

// Returns the names of the unused parameters of `main`.
std::vector<std::string> unused_parameters(const relay::ir_module& m) {
    const relay::function& f = *m.find("main");
    relay::each_once used(f.graph.size());
    for (const relay::expr_id e : relay::post_order(f.graph, f.graph.body(f.root))) used(e);
    std::vector<std::string> names;
    for (const relay::expr_id p : f.graph.params(f.root))
        if (used(p)) names.emplace_back(f.graph.variable_name(p));
    return names;
}

// Returns the index of the array for each parameter, or `no_array` for an unused parameter without an array. Some
// optimisers leave unused inputs in models. Throws `tutti::error` if a used parameter has no array, or if an array has
// no parameter.
std::vector<std::size_t> matched(const given_arrays& arrays, const evaluator& e) {
    std::vector<std::size_t> found;
    const std::vector<std::string> unused = unused_parameters(e.module());
    for (const relay::parameter& p : e.parameters()) {
        const auto at = arrays.find(p.name, found.size());
        if (at || std::ranges::find(unused, p.name) != unused.end()) {
            found.push_back(at.value_or(no_array));
            continue;
        }
        std::string problem =
            "there is no array for the parameter %" + p.name + " of type " + relay::to_text(e.types(), p.type);
        for (std::size_t i = 0; i < arrays.size(); ++i) problem += (i == 0 ? "; the file has " : ", ") + arrays.name(i);
        throw tutti::error("", std::move(problem));
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        if (std::ranges::find(found, i) != found.end()) continue;
        tutti::internal::nearest_name meant(arrays.name(i));
        for (const relay::parameter& p : e.parameters()) meant.offer(p.name);
        throw relay::no_such_parameter(arrays.name(i), meant);
    }
    return found;
}

// Returns the same as `matched` for arrays without names, which are in the order of the parameters.
std::vector<std::size_t> in_order(const given_arrays& arrays, const evaluator& e) {
    const std::size_t wanted = e.parameters().size();
    if (arrays.size() == 0 && wanted != 0)
        throw tutti::error("", "has no input_0.pb", "a folder with input_0.pb or input_0.npy, as in ONNX's tests");
    if (arrays.size() != wanted)
        throw tutti::error("", "has " + counted(arrays.size(), "array"),
                           counted(wanted, "array") + ", one for each parameter");
    std::vector<std::size_t> all(wanted);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

} // namespace

std::vector<tensor> inputs_of(evaluator& e, const input_options& options, const relay::onnx::model* model) {
    const tutti::kernel::allowance::use here(e.allowance());
    std::vector<tensor> inputs;
    if (options.from == "synthetic") {
        try {
            for (const relay::parameter& p : e.parameters())
                inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type, options.seed));
        } catch (const tutti::error& error) {
            const bool is_open = error.expected() == "a tensor of known shape";
            throw tutti::error(error.where(), error.problem(),
                               error.expected() + (is_open ? ", or --inputs=FILE" : ""));
        }
        return inputs;
    }
    try {
        const given_arrays arrays(options.from, given_arrays::kind::inputs, model);
        for (const std::size_t at : arrays.has_names() ? matched(arrays, e) : in_order(arrays, e)) {
            const relay::type_id type = e.parameters()[inputs.size()].type;
            if (at == no_array) {
                inputs.push_back(relay::synthetic_input("", e.types(), type, 0));
                continue;
            }
            inputs.push_back(arrays.read(at, e.types(), type));
            try {
                e.check(inputs.size() - 1, inputs.back());
            } catch (const tutti::error& what) {
                throw tutti::error(arrays.label(at), what.problem(), what.expected());
            }
        }
    } catch (const tutti::error& error) {
        throw failure{wrong_input, message(name_of(options.from), error.what())};
    }
    return inputs;
}

} // namespace program
