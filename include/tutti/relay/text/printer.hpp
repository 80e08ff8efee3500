#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/text/names.hpp>
#include <tutti/relay/text/values.hpp>

namespace tutti::relay {

/// What is written around a program's text.
struct text_options {
    bool version_line = true;   ///< `#[version = "0.0.5"]`
    bool type_comments = true;  ///< inferred types, as `/* ty=T */`
    bool metadata_note = true;  ///< the comment that constants were left out, if there are any
};

namespace text {

/// What several definitions of one text share.
struct naming {
    unique_names names;
    std::uint32_t next_number = 0;
    std::vector<tensor> constants;  // in the order of their numbers, each once by identity

    std::uint32_t number_of(const tensor& constant) {
        for (std::size_t i = constants.size(); i-- > 0;)
            if (constants[i].same_elements(constant)) return static_cast<std::uint32_t>(i);
        constants.push_back(constant);
        return static_cast<std::uint32_t>(constants.size() - 1);
    }
};

/// Writes one function as Relay text.
///
/// A statement's number follows from what is written before it, and stands in front of it: the function is gone through twice in the
/// same order, once to number, once to write. No recursion; linear in the text.
class function_printer {
public:
    function_printer(const graph& g, naming& shared, const text_options& options, std::string& out)
        : g_(&g), shared_(&shared), options_(options), out_(&out), uses_(g.size(), 0), number_(g.size(), unnumbered), name_(g.size(), unnumbered) {}

    /// Writes `def @name(…) {…}`.
    void define(std::string_view name, expr_id root) {
        count_uses(root);
        name_variables(root);
        for (const bool writing : {false, true}) {
            writing_ = writing;
            done_.assign(g_->size(), 0);
            expanded_.assign(g_->size(), 0);
            heads_.clear();
            if (writing_) {
                *out_ += "def @";
                *out_ += name;
                head(root);
            }
            run({.e = g_->body(root), .depth = 1, .last = true});
            if (writing_) *out_ += "}\n";
        }
    }

private:
    static constexpr std::uint32_t no_head = 0xFFFFFFFFU;

    // What is still to be done with an expression.
    enum class step : std::uint8_t { visit, expand, statement, begin, otherwise, close };

    // How an expression is written: as a statement `%1 = …;`, as the last line of a block, or as the value of a let.
    struct task {
        step what = step::visit;
        expr_id e = expr_id::none;
        std::uint32_t depth = 0;
        bool operand = false;              // bound to a number, and not written where it stands
        bool last = false;                 // the line ends its block: no semicolon
        expr_id bound = expr_id::none;     // what gets a number when the line has ended
        std::uint32_t head = no_head;      // the lets that the line starts with
    };
    struct let_head {
        expr_id let;
        expr_id bound;  // the number that stands before it, if it is an operand
        std::uint32_t outer;
    };

    static constexpr std::uint32_t unnumbered = 0xFFFFFFFFU;

    static bool always_inline(expr_kind kind) {
        return kind == expr_kind::variable || kind == expr_kind::global || kind == expr_kind::constant || kind == expr_kind::op;
    }

    void count_uses(expr_id root) {
        for (const expr_id e : post_order(*g_, root))
            for (const expr_id o : g_->operands(e)) ++uses_[index(o)];
    }

    void name_variables(expr_id root) {
        // Users before operands, callees before arguments: the order in which the reference meets the variables.
        std::vector<expr_id> open{root};
        std::vector<char> seen(g_->size(), 0);
        while (!open.empty()) {
            const expr_id e = open.back();
            open.pop_back();
            if (std::exchange(seen[index(e)], 1) != 0) continue;
            if (g_->kind(e) == expr_kind::variable) {
                name_[index(e)] = static_cast<std::uint32_t>(names_.size());
                names_.push_back(shared_->names.next(g_->variable_name(e)));
            }
            const auto operands = g_->operands(e);
            for (std::size_t i = operands.size(); i-- > 0;) open.push_back(operands[i]);
        }
    }

    void run(task first) {
        tasks_.push_back(first);
        while (!tasks_.empty()) {
            const task t = tasks_.back();
            tasks_.pop_back();
            switch (t.what) {
                case step::visit: visit(t); break;
                case step::expand:
                    if (std::exchange(expanded_[index(t.e)], 1) == 0) expand(t.e, t.depth);
                    break;
                case step::statement:
                    if (std::exchange(done_[index(t.e)], 1) == 0) begin_expression(t);
                    break;
                case step::begin: begin_expression(t); break;
                case step::otherwise:
                    if (writing_) {
                        indent(t.depth);
                        *out_ += "} else {\n";
                    }
                    break;
                case step::close:
                    if (writing_) {
                        indent(t.depth);
                        *out_ += '}';
                        if (g_->kind(t.e) == expr_kind::function) type_comment(t.e);
                    }
                    end(t);
            }
        }
    }

    static task as(step what, task t) {
        t.what = what;
        return t;
    }

