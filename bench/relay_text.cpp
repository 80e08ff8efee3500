// The cost per call of the steps from text to text: parsing, type inference, copying, printing and destruction. The
// programs are chains (as deep as they are long) of 10^3 to 10^6 calls of two operands. The targets on the right are
// for 10^6 calls. "growth" is the cost at the last size divided by the cost at 10^4. Its limit is 1.5. The targets in
// MB/s are for one thread and text without types, and for each size from 10^4 on.
//
// On a comparable machine, for a call of two operands, MLIR 19 parses in 2,500-4,400 ns, prints in 1,660-2,190 ns,
// clones in 205-519 ns, destroys in 77-121 ns, and uses 176-267 bytes. The reference prints in 9,000 ns and infers
// types in 13,000 ns.

#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "cpu_time.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace relay = tutti::relay;

namespace {

constexpr const char* type = "Tensor[(16, 16), float32]";

// Returns the printed form of a chain of calls, with or without inferred types.
std::string chain(std::size_t calls, bool typed) {
    const std::string note = typed ? std::string(" /* ty=") + type + " */" : "";
    std::string out = "#[version = \"0.0.5\"]\ndef @main(%x: ";
    out = out + type + note + ", %y: " + type + note + ")";
    if (typed) out = out + " -> " + type;
    out += " {\n";
    std::string last = "%x";
    for (std::size_t i = 0; i + 1 < calls; ++i) {
        const std::string name = "%" + std::to_string(i);
        out += "  " + name + (i % 2 == 0 ? " = add(" : " = multiply(") + last + ", %y)" + note + ";\n";
        last = name;
    }
    return out + "  subtract(" + last + ", %y)" + note + "\n}\n";
}

double parse(std::size_t calls, bool typed) {
    const std::string text = chain(calls, typed);
    return ns(calls, [] { return 0; }, [&](int) { return relay::parse(text); });
}

double print(std::size_t calls, bool typed) {
    const std::string text = chain(calls, typed);
    const relay::ir_module m = relay::parse(text);
    if (relay::to_text(m) != text) std::printf("(not the text that was read) ");
    return ns(calls, [] { return 0; }, [&](int) { return relay::to_text(m); });
}

// Converts ns per call to MB/s for the text that `chain` returns.
double speed(std::size_t calls, double ns_a_call) {
    return static_cast<double>(chain(calls, false).size()) / static_cast<double>(calls) * 1e3 / ns_a_call;
}

struct measure {
    const char* name;
    double target; // at 10^6 calls; 0 is none
    double (*run)(std::size_t calls);
    bool at_least = false; // true: the target is a minimum, for programs of 10^4 calls or more
};

constexpr std::array measures{
    measure{"parse", 400, [](std::size_t n) { return parse(n, false); }},
    measure{"parse, with types", 400, [](std::size_t n) { return parse(n, true); }},
    measure{"print", 250, [](std::size_t n) { return print(n, false); }},
    measure{"parse, MB/s", 600, [](std::size_t n) { return speed(n, parse(n, false)); }, true},
    measure{"print, MB/s", 900, [](std::size_t n) { return speed(n, print(n, false)); }, true},
    measure{"print, with types", 250, [](std::size_t n) { return print(n, true); }},
    measure{"InferType", 150,
            [](std::size_t n) {
                const relay::ir_module m = relay::parse(chain(n, false));
                return ns(
                    n, [&] { return m; },
                    [](relay::ir_module& given) {
                        relay::infer_types(given);
                        return 0;
                    });
            }},
    measure{"clone", 30,
            [](std::size_t n) {
                const relay::ir_module m = relay::parse(chain(n, true));
                return ns(n, [] { return 0; }, [&](int) { return m; });
            }},
    measure{"destroy", 5,
            [](std::size_t n) {
                const relay::ir_module m = relay::parse(chain(n, true));
                return ns(
                    n, [&] { return std::optional(m); },
                    [](std::optional<relay::ir_module>& given) {
                        given.reset();
                        return 0;
                    });
            }},
    measure{"bytes, as read", 64,
            [](std::size_t n) {
                const std::string text = chain(n, true);
                const double before = bytes_in_use();
                const relay::ir_module m = relay::parse(text);
                return (bytes_in_use() - before) / static_cast<double>(n);
            }},
    measure{"bytes, as cloned", 64,
            [](std::size_t n) {
                const relay::ir_module m = relay::parse(chain(n, true));
                const double before = bytes_in_use();
                const relay::ir_module copy = m;
                return (bytes_in_use() - before) / static_cast<double>(n);
            }},
    measure{"characters of the text", 0,
            [](std::size_t n) { return static_cast<double>(chain(n, true).size()) / static_cast<double>(n); }},
};

} // namespace

int main() {
    constexpr std::array<std::size_t, 4> sizes{1'000, 10'000, 100'000, 1'000'000};
    std::printf("%-32s", "ns or bytes a call");
    for (const std::size_t n : sizes) std::printf(" %9zu", n);
    std::printf("    growth    target\n");
    for (const measure& m : measures) {
        std::printf("%-32s", m.name);
        std::array<double, sizes.size()> values{};
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            values[i] = m.run(sizes[i]);
            std::printf(" %9.1f", values[i]);
            std::fflush(stdout);
        }
        std::printf(" %9.2f", values.back() / values[1]);
        const bool reached =
            m.at_least ? *std::min_element(values.begin() + 1, values.end()) >= m.target : values.back() <= m.target;
        if (m.target > 0) std::printf("  %s %5.0f%s", m.at_least ? ">=" : "<=", m.target, reached ? "" : " missed");
        std::printf("\n");
    }
}
