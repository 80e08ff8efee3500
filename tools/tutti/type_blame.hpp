#pragma once

#include <tutti/base/error.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>

#include <exception>
#include <string>

namespace program {

/// True if a program's types can be inferred.
inline bool is_well_typed(tutti::relay::ir_module m) {
    try {
        tutti::relay::infer_types(m);
    } catch (const tutti::error&) {
        return false;
    }
    return true;
}

/// Finds the pass that made a well-typed program ill-typed. Infers types after each pass, so use it only to rerun
/// a failed pipeline.
struct type_blame {
    std::string culprit{};

    void run_after_pass(const tutti::relay::ir_module& m, const tutti::pass_info& info) {
        if (culprit.empty() && info.kind == tutti::pass_kind::pass && !is_well_typed(m)) culprit = info.name;
    }
    // Most passes run InferType at their end. If that fails, the outer pass is to blame.
    void pass_failed(const tutti::relay::ir_module*, const tutti::pass_run& failed, const std::exception_ptr&) {
        if (failed.name != "InferType") return;
        for (const tutti::pass_run* outer = failed.outer; outer != nullptr && culprit.empty(); outer = outer->outer)
            if (outer->kind == tutti::pass_kind::pass) culprit = outer->name;
    }
};

} // namespace program