    // An expression at the root of a block, or as the value of a let.
    void visit(const task& t) {
        const expr_kind kind = g_->kind(t.e);
        if (always_inline(kind) || done_[index(t.e)] != 0) {  // a line that only names it
            write(t);
        } else if (uses_[index(t.e)] > 1 && kind != expr_kind::let) {  // bound first, then named
            tasks_.push_back(t);
            push_statement(t.e, t.depth);
            push_expansion(t.e, t.depth);
        } else {
            done_[index(t.e)] = 1;
            tasks_.push_back(as(step::begin, t));
            push_expansion(t.e, t.depth);
        }
    }

    // Writes what an expression is made of: first what its operands are made of, each in turn, then the operands as statements.
    // That is the reference's order, not the plain post-order: the operands of a call stand together.
    void expand(expr_id e, std::uint32_t depth) {
        auto operands = g_->operands(e);
        bool callee_last = false;
        switch (g_->kind(e)) {
            case expr_kind::call:
                callee_last = true;
                operands = operands.subspan(1);
                break;
            case expr_kind::conditional: operands = operands.first(1); break;  // the branches are blocks of their own
            case expr_kind::function:
            case expr_kind::let: return;
            default: break;
        }
        if (callee_last) push_statement(g_->callee(e), depth);
        for (std::size_t i = operands.size(); i-- > 0;) push_statement(operands[i], depth);
        if (callee_last) push_expansion(g_->callee(e), depth);
        for (std::size_t i = operands.size(); i-- > 0;) push_expansion(operands[i], depth);
    }

    void push_statement(expr_id e, std::uint32_t depth) {
        if (!always_inline(g_->kind(e)) && done_[index(e)] == 0)
            tasks_.push_back({.what = step::statement, .e = e, .depth = depth, .operand = true, .bound = e});
    }
    void push_expansion(expr_id e, std::uint32_t depth) {
        if (!always_inline(g_->kind(e)) && expanded_[index(e)] == 0)
            tasks_.push_back({.what = step::expand, .e = e, .depth = depth});
    }

    void begin_expression(const task& t) {
        switch (g_->kind(t.e)) {
            case expr_kind::function: begin_function(t); break;
            case expr_kind::conditional: begin_conditional(t); break;
            case expr_kind::let: begin_let(t); break;
            default: write(t);
        }
    }

    void begin_let(const task& t) {
        tasks_.push_back({.e = g_->operand(t.e, 2), .depth = t.depth, .last = t.last, .bound = t.bound});
        heads_.push_back({t.e, t.operand ? t.bound : expr_id::none, t.head});
        tasks_.push_back(
            {.e = g_->operand(t.e, 1), .depth = t.depth, .head = static_cast<std::uint32_t>(heads_.size() - 1)});
    }

    void begin(const task& t) {
        indent(t.depth);
        if (t.operand) number(t.bound);
        lets_.clear();
        for (std::uint32_t h = t.head; h != no_head; h = heads_[h].outer) lets_.push_back(h);
        while (!lets_.empty()) {
            const let_head& head = heads_[lets_.back()];
            lets_.pop_back();
            if (head.bound != expr_id::none) number(head.bound);
            *out_ += "let ";
            declare(g_->operand(head.let, 0));
            *out_ += " = ";
        }
    }

    void number(expr_id e) {
        *out_ += '%';
        append_number(*out_, number_[index(e)]);
        *out_ += " = ";
    }

    // The end of a line. What is bound is numbered here, after all that it is made of.
    void end(const task& t) {
        if (writing_) *out_ += t.last ? "\n" : ";\n";
        else if (t.bound != expr_id::none) number_[index(t.bound)] = shared_->next_number++;
    }

    void write(const task& t) {
        if (writing_) {
            begin(t);
            const bool named = always_inline(g_->kind(t.e)) || number_[index(t.e)] != unnumbered;
            if (named && !(t.operand && t.bound == t.e)) {
                reference(t.e);
            } else {
                switch (g_->kind(t.e)) {
                    case expr_kind::call: call(t.e); break;
                    case expr_kind::projection: projection(t.e); break;
                    default: tuple(t.e);
                }
                type_comment(t.e);
            }
        }
        end(t);
    }

    void projection(expr_id e) {
        reference(g_->operand(e, 0));
        *out_ += '.';
        append_number(*out_, g_->field(e));
    }

    void call(expr_id e) {
        reference(g_->callee(e));
        *out_ += '(';
        bool first = true;
        for (const expr_id a : g_->arguments(e)) {
            if (!std::exchange(first, false)) *out_ += ", ";
            reference(a);
        }
        if (const op_def* op = g_->called_op(e); op != nullptr && !op->attributes.empty()) attributes(e, *op, first);
        *out_ += ')';
    }

    void attributes(expr_id e, const op_def& op, bool first) {
        const attrs_id id = g_->call_attributes(e);
        const std::uint64_t printed = op.printed(*g_, id);
        std::span<const attr_value> rest = g_->attrs()[id];
        for (std::size_t i = 0; i < op.attributes.size() && !rest.empty(); ++i) {
            if ((printed >> i & 1) != 0) {
                if (!std::exchange(first, false)) *out_ += ", ";
                *out_ += op.attributes[i].name;
                *out_ += '=';
                append_attribute(*out_, *g_, rest);
            }
            rest = rest.subspan(extent(rest));
        }
    }

