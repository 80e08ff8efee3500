#include <tutti/relay/text/text_options.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <limits>
#include <string>

using namespace tutti;

TEST_CASE("text_options: each part of the text can be left out", "[relay][text]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.constant(relay::tensor({1}, {1.0F}))));
    relay::infer_types(m);
    const std::string bare = "def @main() -> Tensor[(1), float32] {\n  meta[relay.Constant][0]\n}\n";
    const relay::text_options nothing{.version_line = false, .type_comments = false, .metadata_note = false};
    CHECK(relay::to_text(m, nothing) == bare);
    relay::text_options options = nothing;
    options.version_line = true;
    CHECK(relay::to_text(m, options) == "#[version = \"0.0.5\"]\n" + bare);
    options = nothing;
    options.type_comments = true;
    CHECK(relay::to_text(m, options).find("[0] /* ty=Tensor[(1), float32] */\n") != std::string::npos);
    options = nothing;
    options.metadata_note = true;
    CHECK(relay::to_text(m, options).starts_with(bare + "\n/* For debugging"));
}

TEST_CASE("text_options: the metadata writer gets the constants, and replaces the note", "[relay][text]") {
    relay::builder b;
    const relay::ir_module m(b.function({}, b.constant(relay::tensor({1}, {1.0F}))));
    const relay::text_options options{
        .metadata = [](std::span<const relay::tensor> constants, std::span<const relay::kept_attributes> attributes) {
            return "there are " + std::to_string(constants.size()) + " and " + std::to_string(attributes.size()) + '\n';
        }};
    CHECK(relay::to_text(m, options).ends_with("}\n\n#[metadata]\nthere are 1 and 0\n"));
}

TEST_CASE("text_options: reports the parts missing from the text", "[relay][text]") {
    relay::builder b;
    const auto number = [&](auto value) { return b.constant(relay::tensor::scalar(value)); };
    const relay::ir_module m(
        b.function({}, b.tuple({b.constant(relay::tensor({1}, {1.0F})), number(0.1F), number(1.0F / 3), number(1.0 / 3),
                                number(kernel::float16(0.1F)), number(std::numeric_limits<float>::quiet_NaN())})));
    relay::text_omissions omitted{9, 9};
    const std::string text = relay::to_text(m, {.omitted = &omitted});
    CHECK(omitted.constants == 1);
    CHECK(omitted.numbers == 2);
    CHECK(text == relay::to_text(m));
    static_cast<void>(
        relay::to_text(m, {.metadata = [](std::span<const relay::tensor>,
                                          std::span<const relay::kept_attributes>) { return std::string(); },
                           .omitted = &omitted}));
    CHECK(omitted.constants == 0);
    CHECK(omitted.numbers == 0);
    const auto nothing = [](std::span<const relay::tensor>, std::span<const relay::kept_attributes>) {
        return std::string();
    };
    const std::string short_text = relay::to_text(m, {.metadata = nothing, .six_digits = true, .omitted = &omitted});
    CHECK(omitted.constants == 0);
    CHECK(omitted.numbers == 2);
    CHECK(short_text.find("0.333333f,") != std::string::npos);
}
