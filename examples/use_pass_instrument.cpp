// Follows the reference's tutorial on pass instruments, section by section, with the same output.

#include <tutti/instrument.hpp>
#include <tutti/pass.hpp>
#include <tutti/relay.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>
#include <tutti/relay/transform/passes/convert_layout.hpp>
#include <tutti/runtime.hpp>

#include <cassert>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace relay = tutti::relay;
using run_time_context = tutti::runtime::pass_context<relay::ir_module>;

// A custom instrument is any type with some of the hooks. This one counts the calls of each operator that a pass adds
// or removes.
class call_node_differ {
public:
    using counts = std::map<std::string, int, std::less<>>;
    struct difference {
        std::size_t depth;
        std::string pass;
        counts change;
    };

    void enter_pass_ctx() {
        differences_.clear();
        before_.clear();
    }
    void exit_pass_ctx() { assert(before_.empty()); }

    // Passes can be nested, so a stack pairs each beginning with its end.
    void run_before_pass(const relay::ir_module& m, const tutti::pass_info&) { before_.push_back(count_calls(m)); }
    void run_after_pass(const relay::ir_module& m, const tutti::pass_info& info) {
        counts change = count_calls(m);
        for (const auto& [op, count] : before_.back()) change[op] -= count;
        std::erase_if(change, [](const auto& entry) { return entry.second == 0; });
        before_.pop_back();
        if (!change.empty()) differences_.push_back({before_.size(), std::string(info.name), std::move(change)});
    }

    const std::vector<difference>& differences() const { return differences_; }

private:
    static counts count_calls(const relay::ir_module& m) {
        counts result;
        const relay::function& main = *m.find("main");
        for (const relay::expr_id e : relay::post_order(main.graph, main.root))
            if (const relay::op_def* op = main.graph.called_op(e)) ++result[std::string(op->name)];
        return result;
    }

    std::vector<counts> before_;
    std::vector<difference> differences_;
};

std::ostream& operator<<(std::ostream& out, const std::vector<call_node_differ::difference>& differences) {
    const char* between = "[";
    for (const auto& [depth, pass, change] : differences) {
        out << std::exchange(between, ",\n ") << '(' << depth << ", '" << pass << "', {";
        const char* comma = "";
        for (const auto& [op, count] : change) out << std::exchange(comma, ", ") << '\'' << op << "': " << count;
        out << "})";
    }
    return out << ']';
}

// Returns values for the parameters of a network. Those of the tutorial are random.
std::map<std::string, relay::tensor, std::less<>> weights_of(const relay::function& f) {
    std::map<std::string, relay::tensor, std::less<>> weights;
    for (const relay::expr_id p : f.graph.params(f.root)) {
        std::vector<std::int64_t> shape;
        for (const relay::dim d : f.graph.types().shape(f.graph.annotation(p))) shape.push_back(d.value());
        if (f.graph.variable_name(p) != "data")
            weights.emplace(f.graph.variable_name(p), relay::tensor(relay::dtype::float32, shape));
    }
    return weights;
}

// Instruments that print each hook call. Some of them throw.
struct value_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct pass_fine {
    std::string name;

    void enter_pass_ctx() const { std::cout << name << " enter_pass_ctx\n"; }
    void exit_pass_ctx() const { std::cout << name << " exit_pass_ctx\n"; }
    bool should_run(const relay::ir_module&, const tutti::pass_info&) const {
        std::cout << name << " should_run\n";
        return true;
    }
    void run_before_pass(const relay::ir_module&, const tutti::pass_info&) const {
        std::cout << name << " run_before_pass\n";
    }
    void run_after_pass(const relay::ir_module&, const tutti::pass_info&) const {
        std::cout << name << " run_after_pass\n";
    }
};

struct pass_bad_enter_ctx : pass_fine {
    void enter_pass_ctx() const {
        std::cout << name << " bad enter_pass_ctx!!!\n";
        throw value_error(name + " bad enter_pass_ctx");
    }
};

struct pass_bad_exit_ctx : pass_fine {
    void exit_pass_ctx() const {
        std::cout << name << " bad exit_pass_ctx!!!\n";
        throw value_error(name + " bad exit_pass_ctx");
    }
};

