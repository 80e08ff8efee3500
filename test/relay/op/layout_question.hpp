#pragma once

#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::test {

/// Queries an operator's layout rule for the call that a program's `main` returns.
class layout_question {
public:
    explicit layout_question(std::string_view program) : module_(relay::parse(program)) {
        relay::infer_types(module_);
        const relay::function& f = *module_.find("main");
        call_ = f.graph.body(f.root);
        for (const relay::expr_id a : f.graph.arguments(call_)) {
            if (f.graph.types().is_tensor(f.graph.type(a)))
                types_.push_back(f.graph.type(a));
            else
                for (const relay::type_id t : f.graph.types().fields(f.graph.type(a))) types_.push_back(t);
        }
    }

    /// Returns the layouts that the rule requests for arguments and results, such as "NHWC C -> NHWC", or "none" if it
    /// requests none. Layouts are separated by spaces. "?" is an unknown layout, and "1" is the layout of a scalar. An
    /// empty `new_in` means that the arguments have not been altered.
    std::string operator()(std::string_view old_in, std::string_view new_in = {}) {
        const auto old_layouts = read(old_in);
        const auto new_layouts = read(new_in);
        relay::graph& g = module_.find("main")->graph;
        relay::layout_query q{.graph = &g,
                              .op = g.called_op(call_),
                              .attributes = g.call_attributes(call_),
                              .arguments = types_,
                              .old_in = old_layouts,
                              .new_in = new_layouts,
                              .altered = !new_in.empty()};
        if (!relay::layout_rules::standard::find(*q.op)(q)) return "none";
        attributes_ = q.attributes;
        std::string said = write(q.in) + "-> " + write(q.out);
        said.pop_back();
        return said;
    }

    /// Returns the printed call, with the attributes that the layout rule chose in the last query.
    std::string call() {
        relay::graph& g = module_.find("main")->graph;
        const std::vector<relay::expr_id> arguments(g.arguments(call_).begin(), g.arguments(call_).end());
        const relay::expr_id made = g.call(g.callee(call_), arguments, attributes_);
        const std::vector<relay::expr_id> params(g.params(module_.find("main")->root).begin(),
                                                 g.params(module_.find("main")->root).end());
        relay::function f{g, relay::expr_id::none};
        f.root = f.graph.function(params, made);
        const std::string text = relay::to_text(
            relay::ir_module(f), {.version_line = false, .type_comments = false, .metadata_note = false});
        const std::size_t begin = text.rfind("\n  ") + 3;
        return text.substr(begin, text.rfind("\n}") - begin);
    }

private:
    static std::vector<relay::maybe_layout> read(std::string_view words) {
        std::vector<relay::maybe_layout> all;
        while (!words.empty()) {
            const std::string_view word = words.substr(0, words.find(' '));
            if (word == "1")
                all.emplace_back(relay::layout{});
            else
                all.push_back(relay::layout::parse(word));
            words.remove_prefix(std::min(word.size() + 1, words.size()));
        }
        return all;
    }
    static std::string write(const std::vector<relay::maybe_layout>& all) {
        std::string out;
        for (const relay::maybe_layout& l : all) out += (l ? l->rank() == 0 ? "1" : l->text() : "?") + " ";
        return out;
    }

    relay::ir_module module_;
    relay::expr_id call_;
    std::vector<relay::type_id> types_;
    relay::attrs_id attributes_ = relay::attrs_id::none;
};

} // namespace tutti::test
