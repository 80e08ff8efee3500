// A plugin for plugins.py. PLUGIN is its name. Other macros change the plugin:
// THROWS: its function throws; OTHER_DESCRIPTION: a statement that changes the description `about`.

#include <tutti/relay/plugin.hpp>

#include <tutti/instrument/statistics.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/runtime/pass_context.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define NAME TEXT(PLUGIN)

namespace {

namespace relay = tutti::relay;
namespace op = tutti::relay::op;
namespace runtime = tutti::runtime;

using context = runtime::pass_context<relay::ir_module>;

void fill(const relay::invocation& call, float value) {
    call.result().reset(call.input(0).type(), call.input(0).shape());
    for (float& each : call.result().mutable_elements<float>()) each = value;
}

struct own_op : op::elementwise, relay::named<NAME ".op", relay::precision_rule::never> {
    static void evaluate(const relay::invocation& call, const relay::no_attributes&) {
        fill(call, sizeof(NAME) - 1); // the length of the name
    }
};

// Appends the operator to main. Finds out if the plugin and the program agree on everything that has an address.
struct own_pass {
    static constexpr tutti::pass_info info{.name = NAME "_pass"};
    using required = tutti::passes<relay::infer_type>;
    int times = 1;
    std::vector<std::string> names{};
    static constexpr tutti::option_list<&own_pass::times, &own_pass::names> options{"times", "names"};

    tutti::change operator()(relay::ir_module& m, auto& ctx) const {
        if (&context::current() != &ctx.context())
            throw tutti::error{NAME, "sees another current context", "the program's"};
        relay::function& f = *m.find("main");
        relay::builder b;
        std::size_t built_in = 0;
        for (std::uint32_t i = 0; i < f.graph.size(); ++i)
            if (relay::calls<op::nn::relu>(f.graph, relay::expr_id{i})) ++built_in;
        if (built_in == 0) throw tutti::error{NAME, "does not recognise nn.relu", "the program's description of it"};
        ctx.count(NAME ".relus", built_in);
        const relay::expr x = b.variable("x", {2, 3});
        relay::expr y = relay::nn::relu(x);
        for (int i = 0; i < times; ++i) y = relay::call_op<own_op>({}, y);
        m = relay::ir_module{b.function({x}, y)};
        return tutti::changed;
    }
};

struct refusing {
    static constexpr tutti::pass_info info{.name = NAME "_refuses"};
    void operator()(relay::ir_module&) const { throw tutti::error{NAME, "refuses", "another pass"}; }
};
struct misreading {
    static constexpr tutti::pass_info info{.name = NAME "_misreads"};
    void operator()(relay::ir_module& m) const { m = relay::parse("def @main("); }
};

struct counting {
    runtime::pass_names only;
    runtime::text_writer write;
    int passes = 0;

    void run_before_pass(const relay::ir_module&, const tutti::pass_info& info) {
        for (const std::string& each : only) passes += each == info.name || each == "all";
    }
    void exit_pass_ctx() const { write(NAME " saw " + std::to_string(passes) + "\n"); }
};
struct own_instrument {
    static constexpr std::string_view name = NAME "_count", help = "Count passes";
    runtime::pass_names passes{};
    static constexpr tutti::option_list<&own_instrument::passes> options{"passes"};
    auto make(const runtime::instrument_request& r) const { return counting{passes, r.write}; }
};

constexpr relay::kernel_table table{
    std::array{relay::kernel_for<op::nn::relu>([](const relay::invocation& call, const relay::no_attributes&) {
        fill(call, 40 + sizeof(NAME) - 1);
        return true;
    })}};

void add(relay::extensions& to) {
    static const relay::kernel_set kernels(table, relay::kernels::blocked());
    to.passes.add<own_pass>();
    to.passes.add<refusing>();
    to.passes.add<misreading>();
    to.passes.fill("here", NAME "_pass");
    to.instruments.add<own_instrument>();
    to.add_operators<own_op>();
    to.add_kernels(NAME "_kernels", "constant results", kernels);
#if defined(THROWS)
    throw std::runtime_error{"the licence has expired"};
#endif
}

} // namespace

#if defined(OTHER_DESCRIPTION)
extern "C" [[gnu::visibility("default")]] const runtime::plugin_description* tutti_plugin();
extern "C" const runtime::plugin_description* tutti_plugin() {
    static runtime::plugin_description about = runtime::detail::describe_plugin<&add>(NAME, "1.0");
    OTHER_DESCRIPTION;
    return &about;
}
#else
TUTTI_PLUGIN(NAME, "1.0", add)
#endif
