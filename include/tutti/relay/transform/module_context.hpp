#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

struct call_rule;     // relay/transform/rule_pass.hpp
struct pattern_rules; // relay/transform/rewrite/pattern_rules.hpp

/// A type-erased context for passes over modules, so that passes need not be templates.
///
/// Created by `as_module_context`.
class module_context {
public:
    static constexpr bool parts_at_once = true;

    module_context(const module_context&) = delete;
    module_context& operator=(const module_context&) = delete;

    /// The notes of the pass, for its remarks and counts.
    constexpr const pass_notes& notes() const { return notes_; }
    constexpr operator pass_notes() const { return notes_; }

    /// Returns `scope::runs_at_once` of the context, or false if the context has no executor.
    virtual constexpr bool runs_at_once(std::size_t parts) const = 0;

    /// Calls `scope::for_each_part` of the context, with a part's notes in place of the part's context.
    ///
    /// Requires: `runs_at_once(parts)`.
    template <class F>
    constexpr change for_each_part(std::size_t parts, F&& f) {
        part_function_of<F> called(f);
        return run_parts(parts, called);
    }

    /// Runs a pass with default options in the context.
    ///
    /// Throws: std::logic_error if the pass is not among those given to `as_module_context`.
    template <class P>
    constexpr void run(const P&, ir_module& m) {
        if (!run_pass(&P::info, m))
            throw std::logic_error("the pass " + std::string(P::info.name) +
                                   " is not among those given to as_module_context");
    }

protected:
    class part_function {
    public:
        virtual constexpr change operator()(std::size_t part, const pass_notes& notes) = 0;

    protected:
        constexpr ~part_function() = default;
    };

    constexpr explicit module_context(const pass_notes& notes) : notes_(notes) {}
    constexpr ~module_context() = default;

    virtual constexpr change run_parts(std::size_t parts, part_function& f) = 0;
    virtual constexpr bool run_pass(const pass_info* pass, ir_module& m) = 0; // false if it is not an inner pass

private:
    template <class F>
    class part_function_of final : public part_function {
    public:
        constexpr explicit part_function_of(F& f) : f_(&f) {}
        constexpr change operator()(std::size_t part, const pass_notes& notes) override { return (*f_)(part, notes); }

    private:
        std::remove_reference_t<F>* f_;
    };

    pass_notes notes_;
};

namespace detail {

// A module_context for a `Context`, which runs the passes `Inner`.
template <class Context, class... Inner>
class module_context_of final : public module_context {
public:
    constexpr explicit module_context_of(Context& ctx) : module_context(pass_notes(ctx)), ctx_(&ctx) {}

    constexpr bool runs_at_once([[maybe_unused]] std::size_t parts) const override {
        if constexpr (is_parallel)
            return ctx_->runs_at_once(parts);
        else
            return false;
    }

private:
    static constexpr bool is_parallel = requires { requires std::remove_const_t<Context>::parts_at_once; };

    constexpr change run_parts([[maybe_unused]] std::size_t parts, [[maybe_unused]] part_function& f) override {
        if constexpr (is_parallel)
            return ctx_->for_each_part(parts, [&f](std::size_t i, auto& part) { return f(i, pass_notes(part)); });
        else
            return unchanged;
    }
    constexpr bool run_pass([[maybe_unused]] const pass_info* pass, [[maybe_unused]] ir_module& m) override {
        return (run_if<Inner>(pass, m) || ...);
    }
    template <class P>
    constexpr bool run_if(const pass_info* pass, ir_module& m) {
        if (pass != &P::info) return false;
        ctx_->run(P{}, m);
        return true;
    }

    Context* ctx_;
};

} // namespace detail

/// Erases the type of a pass's context, or of notes in place of a context. `Inner` lists the passes that the pass runs
/// in the context.
///
/// Requires: the context outlives the result.
/// Example:  `apply(m, as_module_context<infer_type>(ctx));`
template <class... Inner, class Context>
    requires(!std::derived_from<Context, module_context>)
constexpr detail::module_context_of<Context, Inner...> as_module_context(Context& ctx) {
    return detail::module_context_of<Context, Inner...>(ctx);
}

} // namespace tutti::relay::inline TUTTI_FORM
