#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Reshapes a tensor with one element to rank 0.
inline expr as_scalar(node_context& c, expr e) { return c.rank(e) == 0 ? e : relay::reshape(e, {.newshape = dims{}}); }

/// Returns the value of a condition; nothing if it is not known.
inline std::optional<bool> known_condition(node_context& c, expr e) {
    const std::optional<known_values> k = c.known(e);
    if (!k || k->size() != 1 || !k->complete()) return std::nullopt;
    return k->numbers[0].integer != 0;
}

inline std::string type_said(node_context& c, expr_id e) {
    return to_text(c.graph().graph().types(), c.graph().type(e));
}

/// Returns the axis of size 1 that `longer` has and `shorter` lacks, if there is exactly one. Models test a size at run
/// time and drop the axis in one branch only. If the importer drops the axis in the other branch too, the types agree.
/// At run time, this fails if the size is not 1.
///
/// Two sizes `?` may be different. If several axes fit, the axis is known only if `shorter` is a squeeze of `longer`.
inline std::optional<std::int64_t> axis_left_out(node_context& c, expr_id shorter, expr_id longer) {
    const graph& g = c.graph().graph();
    const type_table& types = g.types();
    const type_id a = c.graph().type(shorter);
    const type_id b = c.graph().type(longer);
    if (!types.is_tensor(a) || !types.is_tensor(b) || types.shape(a).size() + 1 != types.shape(b).size())
        return std::nullopt;
    const auto without = types.shape(a);
    const auto with = types.shape(b);
    if (calls<op::squeeze>(g, shorter) && g.arguments(shorter)[0] == longer)
        if (const auto axes = get_attributes<squeeze_attributes>(g, g.call_attributes(shorter)).axis)
            return c.axis_of((*axes)[0].value(), with.size());
    const auto matches = [&](std::size_t axis, auto&& same) {
        if (!with[axis].is_any() && !with[axis].same_number(1)) return false;
        for (std::size_t i = 0; i < without.size(); ++i)
            if (!same(without[i], with[i < axis ? i : i + 1])) return false;
        return true;
    };
    bool several = false;
    const auto find = [&](auto&& same) -> std::optional<std::int64_t> {
        std::optional<std::int64_t> found;
        for (std::size_t axis = with.size(); axis-- > 0;) {
            if (!matches(axis, same)) continue;
            // Either of two axes of size 1 may be dropped.
            several = several || (found && (with[axis].is_any() || with[static_cast<std::size_t>(*found)].is_any()));
            if (!found) found = static_cast<std::int64_t>(axis);
        }
        return found;
    };
    auto found = find([](dim x, dim y) { return x.is_any() == y.is_any() && (x.is_any() || x.same_number(y)); });
    if (!found) found = find([](dim x, dim y) { return agree(x, y); });
    return several ? std::nullopt : found;
}

inline expr import_if(node_context& c) {
    const expr condition = c.input(0);
    const auto branch = [&](std::string_view name) {
        plain_vector<expr_id> made = c.services().import_subgraph(c.subgraph(name), {});
        if (made.size() != c.output_count())
            c.refuse(std::string(name) + " with " + std::to_string(made.size()) + " outputs",
                     std::to_string(c.output_count()));
        return made;
    };
    const auto give = [&](const plain_vector<expr_id>& made) {
        for (std::size_t i = 1; i < made.size(); ++i) c.output(i, c.of(made[i]));
        return c.of(made[0]);
    };
    if (c.output_count() == 0) c.refuse("no outputs", "one or more");
    if (const std::optional<bool> known = known_condition(c, condition))
        return give(branch(*known ? "then_branch" : "else_branch"));
    plain_vector<expr_id> then = branch("then_branch");
    plain_vector<expr_id> otherwise = branch("else_branch");
    for (std::size_t i = 0; i < then.size(); ++i) {
        const std::optional<std::int64_t> one = axis_left_out(c, then[i], otherwise[i]);
        const std::optional<std::int64_t> other = axis_left_out(c, otherwise[i], then[i]);
        if (one) otherwise[i] = relay::squeeze(c.of(otherwise[i]), {.axis = dims{*one}}).id;
        if (other) then[i] = relay::squeeze(c.of(then[i]), {.axis = dims{*other}}).id;
        if (!agree(c.graph().graph().types(), c.graph().type(then[i]), c.graph().type(otherwise[i])))
            c.refuse("branches whose outputs " + std::to_string(i) + " are " + type_said(c, then[i]) + " and " +
                         type_said(c, otherwise[i]),
                     "one type, or a condition that is known");
    }
    graph& g = c.graph().graph();
    const bool several = then.size() != 1;
    const expr_id first = several ? g.tuple(then.all()) : then[0];
    const expr_id second = several ? g.tuple(otherwise.all()) : otherwise[0];
    const expr chosen = c.of(g.conditional(as_scalar(c, condition).id, first, second));
    if (!several) return chosen;
    for (std::uint32_t i = 1; i < then.size(); ++i) c.output(i, chosen[i]);
    return chosen[0];
}

