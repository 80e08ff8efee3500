#pragma once

#include <tutti/base/folder.hpp>

#include <string_view>

namespace tutti {

/// Kinds of remarks, as in LLVM.
enum class remark_kind {
    applied, ///< a transformation was applied
    missed,  ///< a transformation was not applied, with the reason
    note,    ///< other information
};

/// Returns `kind` as a word: "applied", "missed", "note".
constexpr std::string_view to_string(remark_kind kind) {
    switch (kind) {
    case remark_kind::applied:
        return "applied";
    case remark_kind::missed:
        return "missed";
    case remark_kind::note:
        break;
    }
    return "note";
}

/// A remark of a pass about its work; the second argument of the hook `pass_remarked`.
struct remark {
    remark_kind kind = remark_kind::note;
    std::string_view where; ///< a function, a line, an expression; valid during the hook
    std::string_view text;  ///< valid during the hook
};

} // namespace tutti
