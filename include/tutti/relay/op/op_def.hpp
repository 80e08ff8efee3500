#pragma once

#include <tutti/fixed_string.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/relation.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay {

struct invocation;    // a call of an operator for its kernel, relay/op/invocation.hpp
struct layout_query;  // a call whose layouts are asked for, relay/op/layout_rule.hpp
struct layout_change; // a call that is brought into other layouts, relay/op/layout_conversion.hpp

/// A kernel of an operator: makes the results, or returns false, leaving them alone, if it does not know this
/// case (a layout, an element type).
///
/// Throws: tutti::error if the arguments do not fit.
using kernel_function = bool (*)(const invocation&);

/// How an operator may be fused with others. The numbers are the reference's (OpPatternKind) and their order
/// counts.
enum class fusion_pattern : std::uint8_t {
    elementwise = 0,
    broadcast = 1,
    injective = 2,
    comm_reduce = 3,
    out_elementwise_fusable = 4,
    tuple = 7,
    opaque = 8,
};

/// Says how the layouts of a call go together; false if it cannot.
///
/// Ensures: if it says true, there is an answer for each argument and result.
using layout_rule = bool (*)(layout_query&);

/// Brings a call into the layouts that are desired for its operator: data and weight, or data alone.
///
/// Throws: `tutti::error` if there is no such layout for the operator.
using layout_conversion = void (*)(layout_change&, std::span<const std::string> desired);

/// When ToMixedPrecision computes an operator in the other precision: always, if its arguments are there already, or never; or it needs
/// arguments of the very types that it has.
enum class precision_rule : std::uint8_t { always, follow, never, unknown, as_it_is };

/// Where the result of a call gets its shape from.
enum class shape_source : std::uint8_t {
    other,     ///< attributes, values, or arguments in some other way
    first,     ///< the first argument
    second,    ///< the second argument
    broadcast, ///< all arguments, broadcast together: any of them may have fewer axes, or axes of size 1
};

struct op_def;

/// What an operator some of whose arguments stand for attributes is where these are constants.
struct static_form {
    const op_def* op = nullptr;
    /// The first of these arguments.
    std::size_t first = 0;
    /// The attributes that they stand for, in their order; one that stands for none ("") stays an argument.
    std::span<const std::string_view> attributes{};
    /// An attribute that says nothing as long as there are arguments instead. The others stay.
    std::string_view dropped{};
    /// Whether that operator takes what the arguments of a call, which are constants, say; null if it always does.
    bool (*fits)(const graph& g, expr_id call) = nullptr;
};

/// An operator, as the rest of the library sees it: made from the operator's structure by `definition`.
struct op_def {
    std::string_view name;
    /// The arguments' names: as many as the operator takes.
    std::span<const std::string_view> arguments;
    std::span<const attr_field> attributes;
    fusion_pattern pattern = fusion_pattern::opaque;
    /// The result's type; see `relation`.
    type_id (*infer)(relation&) = nullptr;
    /// The kernel that the operator brings itself; null if it has none, or leaves that to a kernel set, as the
    /// built-in ones do.
    kernel_function evaluate = nullptr;
    /// It has a state or an effect: a call of it with constants is no constant.
    bool stateful = false;
    /// It leaves all elements, and their order, as they are; only the shape is another.
    bool reshapes = false;
    /// What it gives for an argument times a positive number is its result times that number.
    bool scales = false;
    /// Its results are rounded: those of another order of its computations may differ in the last places. What it does not say of
    /// elements that were given, and of exact answers.
    bool rounds = false;
    /// How layouts go through it; null if they do not.
    layout_rule layout = nullptr;
    /// What ConvertLayout does with it; null if that leaves it.
    layout_conversion convert = nullptr;
    precision_rule precision = precision_rule::unknown;
    /// The arguments that give the result its shape. With `broadcast`, a scalar may replace an argument of equal elements.
    shape_source shape_from = shape_source::other;
    /// Attributes that the text has and that say what the first arguments say, in their order, where these are constants.
    std::span<const std::string_view> repeated{};
    /// The name under which the metadata section of a text has its attributes, where the text has such a section: they are not
    /// in the call then. The others' are always there.
    std::string_view kept_as{};
    /// What DynamicToStatic makes of it; without attributes if that leaves it.
    relay::static_form static_form{};

    /// Which attributes of a call are printed, one bit each.
    constexpr std::uint64_t printed(const graph& g, attrs_id id) const { return printed_attributes(g, attributes, id); }
};

