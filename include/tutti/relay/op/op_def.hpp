#pragma once

#include <tutti/base/fixed_string.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/relation.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

struct invocation;    // a call for the operator's kernel; see relay/op/invocation.hpp
struct layout_query;  // a call whose layouts are determined, relay/op/layout_rule.hpp
struct layout_change; // a call that is converted to other layouts, relay/op/layout_conversion.hpp

/// A kernel of an operator. It computes the results, or returns false and leaves them unchanged if it does not support
/// the case, such as a layout or an element type.
///
/// Throws: `tutti::error` if the arguments do not fit.
using kernel_function = bool (*)(const invocation&);

/// Owns a call's attributes as an object of the operator's attributes type.
class decoded_attributes {
public:
    decoded_attributes() = default;
    decoded_attributes(const void* value, void (*destroy)(const void*)) : value_(value), destroy_(destroy) {}
    decoded_attributes(decoded_attributes&& other) noexcept
        : value_(std::exchange(other.value_, nullptr)), destroy_(other.destroy_) {}
    decoded_attributes& operator=(decoded_attributes&& other) noexcept {
        std::swap(value_, other.value_);
        std::swap(destroy_, other.destroy_);
        return *this;
    }
    ~decoded_attributes() {
        if (value_ != nullptr) destroy_(value_);
    }

    /// Returns the object, or null if there is none.
    const void* get() const { return value_; }

private:
    const void* value_ = nullptr;
    void (*destroy_)(const void*) = nullptr;
};

/// Decodes a call's attributes for its kernel: see `invocation::decoded`.
using attribute_decoder = decoded_attributes (*)(const graph&, attrs_id);

/// Fusion class of an operator. The values are those of the reference's OpPatternKind, and their order matters.
enum class fusion_pattern : std::uint8_t {
    elementwise = 0,
    broadcast = 1,
    injective = 2,
    comm_reduce = 3,
    out_elementwise_fusable = 4,
    tuple = 7,
    opaque = 8,
};

/// Relates the layouts of a call's arguments and results. Returns false if the layouts cannot be related.
///
/// Ensures: if the rule returns true, every argument and result of the call has a layout.
using layout_rule = bool (*)(layout_query&);

/// Converts a call to the desired layouts: one for the data and one for the weight, or one for the data alone.
///
/// Throws: `tutti::error` if the operator does not support the layout.
using layout_conversion = void (*)(layout_change&, std::span<const std::string> desired);

/// ToMixedPrecision's treatment of an operator: always use the lower precision, follow the arguments, never use the
/// lower precision, unknown, or keep the exact argument types.
enum class precision_rule : std::uint8_t { always, follow, never, unknown, as_it_is };

/// The origin of a result's shape.
enum class shape_source : std::uint8_t {
    other,     ///< attributes or values, or the arguments in some other way
    first,     ///< the first argument
    second,    ///< the second argument
    broadcast, ///< all arguments broadcast together: any of them may have fewer axes, or axes of size 1
};

struct op_def;

/// The operator that a dynamic operator becomes if the arguments that replace attributes are constants.
struct static_form {
    const op_def* op = nullptr;
    /// The index of the first argument that replaces an attribute.
    std::size_t first = 0;
    /// The attributes that the arguments from `first` on replace, in order. An empty name marks an argument that the
    /// static operator also takes as an argument.
    std::span<const std::string_view> attributes{};
    /// An attribute that the static operator lacks. All other attributes are kept.
    std::string_view dropped{};
    /// True if the static operator accepts the constant arguments of a call. Null if it always accepts them.
    bool (*fits)(const graph& g, expr_id call) = nullptr;
};

/// Describes an operator. `definition` creates the description from the operator's structure.
struct op_def {
    std::string_view name;
    /// The arguments' names, one per argument.
    std::span<const std::string_view> arguments;
    std::span<const attr_field> attributes;
    fusion_pattern pattern = fusion_pattern::opaque;
    /// Returns the result's type: see `relation`.
    type_id (*infer)(relation&) = nullptr;
    /// The operator's own kernel; null if there is none, or if a kernel set provides it, as for built-in operators.
    kernel_function evaluate = nullptr;
    /// Decodes the attributes for the kernel; null if the kernel reads them itself.
    attribute_decoder decode = nullptr;
    /// True if the operator has state or side effects, so that a call with constant arguments is not a constant.
    bool stateful = false;
    /// True if the operator keeps all elements in order and changes only the shape.
    bool reshapes = false;
    /// True if f(s·x) = s·f(x) for s > 0.
    bool scales = false;
    /// True if results are rounded, so that another order of computation may change the last digits. False for
    /// operators that copy elements or have exact results.
    bool rounds = false;
    /// Relates the layouts of arguments and results; null if layouts do not pass through the operator.
    layout_rule layout = nullptr;
    /// Converts calls for ConvertLayout; null if they stay unchanged.
    layout_conversion convert = nullptr;
    precision_rule precision = precision_rule::unknown;
    /// The arguments that give the result its shape. With `broadcast`, a scalar may replace an argument whose elements
    /// are all equal.
    shape_source shape_from = shape_source::other;
    /// Attributes that repeat the first arguments in the text, in order, if these arguments are constants.
    std::span<const std::string_view> repeated{};
    /// The name of the attributes in a metadata section, or empty if the attributes are always written in the call. If
    /// a text has a metadata section, attributes with a name are written only there.
    std::string_view kept_as{};
    /// The operator's form for DynamicToStatic; its `attributes` are empty if there is none.
    relay::static_form static_form{};

