#include "numerics.hpp"

#include <tutti/error.hpp>
#include <tutti/relay/debug/verify_numerics.hpp>

#include "inputs.hpp"

#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

namespace relay = tutti::relay;
using numerics = relay::verify_numerics<tutti::runtime::text_writer>;

// Reads its inputs when it sees the program, whose parameters say what is wanted, before any pass has run.
class with_inputs : public numerics {
    relay::evaluate_options limits_;
    std::string file_;

public:
    with_inputs(relay::numerics_options options, tutti::runtime::text_writer write, std::string file)
        : numerics(options, std::move(write)), limits_(options.evaluation), file_(std::move(file)) {}

    using numerics::run_before_pass;
    void run_before_pass(const relay::ir_module& m, const tutti::pass_info& info) {
        if (!file_.empty()) {
            const std::string file = std::exchange(file_, {});
            try {
                evaluator e(m, limits_);
                use_inputs(inputs_of(e, {.from = file}));
            } catch (const tutti::error&) { // there is nothing to evaluate, as will be said
            }
        }
        numerics::run_before_pass(m, info);
    }
};

} // namespace

tutti::runtime::any_instrument<relay::ir_module>
verify_numerics_by_name::make(const tutti::runtime::instrument_request& request) const {
    relay::evaluate_options limits = usual_limits;
    limits.max_bytes = max_bytes;
    limits.max_work = max_work;
    relay::numerics_options wanted{.tolerance = tolerance.value, .seed = seed, .evaluation = limits};
    if (inputs == "synthetic") return numerics{std::move(wanted), request.write};
    return with_inputs{std::move(wanted), request.write, inputs};
}

} // namespace program
