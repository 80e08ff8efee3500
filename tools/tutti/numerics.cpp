#include "numerics.hpp"

#include <tutti/base/error.hpp>
#include <tutti/relay/debug/verify_numerics.hpp>

#include "inputs.hpp"

#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

namespace relay = tutti::relay;
using numerics = relay::verify_numerics<tutti::runtime::text_writer>;

// Sets the limits and reads the inputs before the first pass, since limits and inputs depend on the program.
class by_program : public numerics {
    limit_options limits_;
    std::string file_; // empty: synthetic inputs
    bool prepared_ = false;

    void prepare(const relay::ir_module& m) {
        const relay::evaluate_options limits = limits_for(limits_, m, constant_bytes_read());
        use_options(limits);
        if (file_.empty()) return;
        try {
            evaluator e(m, chosen_kernels(), limits);
            use_inputs(inputs_of(e, {.from = file_}, nullptr));
        } catch (const tutti::error&) { // the instrument reports that it cannot evaluate the program
        }
    }

public:
    by_program(relay::numerics_options options, tutti::runtime::text_writer write, limit_options limits,
               std::string file)
        : numerics(std::move(options), std::move(write)), limits_(std::move(limits)), file_(std::move(file)) {}

    using numerics::run_before_pass;
    void run_before_pass(const relay::ir_module& m, const tutti::pass_info& info) {
        if (!std::exchange(prepared_, true)) prepare(m);
        numerics::run_before_pass(m, info);
    }
};

} // namespace

tutti::runtime::any_instrument<relay::ir_module>
verify_numerics_by_name::make(const tutti::runtime::instrument_request& request) const {
    return by_program{{.tolerance = tolerance.value, .seed = seed, .evaluation = usual_limits},
                      request.write,
                      {.max_bytes = max_bytes.value, .max_work = max_work.value},
                      inputs == "synthetic" ? std::string{} : inputs};
}

} // namespace program
