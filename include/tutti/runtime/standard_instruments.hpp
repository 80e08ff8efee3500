#pragma once

#include <tutti/instrument/op_diff.hpp>
#include <tutti/instrument/print_ir.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/instrument/verify.hpp>
#include <tutti/runtime/instrument_registry.hpp>

#include <string_view>
#include <utility>

namespace tutti::runtime {

namespace detail {

// An instrument that writes what it has found out when the context is left.
template <class I>
class written_at_exit : public I {
    text_writer write_;

public:
    explicit written_at_exit(text_writer write) : write_(std::move(write)) {}

    void exit_pass_ctx() {
        write_(this->render());
        if constexpr (requires { I::exit_pass_ctx(); }) I::exit_pass_ctx();
    }
};

} // namespace detail

/// The library's own instruments, as far as `unit_traits<Unit>` has what they need.
template <class Unit>
instrument_registry<Unit> standard_instruments() {
    instrument_registry<Unit> all;
    all.add({"timing", "Measure how long each pass takes", false, [](instrument_request request) {
                 return any_instrument<Unit>{detail::written_at_exit<instrument::timing>{std::move(request.write)}};
             }});
    if constexpr (has_operators<Unit>)
        all.add({"op-diff", "Show which operators each pass adds and removes", false, [](instrument_request request) {
                     return any_instrument<Unit>{
                         detail::written_at_exit<instrument::op_diff>{std::move(request.write)}};
                 }});
    if constexpr (has_text<Unit>) {
        all.add({"print-ir-before", "Print the program before these passes", true, [](instrument_request request) {
                     return any_instrument<Unit>{
                         instrument::print_ir{{.before = std::move(request.passes)}, std::move(request.write)}};
                 }});
        all.add({"print-ir-after", "Print the program after these passes", true, [](instrument_request request) {
                     return any_instrument<Unit>{
                         instrument::print_ir{{.after = std::move(request.passes)}, std::move(request.write)}};
                 }});
    }
    if constexpr (is_verified<Unit>)
        all.add({"verify-each", "Verify the program after each pass", false,
                 [](instrument_request) { return any_instrument<Unit>{instrument::verify{}}; }});
    return all;
}

} // namespace tutti::runtime
