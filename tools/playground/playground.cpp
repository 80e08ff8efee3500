// The functions that the page of the playground calls: one runs passes over a program, others return its results.

#include <tutti/pass/with.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/report/report.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/version.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace relay = tutti::relay;
using relay::ir_module;

namespace {

// The texts of the last run. The page reads them by their index.
enum class result { text, page, error, where };
constexpr int results = 4;
std::string made[results];

std::string& at(result which) { return made[static_cast<int>(which)]; }

// A request of the page: four lines, then the program.
struct request {
    std::string_view kind; // "relay" or "onnx"
    std::string_view name; // the file, for errors and the report
    std::string_view level;
    std::string_view passes;
    std::string_view program;

    explicit request(std::string_view text) {
        for (std::string_view* line : {&kind, &name, &level, &passes}) {
            const std::size_t end = text.find('\n');
            *line = text.substr(0, end);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        program = text;
    }
};

// Runs a function. Returns false if it throws, with the error as a result. `where` tells the page which of its fields
// the position in the error is about.
template <class F>
bool succeeds(std::string_view where, F&& f) {
    std::string what;
    try {
        f();
        return true;
    } catch (const std::bad_alloc&) {
        what = "out of memory";
    } catch (const std::exception& e) {
        what = e.what();
    }
    at(result::error) = what;
    at(result::where) = where;
    return false;
}

ir_module program_of(const request& asked) {
    if (asked.kind == "onnx")
        return relay::onnx::import_model(relay::onnx::model_in_memory(asked.program, std::string(asked.name)));
    return relay::parse(asked.program);
}

bool run(const request& asked) {
    ir_module m;
    if (!succeeds("program", [&] { m = program_of(asked); })) return false;

    tutti::runtime::sequential<ir_module> pipeline{{}};
    std::string printed; // by PrintIR
    const auto known = relay::registered_passes([&](std::string_view text) { printed += text; });
    if (!asked.passes.empty() &&
        !succeeds("passes", [&] { pipeline = tutti::runtime::parse_pipeline(asked.passes, known); }))
        return false;

    tutti::instrument::report report{{.title = std::string(asked.name), .pipeline = tutti::write_pipeline(pipeline)}};
    const int level = asked.level.empty() ? 2 : asked.level[0] - '0';
    tutti::runtime::pass_context<ir_module> context{{.opt_level = level, .instruments = {report}}};
    const bool done = succeeds("run", [&] {
        tutti::with(context, [&](auto& scope) { scope.run(pipeline, m); });
        at(result::text) = printed + relay::to_text(m);
    });
    at(result::page) = report.render();
    return done;
}

} // namespace

extern "C" {

/// Returns memory for a request. The next call frees it.
[[clang::export_name("request")]] char* playground_request(std::size_t size) {
    static std::string memory;
    memory.resize(size);
    return memory.data();
}

/// Runs passes over a program. Returns true if no error occurred.
[[clang::export_name("run")]] bool playground_run(const char* text, std::size_t size) {
    for (std::string& each : made) each.clear();
    return run(request(std::string_view(text, size)));
}

[[clang::export_name("result")]] const char* playground_result(int which) { return made[which].data(); }
[[clang::export_name("result_size")]] std::size_t playground_result_size(int which) { return made[which].size(); }

/// Makes the text of the results the library's version, then a line for each pass: its name and level.
[[clang::export_name("describe")]] void playground_describe() {
    const auto [major, minor, patch] = tutti::version;
    std::string& text = at(result::text);
    text = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + "\n";
    const auto known = relay::registered_passes();
    for (const auto& pass : known.list())
        text.append(pass.name).append(" ").append(std::to_string(pass.opt_level)).append("\n");
}

} // extern "C"
