#pragma once

#include <tutti/base/folder.hpp>

namespace tutti {

/// The reaction of `fixpoint` if it reaches its limit of rounds before a round changes nothing.
enum class on_limit {
    warn,   ///< emit a `missed` remark
    fail,   ///< fail with a `pass_error`
    silent, ///< nothing
};

} // namespace tutti
