#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tutti::test {

/// Generates the text of a small program with nested scopes from a seed. It has closures, ifs, lets, tuples, global
/// functions, and values that several branches and functions share.
class nested_program {
public:
    explicit nested_program(std::uint32_t seed) : random_(seed) {
        text_ = "#[version = \"0.0.5\"]\n";
        const std::uint32_t functions = pick(4);
        for (std::uint32_t i = 0; i < functions; ++i) {
            const std::string name = "@g" + std::to_string(i);
            const std::string attribute = pick(3) == 0 ? "" : ", Inline=1";
            define(name, "%a: float32" + attribute, {{"%a", number, {"%a"}}}, 2);
            globals_.push_back({name, callable, {}});
        }
        define("@main", "%x: float32, %y: float32", {{"%x", number, {"%x"}}, {"%y", number, {"%y"}}}, 4);
    }

    const std::string& text() const { return text_; }

private:
    enum kind : std::uint8_t { number, truth, pair, callable };

    // An expression, and the variables that must be bound at its use.
    struct value {
        std::string name;
        kind type;
        std::set<std::string> needs;
    };
    using scope = std::vector<value>; // the variables that are bound

    std::uint32_t pick(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }
    std::string variable() { return "%v" + std::to_string(variables_++); }

    void define(const std::string& name, const std::string& parameters, const scope& bound, int depth) {
        shared_.clear(); // a numbered value belongs to one function
        const value body = block(bound, number, depth);
        text_ += "def " + name + '(' + parameters + ") -> float32 {\n" + body.name + "\n}\n";
    }

    static value joined(std::string text, kind type, std::initializer_list<const value*> parts) {
        value all{std::move(text), type, {}};
        for (const value* part : parts) all.needs.insert(part->needs.begin(), part->needs.end());
        return all;
    }

    // Gives an expression a numbered name (`%3`), under which it can be used wherever its variables are bound.
    value share(value expression) {
        const std::string name = '%' + std::to_string(numbers_++);
        lines_ += name + " = " + expression.name + ";\n";
        expression.name = name;
        shared_.push_back(expression);
        return expression;
    }

    // Returns a value of this type. In most cases, this is an existing value.
    value atom(const scope& bound, kind type, int depth) {
        std::vector<value> known;
        for (const value& v : shared_) {
            bool usable = v.type == type;
            for (const std::string& need : v.needs) {
                bool found = false;
                for (const value& b : bound) found = found || b.name == need;
                usable = usable && found;
            }
            if (usable) known.push_back(v);
        }
        for (const value& b : bound)
            if (b.type == type) known.push_back(b);
        if (type == callable) known.insert(known.end(), globals_.begin(), globals_.end());
        if (!known.empty() && (depth <= 0 || pick(6) != 0)) return known[pick(known.size())];
        if (type == number) return {std::to_string(static_cast<int>(pick(7)) - 3) + 'f', number, {}};
        return share(compound(bound, type, depth - 1));
    }

    value compound(const scope& bound, kind type, int depth) {
        if (depth > 0 && type != truth && type != callable && pick(6) == 0) {
            const value condition = atom(bound, truth, 0);
            const value yes = block(bound, type, depth - 1);
            const value no = block(bound, type, depth - 1);
            return joined("if (" + condition.name + ") {\n" + yes.name + "\n} else {\n" + no.name + "\n}", type,
                          {&condition, &yes, &no});
        }
        if (type == callable) {
            const std::string parameter = variable();
            scope inner = bound;
            inner.push_back({parameter, number, {parameter}});
            value body = block(inner, number, depth - 1);
            body.needs.erase(parameter);
            return joined("fn (" + parameter + ": float32) -> float32 {\n" + body.name + "\n}", callable, {&body});
        }
        if (type == number && pick(3) == 0) {
            const value f = atom(bound, callable, depth - 1);
            const value argument = atom(bound, number, depth - 1);
            return joined(f.name + '(' + argument.name + ')', number, {&f, &argument});
        }
        if (type == number && pick(4) == 0) {
            const value both = atom(bound, pair, depth - 1);
            return joined(both.name + (pick(2) == 0 ? ".0" : ".1"), number, {&both});
        }
        static const char* const operators[]{"add", "subtract", "multiply", "maximum"};
        const value a = atom(bound, number, depth - 1);
        if (type == number && pick(3) == 0)
            return joined((pick(2) == 0 ? "tanh(" : "negative(") + a.name + ')', number, {&a});
        const value b = atom(bound, number, depth - 1);
        const std::string called = type == number ? operators[pick(4)] : type == truth ? "less" : "";
        return joined(called + '(' + a.name + ", " + b.name + ')', type, {&a, &b});
    }

    // Returns a block: several lines, then a result expression. `needs` lists the variables that the block does not
    // bind.
    value block(scope bound, kind type, int depth) {
        const std::string outer = std::exchange(lines_, {});
        std::set<std::string> own;
        std::set<std::string> needs;
        for (std::uint32_t n = 1 + pick(4); n != 0; --n) {
            static constexpr kind kinds[]{number, number, number, truth, pair, callable};
            const kind made = kinds[pick(6)];
            value line = compound(bound, made, depth - 1);
            if (pick(2) == 0) {
                share(line);
                continue;
            }
            const std::string name = variable();
            lines_ += "let " + name + " = " + line.name + ";\n";
            needs.insert(line.needs.begin(), line.needs.end());
            own.insert(name);
            bound.push_back({name, made, {name}});
        }
        value last = compound(bound, type, depth - 1);
        last.needs.insert(needs.begin(), needs.end());
        for (const std::string& name : own) last.needs.erase(name);
        last.name = std::exchange(lines_, outer) + last.name;
        return last;
    }

    std::mt19937 random_;
    std::string text_;
    std::string lines_; // the lines of the current block
    std::vector<value> shared_;
    std::vector<value> globals_;
    std::uint32_t variables_ = 0;
    std::uint32_t numbers_ = 0;
};

} // namespace tutti::test
