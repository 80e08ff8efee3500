// A fuzz target for Relay text: any text is a program or an error with a location, and a printed program is read back
// as the same program, which is printed in the same way.

#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace relay = tutti::relay;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check_diagnostics(const relay::parse_error& e, std::string_view text) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    require(!e.diagnostics().empty() && e.diagnostics().size() <= 20);
    for (const relay::diagnostic& d : e.diagnostics()) {
        require(!d.problem.empty());
        require(d.where.line >= 1 && d.where.line <= lines && d.where.column >= 1 && d.where.column <= text.size() + 1);
        require(d.caret <= d.line.size());
    }
}

std::optional<relay::ir_module> read(std::string_view text) {
    try {
        return relay::parse(text, {.source = "text", .metadata = relay::read_metadata});
    } catch (const relay::parse_error& e) {
        check_diagnostics(e, text);
        return {};
    }
}

// True if no variable is used outside its function. Texts may use variables there, but the printed form of such
// programs is not checked.
bool well_scoped(const relay::ir_module& m) {
    try {
        for (const auto& [name, f] : m) relay::verify_structure(f.graph, f.root);
        return true;
    } catch (const tutti::error&) {
        return false;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto m = read({reinterpret_cast<const char*>(data), size});
    if (!m) return 0;
    const std::string all = relay::to_text(*m, {.metadata = relay::write_metadata});
    static_cast<void>(relay::to_text(*m, {.type_comments = false}));
    if (!well_scoped(*m)) return 0;
    const auto again = read(all);
    require(again.has_value());
    require(relay::structural_equal(*m, *again, {.inferred_types = true}));
    require(relay::to_text(*again, {.metadata = relay::write_metadata}) == all);
    return 0;
}
