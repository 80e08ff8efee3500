// Parses the reference's programs and prints them again.

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/number_reader.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/relay/text/printer.hpp>

#include "../golden.hpp"
#include "support/catch.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

/// Returns the part of a text that is compared byte for byte. It excludes the metadata, and the empty line at the end
/// of some recorded texts.
std::string_view compared(std::string_view text) {
    text = text.substr(0, text.find("#[metadata]"));
    while (text.ends_with('\n')) text.remove_suffix(1);
    return text;
}

/// Parses and prints a text. Returns "identical", the difference or the syntax error.
std::string fate(const std::string& text) {
    relay::ir_module m;
    try {
        m = relay::parse(text, {.metadata = relay::read_metadata});
    } catch (const relay::parse_error& e) {
        return "not read: " + e.problem();
    }
    if (compared(relay::to_text(m, {.metadata_note = false})) != compared(text)) return "differs: the text";
    // If the values of constants are printed, nothing is lost, and a second round trip changes nothing.
    const std::string printed = relay::to_text(m, {.metadata = relay::write_metadata});
    if (compared(printed) != compared(text)) return "differs: the text with its constants";
    const relay::ir_module again = relay::parse(printed, {.metadata = relay::read_metadata});
    if (!relay::structural_equal(m, again, {.names = true, .inferred_types = true})) return "differs: the module";
    if (relay::to_text(again, {.metadata = relay::write_metadata}) != printed) return "differs: the second time";
    return "identical";
}

/// Counts the texts of a folder by outcome, and prints the counts.
std::map<std::string, std::size_t> walk(const std::filesystem::path& folder) {
    std::map<std::string, std::size_t> fates;
    std::size_t all = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".relay") continue;
        ++all;
        const std::string what = fate(test::file_text(entry.path().string()));
        ++fates[what];
        if (what.starts_with("differs")) std::cout << entry.path().string() << ": " << what << '\n';
    }
    std::cout << "read and printed: " << fates["identical"] << " of " << all << " identical\n";
    for (const auto& [what, count] : fates)
        if (what != "identical") std::cout << "  " << count << "  " << what << '\n';
    return fates;
}

} // namespace

TEST_CASE("round trip: every program of ours is printed as it was read", "[relay][text][round_trip]") {
    const auto fates = walk(std::filesystem::path(test::data_dir) / "golden");
    CHECK(fates.size() == 1);
    CHECK(fates.at("identical") > 500);
}

TEST_CASE("round trip: every program of the reference's is printed as it was read",
          "[relay][text][round_trip][shared]") {
    const auto fates = walk(std::filesystem::path(test::shared_dir) / "golden");
    CHECK(fates.size() == 1);
    CHECK(fates.at("identical") >= 3410);
}

TEST_CASE("round trip: a difference would be noticed", "[relay][text][round_trip]") {
    CHECK(fate("#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  %x\n}\n") == "identical");
    CHECK(fate("#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  (%x)\n}\n") == "differs: the text");
    CHECK(fate("def @main(%x: float32) {\n  %other\n}\n") == "not read: the variable `%other` is not defined");
}

TEST_CASE("round trip: a text loses only digits beyond the sixth, and only without the constants' values",
          "[relay][text][round_trip]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    const relay::ir_module m(b.function({x}, relay::add(x, relay::add(b.constant(0.1F + 0.2F), b.constant(1.0F / 3)))));
    const auto through = [](const relay::ir_module& program, const relay::text_options& options) {
        return relay::parse(relay::to_text(program, options), {.metadata = relay::read_metadata});
    };
    CHECK_FALSE(relay::structural_equal(m, through(m, {})));
    CHECK(relay::structural_equal(m, through(m, {.metadata = relay::write_metadata})));
    CHECK(relay::structural_equal(through(m, {}), through(through(m, {}), {})));
}

