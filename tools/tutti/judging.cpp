#include "judging.hpp"

#include <tutti/kernel/cast.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

namespace program {

namespace {

namespace relay = tutti::relay;
using relay::tensor;

} // namespace

std::vector<tensor> compute(const relay::ir_module& m, const relay::evaluator* named_by) {
    relay::evaluator e(m, {.max_bytes = std::uint64_t{1} << 31});
    const relay::evaluator& names = named_by ? *named_by : e;
    std::vector<tensor> inputs;
    for (const relay::parameter& p : names.parameters())
        inputs.push_back(relay::synthetic_input(p.name, names.types(), p.type));
    const auto results = e.run(std::span<const tensor>(inputs));
    return {results.begin(), results.end()};
}

std::string difference(const std::vector<tensor>& before, const std::vector<tensor>& after, double tolerance) {
    if (before.size() != after.size())
        return std::to_string(after.size()) + " results instead of " + std::to_string(before.size());
    for (std::size_t r = 0; r < before.size(); ++r)
        if (const auto found = relay::differ(before[r], after[r], tolerance))
            return "result " + std::to_string(r) + ": " + relay::to_text(*found);
    return {};
}

bool has_numbers(const std::vector<tensor>& results) {
    const auto is_number = [](const tensor& given) {
        const tensor t = tutti::kernel::widened(given);
        return tutti::kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
            for (const T x : t.elements<T>())
                if (std::isfinite(static_cast<float>(x))) return true;
            return false;
        });
    };
    return std::any_of(results.begin(), results.end(), is_number);
}

void check_in_order(const relay::ir_module& m) {
    relay::verify(m);
    relay::ir_module typed = m;
    relay::infer_types(typed);
}

} // namespace program