    void tuple(expr_id e) {
        const auto fields = g_->operands(e);
        *out_ += '(';
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (i != 0) *out_ += ", ";
            reference(fields[i]);
        }
        *out_ += fields.size() == 1 ? ",)" : ")";
    }

    void begin_function(const task& t) {
        if (writing_) {
            begin(t);
            *out_ += "fn ";
            head(t.e);
        }
        tasks_.push_back(as(step::close, t));
        tasks_.push_back({.e = g_->body(t.e), .depth = t.depth + 1, .last = true});
    }

    void begin_conditional(const task& t) {
        if (writing_) {
            begin(t);
            *out_ += "if (";
            reference(g_->operand(t.e, 0));
            *out_ += ") {\n";
        }
        tasks_.push_back(as(step::close, t));
        tasks_.push_back({.e = g_->operand(t.e, 2), .depth = t.depth + 1, .last = true});
        tasks_.push_back(as(step::otherwise, t));
        tasks_.push_back({.e = g_->operand(t.e, 1), .depth = t.depth + 1, .last = true});
    }

    // `(%x: T, Primitive=1) -> R {` and the end of the line.
    void head(expr_id function) {
        *out_ += '(';
        bool first = true;
        for (const expr_id p : g_->params(function)) {
            if (!std::exchange(first, false)) *out_ += ", ";
            declare(p);
        }
        std::span<const attr_value> rest = g_->attrs()[g_->function_attributes(function)];
        while (!rest.empty()) {
            if (!std::exchange(first, false)) *out_ += ", ";
            *out_ += g_->strings()[rest.front().string()];
            *out_ += '=';
            rest = rest.subspan(1);
            append_attribute(*out_, *g_, rest);
            rest = rest.subspan(extent(rest));
        }
        *out_ += ')';
        if (g_->result_annotation(function) != type_id::none) {
            *out_ += " -> ";
            append_type(*out_, g_->types(), g_->result_annotation(function));
        }
        *out_ += " {\n";
    }

    // A variable where it is bound: `%x: T /* ty=T */`.
    void declare(expr_id variable) {
        reference(variable);
        if (g_->annotation(variable) != type_id::none) {
            *out_ += ": ";
            append_type(*out_, g_->types(), g_->annotation(variable));
        }
        type_comment(variable);
    }

    // An expression that was written before, or is always written in place.
    void reference(expr_id e) {
        switch (g_->kind(e)) {
            case expr_kind::variable:
                *out_ += '%';
                *out_ += names_[name_[index(e)]];
                break;
            case expr_kind::global:
                *out_ += '@';
                *out_ += g_->global_name(e);
                break;
            case expr_kind::op: *out_ += g_->op_definition(e).name; break;
            case expr_kind::constant: constant(e); break;
            default:
                *out_ += '%';
                append_number(*out_, number_[index(e)]);
        }
    }

    void constant(expr_id e) {
        const tensor& value = g_->constant_value(e);
        if (has_literal(value)) {
            append_literal(*out_, value);
        } else {
            *out_ += "meta[relay.Constant][";
            append_number(*out_, shared_->number_of(value));
            *out_ += ']';
        }
        type_comment(e);
    }

    void type_comment(expr_id e) {
        if (!options_.type_comments || g_->type(e) == type_id::none) return;
        *out_ += " /* ty=";
        append_type(*out_, g_->types(), g_->type(e));
        *out_ += " */";
    }

    void indent(std::uint32_t depth) { out_->append(2 * std::size_t{depth}, ' '); }

    const graph* g_;
    naming* shared_;
    text_options options_;
    std::string* out_;
    bool writing_ = false;
    std::vector<std::uint32_t> uses_;
    std::vector<std::uint32_t> number_;
    std::vector<std::uint32_t> name_;  // by variable: its place in names_
    std::vector<std::string> names_;
    std::vector<char> done_;      // written, or on the way
    std::vector<char> expanded_;  // what it is made of is written, or on the way
    std::vector<task> tasks_;
    std::vector<let_head> heads_;
    std::vector<std::uint32_t> lets_;
};

}  // namespace text

/// The module as Relay text, version 0.0.5.
///
/// Constants that are no literals are written as `meta[relay.Constant][i]`, numbered by identity; their values are left out.
///
/// Cost: linear in the text; no recursion.
inline std::string to_text(const ir_module& m, const text_options& options = {}) {
    std::string out;
    if (options.version_line) out += "#[version = \"0.0.5\"]\n";
    text::naming shared;
    bool first = true;
    for (const auto& [name, f] : m) {
        if (!std::exchange(first, false)) out += '\n';
        text::function_printer(f.graph, shared, options, out).define(name, f.root);
    }
    if (options.metadata_note && !shared.constants.empty())
        out += "\n/* For debugging purposes the metadata section has been omitted.\n"
               " * If you would like to see the full metadata section you can set the \n"
               " * option to `True` when invoking `astext`. \n"
               " */";
    return out;
}

}  // namespace tutti::relay
