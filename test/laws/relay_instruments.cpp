// Laws of the instruments for the tensor-graph IR.

#include <tutti/relay/debug/verify_numerics.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "observed.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <thread>

namespace relay = tutti::relay;

namespace {

// A program that alternates between two forms.
struct programs {
    using unit = relay::ir_module;
    static relay::ir_module make() { return written("add(%x, %x)"); }
    static void next(relay::ir_module& m) {
        m = written(show(m).find("add(") != std::string::npos ? "multiply(%x, 2f)" : "add(%x, %x)");
    }
    static std::string show(const relay::ir_module& m) { return relay::to_text(m); }

private:
    static relay::ir_module written(const std::string& body) {
        relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) { " + body + " }");
        relay::infer_types(m);
        return m;
    }
};

// Defined outside of templates: g++ 12 rejects the default values of the options inside templates.
auto numerics() {
    return relay::verify_numerics{{}, [](std::string_view) {}};
}

} // namespace

TEMPLATE_TEST_CASE("laws: verify_numerics changes neither programs nor the events of others, whatever fails",
                   "[laws][instrument]", static_layer, erased_layer) {
    using layer = observed<TestType, programs>;
    only_sees nothing, nothing_else;
    auto it = numerics();
    for (const hook bad : bad_hooks)
        for (const bool fails : {false, true}) {
            INFO("hook " << static_cast<int>(bad) << (fails ? ", a pass fails" : ""));
            const std::string without = layer::run(bad, fails, nothing, nothing_else);
            CHECK(layer::run(bad, fails, it, nothing) == without);
            CHECK(layer::run(bad, fails, nothing, it) == without);
            CHECK(without.find("wrong") == std::string::npos);
        }
}

TEST_CASE("laws: verify_numerics of threads with contexts of their own do not meet", "[laws][instrument]") {
    std::string seen[2];
    const auto work = [](std::string& text) {
        only_sees nothing;
        auto it = numerics();
        for (int i = 0; i < 5; ++i) text += observed<erased_layer, programs>::run(hook::none, i % 2 != 0, it, nothing);
    };
    std::thread other{[&] { work(seen[1]); }};
    work(seen[0]);
    other.join();
    CHECK(seen[0] == seen[1]);
    CHECK_FALSE(seen[0].empty());
}
