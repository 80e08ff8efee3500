// Parses and prints a program with decimals, on which standard libraries differ.

#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include <cstdio>
#include <string>

int main() {
    namespace relay = tutti::relay;
    const char* const text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n"
                             "  add(%x, 1.5e-07f) /* 0.1 */;\n  clip(%x, a_min=-0.25f, a_max=1e+30f)\n}\n";
    std::fputs(relay::to_text(relay::parse(text)).c_str(), stdout);
    return 0;
}
