#pragma once

#include <tutti/base/error.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::test {

/// Parses a program with these definitions.
inline relay::ir_module program(std::string_view definitions) {
    return relay::parse("#[version = \"0.0.5\"]\n" + std::string(definitions));
}

/// Runs an evaluator. Returns the elements of all results, which are float32.
template <class Evaluator>
std::vector<float> floats(Evaluator& e, std::initializer_list<kernel::tensor> inputs) {
    std::vector<float> all;
    for (const kernel::tensor& t : e.run(std::span<const kernel::tensor>(inputs.begin(), inputs.size())))
        for (const float x : t.elements<float>()) all.push_back(x);
    return all;
}

/// Evaluates a program with these inputs. Returns the elements of all results.
inline std::vector<float> computed(std::string_view definitions, std::initializer_list<kernel::tensor> inputs) {
    relay::evaluator e(program(definitions));
    return floats(e, inputs);
}

/// Evaluates a program with these inputs. Returns the error.
inline std::string refusal(std::string_view definitions, std::initializer_list<kernel::tensor> inputs = {}) {
    try {
        computed(definitions, inputs);
    } catch (const error& e) {
        return e.what();
    }
    return "(not refused)";
}

} // namespace tutti::test
