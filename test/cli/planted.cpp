// Faulty passes for the command line to find. A program linked with these sources registers them. Each has its own
// fault, which a construct in the program triggers. Reduction must keep this construct.

#include <tutti/base/error.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include "../../tools/tutti/program.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace {

namespace relay = tutti::relay;
using relay::expr_id;
using relay::graph;
using relay::ir_module;
using relay::rewriter;

bool calls(const graph& g, expr_id e, std::string_view op) {
    const relay::op_def* const called = g.called_op(e);
    return called && called->name == op;
}
// True if the module contains a call of `op`. If `of` is not empty, the call's first argument must be a call of `of`.
bool has(const ir_module& m, std::string_view op, std::string_view of = {}) {
    for (const auto& [name, f] : m)
        for (const expr_id e : relay::post_order(f.graph, f.root))
            if (calls(f.graph, e, op) && (of.empty() || calls(f.graph, f.graph.arguments(e)[0], of))) return true;
    return false;
}
template <class Rule>
void rewrite_all(ir_module& m, Rule rule) {
    for (auto& [name, f] : m) {
        const relay::function old = std::exchange(f, {});
        f = rewriter(old).rewrite(rule);
    }
}

struct add_to_constant {
    static constexpr tutti::pass_info info{.name = "AddToConstant"};
    void operator()(ir_module& m) const {
        rewrite_all(m, [](rewriter& r, expr_id e) {
            const graph& from = r.from();
            if (from.kind(e) != relay::expr_kind::constant || from.constant_value(e).type() != relay::dtype::float32)
                return r.rebuild_typed(e);
            const auto& old = from.constant_value(e);
            relay::tensor more(old.type(), {old.shape().begin(), old.shape().end()});
            for (std::int64_t i = 0; i < old.size(); ++i) more.mutable_data<float>()[i] = old.data<float>()[i] + 1e-3F;
            const expr_id made = r.to().constant(std::move(more));
            r.to().set_type(made, from.type(e));
            return made;
        });
    }
};

struct drop_argument {
    static constexpr tutti::pass_info info{.name = "DropArgument"};
    void operator()(ir_module& m) const {
        rewrite_all(m, [](rewriter& r, expr_id e) {
            const graph& from = r.from();
            if (!calls(from, e, "add")) return r.rebuild_typed(e);
            const expr_id first = r[from.arguments(e)[0]];
            const expr_id made = r.to().call(r[from.callee(e)], std::span(&first, 1), from.call_attributes(e));
            r.to().set_type(made, from.type(e));
            return made;
        });
    }
};

struct loop_for_ever {
    static constexpr tutti::pass_info info{.name = "LoopForEver"};
    tutti::change operator()(ir_module& m) const {
        if (has(m, "nn.max_pool2d"))
            for (volatile bool on = true; on;) {}
        return tutti::unchanged;
    }
};

// Changes the program correctly, but reports that it changed nothing.
struct says_unchanged {
    static constexpr tutti::pass_info info{.name = "SaysUnchanged"};
    tutti::change operator()(ir_module& m) const {
        rewrite_all(m, [](rewriter& r, expr_id e) {
            const graph& from = r.from();
            if (!calls(from, e, "add")) return r.rebuild_typed(e);
            const expr_id turned[]{r[from.arguments(e)[1]], r[from.arguments(e)[0]]};
            const expr_id made = r.to().call(r[from.callee(e)], turned, from.call_attributes(e));
            r.to().set_type(made, from.type(e));
            return made;
        });
        return tutti::unchanged;
    }
};

struct null_pointer {
    static constexpr tutti::pass_info info{.name = "NullPointer"};
    tutti::change operator()(ir_module& m) const {
        int* volatile nothing = nullptr;
        if (has(m, "nn.conv2d", "nn.relu")) *const_cast<volatile int*>(nothing) = 1;
        return tutti::unchanged;
    }
};

struct stack_overflow {
    static constexpr tutti::pass_info info{.name = "StackOverflow"};
    tutti::change operator()(ir_module& m) const {
        if (has(m, "nn.softmax", "nn.bias_add")) deeper(1U << 31);
        return tutti::unchanged;
    }

private:
    static unsigned deeper(unsigned left) {
        volatile char room[1 << 12];
        room[0] = static_cast<char>(left);
        return left == 0 ? 0 : deeper(left - 1) + static_cast<unsigned>(room[0]);
    }
};

struct abort_all {
    static constexpr tutti::pass_info info{.name = "Abort"};
    tutti::change operator()(ir_module& m) const {
        if (has(m, "nn.dense")) std::abort();
        return tutti::unchanged;
    }
};

struct throw_error {
    static constexpr tutti::pass_info info{.name = "Throw"};
    tutti::change operator()(ir_module& m) const {
        if (has(m, "nn.relu", "add")) throw tutti::error{"Throw", "it cannot add before relu"};
        return tutti::unchanged;
    }
};

// Asks for each relu, and replaces a relu after add wrongly.
struct wrong_relu {
    static constexpr tutti::pass_info info{.name = "WrongRelu"};
    void operator()(ir_module& m, const relay::pass_notes& notes) const {
        for (auto& [name, f] : m) {
            const relay::pass_notes here = notes.in(name);
            const relay::function old = std::exchange(f, {});
            f = rewriter(old).rewrite([&](rewriter& r, expr_id e) {
                const graph& from = r.from();
                if (!calls(from, e, "nn.relu") || !here.may_apply(from, e, "relu")) return r.rebuild_typed(e);
                const bool wrong = calls(from, from.arguments(e)[0], "add");
                const expr_id data = r[from.arguments(e)[0]];
                const expr_id made =
                    wrong ? r.to().call(r.to().op(relay::definition<relay::op::negative>), std::span(&data, 1))
                          : r.rebuild_typed(e);
                r.to().set_type(made, from.type(e));
                return made;
            });
        }
    }
};

[[maybe_unused]] const bool planted = [] {
    program::further_passes().push_back([](tutti::runtime::registry<ir_module>& known) {
        known.add(add_to_constant{});
        known.add(drop_argument{});
        known.add(loop_for_ever{});
        known.add(says_unchanged{});
        known.add(null_pointer{});
        known.add(stack_overflow{});
        known.add(abort_all{});
        known.add(throw_error{});
        known.fill("before-fusion", "Throw");
        known.add(wrong_relu{});
    });
    return true;
}();

} // namespace