/// An input of a Scan. Each step gets one slice of it along `axis`.
struct scanned_input {
    expr_id value;
    std::int64_t axis;
    bool backward;
};

/// Imports Loop and Scan. Each step updates states, and the outputs of all steps are joined.
class loop_node {
public:
    /// Limit on the number of unrolled steps. `most_nodes` limits the nodes that unrolling creates.
    static constexpr std::int64_t most_unrolled = 64;
    static constexpr std::int64_t most_nodes = 4096;

    loop_node(node_context& c, graph_view body, bool is_scan) : c_(&c), body_(std::move(body)), is_scan_(is_scan) {}

    plain_vector<expr_id> state;       // before the first step; `import` replaces it by the state after the last step
    vector<scanned_input> scanned;     // used by Scan only
    std::optional<std::int64_t> steps; // number of steps, if known
    expr most_steps{};                 // bound on the steps if `steps` is unknown; none if there is no bound
    expr condition{};                  // true to run the first step; none if always true
    plain_vector<expr_id> outputs;     // the steps' outputs, joined along axis 0
    plain_vector<char> backward;       // indexed by output: true if the last step's slice comes first

    void import() {
        if (steps && *steps <= most_unrolled &&
            *steps * static_cast<std::int64_t>(body_.count(field::graph::node)) <= most_nodes && unroll())
            return;
        recur();
    }

private:
    struct step {
        expr condition{}; // true to continue; none if always true
        plain_vector<expr_id> state;
        plain_vector<expr_id> outputs;
    };

    graph& made() const { return c_->graph().graph(); }
    expr integer(std::int64_t value) const { return c_->number(static_cast<double>(value), dtype::int64); }
    expr truth(bool value) const { return c_->number(value ? 1 : 0, dtype::boolean); }

    step import_step(expr number, expr goes_on, const plain_vector<expr_id>& before) {
        plain_vector<expr_id> inputs;
        if (!is_scan_) {
            inputs.push_back(number.id);
            inputs.push_back(goes_on.id);
        }
        inputs.append(before.all());
        for (const scanned_input& s : scanned) {
            expr at = number;
            if (s.backward) at = relay::subtract(last_number(), number);
            inputs.push_back(relay::take(c_->of(s.value), at, {.axis = dim(s.axis)}).id);
        }
        const plain_vector<expr_id> all = c_->services().import_subgraph(body_, inputs.all());
        const std::size_t front = is_scan_ ? 0 : 1;
        if (all.size() < front + before.size())
            c_->refuse("a body with " + std::to_string(all.size()) + " outputs",
                       std::to_string(front + before.size()) + " or more, one for each state");
        step s;
        if (!is_scan_) s.condition = as_scalar(*c_, c_->of(all[0]));
        for (std::size_t i = front; i < all.size(); ++i)
            (i < front + before.size() ? s.state : s.outputs).push_back(all[i]);
        return s;
    }
    // Returns the index of the last step of a Scan.
    expr last_number() const { return steps ? integer(*steps - 1) : relay::subtract(most_steps, integer(1)); }

