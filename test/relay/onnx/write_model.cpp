#include <tutti/relay/onnx/write_model.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>

#include "round_trip.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

namespace {

// Returns a program that adds `count` constants of `size` elements, and a scalar, to a parameter.
relay::ir_module with_constants(int count, std::int64_t size, dtype type = dtype::float32) {
    relay::builder b;
    const relay::expr x = b.variable("x", {size}, type);
    relay::expr sum = relay::add(x, b.constant(relay::testing::scalar_of(type, 1)));
    for (int i = 0; i < count; ++i)
        sum = relay::add(sum, b.constant(relay::testing::made_up_tensor(type, {size}, elements::small,
                                                                        static_cast<std::uint64_t>(i) + 1)));
    return relay::ir_module{b.function({x}, sum)};
}

std::string change_in_file(const relay::ir_module& m, const std::string& path) {
    return difference(m, import_model(open_model(path)), made_up_inputs(m, elements::small, 1));
}

} // namespace

TEST_CASE("write_model: a file has the bytes of the model", "[relay][onnx][write_model]") {
    const temporary_folder folder;
    const auto m = program_of("def @main(%x: Tensor[(2, ?), float32]) { exp(add(%x, 2f)) }");
    write_model(m, folder.path("m.onnx"));
    CHECK(folder.files().size() == 1);
    CHECK((folder.read("m.onnx") == model_bytes(m)));
    CHECK(change_in_file(m, folder.path("m.onnx")) == "");
    write_model(m, folder.path("m.onnx"), {.opset = 20});
    CHECK(open_model(folder.path("m.onnx")).opset() == 20);
}

TEST_CASE("write_model: the module is unchanged, and may have no types", "[relay][onnx][write_model]") {
    const auto m = program_of("def @main(%x: Tensor[(2, 3), float32]) { exp(%x) }");
    const std::string before = relay::to_text(m);
    const std::string bytes = model_bytes(m);
    CHECK(relay::to_text(m) == before);
    relay::ir_module typed = m;
    relay::infer_types(typed);
    CHECK((model_bytes(typed) == bytes));
    CHECK(refused([] { model_bytes(program_of("def @main(%x: Tensor[(2), float32]) { add(%x, 1i64) }")); }) != "");
}

TEST_CASE("write_model: a written model that is imported and written again is the same", "[relay][onnx][write_model]") {
    const auto m = with_constants(2, 300);
    // The first import assigns names to the nodes.
    const model first = model_of(model_bytes(import_model(model_of(model_bytes(m)))));
    const model second = model_of(model_bytes(import_model(first), {.like = &first}));
    CHECK((second.file()->bytes() == first.file()->bytes()));
}

TEST_CASE("write_model: large constants are in a file beside the model", "[relay][onnx][write_model]") {
    for (const dtype type : {dtype::float32, dtype::float64, dtype::int8}) {
        const temporary_folder folder;
        const std::int64_t size = 1024 / static_cast<std::int64_t>(kernel::bytes(type)) + 1;
        const auto m = with_constants(3, size, type);
        write_model(m, folder.path("m.onnx"), {.constants = constant_place::beside});
        const auto files = folder.files();
        REQUIRE(files.size() == 2);
        const auto each = static_cast<std::size_t>(size) * kernel::bytes(type);
        // Each constant begins at a multiple of 64 bytes.
        CHECK(files.at("m.onnx.data").size() == 2 * ((each + 63) / 64 * 64) + each);
        CHECK(files.at("m.onnx").size() < 1000);
        CHECK(change_in_file(m, folder.path("m.onnx")) == "");
    }
}

TEST_CASE("write_model: constants stay inside if they are small, few or asked to", "[relay][onnx][write_model]") {
    const temporary_folder folder;
    const auto small = with_constants(2, 255);
    write_model(small, folder.path("small.onnx"), {.constants = constant_place::beside});
    CHECK(folder.files().size() == 1);
    CHECK(change_in_file(small, folder.path("small.onnx")) == "");
    const auto large = with_constants(2, 1000);
    for (const constant_place place : {constant_place::automatic, constant_place::inside}) {
        const temporary_folder alone;
        write_model(large, alone.path("large.onnx"), {.constants = place});
        CHECK(alone.files().size() == 1);
        CHECK((alone.read("large.onnx") == model_bytes(large)));
    }
    CHECK(refused([&] { model_bytes(large, {.constants = constant_place::beside}); }) ==
          "has 8004 bytes of constants; expected model_output::constants, which stores them beside the model");
}

TEST_CASE("write_model: packed constants are beside the model, too", "[relay][onnx][write_model]") {
    const temporary_folder folder;
    relay::builder b;
    const tensor t = relay::testing::made_up_tensor(dtype::int4, {2049}, elements::small, 3);
    const relay::expr constant = b.constant(t);
    const relay::ir_module m{b.function({}, constant)};
    write_model(m, folder.path("m.onnx"), {.constants = constant_place::beside});
    CHECK(folder.read("m.onnx.data").size() == 1025);
    const auto again = relay::evaluate(import_model(open_model(folder.path("m.onnx"))), std::vector<tensor>{});
    CHECK(relay::same_value(again[0], t));
}

TEST_CASE("write_model: what cannot be written leaves nothing", "[relay][onnx][write_model]") {
    const temporary_folder folder;
    const auto m = with_constants(1, 1000);
    for (const constant_place place : {constant_place::inside, constant_place::beside}) {
        CHECK(refused([&] {
                  write_model(m, folder.path("no/m.onnx"), {.constants = place});
              }).starts_with(folder.path("no/m.onnx")));
        CHECK(folder.files().empty());
    }
    const auto bad = program_of("def @main(%x: Tensor[(3), int64]) { invert_permutation(%x) }");
    std::ofstream(folder.path("m.onnx")) << "before";
    CHECK(refused([&] { write_model(bad, folder.path("m.onnx")); }) != "");
    CHECK(refused([&] { write_model(m, folder.path("m.onnx"), {.opset = 3}); }) != "");
    CHECK(folder.read("m.onnx") == "before");
    CHECK(folder.files().size() == 1);
}

TEST_CASE("write_model: elements that cannot be written leave the model as it was", "[relay][onnx][write_model]") {
    const temporary_folder folder;
    const auto m = with_constants(1, 1000);
    std::ofstream(folder.path("m.onnx")) << "before";
    std::filesystem::create_directory(folder.path("m.onnx.data"));
    CHECK(refused([&] {
              write_model(m, folder.path("m.onnx"), {.constants = constant_place::beside});
          }).starts_with(folder.path("m.onnx.data")));
    CHECK(folder.read("m.onnx") == "before");
    CHECK(folder.files().size() == 1);
}
