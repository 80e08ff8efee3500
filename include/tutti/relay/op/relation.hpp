#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/attributes.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// What an operator's type relation sees and may say: the types of a call's arguments, as far as they are
/// known.
///
/// A relation returns the type of the result, or `type_id::none` if it needs to know more: it is asked again when it may. It may give a
/// type to an argument that has none (`expect`), and must refuse what does not fit (`refuse`). It may add types to the graph, but no
/// expressions.
class relation {
public:
    /// For a call of the operator `op` with as many arguments as there are names; `types` is by expression.
    constexpr relation(relay::graph& g, std::span<type_id> types, expr_id call, std::string_view op,
                       std::span<const std::string_view> arguments)
        : graph_(&g), types_(types), given_(g.arguments(call)), call_(call), op_(op), arguments_(arguments) {}

    constexpr type_table& types() { return graph_->types(); }
    constexpr const type_table& types() const { return graph_->types(); }
    /// The call's attributes. Requires: A is the operator's own structure.
    template <class A>
    constexpr A attributes() const {
        return get_attributes<A>(*graph_, graph_->call_attributes(call_));
    }
    constexpr std::size_t argument_count() const { return given_.size(); }

    /// The argument's value, or null if it is no constant. What a relation says then holds for this call only.
    constexpr const kernel::tensor* constant(std::size_t i) {
        says_only_of_types_ = false;
        return graph_->kind(given_[i]) == expr_kind::constant ? &graph_->constant_value(given_[i]) : nullptr;
    }
    /// Whether nothing was asked for but types and attributes: then other calls of the same operator, attributes and types are of the
    /// same type.
    constexpr bool says_only_of_types() const { return says_only_of_types_; }

    /// The argument's type, or none.
    constexpr type_id argument(std::size_t i) const { return types_[index(given_[i])]; }

    /// Whether the argument's type is known. Throws: `tutti::error` if it is, but not a tensor's.
    constexpr bool knows(std::size_t i) const {
        const type_id t = argument(i);
        if (t != type_id::none && !graph_->types().is_tensor(t)) refuse(i, "a tensor");
        return t != type_id::none;
    }

    /// The argument's shape, copied, and element type. Requires: `knows(i)`.
    constexpr dims shape(std::size_t i) const { return dims(graph_->types().shape(argument(i))); }
    constexpr dtype element(std::size_t i) const { return graph_->types().element(argument(i)); }

    /// Whether the argument's type is known. Throws: `tutti::error` if it is, but not a tuple of tensors.
    constexpr bool knows_tuple(std::size_t i) const {
        const type_id t = argument(i);
        if (t == type_id::none) return false;
        const type_table& types = graph_->types();
        bool good = types.kind(t) == type_kind::tuple;
        if (good)
            for (const type_id field : types.fields(t)) good = good && types.is_tensor(field);
        if (!good) refuse(i, "a tuple of tensors");
        return true;
    }

    /// The types of a tuple's fields, until a type is added. Requires: `knows_tuple(i)`.
    constexpr std::span<const type_id> fields(std::size_t i) const { return graph_->types().fields(argument(i)); }

    /// Refuses the argument unless it is a number: a tensor of rank 0. Requires: `knows(i)`.
    constexpr void expect_scalar(std::size_t i) const {
        if (!graph_->types().shape(argument(i)).empty()) refuse(i, "a tensor of rank 0");
    }

    /// The type `Tensor[shape, element]`.
    constexpr type_id tensor(std::span<const dim> shape, dtype element) {
        return graph_->types().tensor(shape, element);
    }

    /// Says what an argument must be: it becomes the type of a variable that has none.
    ///
    /// Throws: `tutti::error` if it is something else (`?` fits every dimension).
    constexpr void expect(std::size_t i, std::span<const dim> shape, dtype element) {
        const type_id wanted = tensor(shape, element);
        const type_id known = argument(i);
        if (known == wanted) return;
        if (known == type_id::none) { // what is no variable has its type from its operands, and is looked at
                                      // when it is known
            const expr_id argument = given_[i];
            if (graph_->kind(argument) == expr_kind::variable) types_[index(argument)] = wanted;
            return;
        }
        if (!fits(known, shape, element)) refuse(i, to_text(graph_->types(), wanted));
    }

    /// Says what the elements of an argument must be. Requires: the argument's type is known, and a tensor's.
    ///
    /// Throws: `tutti::error` if they are something else.
    constexpr void expect_element(std::size_t i, dtype wanted) const {
        if (element(i) != wanted) refuse(i, "elements of type " + std::string(kernel::name(wanted)));
    }

    /// Refuses the argument: says that its type does not go with the others'.
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(std::size_t i, std::string_view expected) const {
        std::string where(op_);
        where += ", argument `";
        where += arguments_[i];
        where += '`';
        std::string problem = to_text(graph_->types(), argument(i));
        std::string_view joint = " does not fit ";
        for (std::size_t other = 0; other < arguments_.size(); ++other) {
            if (other == i || argument(other) == type_id::none) continue;
            problem += joint;
            problem += '`';
            problem += arguments_[other];
            problem += "`, ";
            problem += to_text(graph_->types(), argument(other));
            joint = " and ";
        }
        if (joint == " does not fit ") problem += " does not fit";
        throw error(std::move(where), std::move(problem), std::string(expected));
    }

    /// Refuses the call for its attributes.
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_attribute(std::string_view attribute, std::string_view problem,
                                                                 std::string_view expected) const {
        std::string where(op_);
        where += ", attribute `";
        where += attribute;
        where += '`';
        throw error(std::move(where), std::string(problem), std::string(expected));
    }

private:
    constexpr bool fits(type_id known, std::span<const dim> shape, dtype element) const {
        const type_table& types = graph_->types();
        if (!types.is_tensor(known) || types.element(known) != element || types.shape(known).size() != shape.size())
            return false;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const dim d = types.shape(known)[i];
            if (!d.is_any() && !shape[i].is_any() && d.value() != shape[i].value()) return false;
        }
        return true;
    }

    relay::graph* graph_;
    std::span<type_id> types_;
    std::span<const expr_id> given_; // the call's arguments
    expr_id call_;
    std::string_view op_;
    std::span<const std::string_view> arguments_;
    bool says_only_of_types_ = true;
};

} // namespace tutti::relay
