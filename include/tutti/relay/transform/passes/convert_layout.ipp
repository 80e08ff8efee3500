#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/transform/layout/alter_layouts.hpp>
#include <tutti/relay/transform/passes/convert_layout.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Converts calls of the operators with desired layouts.
class conversion_to final : public call_alteration {
public:
    constexpr conversion_to(std::span<const desired_layout> desired, layout_conversion_finder find)
        : desired_(desired), find_(find), met_(desired.size(), 0) {}

    constexpr void operator()(layout_change& c, const pass_notes& notes) override {
        bool named = false;
        for (std::size_t i = 0; i < desired_.size(); ++i) {
            if (desired_[i].first != c.op->name) continue;
            named = true;
            note_met(met_[i]);
            const layout_conversion to = find_(*c.op);
            if (to != nullptr) to(c, desired_[i].second);
            if (notes.misses_heard()) note_left(c, to != nullptr, desired_[i].second, notes);
        }
        if (!named && notes.misses_heard() && find_(*c.op) != nullptr)
            notes.missed(*c.from, c.call, convert_layout::none_desired);
    }

    // True if the operator of the i-th desired layouts has a call.
    constexpr bool met(std::size_t i) const { return met_[i] != 0; }

private:
    // Records that an operator has a call. The store is atomic, because functions may be transformed in parallel.
    static constexpr void note_met(char& met) {
        if (__builtin_is_constant_evaluated())
            met = 1;
        else
            __atomic_store_n(&met, 1, __ATOMIC_RELAXED);
    }

    // Emits a remark about a call that was not converted, unless its data already has the desired layout.
    static constexpr void note_left(layout_change& c, bool converts, std::span<const std::string> desired,
                                    const pass_notes& notes) {
        if (!converts)
            return notes.missed(*c.from, c.call,
                                "there is no conversion for this operator: it takes the layout that it is given");
        if (c.attributes != c.from->call_attributes(c.call)) return;
        const attribute_edit now = c.edit();
        if (now.has("data_layout") && !desired.empty() && now.text("data_layout") != desired[0])
            notes.missed(*c.from, c.call, "keeps its layout: its channels or its padding do not allow the other one");
    }

    std::span<const desired_layout> desired_;
    layout_conversion_finder find_;
    plain_vector<char> met_; // indexed by desired layouts: 1 if their operator has a call
};

TUTTI_CONSTEXPR void convert_layouts(ir_module& m, module_context&& ctx, std::span<const desired_layout> desired,
                                     layout_rule_finder rule_of, layout_conversion_finder conversion_of) {
    conversion_to conversion(desired, conversion_of);
    alter_layouts(m, ctx, convert_layout::info, rule_of, conversion);
    for (std::size_t i = 0; i < desired.size(); ++i)
        if (!conversion.met(i)) ctx.notes().in(desired[i].first).missed(convert_layout::no_call);
}

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
