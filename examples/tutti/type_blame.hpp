#pragma once

#include <tutti/error.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>

#include <exception>
#include <string>

namespace program {

/// Whether the types of a program can be inferred.
inline bool is_well_typed(tutti::relay::ir_module m) {
    try {
        tutti::relay::infer_types(m);
    } catch (const tutti::error&) {
        return false;
    }
    return true;
}

/// An instrument that finds which pass made an ill-typed program of a well-typed one. It infers types after each pass,
/// so it is for a second run over what failed, not for the first.
struct type_blame {
    std::string culprit{};

    void run_after_pass(const tutti::relay::ir_module& m, const tutti::pass_info& info) {
        if (culprit.empty() && info.kind == tutti::pass_kind::pass && !is_well_typed(m)) culprit = info.name;
    }
    // Most passes infer types themselves, at their end: then it is the pass around that one.
    void pass_failed(const tutti::relay::ir_module*, const tutti::pass_run& failed, const std::exception_ptr&) {
        if (failed.name != "InferType") return;
        for (const tutti::pass_run* outer = failed.outer; outer != nullptr && culprit.empty(); outer = outer->outer)
            if (outer->kind == tutti::pass_kind::pass) culprit = outer->name;
    }
};

} // namespace program
