#include "examine.hpp"

#include <tutti/base/byte_order.hpp>
#include <tutti/base/error.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/testing/behaviour.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "../judging.hpp"
#include "pass_recorder.hpp"
#include "work_list.hpp"

#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace program::corpus {

namespace {

namespace relay = tutti::relay;
using relay::tensor;
using tensors = std::vector<tensor>;

void set(module_row& row, outcome_kind outcome, std::string message, std::string pass = {}) {
    row.outcome = outcome;
    row.message = std::move(message);
    while (row.message.ends_with('\n')) row.message.pop_back();
    row.pass = std::move(pass);
}

std::uint64_t hash_of(const tensors& all) {
    std::uint64_t hash = all.size();
    for (const tensor& t : all) {
        hash = relay::hash_combine(hash, static_cast<std::uint64_t>(t.type()));
        for (const std::int64_t d : t.shape()) hash = relay::hash_combine(hash, static_cast<std::uint64_t>(d));
        const std::size_t element = tutti::kernel::bytes(t.type());
        std::string copy;
        const std::string_view bytes = tutti::internal::little_endian_bytes(
            t.memory(), static_cast<std::size_t>(t.size()) * element, element, copy);
        hash = relay::hash_combine(hash, relay::hash_of(bytes));
    }
    return hash;
}

void compare_random(const read_module& m, const relay::ir_module& after, module_row& row) {
    relay::testing::tensors inputs;
    for (const tensor& each : m.inputs) inputs.push_back(each);
    std::optional<relay::testing::behaviour> before;
    try {
        before.emplace(m.program, inputs);
    } catch (const tutti::error& e) {
        return set(row, outcome_kind::unchecked, e.what());
    }
    try {
        if (const std::string differs = before->difference(after); !differs.empty())
            return set(row, outcome_kind::results_differ, differs);
        const auto results = relay::testing::evaluated(after, inputs);
        row.results = hash_of({results.begin(), results.end()});
    } catch (const tutti::error& e) {
        set(row, outcome_kind::results_differ, std::string{"it cannot be evaluated any more: "} + e.what());
    }
}

void compare_results(const read_module& m, const relay::ir_module& after, double tolerance, module_row& row) {
    tensors before;
    try {
        before = compute(m.program, nullptr);
        if (!has_numbers(before))
            return set(row, outcome_kind::unchecked, "for synthetic inputs no result is a finite number");
    } catch (const tutti::error& e) {
        return set(row, outcome_kind::unchecked, e.what());
    }
    try {
        const relay::evaluator names(m.program);
        const tensors results = compute(after, &names);
        row.results = hash_of(results);
        if (const std::string differs = difference(before, results, tolerance); !differs.empty())
            set(row, outcome_kind::results_differ, differs);
    } catch (const tutti::error& e) {
        set(row, outcome_kind::results_differ, std::string{"it cannot be evaluated any more: "} + e.what());
    }
}

void check(const read_module& m, const relay::ir_module& after, const run_settings& settings, module_row& row) {
    try {
        check_in_order(after);
    } catch (const tutti::error& e) {
        return set(row, outcome_kind::invalid, e.what());
    }
    if (!settings.computes()) return;
    if (m.is_random)
        compare_random(m, after, row);
    else
        compare_results(m, after, settings.options.tolerance, row);
}

void run_and_check(const read_module& m, const run_settings& settings, const progress_of_module& progress,
                   module_row& row) {
    row.hash = relay::structural_hash(m.program);
    const tutti::operator_counts counts = tutti::unit_traits<relay::ir_module>::count_operators(m.program);
    row.before = row.after = sum_of(counts);
    row.operators = row.operators_after = to_json(counts);
    relay::ir_module after = m.program;
    pass_recorder recorded{[&](std::string_view name) { progress.pass_begins(name); }};
    run_limit few{settings.passes};
    auto context = settings.passes.context;
    context.instruments = {few, recorded};
    try {
        tutti::runtime::pass_context<relay::ir_module> ctx{std::move(context)};
        tutti::with(ctx, [&](auto& scope) { scope.run(settings.passes.pipeline, after); });
    } catch (const std::bad_alloc&) {
        set(row, outcome_kind::out_of_memory, "there is not enough memory", recorded.failed());
    } catch (const std::exception& e) {
        set(row, outcome_kind::pass_failed, e.what(), recorded.failed());
    }
    row.passes = recorded.take();
    if (row.outcome != outcome_kind::ok) return;
    progress.pass_begins({});
    row.output = relay::structural_hash(after);
    const tutti::operator_counts left = tutti::unit_traits<relay::ir_module>::count_operators(after);
    row.after = sum_of(left);
    row.operators_after = to_json(left);
    if (!settings.verifies()) return;
    if (!recorded.liar().empty())
        return set(row, outcome_kind::invalid, "it reported no change, but changed the unit", recorded.liar());
    check(m, after, settings, row);
}

} // namespace

read_module random_module_of(const std::vector<std::uint8_t>& bytes) {
    relay::testing::choices c(bytes);
    relay::testing::random_module made = relay::testing::make_random_module(c);
    return {std::move(made.program), {made.inputs.begin(), made.inputs.end()}, true};
}

read_module read(const std::string& name, const run_settings& settings) {
    std::uint64_t seed = 0;
    if (is_random(name, seed)) {
        const auto bytes = relay::testing::bytes_of_seed(seed);
        return random_module_of({bytes.begin(), bytes.end()});
    }
    source from = read_program(name, settings.options.passes.reading);

    return {std::move(from.module)};
}

void examine(const read_module& m, const run_settings& settings, const progress_of_module& progress, module_row& row) {
    try {
        run_and_check(m, settings, progress, row);
    } catch (const std::bad_alloc&) {
        set(row, outcome_kind::out_of_memory, "there is not enough memory");
    } catch (const std::exception& e) {
        set(row, outcome_kind::invalid, e.what());
    }
}

module_row examine(const std::string& name, const run_settings& settings, const progress_of_module& progress) {
    module_row row;
    std::optional<read_module> m;
    try {
        m = read(name, settings);
    } catch (const failure& f) {
        const bool is_memory = f.message.find("there is not enough memory") != std::string::npos;
        set(row, is_memory ? outcome_kind::out_of_memory : outcome_kind::unreadable, f.message);
    } catch (const std::bad_alloc&) {
        set(row, outcome_kind::out_of_memory, "there is not enough memory");
    } catch (const std::exception& e) {
        set(row, outcome_kind::unreadable, e.what());
    }
    if (m) examine(*m, settings, progress, row);
    return row;
}

} // namespace program::corpus
