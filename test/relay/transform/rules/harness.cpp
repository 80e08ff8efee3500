#include "harness.hpp"

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"
#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

namespace tutti::test {

namespace {

using kernel::dtype;
using kernel::tensor;

constexpr dtype all_types[]{dtype::boolean, dtype::int8,    dtype::int16,   dtype::int32,
                            dtype::int64,   dtype::uint8,   dtype::uint16,  dtype::uint32,
                            dtype::uint64,  dtype::float16, dtype::float32, dtype::float64};

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(by), text.size());
        if (end != 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

bool is_among(dtype type, std::string_view words) {
    const bool floating = kernel::is_floating(type);
    for (const std::string_view word : split(words, ' '))
        if (word == kernel::name(type) || word == "all" || (word == "floats" && floating) ||
            (word == "ints" && !floating && type != dtype::boolean) || (word == "numbers" && type != dtype::boolean))
            return true;
    return false;
}

std::string with_types(std::string_view program, const dtype (&types)[3]) {
    std::string text;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const bool is_type = program[i] == '$' && program[i + 1] >= 'T' && program[i + 1] <= 'V';
        if (is_type)
            text += kernel::name(types[program[++i] - 'T']);
        else
            text += program[i];
    }
    return text;
}

double number(const tensor& t, std::int64_t i) { return relay::number_at(t, i); }

/// Tracks the largest magnitude of a finite number in the computation.
struct largest_number {
    double value = 0;

    void look(const tensor& t) {
        if (!kernel::is_floating(t.type())) return;
        for (std::int64_t i = 0; i < t.size(); ++i)
            if (const double x = std::abs(number(t, i)); x <= std::numeric_limits<double>::max())
                value = std::max(value, x);
    }
    void after_call(const relay::op_def&, const relay::invocation& call) {
        for (const tensor& t : call.results) look(t);
    }
};

double unit_in_last_place(dtype type) {
    return type == dtype::float16   ? 0.0009765625
           : type == dtype::float32 ? std::numeric_limits<float>::epsilon()
                                    : std::numeric_limits<double>::epsilon();
}

bool same_bits(const tensor& a, const tensor& b, std::int64_t i) {
    if (kernel::is_floating(a.type()) && std::isnan(number(a, i)) && std::isnan(number(b, i))) return true;
    return kernel::with_element_type(a.type(), [&]<class T>(std::type_identity<T>) {
        return std::memcmp(a.data<T>() + i, b.data<T>() + i, sizeof(T)) == 0;
    });
}

/// Compares results and records the first difference.
struct comparison {
    double ulps;
    double largest;
    std::size_t values = 0;
    std::size_t differences = 0;
    std::string first{};

    void compare(std::span<const tensor> before, std::span<const tensor> after) {
        if (before.size() != after.size()) return differ("the number of results");
        for (std::size_t i = 0; i < before.size(); ++i) compare(before[i], after[i]);
    }

private:
    void compare(const tensor& a, const tensor& b) {
        const bool may_round = ulps != 0 && kernel::is_floating(a.type()) && kernel::is_floating(b.type());
        if ((a.type() != b.type() && !may_round) || !std::ranges::equal(a.shape(), b.shape()))
            return differ("the type");
        for (std::int64_t i = 0; i < a.size(); ++i, ++values) {
            if (a.type() == b.type() && same_bits(a, b, i)) continue;
            const double x = number(a, i);
            const double y = number(b, i);
            if (may_round && (std::isnan(x) == std::isnan(y)) &&
                (std::isnan(x) || x == y ||
                 std::abs(x - y) <= ulps * std::max(unit_in_last_place(a.type()), unit_in_last_place(b.type())) *
                                        std::max(largest, std::abs(x))))
                continue;
            char text[96];
            std::snprintf(text, sizeof text, "%.17g became %.17g", x, y);
            differ(text);
        }
    }
    void differ(std::string what) {
        if (differences++ == 0) first = std::move(what);
    }
};

/// Tries the program of a row with one choice of types.
class trial {
public:
    trial(const rule_row& row, const dtype (&types)[3], rule_tally& tally)
        : row_(row), type_(types[0]), tally_(tally), name_(kernel::name(types[0])) {
        if (row.program.find("$U") != std::string_view::npos) name_ += " " + std::string(kernel::name(types[1]));
        if (row.program.find("$V") != std::string_view::npos) name_ += " " + std::string(kernel::name(types[2]));
        text_ = with_types(row.program, types);
    }