struct pass_bad_run_before : pass_fine {
    void run_before_pass(const relay::ir_module&, const tutti::pass_info&) const {
        std::cout << name << " bad run_before_pass!!!\n";
        throw value_error(name + " bad run_before_pass");
    }
};

template <class Body>
void catching(Body body) {
    try {
        body();
    } catch (const value_error& e) {
        std::cout << "Catching ValueError: " << e.what() << '\n';
    }
}

int main() try {
    // Create an example Relay program, ResNet-18.
    relay::ir_module module = relay::model::resnet({.layers = 18, .batch = 1, .image_shape = {3, 224, 224}});
    std::cout << "Printing the IR module...\n" << relay::to_text(module, {.metadata_note = false}) << '\n';

    // Create a pass context with instruments. Everything is known at compile time. The context and each pass have their
    // own types.
    tutti::instrument::timing timing;
    {
        tutti::pass_context ctx{tutti::instruments(timing)};
        const std::string profiles = tutti::with(ctx, [&](auto& scope) {
            scope.run(relay::infer_type{}, module);
            scope.run(relay::fold_scale_axis{}, module);
            return timing.render(); // leaving the context clears the timing
        });
        std::cout << "Printing results of timing profile...\n" << profiles << '\n';
    }

    // Use the current pass context with instruments. A current run-time context always exists.
    auto& current = run_time_context::current();
    current.override_instruments({timing});
    current.run(relay::infer_type{}, module);
    current.run(relay::fold_scale_axis{}, module);
    std::cout << "Printing results of timing profile...\n" << timing.render() << '\n';
    current.override_instruments({}); // exits the old instrument, which clears the timing

    // Create a custom instrument class, and apply passes and several instruments. Instruments are called in the order
    // of the list. The profile excludes the time of the differ, wherever the differ is in the list.
    call_node_differ call_nodes;
    const auto passes = tutti::sequential(
        relay::fold_constant{}, relay::convert_layout{{{"nn.conv2d", {"NHWC", "HWIO"}}}}, relay::fold_constant{});
    relay::function& main = *module.find("main");
    main = relay::bind_params_by_name(main, weights_of(main));
    tutti::pass_context ctx{tutti::opt_level<3>, tutti::instruments(call_nodes, timing)};
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, module); });
    std::cout << "Printing the change in number of occurrences of each operator caused by each pass...\n"
              << call_nodes.differences() << '\n';

    // If an enter hook throws, the instruments that were entered are exited, and the context loses its instruments.
    {
        run_time_context demo{{.instruments = {pass_fine{"PassFine_0"}, pass_bad_enter_ctx{{"PassBadEnterCtx"}},
                                               pass_fine{"PassFine_1"}}}};
        catching([&] { tutti::with(demo, [&](auto& scope) { scope.run(relay::infer_type{}, module); }); });
        demo.override_instruments({}); // so nothing is printed here
    }

    // If an exit hook throws, later instruments are not exited.
    {
        run_time_context demo{
            {.instruments = {pass_fine{"PassFine_0"}, pass_bad_exit_ctx{{"PassBadExitCtx"}}, pass_fine{"PassFine_1"}}}};
        catching([&] { tutti::with(demo, [&](auto& scope) { scope.run(relay::infer_type{}, module); }); });
    }

    // If a pass hook throws, the context is left normally, and keeps its instruments.
    {
        run_time_context demo{{.instruments = {pass_fine{"PassFine_0"}, pass_bad_run_before{{"PassBadRunBefore"}},
                                               pass_fine{"PassFine_1"}}}};
        catching([&] { tutti::with(demo, [&](auto& scope) { scope.run(relay::infer_type{}, module); }); });
        demo.override_instruments({});
    }

    // If a pass hook throws in the current context, which `with` has not entered, no instrument is exited.
    current.override_instruments(
        {pass_fine{"PassFine_0"}, pass_bad_run_before{{"PassBadRunBefore"}}, pass_fine{"PassFine_1"}});
    catching([&] { current.run(relay::infer_type{}, module); });
    current.override_instruments({});
} catch (const std::exception& e) {
    std::cerr << "use_pass_instrument: " << e.what() << '\n';
    return 1;
}