    bool goes_backward(std::size_t output) const { return output < backward.size() && backward[output] != 0; }

    bool unroll() {
        plain_vector<expr_id> now = state;
        vector<plain_vector<expr_id>> given; // indexed by output: the values of all steps
        const std::optional<bool> begins = condition.graph == nullptr ? true : known_condition(*c_, condition);
        if (!begins) return false;
        std::int64_t done = 0;
        bool goes_on = *begins;
        for (; done < *steps && goes_on; ++done) {
            step s = import_step(integer(done), truth(true), now);
            if (s.condition.graph != nullptr) {
                const std::optional<bool> next = known_condition(*c_, s.condition);
                if (!next) return false;
                goes_on = *next;
            }
            given.resize(s.outputs.size());
            for (std::size_t i = 0; i < s.outputs.size(); ++i) given[i].push_back(s.outputs[i]);
            now = std::move(s.state);
        }
        // if no step runs, the shapes of the outputs are unknown
        if (done == 0 && body_.count(field::graph::output) != state.size() + (is_scan_ ? 0 : 1)) return false;
        for (std::size_t i = 0; i < given.size(); ++i) {
            plain_vector<expr_id> parts;
            for (std::size_t k = 0; k < given[i].size(); ++k)
                parts.push_back(given[i][goes_backward(i) ? given[i].size() - 1 - k : k]);
            outputs.push_back(relay::stack(c_->tuple(parts), {.axis = 0}).id);
        }
        state = std::move(now);
        return true;
    }

    // Returns the type of a variable that holds values of both types. Sizes that differ become unknown. Throws:
    // `tutti::error` if the ranks or element types differ.
    type_id wider(type_id a, type_id b) const {
        type_table& types = made().types();
        if (!types.is_tensor(a) || !types.is_tensor(b) || types.element(a) != types.element(b) ||
            types.shape(a).size() != types.shape(b).size())
            c_->refuse("a state of type " + to_text(types, a) + " that becomes one of type " + to_text(types, b),
                       "a state that keeps its rank and the type of its elements");
        dims shape(types.shape(a));
        const dims other(types.shape(b));
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (other[i].is_any() || !shape[i].same_number(other[i])) shape[i] = dim::any();
        return types.tensor({shape.begin(), shape.size()}, types.element(a));
    }

    // A step on variables whose types fit their values in all steps.
    struct general_step : step {
        plain_vector<expr_id> params; // step index, condition, states
    };
    general_step import_general() {
        plain_vector<type_id> types;
        for (const expr_id e : state) types.push_back(c_->graph().type(e));
        while (true) {
            general_step s;
            s.params.push_back(made().variable("i", made().types().tensor({}, dtype::int64)));
            s.params.push_back(made().variable("goes_on", made().types().tensor({}, dtype::boolean)));
            plain_vector<expr_id> vars;
            for (const type_id t : types) vars.push_back(made().variable("state", t));
            s.params.append(vars.all());
            static_cast<step&>(s) = import_step(c_->of(s.params[0]), c_->of(s.params[1]), vars);
            bool same = true; // terminates, because each iteration makes a size unknown
            for (std::size_t i = 0; i < types.size(); ++i) {
                const type_id wide = wider(types[i], c_->graph().type(s.state[i]));
                same = same && wide == types[i];
                types[i] = wide;
            }
            if (same) return s;
        }
    }

