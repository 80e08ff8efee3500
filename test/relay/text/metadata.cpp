#include <tutti/relay/text/metadata.hpp>

#include <tutti/kernel/cast.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/diagonal.hpp>
#include <tutti/relay/op/scan.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/tensor_bytes.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;
using kernel::tensor;

namespace {

std::string refusal(std::string_view section) {
    try {
        relay::read_metadata(section);
    } catch (const error& e) {
        return e.what();
    }
    return "(read)";
}

// Returns a metadata section with one constant, in which the text `from` is replaced by `to`.
std::string changed(std::string_view from, std::string_view to) {
    std::string section = relay::write_metadata(std::vector{tensor({2}, {1.0F, 2.0F})});
    const std::size_t at = section.find(from);
    REQUIRE(at != std::string::npos);
    return section.replace(at, from.size(), to);
}

std::vector<tensor> of_every_type() {
    std::vector<tensor> all;
    for (int t = 1; t <= static_cast<int>(kernel::dtype::float64); ++t)
        kernel::with_element_type(static_cast<kernel::dtype>(t), [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_same_v<T, bool>)
                all.push_back(tensor({2}, {true, false}));
            else if constexpr (kernel::is_half<T>)
                all.push_back(tensor({2}, {T(0.1F), T(-2.0F)}));
            else
                all.push_back(tensor({2}, {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()}));
        });
    for (unsigned t = 0x0F; t <= 0x9F; t += 16) {
        tensor narrow;
        kernel::cast(tensor({2}, {1.0F, 0.5F}), static_cast<kernel::dtype>(t), narrow);
        all.push_back(narrow);
    }
    return all;
}

bool same(const tensor& a, const tensor& b) {
    return a.type() == b.type() && std::ranges::equal(a.shape(), b.shape()) &&
           relay::text::to_bytes(a) == relay::text::to_bytes(b);
}

} // namespace

