#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>

namespace tutti::relay {

/// Infers the type of every expression; see `infer_types`.
///
/// Ensures: variables and functions without annotation get one; nothing else changes.
/// Cost:    linear in the module.
/// Throws:  `tutti::error`; the module is as it was.
struct infer_type {
    static constexpr pass_info info{.name = "InferType"};

    constexpr void operator()(ir_module& m) const { infer_types(m); }
};

} // namespace tutti::relay