    void recur() {
        const general_step s = import_general();
        graph& g = made();
        const bool always = always_goes_on(s);
        // The parameters: the index of the step, the condition, the states, and the outputs of the steps so far.
        plain_vector<expr_id> params;
        plain_vector<type_id> types;
        plain_vector<expr_id> first;
        plain_vector<expr_id> next;
        const auto add = [&](expr_id param, expr_id begin, expr_id then) {
            params.push_back(param);
            types.push_back(c_->graph().type(param));
            first.push_back(begin);
            next.push_back(then);
        };
        add(s.params[0], integer(0).id, relay::add(c_->of(s.params[0]), integer(1)).id);
        if (!always) {
            const expr begins = condition.graph == nullptr ? truth(true) : as_scalar(*c_, condition);
            add(s.params[1], begins.id, s.condition.graph == nullptr ? truth(true).id : s.condition.id);
        }
        for (std::size_t i = 0; i < state.size(); ++i) add(s.params[2 + i], state[i], s.state[i]);
        for (std::size_t i = 0; i < s.outputs.size(); ++i) {
            const joined j = join(s, i);
            add(j.before, j.empty, j.after);
        }
        const std::size_t front = always ? 1 : 2;
        plain_vector<type_id> results;
        plain_vector<expr_id> kept;
        for (std::size_t i = front; i < params.size(); ++i) {
            results.push_back(types[i]);
            kept.push_back(params[i]);
        }
        const type_id result = g.types().tuple(results.all());
        const expr_id loop = g.variable("loop", g.types().function(types.all(), result));
        expr test{};
        if (!always) test = c_->of(s.params[1]);
        if (steps || most_steps.graph != nullptr) {
            const expr below = relay::less(c_->of(s.params[0]), steps ? integer(*steps) : most_steps);
            test = test.graph == nullptr ? below : relay::logical_and(below, test);
        }
        if (test.graph == nullptr) test = truth(true); // loops without end
        const expr_id again = g.call(loop, next.all());
        const expr_id body = g.conditional(test.id, again, g.tuple(kept.all()));
        const expr_id f = g.function(params.all(), body, result);
        const expr all = c_->of(g.let(loop, f, g.call(loop, first.all())));
        for (std::uint32_t i = 0; i < kept.size(); ++i) {
            if (i < state.size())
                state[i] = all[i].id;
            else
                outputs.push_back(of_known_length(all[i], always).id);
        }
    }

    // True if the condition is always true, so that it need not be carried from step to step.
    bool always_goes_on(const general_step& s) const {
        if (condition.graph != nullptr && !known_condition(*c_, condition).value_or(false)) return false;
        return s.condition.graph == nullptr || s.condition.id == s.params[1] ||
               known_condition(*c_, s.condition).value_or(false);
    }

    // An output, joined over the steps so far: its variable, its initial value, and its value after a step.
    struct joined {
        expr_id before;
        expr_id empty;
        expr_id after;
    };
    joined join(const general_step& s, std::size_t output) {
        const expr part = c_->of(s.outputs[output]);
        const dims shape = c_->shape(part);
        const dtype element = c_->element(part);
        dims whole{dim::any()};
        vector<std::int64_t> none{0};
        bool known = true;
        for (const dim d : shape) {
            whole.push_back(d);
            none.push_back(d.is_any() ? 0 : d.value());
            known = known && !d.is_any();
        }
        const type_id type = made().types().tensor({whole.begin(), whole.size()}, element);
        const expr before = c_->of(made().variable("given", type));
        const expr one = relay::expand_dims(part, {.axis = 0});
        const expr more = relay::concatenate(
            goes_backward(output) ? c_->tuple({one, before}) : c_->tuple({before, one}), {.axis = 0});
        // an empty tensor with unknown sizes cannot be concatenated, so the first step uses its output alone
        const expr after =
            known ? more
                  : c_->of(made().conditional(relay::equal(c_->of(s.params[0]), integer(0)).id, one.id, more.id));
        return {before.id, c_->constant(tensor(element, std::move(none))).id, after.id};
    }

    // Gives an output, joined over all steps, its length if the number of steps is known.
    expr of_known_length(expr e, bool always) const {
        dims shape = c_->shape(e);
        if (!always || !steps) return e;
        shape[0] = *steps;
        return is_static({shape.begin(), shape.size()}) ? relay::reshape(e, {.newshape = shape, .allowzero = true}) : e;
    }

    node_context* c_;
    graph_view body_;
    bool is_scan_;
};

