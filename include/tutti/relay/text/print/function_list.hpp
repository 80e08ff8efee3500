#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/text/print/function_printer.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/print/schedule.hpp>
#include <tutti/relay/text/text_options.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Writes the functions of a module with blank lines between them, in parallel on the options' executor.
///
/// Names and numbers are unique in the whole text. Functions are therefore laid out in parallel, named in sequence
/// (little work), and then written in parallel, each part to its own string.
///
/// Cost: linear in the text; memory for the layouts of a limited number of parts.
class function_list {
public:
    function_list(const ir_module& m, naming& shared, const text_options& options, std::string& out)
        : m_(&m), shared_(&shared), options_(options), out_(&out) {}

    /// Writes the functions. `first` is true if nothing precedes them in the text.
    void write(bool first) {
        first_ = first;
        const std::size_t at_once = options_.executor.concurrency();
        if (at_once < 2 || m_->size() < 2) return write_in_turn();
        for (std::size_t next = 0; next < m_->size();) write_parts(parts_from(next, at_once * parts_a_thread));
    }

private:
    // Adjacent functions, written by one thread.
    struct part {
        std::size_t begin, end;
        vector<schedule> plans{};
        std::string text{};
        text_omissions omitted{};
    };

    // The number of parts is limited because a schedule takes a few hundred bytes per expression.
    static constexpr std::size_t parts_a_thread = 4;
    static constexpr std::size_t least_part = std::size_t{1} << 12; // number of expressions worth a thread

    const ir_module::definition& definition(std::size_t i) const { return m_->begin()[static_cast<std::ptrdiff_t>(i)]; }

    vector<part> parts_from(std::size_t& next, std::size_t most) const {
        vector<part> parts;
        while (next < m_->size() && parts.size() < most) {
            const std::size_t begin = next;
            std::size_t expressions = 0;
            while (next < m_->size() && expressions < least_part)
                expressions += definition(next++).function.graph.size();
            parts.push_back({begin, next});
        }
        return parts;
    }

    void write_parts(vector<part> parts) {
        for_each_index(options_.executor, parts.size(), [&](std::size_t i) {
            part& p = parts[i];
            p.plans.reserve(p.end - p.begin);
            for (std::size_t f = p.begin; f < p.end; ++f) {
                lay_out(definition(f), p.plans);
            }
        });
        bool counted = false; // indices of kept attributes are assigned while writing, hence in sequence
        for (part& p : parts)
            for (schedule& plan : p.plans) {
                plan.name_all(*shared_);
                counted = counted || (options_.metadata != nullptr && plan.keeps_attributes());
            }
        const bool first = first_;
        for_each_index(counted ? executor_ref() : options_.executor, parts.size(), [&](std::size_t i) {
            part& p = parts[i];
            text_options options = options_;
            if (options.omitted != nullptr) options.omitted = &p.omitted;
            for (std::size_t f = p.begin; f < p.end; ++f) {
                if (!first || f != parts[0].begin) p.text += '\n';
                const auto& [name, defined] = definition(f);
                function_printer(defined.graph, *shared_, options, p.text)
                    .define(name, defined.root, p.plans[f - p.begin]);
            }
            p.plans = {};
        });
        first_ = false;
        for (part& p : parts) {
            *out_ += p.text;
            if (options_.omitted != nullptr) options_.omitted->numbers += p.omitted.numbers;
            p.text = {};
        }
    }

    void write_in_turn() {
        for (const ir_module::definition& d : *m_) {
            if (!std::exchange(first_, false)) *out_ += '\n';
            const auto& [name, defined] = d;
            vector<schedule> plan;
            lay_out(d, plan);
            plan[0].name_all(*shared_);
            function_printer(defined.graph, *shared_, options_, *out_).define(name, defined.root, plan[0]);
        }
    }

    // Lays out a function. Errors name the function, like those of `check_well_formed`.
    static void lay_out(const ir_module::definition& d, vector<schedule>& plans) {
        tutti::internal::on_failure<error>([&] { plans.emplace_back(d.function.graph, d.function.root); },
                                           [&](const error& e) { throw_within("@" + d.name + ": ", e); });
    }

    const ir_module* m_;
    naming* shared_;
    text_options options_;
    std::string* out_;
    bool first_ = true;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