namespace detail {

template <class Attributes, class F>
constexpr bool run_kernel(const invocation& call); // relay/op/invocation.hpp

/// `Infer`, called with the attributes of the relation's call. Not a template over the operator: what one kind shares, is one function.
template <class Attributes, type_id (*Infer)(relation&, const Attributes&)>
constexpr type_id infer_op(relation& r) {
    return Infer(r, r.attributes<Attributes>());
}

template <class Op>
concept has_kernel = requires(const invocation& call, const typename Op::attributes& a) { Op::evaluate(call, a); };

template <class Op>
constexpr op_def define() {
    constexpr auto& fields = attribute_fields<typename Op::attributes>;
    op_def d{.name = Op::name, // no array of its own length is converted: that would cost the compiler for each length
             .arguments = {Op::arguments.data(), Op::arguments.size()},
             .attributes = {fields.data(), fields.size()},
             .pattern = Op::pattern,
             .infer = &infer_op<typename Op::attributes, &Op::infer>};
    if constexpr (requires { Op::stateful; }) d.stateful = Op::stateful;
    if constexpr (requires { Op::reshapes; }) d.reshapes = Op::reshapes;
    if constexpr (requires { Op::scales; }) d.scales = Op::scales;
    if constexpr (requires { Op::rounds; }) d.rounds = Op::rounds;
    if constexpr (requires { Op::layout; }) d.layout = Op::layout;
    if constexpr (requires { Op::convert; }) d.convert = Op::convert;
    if constexpr (requires { Op::precision; }) d.precision = Op::precision;
    if constexpr (requires { Op::shape_from; }) d.shape_from = Op::shape_from;
    if constexpr (requires { Op::repeated; }) d.repeated = Op::repeated;
    if constexpr (requires { Op::kept_as; }) d.kept_as = Op::kept_as;
    if constexpr (requires { Op::static_form; }) d.static_form = Op::static_form;
    if constexpr (has_kernel<Op>)
        d.evaluate =
            &run_kernel<typename Op::attributes, decltype([](const invocation& call, const typename Op::attributes& a) {
                            return Op::evaluate(call, a);
                        })>;
    return d;
}

} // namespace detail

/// The description of the operator that `Op` states: a structure with
///
///     static constexpr std::string_view name = "nn.softmax";
///     static constexpr std::array<std::string_view, 1> arguments{"data"};
///     using attributes = softmax_attributes;                       // or no_attributes
///     static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
///     static constexpr type_id infer(relation&, const attributes&);
///
/// and, where they say something, those of `op_def`'s members that have defaults:
///
///     static constexpr bool stateful = true;
///     static constexpr bool reshapes = true;
///     static constexpr bool scales = true;
///     static constexpr bool rounds = true;
///     static constexpr auto layout = &layout_rules::elementwise;   // or a function: bool layout(layout_query&)
///     static constexpr auto convert = &layout_conversions::single; // or a function
///     static constexpr auto precision = precision_rule::follow;
///     static constexpr auto shape_from = shape_source::first;
///     static constexpr std::array<std::string_view, 3> repeated{"start", "stop", "step"};
///     static constexpr std::string_view kept_as = "relay.attrs.ScanopAttrs";
///     static constexpr relay::static_form static_form{&definition<op::reshape>, …};
///     static constexpr void evaluate(const invocation&, const attributes&);     // see `kernel_function`
///
/// It is one object in the whole program, so that descriptions can be compared by address.
template <class Op>
inline constexpr op_def definition = detail::define<Op>();

/// An operator's name and precision, where these are all that it adds to what its kind shares.
///
/// Example: `struct exp : elementwise, named<"exp", precision_rule::never> {};`
template <fixed_string Name, precision_rule Precision = precision_rule::unknown>
struct named {
    static constexpr std::string_view name = Name.view();
    static constexpr precision_rule precision = Precision;
};

/// Operators as types: `op_list<op::add, op::nn::relu>`.
template <class... Ops>
struct op_list {};

/// Whether `e` is a call of the operator `Op`.
template <class Op>
constexpr bool calls(const graph& g, expr_id e) {
    return g.called_op(e) == &definition<Op>;
}

/// A call of the operator `Op` in a graph.
template <class Op>
constexpr expr_id add_call(graph& g, std::span<const expr_id> arguments,
                           const typename Op::attributes& attributes = {}) {
    const attrs_id id = add_attributes(g, attributes);
    return g.call(g.op(definition<Op>), arguments, id);
}
template <class Op>
constexpr expr_id add_call(graph& g, std::initializer_list<expr_id> arguments,
                           const typename Op::attributes& attributes = {}) {
    return add_call<Op>(g, std::span<const expr_id>(arguments.begin(), arguments.size()), attributes);
}

namespace detail {

constexpr expr call_op(const op_def& op, graph& g, attrs_id attributes, std::initializer_list<expr_id> arguments) {
    return {&g, g.call(g.op(op), {arguments.begin(), arguments.size()}, attributes)};
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_arguments(const op_def& op,
                                                                    std::initializer_list<expr> arguments) {
    refuse_operands(arguments.begin()->graph, op.name, {arguments.begin(), arguments.size()});
}

} // namespace detail

/// A call of the operator `Op`, for builder functions.
///
/// Throws: `tutti::error` if the arguments do not belong to one builder.
template <class Op, class... E>
constexpr expr call_op(const typename Op::attributes& attributes, expr first, E... rest) {
    if (!(has_expression(first.graph, first) && ... && has_expression(first.graph, rest)))
        detail::refuse_arguments(definition<Op>, {first, rest...});
    graph& g = *first.graph;
    return detail::call_op(definition<Op>, g, add_attributes(g, attributes), {first.id, rest.id...});
}

} // namespace tutti::relay