    void run(const module_change& alone, const module_change& pass) {
        const bool must_fire = is_among(type_, row_.fires);
        const bool must_stay = is_among(type_, row_.stays);
        const bool must = must_fire || must_stay;
        std::optional<relay::evaluator> open; // the program with its constants as parameters
        try {
            program_ = relay::parse(text_);
            open.emplace(program_, relay::kernels::reference());
        } catch (const std::exception& e) {
            if (must) complain(std::string("is refused: ") + e.what());
            return;
        }
        for (const relay::parameter& p : open->parameters()) add(p, open->types());
        std::size_t fired = 0;
        std::size_t left = 0;
        do {
            std::vector<std::vector<tensor>> inputs;
            for (std::size_t turn = 0; turn < turns; ++turn) inputs.push_back(values(turn));
            std::vector<std::vector<tensor>> results;
            largest_number largest;
            std::string refused;
            for (const auto& each : inputs) {
                for (const tensor& t : each) largest.look(t);
                try {
                    const auto made = open->run(std::span<const tensor>(each), largest);
                    results.emplace_back(made.begin(), made.end());
                } catch (const std::exception& e) {
                    refused = e.what();
                    break;
                }
            }
            if (!refused.empty()) { // an input or an element type is not supported
                last_refusal_ = refused;
                continue;
            }
            relay::ir_module bound = program_;
            relay::infer_types(bound);
            *bound.find("main") = bind(*bound.find("main"));
            relay::infer_types(bound);
            const std::string was = relay::to_text(bound);
            for (const module_change* change : {&alone, &pass}) {
                relay::ir_module m = bound;
                try {
                    (*change)(m);
                    relay::infer_types(m);
                    if (change == &alone) ++(relay::to_text(m) != was ? fired : left);
                    compare(m, inputs, results, largest.value);
                } catch (const std::exception& e) {
                    ++tally_.differences;
                    complain(std::string("fails: ") + e.what());
                }
            }
            ++tally_.programs;
        } while (next());
        if (must && fired + left == 0) complain("is refused: " + last_refusal_);
        if (must_fire && (fired == 0 || (left != 0 && !row_.values.empty()))) complain("should be rewritten");
        if (must_stay && fired != 0) complain("should be left");
        if (fired + left != 0) tally_.types.insert(std::string(kernel::name(type_)));
    }

private:
    static constexpr std::size_t turns = 3;
    static constexpr std::int64_t larger_size = 8;

    struct parameter {
        std::string name;
        dtype type;
        std::vector<std::int64_t> shape;
        std::vector<std::string> words;
        std::size_t at = 0;              // index of the current word, for a constant of rank 0
        std::vector<std::size_t> open{}; // axes of unknown size

        bool is_constant() const { return name[0] == 'c' || name[0] == 'w' || name[0] == 's'; }
        bool is_counted() const { return is_constant() && shape.empty(); }
    };

    void add(const relay::parameter& p, const relay::type_table& types) {
        parameter made{.name = std::string(p.name), .type = types.element(p.type), .shape = {}, .words = {}};
        for (const relay::dim d : types.shape(p.type)) {
            if (d.is_any()) made.open.push_back(made.shape.size());
            made.shape.push_back(d.is_any() ? 1 : d.value());
        }
        const value_kind edges = row_.ulps != 0 ? value_kind::tame : value_kind::edge;
        made.words = words_of(made.type, made.name[0] == 'x' || made.name[0] == 'c' ? edges
                                         : made.name[0] == 's'                      ? value_kind::positive
                                                                                    : value_kind::small);
        for (const std::string_view given : split(row_.values, ' ')) {
            const auto halves = split(given, '=');
            if (halves.at(0) != made.name) continue;
            made.words.clear();
            for (const std::string_view word : split(halves.at(1), ',')) made.words.emplace_back(word);
        }
        parameters_.push_back(std::move(made));
    }

    // Returns the values of all parameters in a turn. Constants are the same in each turn, and the other values differ.
    std::vector<tensor> values(std::size_t turn) const {
        std::vector<tensor> all;
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            const parameter& p = parameters_[i];
            const std::size_t start = p.is_counted() ? p.at : p.is_constant() ? 0 : turn * (2 * i + 1);
            all.push_back(tensor_of(p.type, p.shape, p.words, start, p.is_constant() || i == 0 ? 1 : i == 1 ? 7 : 3));
        }
        return all;
    }

    relay::function bind(const relay::function& f) const {
        const std::vector<tensor> all = values(0);
        return relay::bind_params(f, [&](std::string_view name) -> const tensor* {
            for (std::size_t i = 0; i < parameters_.size(); ++i)
                if (parameters_[i].name == name && parameters_[i].is_constant()) return &all[i];
            return nullptr;
        });
    }

    // Advances to the next choice of sizes and constants. An unknown size is 1 or `larger_size`. Returns false after
    // the last choice.
    bool next() {
        for (parameter& p : parameters_)
            for (const std::size_t axis : p.open) {
                p.shape[axis] = p.shape[axis] == 1 ? larger_size : 1;
                if (p.shape[axis] != 1) return true;
            }
        for (parameter& p : parameters_) {
            if (!p.is_counted()) continue;
            if (++p.at < p.words.size()) return true;
            p.at = 0;
        }
        return false;
    }

