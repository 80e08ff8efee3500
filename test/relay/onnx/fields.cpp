#include <tutti/relay/onnx/fields.hpp>

#include <tutti/relay/onnx/schema.hpp>

#include "support/catch.hpp"

#include <set>
#include <utility>

namespace onnx = tutti::relay::onnx;

TEST_CASE("fields: numbers and names are distinct within a message", "[relay][onnx]") {
    std::set<std::pair<onnx::message_kind, std::uint32_t>> numbers;
    std::set<std::pair<onnx::message_kind, std::string_view>> names;
    for (const auto& f : onnx::detail::known_fields) {
        INFO(f.name);
        CHECK(numbers.emplace(f.in, f.number).second);
        CHECK(names.emplace(f.in, f.name).second);
    }
    // An encoded model begins with the key of ir_version, (1 << 3) | 0, where 0 is the wire type varint.
    CHECK((onnx::field::model::ir_version << 3) == 0x08);
    CHECK(onnx::field::tensor::raw_data == 9);
}
