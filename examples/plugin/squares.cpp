// A plugin for `tutti --load=FILE`: an operator with its kernel, a pass that introduces it, an instrument, and a set of
// kernels. Compile it as a shared library with -DTUTTI_COMPILED, and link it with nothing: it uses the functions of
// tutti-relay in the command. All symbols except the entry may be hidden.

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/plugin.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace {

namespace relay = tutti::relay;
namespace op = tutti::relay::op;
namespace runtime = tutti::runtime;

// Computes x * x for float32.
struct square : op::elementwise, relay::named<"my.square", relay::precision_rule::never> {
    static void evaluate(const relay::invocation& call, const relay::no_attributes&) {
        const relay::tensor& x = call.input(0);
        if (x.type() != relay::dtype::float32) throw tutti::error{"my.square", "has no kernel", "float32"};
        call.result().reset(x.type(), x.shape());
        float* const to = call.result().mutable_data<float>();
        for (std::size_t i = 0; i < x.elements<float>().size(); ++i) to[i] = x.data<float>()[i] * x.data<float>()[i];
    }
};

// Replaces x * x by my.square(x).
struct to_square {
    static constexpr std::string_view name = "to_square";
    static constexpr auto pattern = relay::patterns::call<op::multiply>(relay::patterns::_x, relay::patterns::_x);
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<square>({s[relay::patterns::_x]}); }
};
constexpr relay::rewrite_rule square_rules[]{relay::rule_of<to_square>};

struct find_squares : relay::rule_pass<find_squares> {
    static constexpr tutti::pass_info info{.name = "FindSquares"};
    static constexpr relay::pattern_rules rules{square_rules};
};

// An instrument that writes the name of each pass: log_passes{prefix=...}.
struct pass_log {
    std::string prefix;
    runtime::text_writer write;

    void run_before_pass(const auto&, const tutti::pass_info& info) const {
        write(prefix + std::string{info.name} + "\n");
    }
};
struct log_passes {
    static constexpr std::string_view name = "log_passes", help = "Write the name of each pass before it runs";
    std::string prefix = "runs ";
    static constexpr tutti::option_list<&log_passes::prefix> options{"prefix"};

    auto make(const runtime::instrument_request& request) const { return pass_log{prefix, request.write}; }
};

// A set of kernels, for `tutti run --kernels=absolute`: the square root of |x|.
constexpr relay::kernel_table absolute_table{
    std::array{relay::kernel_for<op::sqrt>([](const relay::invocation& call, const relay::no_attributes&) {
        const relay::tensor& x = call.input(0);
        if (x.type() != relay::dtype::float32) return false; // the blocked kernels compute it
        call.result().reset(x.type(), x.shape());
        float* const to = call.result().mutable_data<float>();
        for (std::size_t i = 0; i < x.elements<float>().size(); ++i) to[i] = std::sqrt(std::fabs(x.data<float>()[i]));
        return true;
    })}};

void add(relay::extensions& to) {
    static const relay::kernel_set absolute(absolute_table, relay::kernels::blocked());
    to.passes.add<find_squares>();
    to.passes.fill("after-simplify", "FindSquares");
    to.instruments.add<log_passes>();
    to.add_operators<square>();
    to.add_kernels("absolute", "square roots of absolute values; blocked computes the other operators", absolute);
}

} // namespace

TUTTI_PLUGIN("squares", "1.0", add)
