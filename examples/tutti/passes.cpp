#include <tutti/error.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/sequential.hpp>

#include "program.hpp"

#include <exception>
#include <new>

namespace program {

namespace {

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;

// Notes which pass was the first to fail.
struct first_failure {
    std::string name;

    void pass_failed(const relay::ir_module*, const tutti::pass_info& info, const std::exception_ptr&) {
        if (name.empty()) name = info.name;
    }
};

} // namespace

const runtime::registry<relay::ir_module>& known_passes() {
    static const auto known = relay::registered_passes(report); // where everything but the program goes
    return known;
}

const runtime::instrument_registry<relay::ir_module>& known_instruments() {
    static const auto known = relay::registered_instruments();
    return known;
}

void run_passes(source& from, const runtime::sequential<relay::ir_module>& pipeline,
                runtime::context_options<relay::ir_module> context) {
    first_failure failed;
    context.instruments.insert(context.instruments.begin(), failed);
    runtime::pass_context<relay::ir_module> ctx{std::move(context)};
    const auto by = [&] {
        const bool named = !failed.name.empty() && failed.name != pipeline.info.name;
        return named ? "pass " + failed.name + ": " : std::string{};
    };
    try {
        tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, from.module); });
    } catch (const tutti::error& e) {
        throw failure{pass_failed, message(from, e, by())};
    } catch (const std::bad_alloc&) {
        throw failure{pass_failed, message(from.name, by() + "there is not enough memory")};
    } catch (const std::exception& e) {
        throw failure{pass_failed, message(from.name, by() + e.what())};
    }
}

} // namespace program
