#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/attributes.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// A call as an operator's type relation sees it: the types of the arguments, if known.
///
/// A relation returns the type of the result, or `type_id::none` if it needs more information. It is then called again
/// later. A relation may set an unknown argument type (`expect`), and must reject arguments that do not fit (`refuse`).
/// It may add types to the graph, but no expressions.
class relation {
public:
    /// Describes a call of the operator `op`, whose arguments have the names `arguments`. `types` is indexed by
    /// expression.
    constexpr relation(relay::graph& g, std::span<type_id> types, expr_id call, std::string_view op,
                       std::span<const std::string_view> arguments)
        : graph_(&g), types_(types), given_(g.arguments(call)), call_(call), op_(op), arguments_(arguments) {}

    constexpr type_table& types() { return graph_->types(); }
    constexpr const type_table& types() const { return graph_->types(); }
    /// Returns the call's attributes. Requires: A is the operator's attribute structure.
    template <class A>
    constexpr A attributes() const {
        return get_attributes<A>(*graph_, graph_->call_attributes(call_));
    }
    constexpr std::size_t argument_count() const { return given_.size(); }

    /// Returns the argument's value, or null if it is not a constant. The relation's result then applies to this call
    /// only.
    constexpr const kernel::tensor* constant(std::size_t i) {
        says_only_of_types_ = false;
        return graph_->kind(given_[i]) == expr_kind::constant ? &graph_->constant_value(given_[i]) : nullptr;
    }
    /// True if the relation examined only types and attributes. Other calls with the same operator, attributes and
    /// argument types then have the same result type.
    constexpr bool says_only_of_types() const { return says_only_of_types_; }

    /// Returns the argument's type, or none.
    constexpr type_id argument(std::size_t i) const { return types_[index(given_[i])]; }

    /// True if the argument's type is known. Throws: `tutti::error` if the type is not a tensor type.
    constexpr bool knows(std::size_t i) const {
        const type_id t = argument(i);
        if (t != type_id::none && !graph_->types().is_tensor(t)) refuse(i, "a tensor");
        return t != type_id::none;
    }

    /// Returns a copy of the argument's shape; `element` returns its element type. Requires: `knows(i)`.
    constexpr dims shape(std::size_t i) const { return dims(graph_->types().shape(argument(i))); }
    constexpr dtype element(std::size_t i) const { return graph_->types().element(argument(i)); }

    /// True if the argument's type is known. Throws: `tutti::error` if the type is not a tuple of tensors.
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

    /// Returns the types of a tuple's fields, valid until a type is added. Requires: `knows_tuple(i)`.
    constexpr std::span<const type_id> fields(std::size_t i) const { return graph_->types().fields(argument(i)); }

    /// Rejects the argument unless it has rank 0. Requires: `knows(i)`.
    constexpr void expect_scalar(std::size_t i) const {
        if (!graph_->types().shape(argument(i)).empty()) refuse(i, "a tensor of rank 0");
    }

    /// Returns the type `Tensor[shape, element]`.
    constexpr type_id tensor(std::span<const dim> shape, dtype element) {
        return graph_->types().tensor(shape, element);
    }

    /// Rejects the argument unless it has this type. A variable without a type gets this type.
    ///
    /// Throws: `tutti::error` if the argument has another type (`?` fits every dimension).
    constexpr void expect(std::size_t i, std::span<const dim> shape, dtype element) {
        const type_id wanted = tensor(shape, element);
        const type_id known = argument(i);
        if (known == wanted) return;
        if (known == type_id::none) { // only variables get types from their uses
            const expr_id argument = given_[i];
            if (graph_->kind(argument) == expr_kind::variable) types_[index(argument)] = wanted;
            return;
        }
        if (!fits(known, shape, element)) refuse(i, to_text(graph_->types(), wanted));
    }

    /// Rejects the argument unless its elements have this type. Requires: the argument's type is a known tensor type.
    ///
    /// Throws: `tutti::error` if the elements have another type.
    constexpr void expect_element(std::size_t i, dtype wanted) const {
        if (element(i) != wanted) refuse(i, "elements of type " + std::string(kernel::name(wanted)));
    }

    /// Rejects the argument because its type does not fit the other arguments.
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

    /// Rejects the call because of its attributes.
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

} // namespace tutti::relay::inline TUTTI_FORM
