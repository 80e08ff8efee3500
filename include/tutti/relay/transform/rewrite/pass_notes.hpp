#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/pass/rewrite_site.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Emits remarks and counts of a pass about a function, and asks if a rewrite may be made. The context of the pass is
/// type-erased.
///
/// A remark names the location of an expression, `main:4:8`, or only the function, `main`. The text of the remark
/// begins with the called operator or the kind of expression.
///
/// Cost:    one test of a pointer if no instrument listens. Constant evaluation emits nothing and asks nothing.
/// Example: `notes.missed(g, e, "the result is used outside")` emits `FuseOps: missed: main:4:8: nn.conv2d: the result
///          is used outside`
class pass_notes {
public:
    /// Emits nothing, and allows each rewrite.
    constexpr pass_notes() = default;

    /// Emits remarks and counts, and asks, for the pass that runs in `ctx`. `Context` is the type of the pass's second parameter.
    /// The constructor is implicit, so that a pass that needs only notes can take `pass_notes` in place of the context.
    template <class Context>
        requires requires(const Context& ctx) { ctx.asks_for_remarks(); }
    constexpr pass_notes(const Context& ctx) {
        if constexpr (requires { requires Context::may_stop; }) stop_ = ctx.context().stop();
        if (__builtin_is_constant_evaluated()) return;
        if constexpr (Context::hears_rewrites)
            if (ctx.asks_for_rewrites()) {
                context_ = &ctx;
                ask_ = [](const void* context, const rewrite_site& site) {
                    return static_cast<const Context*>(context)->may_apply(site.rule, site.where, site.part);
                };
            }
        if constexpr (Context::hears_remarks || Context::hears_counts) {
            if (!(ctx.asks_for_remarks() || ctx.asks_for_counts())) return;
            context_ = &ctx;
            remarks_heard_ = ctx.asks_for_remarks();
            remark_ = [](const void* context, const remark& said) {
                static_cast<const Context*>(context)->remark(said.kind, said.where, said.text);
            };
            count_ = [](const void* context, std::string_view name) {
                static_cast<const Context*>(context)->count(name);
            };
        }
    }

    /// True if an instrument receives remarks or counts. Check this before making an expensive remark.
    constexpr bool heard() const { return count_ != nullptr; }
    /// True if an instrument receives remarks, including those of `missed`; false if instruments receive only counts.
    constexpr bool misses_heard() const { return remarks_heard_; }

    /// True if an instrument receives remarks or counts, or decides about rewrites. The order of functions matters then.
    constexpr bool used() const { return context_ != nullptr; }

    /// True if the pass may make a rewrite of `e`. Otherwise it must keep the expression. `rule` is the name of the rule
    /// within its pass.
    ///
    /// The place is the location of the expression, or the expression itself if it has no location.
    constexpr bool may_apply(const graph& g, expr_id e, std::string_view rule) const {
        return ask_ == nullptr || ask(g, e, rule);
    }
    /// True if the pass may make a change of the whole function.
    constexpr bool may_apply(std::string_view rule) const {
        return ask_ == nullptr || ask_(context_, {rule, function_, function_});
    }
    /// True if the run is to end early; see `scope::stop_requested`. A pass over functions then leaves the remaining
    /// functions unchanged.
    constexpr bool stop_requested() const { return stop_ != nullptr && stop_->poll(); }

    /// Returns notes about another function.
    constexpr pass_notes in(std::string_view function) const {
        pass_notes other = *this;
        other.function_ = function;
        return other;
    }

    /// Records a change of an expression, counted under `name`. `text` adds details.
    constexpr void applied(const graph& g, expr_id e, std::string_view name, std::string_view text = {}) const {
        if (!heard()) return;
        count_(context_, name);
        if (remarks_heard_) say(remark_kind::applied, g, e, text.empty() ? name : text);
    }
    /// Records that an expression was not rewritten, with the reason.
    constexpr void missed(const graph& g, expr_id e, std::string_view why) const {
        if (remarks_heard_) say(remark_kind::missed, g, e, why);
    }
    /// Records a change of the whole function; `missed` records why it was not changed.
    constexpr void applied(std::string_view name, std::string_view text = {}) const {
        if (!heard()) return;
        count_(context_, name);
        remark_(context_, {remark_kind::applied, function_, text.empty() ? name : text});
    }
    constexpr void missed(std::string_view why) const {
        if (remarks_heard_) remark_(context_, {remark_kind::missed, function_, why});
    }

    /// Returns the location of an expression: `main:4:8`, `main:conv1` if its source has a name, or `main`.
    constexpr std::string where(const graph& g, expr_id e) const {
        std::string text(function_);
        if (const std::string_view name = g.source_name(e); !name.empty()) return (text += ':') += name;
        const source_location at = g.location(e);
        if (at.line == 0) return text;
        text += ':';
        append_number(text, at.line);
        text += ':';
        append_number(text, at.column);
        return text;
    }

    /// Returns an expression as short text, such as `nn.relu(add(%x, ...))`.
    static constexpr std::string brief(const graph& g, expr_id e, int depth = 2) {
        std::string text;
        const auto list = [&](std::span<const expr_id> all) {
            text += '(';
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (i != 0) text += ", ";
                text += depth == 0 ? "..." : brief(g, all[i], depth - 1);
                if (depth == 0) break;
            }
            text += ')';
        };
        switch (g.kind(e)) {
        case expr_kind::call: {
            const op_def* op = g.called_op(e);
            text = op != nullptr ? std::string(op->name) : brief(g, g.callee(e), 0);
            list(g.arguments(e));
            break;
        }
        case expr_kind::tuple:
            list(g.operands(e));
            break;
        case expr_kind::projection:
            text = brief(g, g.operand(e, 0), depth);
            text += '.';
            append_number(text, static_cast<std::int64_t>(g.field(e)));
            break;
        default:
            text = subject(g, e);
            text.resize(text.size() - 2); // without the colon
        }
        return text;
    }

private:
    /// Returns the start of a remark about an expression: `nn.conv2d: `, `%x: `, `@f: ` or `let: `.
    static constexpr std::string subject(const graph& g, expr_id e) {
        std::string text;
        if (const op_def* op = g.called_op(e))
            text = op->name;
        else if (g.kind(e) == expr_kind::variable)
            (text = "%") += g.variable_name(e);
        else if (g.kind(e) == expr_kind::global)
            (text = "@") += g.global_name(e);
        else
            text = to_string(g.kind(e));
        return text += ": ";
    }
    [[gnu::noinline, gnu::cold]] constexpr void say(remark_kind kind, const graph& g, expr_id e,
                                                    std::string_view what) const {
        remark_(context_, {kind, where(g, e), subject(g, e) += what});
    }

    [[gnu::noinline, gnu::cold]] constexpr bool ask(const graph& g, expr_id e, std::string_view rule) const {
        std::string at = where(g, e);
        if (at == function_) (at += at.empty() ? "" : ": ") += brief(g, e);
        return ask_(context_, {rule, at, function_});
    }

    const void* context_ = nullptr; // null if nothing listens
    bool remarks_heard_ = false;
    void (*remark_)(const void*, const remark&) = nullptr;
    void (*count_)(const void*, std::string_view) = nullptr;
    bool (*ask_)(const void*, const rewrite_site&) = nullptr;
    std::string_view function_{};
    stop_token* stop_ = nullptr;
};

/// Arguments of a transformation besides the function.
struct rewrite_terms {
    /// True to produce the reference's result even where that changes the program's results.
    bool as_reference = false;
    pass_notes notes{};
};

} // namespace tutti::relay::inline TUTTI_FORM