inline expr give_all(node_context& c, const plain_vector<expr_id>& all) {
    if (all.empty()) c.refuse("no outputs", "one or more");
    if (all.size() < c.output_count())
        c.refuse(std::to_string(c.output_count()) + " outputs of a body that has " + std::to_string(all.size()),
                 "no more");
    for (std::size_t i = 1; i < all.size(); ++i) c.output(i, c.of(all[i]));
    return c.of(all[0]);
}

inline expr import_loop(node_context& c) {
    loop_node loop(c, c.subgraph("body"), false);
    if (c.has(0)) {
        if (const std::optional<double> known = c.known_number_of(0))
            loop.steps = *known < 0 ? 0 : static_cast<std::int64_t>(*known);
        else
            loop.most_steps = as_scalar(c, c.cast_to(c.input(0), dtype::int64));
    }
    if (c.has(1)) loop.condition = c.input(1);
    for (std::size_t i = 2; i < c.input_count(); ++i) loop.state.push_back(c.input(i).id);
    loop.import();
    plain_vector<expr_id> all = loop.state;
    all.append(loop.outputs.all());
    return give_all(c, all);
}

/// Moves the first axis of a tensor to `axis`.
inline expr with_first_axis_at(node_context& c, expr e, std::int64_t axis) {
    const std::int64_t rank = c.signed_rank(e);
    dims order;
    for (std::int64_t i = 1; i < rank; ++i) order.push_back(i);
    dims all;
    for (std::int64_t i = 0; i < rank; ++i)
        all.push_back(i < axis    ? order[static_cast<std::size_t>(i)]
                      : i == axis ? dim(0)
                                  : order[static_cast<std::size_t>(i - 1)]);
    return axis == 0 ? e : relay::transpose(e, {.axes = all});
}

/// Returns an attribute of a Scan that holds one number per tensor; zeros if it is omitted.
inline dims scan_numbers(node_context& c, std::string_view name, std::size_t count) {
    dims given = c.integers(name, dims(count, 0));
    if (given.size() != count)
        c.refuse("attribute `" + std::string(name) + "` of " + std::to_string(given.size()) + " numbers",
                 std::to_string(count));
    return given;
}

/// Returns a tensor whose size along `axis` is the length of the other scanned inputs. A different size is an error at
/// run time.
inline expr of_length(node_context& c, expr e, std::int64_t axis, std::optional<std::int64_t> known, expr length) {
    const std::int64_t rank = c.signed_rank(e);
    if (known) {
        dims shape(static_cast<std::size_t>(rank), 0); // a size of 0 keeps the tensor's size
        shape[static_cast<std::size_t>(axis)] = *known;
        return relay::reshape(e, {.newshape = shape});
    }
    const expr sizes = relay::shape_of(e, {.dtype = dtype::int64});
    const auto part = [&](std::int64_t begin, std::int64_t end) {
        return relay::strided_slice(sizes,
                                    {.begin = dims{begin}, .end = dims{end}, .strides = dims{1}, .axes = dims{0}});
    };
    plain_vector<expr_id> parts;
    if (axis != 0) parts.push_back(part(0, axis).id);
    parts.push_back(relay::reshape(length, {.newshape = dims{1}}).id);
    if (axis + 1 != rank) parts.push_back(part(axis + 1, rank).id);
    return relay::dyn::reshape(e, relay::concatenate(c.tuple(parts), {.axis = 0}), {.allowzero = true});
}