TEST_CASE("metadata: constants of every element type survive, and of rank 0, and without elements", "[relay][text]") {
    std::vector<tensor> all = of_every_type();
    REQUIRE(all.size() == 23);
    all.push_back(tensor::scalar(-0.0));
    all.push_back(tensor(kernel::dtype::int8, {0, 3}));
    const std::vector<tensor> back = relay::read_metadata(relay::write_metadata(all)).constants;
    REQUIRE(back.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(same(back[i], all[i]));
    CHECK(relay::read_metadata(relay::write_metadata({})).constants.empty());
}

TEST_CASE("metadata: a program's constants survive being printed and parsed, each kept once", "[relay][text]") {
    relay::builder b;
    std::vector<relay::expr_id> fields;
    for (const tensor& t : of_every_type()) fields.push_back(b.constant(t).id);
    fields.push_back(fields.front());
    const std::vector<tensor> all = of_every_type();
    const relay::ir_module m(b.function({}, {&b.graph(), b.graph().tuple(fields)}));
    const std::string text = relay::to_text(m, {.metadata = relay::write_metadata});
    const relay::ir_module back = relay::parse(text, {.metadata = relay::read_metadata});
    CHECK(relay::to_text(back, {.metadata = relay::write_metadata}) == text);
    const relay::function& f = *back.find("main");
    const auto read = f.graph.operands(f.graph.body(f.root));
    REQUIRE(read.size() == fields.size());
    CHECK(read.back() == read.front());
    for (std::size_t i = 0; i < fields.size(); ++i) CHECK(same(f.graph.constant_value(read[i]), all[i % all.size()]));
}

TEST_CASE("metadata: without the function that reads it, a text with constants is refused, and says what is "
          "missing",
          "[relay][text]") {
    const std::string text = "def @main() { meta[relay.Constant][0] }\n#[metadata]\n{}";
    CHECK_THROWS_WITH(relay::parse(text), Catch::Contains("<tutti/relay/text/metadata.hpp>"));
    CHECK_THROWS_WITH(relay::parse(text, {.metadata = relay::read_metadata}),
                      Catch::Contains("<text>:2:1: error: metadata: "));
}

TEST_CASE("metadata: refuses invalid JSON, and JSON of another kind", "[relay][text]") {
    CHECK(refusal("").starts_with("metadata: the section is not JSON: "));
    CHECK(refusal("{").starts_with("metadata: the section is not JSON: "));
    CHECK(refusal(std::string(1'000'000, '[')).starts_with("metadata: the section is not JSON: "));
    for (const char* json : {"[]", "1", "{}", R"({"nodes": 1, "root": 0})", R"({"nodes": [], "root": 0})",
                             R"({"nodes": [], "root": -1})", R"({"nodes": [], "root": "x"})",
                             R"({"nodes": [{}], "root": 0})", R"({"nodes": [{"keys": [], "data": [0]}], "root": 0})",
                             R"({"nodes": [{"keys": ["relay.Constant"], "data": [9]}], "root": 0})",
                             R"({"nodes": [{"keys": ["relay.Constant"], "data": [{}]}], "root": 0})",
                             R"({"nodes": [{"keys": ["relay.Constant"], "data": [0], "data": 1}], "root": "0"})",
                             R"({"nodes": [{"keys": ["relay.Constant"], "data": [1]}, {"data": [0]}], "root": 0})"}) {
        INFO(json);
        CHECK(refusal(json).starts_with("metadata: "));
    }
    CHECK(refusal(R"({"nodes": [{"keys": ["other"], "data": [9]}], "root": "0"})") == "(read)");
}

TEST_CASE("metadata: a constant whose bytes are wrong is refused with its number", "[relay][text]") {
    CHECK(refusal(changed("\"P6G0lvBAXt0A", "\"P6G0lvBAXt0A")) == "(read)");
    CHECK(refusal(changed("P6G0lvBAXt0A", "P6G0lvBAXt0")) == "metadata: tensor 0 is not base64");
    CHECK(refusal(changed("P6G0lvBAXt0A", "P6G0lvBAXt!A")) == "metadata: tensor 0 is not base64");
    CHECK(refusal(changed("P6G0lvBAXt0A", "Q6G0lvBAXt0A")) ==
          "metadata, tensor 0: a tensor begins with the wrong bytes; expected its magic number");
    CHECK(refusal(changed("P6G0lvBAXt0A", "")).starts_with("metadata, tensor 0: a tensor "));
    CHECK(refusal(changed("\"data\": \"0\"", "\"data\": \"1\"")) == "metadata: there is no tensor 1");
    CHECK(refusal(changed("\"data\": \"0\"", "\"data\": \"0x\"")) == "metadata: a constant's data: not a number");
    CHECK(refusal(changed("b64ndarrays", "arrays")) == "metadata: the section has no `b64ndarrays`");
}

TEST_CASE("metadata: constants of one tensor share it, and there are no more values than there may be",
          "[relay][text][limits]") {
    std::string two = relay::write_metadata(std::vector<tensor>{tensor({2}, {1, 2}), tensor({2}, {3, 4})});
    const std::size_t at = two.find("\"data\": \"1\"");
    REQUIRE(at != std::string::npos);
    two[at + 9] = '0';
    const std::vector<tensor> all = relay::read_metadata(two).constants;
    REQUIRE(all.size() == 2);
    CHECK(all[0].same_elements(all[1]));
    std::string many = "[";
    for (int i = 0; i < (1 << 21); ++i) many += "[],0,";
    CHECK(refusal(many + "0]") == "metadata: more than 4,194,304 values in the section; expected no more");
}

TEST_CASE("metadata: attributes of calls that are kept there survive, and are in the call without it",
          "[relay][text]") {
    relay::builder b;
    const relay::expr x = b.variable("x", {2, 3});
    const relay::expr i = b.variable("i", {1, 2}, relay::dtype::int32);
    const relay::expr y = relay::cumsum(x, {.axis = relay::dim(-1), .dtype = relay::dtype::float64, .exclusive = true});
    const relay::expr z = relay::cumprod(relay::cumsum(x), {.exclusive = {}});
    const relay::expr u = b.variable("u", {2, 3});
    const relay::expr s = relay::scatter_nd(x, i, u, "add");
    const relay::expr d = relay::trilu(x, b.constant(tensor::scalar(1)), {.upper = false});
    const relay::ir_module m(b.function({x, i, u}, b.tuple({y, z, s, d})));
    const std::string text = relay::to_text(m, {.metadata = relay::write_metadata});
    INFO(text);
    CHECK(text.find("  %0 = cumsum(%x, meta[relay.attrs.ScanopAttrs][0]);\n"
                    "  %1 = cumsum(%x, meta[relay.attrs.ScanopAttrs][1]);\n"
                    "  %2 = cumprod(%0, meta[relay.attrs.ScanopAttrs][2]);\n"
                    "  %3 = scatter_nd(%x, %i, %u, meta[relay.attrs.ScatterNDAttrs][0]);\n"
                    "  %4 = trilu(%x, 1, meta[relay.attrs.TriluAttrs][0]);\n") != std::string::npos);
    const relay::ir_module back = relay::parse(text, {.metadata = relay::read_metadata});
    CHECK(relay::to_text(back, {.metadata = relay::write_metadata}) == text);
    const std::string bare = relay::to_text(m);
    CHECK(relay::to_text(back) == bare);
    CHECK(bare.find("cumsum(%x, axis=-1, dtype=\"float64\", exclusive=True)") != std::string::npos);
    CHECK(bare.find("cumprod(%0, exclusive=None)") != std::string::npos);
    CHECK(bare.find("scatter_nd(%x, %i, %u, mode=\"add\")") != std::string::npos);
    CHECK(bare.find("trilu(%x, 1, upper=False)") != std::string::npos);
    CHECK(relay::to_text(relay::parse(bare)) == bare);
}

TEST_CASE("metadata: refuses wrong attributes, and names missing ones", "[relay][text]") {
    const auto refused = [](std::string_view call, const std::string& section) {
        try {
            relay::parse("def @main(%x: Tensor[(2, 3), float32]) { " + std::string(call) + " }\n" + section,
                         {.metadata = relay::read_metadata});
        } catch (const error& e) {
            const std::string what = e.what();
            return what.substr(0, what.find('\n'));
        }
        return std::string("(read)");
    };
    const auto with = [](std::string_view kind, std::string_view attributes,
                         std::string_view third = "{\"type_key\": \"\"}") {
        return "#[metadata]\n{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}, {\"type_key\": \"Map\", \"keys\": [\"" +
               std::string(kind) + "\"], \"data\": [2]}, {\"type_key\": \"Array\", \"data\": [3]}, {\"type_key\": \"" +
               std::string(kind) + "\", \"attrs\": " + std::string(attributes) + "}, " + std::string(third) + "]}\n";
    };
    const std::string first = "cumsum(%x, meta[relay.attrs.ScanopAttrs][0])";
    const std::string scan = "relay.attrs.ScanopAttrs";
    CHECK(refused(first, with(scan, R"({"axis": "4", "dtype": "", "exclusive": "0"})",
                              R"({"type_key": "IntImm", "attrs": {"dtype": "int32", "value": "1"}})")) == "(read)");
    CHECK(refused(first, "") ==
          "<text>:1:53: error: the text has no `#[metadata]` section with the attributes' values; "
          "expected text that was printed with text_options::metadata");
    CHECK(refused("cumsum(%x, meta[relay.attrs.ScanopAttrs][1])", with(scan, "{}"))
              .ends_with("the metadata has no relay.attrs.ScanopAttrs 1; expected 0 to 0"));
    CHECK(refused("cumsum(%x, meta[relay.attrs.TriluAttrs][0])", with(scan, "{}"))
              .ends_with("cumsum has no attributes relay.attrs.TriluAttrs; expected relay.attrs.ScanopAttrs"));
    CHECK(refused("nn.relu(%x, meta[relay.attrs.ScanopAttrs][0])", with(scan, "{}"))
              .ends_with("nn.relu has no attributes relay.attrs.ScanopAttrs; expected attributes `name=value`"));
    CHECK(refused(first, with(scan, R"({"axles": "0"})")).find("there is no such attribute") != std::string::npos);
    CHECK(refused(first, with(scan, R"({"axis": "9"})"))
              .ends_with("the metadata has no value for the attribute `axis` of relay.attrs.ScanopAttrs 0"));
    CHECK(refused(first, with(scan, R"({"axis": "3"})")).find("no value for the attribute `axis`") !=
          std::string::npos);
    CHECK(refused(first, with(scan, R"({"axis": "4"})", R"({"type_key": "Array", "data": [4, 4]})"))
              .find("no value for the attribute `axis`") != std::string::npos);
    CHECK(refused(first, with(scan, R"({"axis": "4"})", R"({"type_key": "runtime.String", "repr_str": "a\"b"})"))
              .find("attribute `axis`") != std::string::npos);
    CHECK(refused(first, with(scan, R"({"axis": 4})")).find("an attribute: not a string") != std::string::npos);
    CHECK(refused(first, with(scan, "[]")).find("not a JSON object") != std::string::npos);
    CHECK(refused("cumsum(%x, meta[relay.attrs.ScanopAttrs][0], axis=1)", with(scan, "{}"))
              .find("these are all attributes") != std::string::npos);
    CHECK(refused("trilu(%x, 1, meta[relay.attrs.TriluAttrs][0])", with("relay.attrs.TriluAttrs", R"({"upper": "x"})"))
              .find("no value for the attribute `upper`") != std::string::npos);
}

TEST_CASE("metadata: lists that lists refer to over and over are no values", "[relay][text][limits]") {
    std::string nodes = R"({"type_key": "Array", "data": [)";
    for (int i = 0; i < 3000; ++i) nodes += i == 0 ? "5" : ",5";
    const std::string list = nodes + "]}";
    const std::string twice = list.substr(0, list.find('[')) + "[6" + [] {
        std::string more;
        for (int i = 1; i < 3000; ++i) more += ",6";
        return more;
    }() + "]}, " + R"({"type_key": "Array", "data": []})";
    CHECK(refusal("{\"root\": 1, \"nodes\": [{}, {\"keys\": [\"relay.attrs.A\"], \"data\": [2]}, {\"data\": [3]}, "
                  "{\"attrs\": {\"a\": \"4\"}}, " +
                  list + ", " + twice + "]}") ==
          "metadata: more than 4,194,304 values of attributes; expected no more");
}
