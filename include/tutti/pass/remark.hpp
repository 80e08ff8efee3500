#pragma once

#include <string_view>

namespace tutti {

/// What a remark is about; the kinds are LLVM's.
enum class remark_kind {
    applied, ///< a transformation that was made
    missed,  ///< one that was not, and why
    note,    ///< what was found out on the way
};

/// `kind` as a word: "applied", "missed", "note".
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

/// What a pass says of what it did or could not do; the second argument of the hook `pass_remarked`.
struct remark {
    remark_kind kind = remark_kind::note;
    std::string_view where; ///< a function, a line, an expression; valid while the hook is called
    std::string_view text;  ///< valid while the hook is called
};

} // namespace tutti
