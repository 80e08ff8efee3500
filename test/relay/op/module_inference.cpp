#include <tutti/relay/op/module_inference.hpp>

#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;

namespace {

constexpr std::string_view two_functions = "def @f(%x: float32) { add(%x, 1f) }\n"
                                           "def @main(%x: float32) { @f(%x) }\n";

} // namespace

TEST_CASE("infer_types_at_once: infers functions in any order, and those that refer to others afterwards",
          "[relay][infer]") {
    relay::ir_module in_order = relay::parse(two_functions);
    relay::infer_types(in_order);
    for (const bool backwards : {false, true}) {
        relay::ir_module m = relay::parse(two_functions);
        std::vector<std::size_t> asked;
        relay::infer_types_at_once(m, [&](auto&& infer) {
            for (std::size_t i = 0; i < m.size(); ++i) {
                asked.push_back(backwards ? m.size() - 1 - i : i);
                infer(asked.back());
            }
        });
        CHECK(asked.size() == 2);
        CHECK(relay::to_text(m) == relay::to_text(in_order));
    }
}

TEST_CASE("infer_types_at_once: throws the first error in order, and restores all types", "[relay][infer]") {
    const std::string_view wrong =
        "def @f(%x: float32) { add(%x, 1f) }\n"
        "def @g(%x: Tensor[(2), float32], %y: Tensor[(3), float32]) { add(%x, %y) }\n"
        "def @main(%x: Tensor[(2), float32], %y: Tensor[(3), float32]) { multiply(%x, %y) }\n";
    relay::ir_module m = relay::parse(wrong);
    const std::string before = relay::to_text(m);
    CHECK_THROWS_WITH(relay::infer_types_at_once(m,
                                                 [&](auto&& infer) {
                                                     for (std::size_t i = m.size(); i-- > 0;) infer(i);
                                                 }),
                      Catch::Matchers::StartsWith("@g: add"));
    CHECK(relay::to_text(m) == before);
}
