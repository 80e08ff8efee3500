// Compares the descriptions of operators with those of the reference, which are in golden/ops.json.

#include <tutti/relay/op/standard_ops.hpp>

#include "../golden.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

using namespace tutti::relay;

namespace {

nlohmann::json read_facts() {
    return nlohmann::json::parse(tutti::test::file_text(std::string(tutti::test::shared_dir) + "/golden/ops.json"));
}

// Returns the pattern with this name. The reference has no pattern for three operators, which are never fused.
fusion_pattern pattern_named(const nlohmann::json& name) {
    static const std::map<std::string, fusion_pattern> patterns{
        {"ElemWise", fusion_pattern::elementwise},
        {"Broadcast", fusion_pattern::broadcast},
        {"Injective", fusion_pattern::injective},
        {"CommReduce", fusion_pattern::comm_reduce},
        {"OutEWiseFusable", fusion_pattern::out_elementwise_fusable},
        {"Opaque", fusion_pattern::opaque},
    };
    return name.is_null() ? fusion_pattern::opaque : patterns.at(name.get<std::string>());
}

// Returns a default value as the reference prints it. Empty for floating-point numbers, which are compared as numbers.
std::string text_of(const attr_field& f) {
    const attr_value& v = f.standard[0];
    switch (v.kind) {
    case attr_kind::none:
        return "(nullptr)";
    case attr_kind::boolean:
        return v.boolean() ? "1" : "0";
    case attr_kind::number:
        return std::to_string(v.number().value());
    case attr_kind::string:
        return std::string(f.text);
    case attr_kind::dtype:
        return v.element() == dtype::none ? "void" : std::string(tutti::kernel::name(v.element()));
    case attr_kind::list: {
        std::string all = "[";
        for (std::size_t i = 0; i < v.count; ++i)
            all += (i == 0 ? "" : ", ") + std::to_string(f.standard[i + 1].number().value());
        return all + "]";
    }
    case attr_kind::floating:
        break;
    }
    return "";
}

bool same_default(const attr_field& f, const std::string& fact) {
    const std::size_t at = fact.find("default=");
    if (at == std::string::npos) return f.required;
    const std::string value = fact.substr(at + 8);
    if (f.required) return false;
    if (f.standard[0].kind == attr_kind::floating) return f.standard[0].floating() == std::stod(value);
    return text_of(f) == value;
}

} // namespace

TEST_CASE("facts: every operator of the reference's programs matches its description there", "[relay][facts][shared]") {
    const nlohmann::json facts = read_facts();
    const op_set ops = standard_ops;
    std::size_t described = 0;
    for (const auto& [name, fact] : facts.items()) {
        INFO(name);
        const op_def* op = ops.find(name);
        CHECK(op != nullptr);
        if (op == nullptr) continue;
        ++described;
        // In the reference, some operators list more arguments than they take. The additional ones stand for
        // attributes.
        CHECK(op->arguments.size() == fact["num_inputs"].get<std::size_t>());
        for (std::size_t i = 0; i < op->arguments.size(); ++i)
            CHECK(op->arguments[i] == fact["arguments"][i][0].get<std::string>());
        CHECK(op->pattern == pattern_named(fact["pattern"]));
        CHECK(op->stateful == (fact["stateful"].is_boolean() && fact["stateful"].get<bool>()));
        const nlohmann::json attributes = fact.value("attrs", nlohmann::json::array());
        REQUIRE(op->attributes.size() == attributes.size());
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            INFO(attributes[i][0]);
            CHECK(op->attributes[i].name == attributes[i][0].get<std::string>());
            CHECK(same_default(op->attributes[i], attributes[i][1].get<std::string>()));
        }
    }
    WARN(described << " of " << facts.size() << " operators described");
    CHECK(described == facts.size());
}