TEST_CASE("round trip: every number with all its digits is read as the same one", "[relay][text][round_trip]") {
    const auto through = [](const kernel::tensor& value) {
        std::string text;
        relay::text::append_literal(text, value, relay::text::digits::all);
        return relay::text::read_constant(relay::text::cursor(text).number(), {});
    };
    std::uint64_t state = 0x9E3779B97F4A7C15U;
    std::size_t different = 0;
    const auto hold = [&]<class T, class Bits>(T value, Bits) {
        const auto again = through(kernel::tensor::scalar(value)).template elements<T>()[0];
        const bool same = std::bit_cast<Bits>(value) == std::bit_cast<Bits>(again) || value != value;
        different += same ? 0 : 1;
    };
    for (int i = 0; i < 100'000; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const auto high = static_cast<std::uint32_t>(state >> 32);
        hold(std::bit_cast<float>(high), std::uint32_t{});
        hold(std::bit_cast<double>(state), std::uint64_t{});
        hold(static_cast<float>(high), std::uint32_t{}); // large and small integers
        hold(static_cast<double>(state >> (state & 63)), std::uint64_t{});
    }
    for (std::uint32_t i = 0; i < 0x10000; ++i) {
        const auto value = std::bit_cast<kernel::float16>(static_cast<std::uint16_t>(i));
        const auto again = through(kernel::tensor::scalar(value)).elements<kernel::float16>()[0];
        const bool same = std::bit_cast<std::uint16_t>(again) == i || std::isnan(static_cast<float>(value));
        different += same ? 0 : 1;
    }
    CHECK(different == 0);
}

TEST_CASE("round trip: keeps names with slashes, as in TensorFlow", "[relay][text][round_trip]") {
    CHECK(fate("#[version = \"0.0.5\"]\n"
               "def @main(%conv1/weights: float32, %a/b/0.c: (float32, float32)) {\n"
               "  let %scope/x_1 = add(%conv1/weights, %conv1/weights);\n"
               "  %0 = %a/b/0.c.1;\n"
               "  %1 = add(%scope/x_1, %0);\n"
               "  @net/part(%1)\n"
               "}\n\n"
               "def @net/part(%x: float32) {\n"
               "  %x\n"
               "}\n") == "identical");
}

TEST_CASE("round trip: values shared by blocks are bound before their use, wherever the block is",
          "[relay][text][round_trip]") {
    const auto twice = [](const std::string& text) {
        const relay::ir_module m = relay::parse("#[version = \"0.0.5\"]\n" + text);
        const std::string printed = relay::to_text(m);
        const relay::ir_module again = relay::parse(printed);
        CHECK(relay::structural_equal(m, again));
        CHECK(relay::to_text(again) == printed);
        return printed.substr(printed.find('\n') + 1);
    };
    CHECK(twice("def @main(%x: float32) {\n"
                "  %0 = exp(%x);\n"
                "  %1 = fn (%p: float32) {\n"
                "    add(%p, %0)\n"
                "  };\n"
                "  %2 = negative(%0);\n"
                "  %1(%2)\n"
                "}\n") == "def @main(%x: float32) {\n"
                          "  %1 = fn (%p: float32) {\n"
                          "    %0 = exp(%x);\n"
                          "    add(%p, %0)\n"
                          "  };\n"
                          "  %2 = negative(%0);\n"
                          "  %1(%2)\n"
                          "}\n");
    // %0 is used in a let, within an `if`, within nested functions. It is also used twice in `main`.
    twice("def @main(%x: float32, %c: bool) {\n"
          "  %0 = exp(%x);\n"
          "  %1 = fn (%p: float32) {\n"
          "    %2 = fn (%q: float32) {\n"
          "      if (%c) {\n"
          "        let %y = log(%0);\n"
          "        add(%q, %y)\n"
          "      } else {\n"
          "        %q\n"
          "      }\n"
          "    };\n"
          "    %2(%p)\n"
          "  };\n"
          "  %3 = negative(%0);\n"
          "  %4 = abs(%0);\n"
          "  %5 = add(%3, %4);\n"
          "  %1(%5)\n"
          "}\n");
}

TEST_CASE("round trip: calls of functions have attributes of their kind, and passes keep them",
          "[relay][text][round_trip]") {
    constexpr std::string_view program =
        "#[version = \"0.0.5\"]\n"
        "def @f(%x: float32) {\n"
        "  %x\n"
        "}\n\n"
        "def @main(%x1: float32) {\n"
        "  let %g = fn () {\n"
        "    @f(%x1, axis=1, names=[\"a\", 2f], attrs_type_key=\"relay.attrs.TIRCallAttrs\")\n"
        "  };\n"
        "  %g(attrs_type_key=\"\")\n"
        "}\n";
    const relay::ir_module m = relay::parse(program);
    CHECK(relay::to_text(m) == program);
    relay::ir_module other = relay::parse(std::string(program).replace(program.find("axis=1"), 6, "axis=2"));
    CHECK_FALSE(relay::structural_equal(m, other));
}
