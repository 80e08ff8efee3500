#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/leaves.hpp>
#include <tutti/relay/eval/parameter.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The parameters and results of a function as tensors, with tuples flattened.
class signature {
public:
    /// Requires: `f` has types.
    /// Throws:   `tutti::error` that names a parameter or a part of the result whose type is unsupported.
    signature(std::string_view name, const function& f) : name_('@' + std::string(name)) {
        const type_table& types = f.graph.types();
        const type_leaves leaves(types);
        const auto check = [&](const std::string& what, type_id type, const char* expected) {
            if (!types.is_tensor(type))
                throw error(name_ + ": " + what, "is of type " + to_text(types, type), expected);
        };
        bool result = false;
        const auto add = [&](const std::string& leaf, type_id type) {
            if (result) {
                const type_kind kind = types.kind(type);
                if (kind == type_kind::data || kind == type_kind::reference)
                    return; // the tensors in such a value are found at run time
                check(leaf, type, "tensors");
                ++results_;
            } else {
                check("parameter %" + leaf, type, "a tensor");
                parameters_.push_back({leaf, type});
            }
        };
        for (const expr_id v : f.graph.params(f.root))
            leaves.for_each(std::string(f.graph.variable_name(v)), f.graph.type(v), add);
        result = true;
        leaves.for_each("result", f.graph.type(f.graph.body(f.root)), add);
        by_name_ = sorted_places(parameters_.size(), [&](std::uint32_t a, std::uint32_t b) {
            return parameters_[a].name < parameters_[b].name;
        });
    }

    std::span<const parameter> parameters() const { return {parameters_.data(), parameters_.size()}; }
    /// Number of tensors that the function returns. Tensors inside values of data types and references do not count.
    std::size_t results() const { return results_; }

    /// Checks the inputs; `types` holds the parameters' types.
    ///
    /// Throws: `tutti::error` if the number of inputs is wrong, or one that names the parameter of the first unsuitable
    ///         input.
    void check(std::span<const tensor* const> inputs, const type_table& types) const {
        if (inputs.size() != parameters_.size())
            throw error(name_, "is given " + std::to_string(inputs.size()) + " inputs",
                        std::to_string(parameters_.size()));
        for (std::size_t i = 0; i < inputs.size(); ++i) check(i, *inputs[i], types);
    }
    /// Checks the input of parameter `i`. Requires: the parameter exists.
    void check(std::size_t i, const tensor& input, const type_table& types) const {
        if (!is_of(input, types, parameters_[i].type))
            throw error(name_ + ": parameter %" + parameters_[i].name, "is given " + type_said(input),
                        to_text(types, parameters_[i].type));
    }

    /// Sorts named inputs into the order of the parameters.
    ///
    /// Cost:   logarithmic in the number of parameters for each input.
    /// Throws: `tutti::error` that names an unknown or ambiguous input, or a parameter with no input or
    ///         with several inputs.
    void sort(std::span<const named_input> inputs, const type_table& types, plain_vector<const tensor*>& sorted) const {
        sorted.assign(parameters_.size(), nullptr);
        for (const named_input& given : inputs) {
            const tensor*& place = sorted[place_of(given.name)];
            if (place != nullptr) throw error("input %" + std::string(given.name), "is given twice");
            place = given.value;
        }
        for (std::size_t i = 0; i < sorted.size(); ++i)
            if (sorted[i] == nullptr)
                throw error("parameter %" + parameters_[i].name, "has no input", to_text(types, parameters_[i].type));
    }

private:
    std::size_t place_of(std::string_view name) const {
        const auto is = [&](std::size_t at) { return at < by_name_.size() && parameters_[by_name_[at]].name == name; };
        std::size_t at = 0;
        for (std::size_t rest = by_name_.size(); rest != 0;) {
            const std::size_t half = rest / 2;
            const bool before = parameters_[by_name_[at + half]].name < name;
            if (before) at += half + 1;
            rest = before ? rest - half - 1 : half;
        }
        if (is(at) && !is(at + 1)) return by_name_[at];
        if (is(at))
            throw error("input %" + std::string(name), "is the name of several parameters", "inputs by position");
        tutti::internal::nearest_name meant(name);
        for (const parameter& p : parameters_) meant.offer(p.name);
        throw error("input %" + std::string(name), "there is no such parameter",
                    meant.found().empty() ? std::string() : '%' + std::string(meant.found()));
    }

    std::string name_; // with `@`
    vector<parameter> parameters_;
    plain_vector<std::uint32_t> by_name_; // indices of the parameters, sorted by name
    std::size_t results_ = 0;
};

} // namespace detail
} // namespace tutti::relay::inline TUTTI_FORM