/// Imports a Scan whose inputs have no batch axis. The first `states` inputs are states. Returns all outputs.
inline plain_vector<expr_id> scan_of(node_context& c, const plain_vector<expr_id>& inputs, std::size_t states,
                                     const dims& axes, const dims& directions) {
    loop_node scan(c, c.subgraph("body"), true);
    for (std::size_t i = 0; i < states; ++i) scan.state.push_back(inputs[i]);
    std::optional<expr> length;
    for (std::size_t i = states; i < inputs.size(); ++i) {
        const expr e = c.of(inputs[i]);
        const std::int64_t axis = c.axis_of(axes[i - states].value(), c.rank(e));
        scan.scanned.push_back({e.id, axis, directions[i - states].value() != 0});
        const dim size = c.shape(e)[static_cast<std::size_t>(axis)];
        if (!size.is_any()) {
            if (scan.steps && *scan.steps != size.value())
                c.refuse("inputs of " + std::to_string(*scan.steps) + " and " + std::to_string(size.value()) + " steps",
                         "the same number");
            scan.steps = size.value();
        } else if (!length) {
            length = relay::take(relay::shape_of(e, {.dtype = dtype::int64}),
                                 c.number(static_cast<double>(axis), dtype::int64), {.axis = dim(0)});
        }
    }
    if (!scan.steps) scan.most_steps = *length;
    if (scan.scanned.size() > 1)
        for (scanned_input& s : scan.scanned) {
            const expr e = c.of(s.value);
            if (c.shape(e)[static_cast<std::size_t>(s.axis)].is_any())
                s.value = of_length(c, e, s.axis, scan.steps, scan.most_steps).id;
        }
    const std::size_t given = c.output_count() < states ? 0 : c.output_count() - states;
    const dims backward = scan_numbers(c, "scan_output_directions", given);
    for (const dim d : backward) scan.backward.push_back(d.value() != 0);
    scan.import();
    plain_vector<expr_id> all = scan.state;
    const dims places = scan_numbers(c, "scan_output_axes", given);
    for (std::size_t i = 0; i < scan.outputs.size(); ++i) {
        const expr e = c.of(scan.outputs[i]);
        all.push_back(i < given ? with_first_axis_at(c, e, c.axis_of(places[i].value(), c.rank(e))).id : e.id);
    }
    return all;
}

inline expr import_scan(node_context& c) {
    const bool batched = c.opset() < 9; // the first input holds sequence lengths; all other inputs have a batch axis
    const std::size_t front = batched ? 1 : 0;
    const std::int64_t count = c.integer("num_scan_inputs");
    if (count < 1 || static_cast<std::size_t>(count) + front > c.input_count())
        c.refuse("num_scan_inputs of " + std::to_string(count), "1 or more, and at most the number of inputs");
    const auto scans = static_cast<std::size_t>(count);
    const std::size_t states = c.input_count() - front - scans;
    const dims directions = scan_numbers(c, batched ? "directions" : "scan_input_directions", scans);
    plain_vector<expr_id> inputs;
    for (std::size_t i = front; i < c.input_count(); ++i) inputs.push_back(c.input(i).id);
    if (!batched) return give_all(c, scan_of(c, inputs, states, scan_numbers(c, "scan_input_axes", scans), directions));
    if (c.has(0)) c.refuse("lengths of sequences", "sequences that are all as long as the input");
    const std::int64_t batch = c.size(c.of(inputs[0]), 0);
    if (batch < 1 || batch > loop_node::most_unrolled)
        c.refuse("a batch of " + std::to_string(batch), "1 to " + std::to_string(loop_node::most_unrolled));
    vector<plain_vector<expr_id>> all; // indexed by output: one value per batch element
    for (std::int64_t b = 0; b < batch; ++b) {
        plain_vector<expr_id> own;
        for (const expr_id e : inputs)
            own.push_back(relay::take(c.of(e), c.number(static_cast<double>(b), dtype::int64), {.axis = dim(0)}).id);
        const plain_vector<expr_id> made = scan_of(c, own, states, dims(scans, 0), directions);
        all.resize(made.size());
        for (std::size_t i = 0; i < made.size(); ++i) all[i].push_back(made[i]);
    }
    plain_vector<expr_id> stacked;
    for (const plain_vector<expr_id>& each : all) stacked.push_back(relay::stack(c.tuple(each), {.axis = 0}).id);
    return give_all(c, stacked);
}

} // namespace detail

/// Rules for operators with graphs as attributes. Known conditions are resolved during import. Loops with few steps are
/// unrolled; other loops become recursive functions.
inline constexpr import_rule control_rules[]{
    {"If", detail::import_if}, {"Loop", detail::import_loop}, {"Scan", detail::import_scan}};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
