#include <tutti/relay/op/function_image.hpp>

#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using image = relay::internal::function_image;

namespace {

constexpr std::string_view texts[]{
    "def @main(%x: Tensor[(2, 3), float32]) { add(%x, 2f) }",
    "def @main(%x: Tensor[(1, 4, 6, 6), float32], %w: Tensor[(4, 4, 3, 3), float32]) {\n"
    "  let %y = nn.conv2d(%x, %w, padding=[1, 1], channels=4, kernel_size=[3, 3]);\n"
    "  %0 = (%y, nn.relu(%y));\n  if (True) { %0.0 } else { %0.1 }\n}",
    "def @main[A](%f: fn (A) -> A, %x: A) { %f(%f(%x)) }",
};

relay::ir_module read(std::string_view text) {
    relay::ir_module m = relay::parse(text);
    relay::infer_types(m);
    return m;
}
tutti::digest digest_of(const relay::function& f) {
    tutti::digester all;
    std::vector<std::string_view> globals;
    image writes;
    REQUIRE(writes.add(all, f, globals));
    return all.value();
}

} // namespace

TEST_CASE("function_image: restores a function with its source positions, also on other lines",
          "[relay][op][function_image]") {
    for (const std::string_view text : texts) {
        const relay::ir_module m = read(text), later = read("\n\n" + std::string(text));
        const relay::function &f = *m.find("main"), &moved = *later.find("main");
        CHECK(digest_of(f) == digest_of(moved));
        std::string bytes, again;
        image writes;
        writes.write(bytes, f, f);
        writes.write(again, moved, moved);
        CHECK(bytes == again);
        relay::function restored = *read(texts[1]).find("main"); // its memory is reused
        REQUIRE(image::read(bytes, moved, restored));
        CHECK(digest_of(restored) == digest_of(f));
        relay::check_well_formed(restored);
        CHECK(relay::to_text(relay::ir_module(restored)) == relay::to_text(later));
        const relay::expr_id root = restored.root;
        CHECK(restored.graph.location(root) == moved.graph.location(root));
        CHECK_FALSE(restored.graph.location(root) == f.graph.location(root));
    }
    CHECK_FALSE(digest_of(*read(texts[0]).find("main")) == digest_of(*read(texts[1]).find("main")));
}

TEST_CASE("function_image: refuses truncated bytes, and others are never malformed unnoticed",
          "[relay][op][function_image]") {
    for (const std::string_view text : texts) {
        const relay::ir_module m = read(text);
        const relay::function& f = *m.find("main");
        std::string bytes;
        image().write(bytes, f, f);
        relay::function restored;
        for (std::size_t size = 0; size < bytes.size(); ++size)
            CHECK_FALSE(image::read(std::string_view(bytes).substr(0, size), f, restored));
        CHECK_FALSE(image::read(bytes + "x", f, restored));
        for (std::size_t i = 0; i < bytes.size(); ++i)
            for (const int mask : {1, 0x80, 0xFF}) {
                std::string bad = bytes;
                bad[i] = static_cast<char>(bad[i] ^ mask);
                if (!image::read(bad, f, restored)) continue;
                try {
                    relay::check_well_formed(restored);
                    static_cast<void>(relay::to_text(relay::ir_module(restored)));
                } catch (const tutti::error&) {}
            }
    }
}