    /// Returns the attributes of a call to print, as a bit mask.
    constexpr std::uint64_t printed(const graph& g, attrs_id id) const { return printed_attributes(g, attributes, id); }
};

namespace detail {

template <class Attributes, class F>
constexpr bool run_kernel(const invocation& call); // relay/op/invocation.hpp

template <class Attributes>
decoded_attributes decode_attributes(const graph& g, attrs_id id) {
    return {new Attributes(get_attributes<Attributes>(g, id)),
            [](const void* value) { delete static_cast<const Attributes*>(value); }};
}

/// The decoder of attributes of this type; null if there is nothing to decode.
template <class Attributes>
inline constexpr attribute_decoder decoder_of = std::is_empty_v<Attributes> ? nullptr : &decode_attributes<Attributes>;

/// Calls `Infer` with the attributes of the relation's call. The function is not a template over the operator, so that
/// related operators share one instantiation.
template <class Attributes, type_id (*Infer)(relation&, const Attributes&)>
constexpr type_id infer_op(relation& r) {
    return Infer(r, r.attributes<Attributes>());
}

template <class Op>
concept has_kernel = requires(const invocation& call, const typename Op::attributes& a) { Op::evaluate(call, a); };

template <class Op>
constexpr op_def define() {
    constexpr auto& fields = attribute_fields<typename Op::attributes>;
    op_def d{.name = Op::name, // pointers and sizes: converting arrays would instantiate a template for each length
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
    if constexpr (has_kernel<Op>) {
        d.evaluate =
            &run_kernel<typename Op::attributes, decltype([](const invocation& call, const typename Op::attributes& a) {
                            return Op::evaluate(call, a);
                        })>;
        d.decode = decoder_of<typename Op::attributes>;
    }
    return d;
}

} // namespace detail

/// The description of the operator declared by `Op`. `Op` is a structure with
///
///     static constexpr std::string_view name = "nn.softmax";
///     static constexpr std::array<std::string_view, 1> arguments{"data"};
///     using attributes = softmax_attributes;                       // or no_attributes
///     static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
///     static constexpr type_id infer(relation&, const attributes&);
///
/// and, where they differ from the defaults of `op_def`:
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
/// A program has one description per operator, so descriptions can be compared by address.
template <class Op>
inline constexpr op_def definition = detail::define<Op>();

/// Base for operators that add only a name and a precision rule to another base.
///
/// Example: `struct exp : elementwise, named<"exp", precision_rule::never> {};`
template <fixed_string Name, precision_rule Precision = precision_rule::unknown>
struct named {
    static constexpr std::string_view name = Name.view();
    static constexpr precision_rule precision = Precision;
};

/// A list of operators as types, such as `op_list<op::add, op::nn::relu>`.
template <class... Ops>
struct op_list {};

/// True if `e` is a call of the operator `Op`.
template <class Op>
constexpr bool calls(const graph& g, expr_id e) {
    return g.called_op(e) == &definition<Op>;
}

/// Adds a call of the operator `Op` to a graph.
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

// Takes the arguments one by one, since a list would be built at each call site.
template <class... E>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_arguments(const op_def& op, E... arguments) {
    const expr list[]{arguments...};
    refuse_operands(list->graph, op.name, list);
}

// Checks that all arguments are in one graph, and returns the operator in that graph.
template <class... E>
[[gnu::flatten]] constexpr expr_id checked_op(const op_def& op, expr first, E... rest) {
    if (!(has_expression(first.graph, first) && ... && has_expression(first.graph, rest)))
        refuse_arguments(op, first, rest...);
    return first.graph->op(op);
}
constexpr expr call_op(expr_id op, graph& g, attrs_id attributes, std::initializer_list<expr_id> arguments) {
    return {&g, g.call(op, {arguments.begin(), arguments.size()}, attributes)};
}

} // namespace detail

/// Adds a call of the operator `Op` to the arguments' graph. Builder functions use this function.
///
/// Throws: `tutti::error` if the arguments are from different builders.
template <class Op, class... E>
constexpr expr call_op(const typename Op::attributes& attributes, expr first, E... rest) {
    const expr_id op = detail::checked_op(definition<Op>, first, rest...);
    graph& g = *first.graph;
    return detail::call_op(op, g, add_attributes(g, attributes), {first.id, rest.id...});
}

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END
