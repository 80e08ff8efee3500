#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

namespace tutti::relay::inline TUTTI_FORM {

struct layout_change; // relay/op/layout_conversion.hpp

namespace detail {

/// Alters calls for AlterOpLayout or ConvertLayout, on several threads if the context has an executor.
class call_alteration {
public:
    virtual constexpr void operator()(layout_change& change, const pass_notes& notes) = 0;

protected:
    constexpr ~call_alteration() = default;
};

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