    void compare(const relay::ir_module& m, const std::vector<std::vector<tensor>>& inputs,
                 const std::vector<std::vector<tensor>>& results, double largest) {
        relay::evaluator after(m, relay::kernels::reference());
        for (std::size_t turn = 0; turn < inputs.size(); ++turn) {
            std::vector<tensor> left;
            for (std::size_t i = 0; i < parameters_.size(); ++i)
                if (!parameters_[i].is_constant()) left.push_back(inputs[turn][i]);
            comparison c{.ulps = row_.ulps, .largest = largest};
            c.compare(results[turn], after.run(std::span<const tensor>(left)));
            tally_.values += c.values;
            tally_.differences += c.differences;
            if (c.differences != 0) complain(c.first);
        }
    }

    void complain(const std::string& what) {
        std::string constants;
        for (const parameter& p : parameters_)
            if (p.is_counted()) constants += ", " + p.name + " = " + p.words[p.at];
        tally_.complaints.push_back(std::string(row_.pass) + " " + std::string(row_.rule) + ", " + name_ + constants +
                                    ": " + what + "\n" + text_);
    }

    const rule_row& row_;
    dtype type_;
    rule_tally& tally_;
    std::string name_;
    std::string text_;
    relay::ir_module program_;
    std::vector<parameter> parameters_;
    std::string last_refusal_;
};

/// A target that requests convolutions with blocks of channels.
struct blocked_target {
    void operator()(relay::layout_change& c) const {
        if (c.op->name != "nn.conv2d") return;
        relay::attribute_edit edit = c.edit();
        edit.set("data_layout", "NCHW2c");
        c.attributes = edit.commit();
    }
};

void run_pass(std::string_view text, relay::ir_module& m) {
    if (text == "AlterOpLayout") { // would alter nothing without a target
        tutti::with(pass_context{opt_level<4>},
                    [&](auto& scope) { scope.run(relay::alter_op_layout_for(blocked_target{}), m); });
        return;
    }
    static const auto passes = relay::registered_passes();
    const auto pipeline = runtime::parse_pipeline(text, passes);
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
}

std::string_view pass_name(std::string_view pipeline) { return pipeline.substr(0, pipeline.find_first_of("{,")); }

} // namespace

void rule_tally::add(const rule_tally& other) {
    types.insert(other.types.begin(), other.types.end());
    programs += other.programs;
    values += other.values;
    differences += other.differences;
    complaints.insert(complaints.end(), other.complaints.begin(), other.complaints.end());
}

known_rule rule_of_row(const rule_row& row) { return {.pass = pass_name(row.pass), .name = row.rule}; }

std::vector<std::string> mismatches(std::span<const known_rule> rules, std::span<const rule_row> rows) {
    std::vector<std::string> wrong;
    std::map<std::string, std::size_t> met;
    for (const known_rule& rule : rules)
        if (++met[rule.id()] == 2) wrong.push_back("two rules are called " + rule.id());
    std::set<std::string> shown;
    for (const rule_row& row : rows) {
        const known_rule of = rule_of_row(row);
        if (!met.contains(of.id())) wrong.push_back("a row is of " + of.id() + ", which is no rule");
        shown.insert(of.id());
    }
    for (const auto& [id, count] : met)
        if (!shown.contains(id)) wrong.push_back(id + " has no row");
    return wrong;
}

rule_tally try_row(const rule_row& row, const module_change& alone, const module_change& pass) {
    rule_tally tally;
    const bool second = row.program.find("$U") != std::string_view::npos;
    const bool third = row.program.find("$V") != std::string_view::npos;
    const bool first = row.program.find("$T") != std::string_view::npos;
    for (const dtype t : all_types)
        for (const dtype u : all_types)
            for (const dtype v : all_types)
                if ((first || t == dtype::float32) && (second || u == all_types[0]) && (third || v == all_types[0]))
                    trial(row, {t, u, v}, tally).run(alone, pass);
    return tally;
}

rule_tally try_row(const rule_row& row, std::span<const known_rule> rules) {
    const module_change pass = [&](relay::ir_module& m) { run_pass(row.pass, m); };
    for (const known_rule& rule : rules) {
        if (rule.id() != rule_of_row(row).id()) continue;
        if (rule.pattern == nullptr && rule.call == nullptr) return try_row(row, pass, pass);
        return try_row(
            row,
            [&](relay::ir_module& m) {
                for (auto& [name, f] : m)
                    f = rule.pattern != nullptr ? relay::apply_rules(f, {{rule.pattern, 1}, rule.kernels})
                                                : relay::apply_rules(f, std::span(rule.call, 1));
            },
            pass);
    }
    throw std::invalid_argument("no such rule: " + std::string(row.rule));
}

std::string table(const std::map<std::string, rule_tally>& tallies) {
    char line[160];
    std::string text;
    rule_tally sum;
    const auto add = [&](const std::string& name, const rule_tally& t) {
        std::snprintf(line, sizeof line, "%-40s %5zu types %6zu programs %9zu values %5zu differences\n", name.c_str(),
                      t.types.size(), t.programs, t.values, t.differences);
        text += line;
    };
    for (const auto& [name, tally] : tallies) {
        add(name, tally);
        sum.add(tally);
    }
    add(std::to_string(tallies.size()) + " rules", sum);
    return text;
}

} // namespace tutti::test
