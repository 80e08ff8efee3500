#pragma once

#include <tutti/error.hpp>
#include <tutti/instrument/delta_debug.hpp>
#include <tutti/instrument/shorter_pipeline.hpp>
#include <tutti/relay/debug/edit_expressions.hpp>
#include <tutti/relay/debug/edit_signatures.hpp>
#include <tutti/relay/debug/edit_values.hpp>
#include <tutti/relay/debug/program_size.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::relay {

struct reduce_options {
    /// How often it may be asked whether something fails. What is found until then is given back.
    std::size_t max_tries = 20'000;
};

/// The smallest program, with the shortest pipeline, of which it was found that it fails.
struct reduction {
    ir_module program{};
    std::string passes{};
    program_size before{}, size{};
    std::size_t tries = 0;    ///< how often it was asked whether something fails
    std::string_view step{};  ///< what is being done
    bool failed = false;      ///< whether it fails at all; if not, the program is as it was given
    bool is_finished = false; ///< nothing can be made smaller; else it was ended before
};

namespace detail {

struct named_edit {
    std::string_view name;
    program_edit edit;
};

// In the order in which they are tried: what makes tries quick, then what drops much.
inline constexpr named_edit program_edits[]{
    {"dimensions to 1", &shrink_to<1>},
    {"dimensions to 2", &shrink_to<2>},
    {"dimensions to 3", &shrink_to<3>},
    {"dimensions to 4", &shrink_to<4>},
    {"dimensions to 8", &shrink_to<8>},
    {"dimensions to 16", &shrink_to<16>},
    {"dimensions to 32", &shrink_to<32>},
    {"functions", &drop_functions},
    {"results", &drop_fields},
    {"ends", &cut_ends},
    {"lets that follow", &cut_lets},
    {"expressions to parameters", &replace_by_parameters},
    {"calls to arguments", &replace_by_operands},
    {"calls to zeros", &replace_by_zeros},
    {"calls to ones", &replace_by_ones},
    {"lets", &inline_lets},
    {"calls of functions", &inline_calls},
    {"functions that are not called", &open_functions},
    {"fields", &take_fields},
    {"parameters", &drop_parameters},
    {"equal parameters", &merge_parameters},
    {"attributes of functions", &drop_function_attributes},
    {"attributes", &drop_attributes},
    {"dimensions of constants", &drop_dimensions},
    {"constants", &simplify_constants},
};

// What a reducer asks.
struct reduction_questions {
    void* context;
    bool (*fails)(void*, const ir_module&, const std::string&);
    bool (*goes_on)(void*, const reduction&);
};

/// Whether an expression of some function has a type noted.
inline bool has_types(const ir_module& m) {
    for (const auto& [name, f] : m)
        if (f.graph.type(f.root) != type_id::none) return true;
    return false;
}

// Without what nothing uses, and without types; if `declared`, with those that are declared for lets and results.
inline ir_module bare(const ir_module& m, bool declared) {
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        function copy = rewriter(f).rewrite([](rewriter& r, expr_id e) { return r.rebuild(e); });
        graph& g = copy.graph;
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            const expr_id e{i};
            g.set_type(e, type_id::none);
            if (declared) continue;
            if (g.kind(e) == expr_kind::let) g.set_annotation(g.operand(e, 0), type_id::none);
            if (g.kind(e) == expr_kind::function) g.set_result_annotation(e, type_id::none);
        }
        made.push_back({name, std::move(copy)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}

class reducer {
public:
    reducer(const ir_module& m, std::string pipeline, const reduce_options& options, const reduction_questions& ask)
        : ask_(ask), max_tries_(options.max_tries), is_typed_(has_types(m)) {
        best_.program = m;
        best_.passes = std::move(pipeline);
        candidate given;
        verify(m);
        if (!prepare(m, given)) infer_types(given.typed = m); // throws what it is
        best_.before = best_.size = given.size;
        best_.step = "as it is";
        if (!is_left() || !fails(given.shown, best_.passes)) return;
        best_.failed = true;
        take(std::move(given));
    }

    reduction run() && {
        if (!best_.failed) return std::move(best_);
        for (bool smaller = true; smaller && is_left();) {
            smaller = false;
            for (const named_edit& each : program_edits) {
                smaller = reduce_program(each) || smaller;
                // The first shrinks dimensions, as passes over small tensors take less time.
                if (each.edit == program_edits[6].edit) smaller = reduce_passes() || smaller;
            }
        }
        best_.is_finished = is_left();
        return std::move(best_);
    }

private:
    // A program as it is edited, and as it is shown: with types if that which was given has some.
    struct candidate {
        ir_module typed{}, shown{};
        program_size size{};
    };

    bool is_left() const { return !stopped_ && best_.tries < max_tries_; }

    // Whether a program is in order.
    bool prepare(const ir_module& m, candidate& made) const {
        for (const bool declared : {false, true}) {
            try {
                made.shown = bare(m, declared);
                made.typed = made.shown;
                infer_types(made.typed);
                verify(made.typed);
                made.size = size_of(made.typed);
                if (is_typed_) made.shown = made.typed;
                return true;
            } catch (const error&) { // not in order, or a recursive function needs what it declares
            }
        }
        return false;
    }
    void take(candidate made) {
        best_.program = std::move(made.shown);
        best_.size = made.size;
        typed_ = std::move(made.typed);
    }

    bool fails(const ir_module& m, const std::string& pipeline) {
        std::uint64_t hash = structural_hash(m);
        for (const char c : pipeline) hash = hash_combine(hash, static_cast<unsigned char>(c));
        for (const std::uint64_t known : tried_)
            if (known == hash) return false; // what failed was taken
        tried_.push_back(hash);
        ++best_.tries;
        const bool is_failure = ask_.fails(ask_.context, m, pipeline);
        stopped_ = stopped_ || !ask_.goes_on(ask_.context, best_);
        return is_failure && !stopped_;
    }

    bool reduce_program(const named_edit& each) {
        best_.step = each.name;
        const ir_module from = typed_;
        instrument::edit_choice all;
        each.edit(from, all);
        bool smaller = false;
        instrument::delta_debug(all.met(), [&](const instrument::edit_set& edits) {
            if (!is_left()) return false;
            instrument::edit_choice some{edits};
            candidate made;
            if (!prepare(each.edit(from, some), made) || made.size >= best_.size || !fails(made.shown, best_.passes))
                return false;
            take(std::move(made));
            return smaller = true;
        });
        return smaller;
    }
    bool reduce_passes() {
        best_.step = "passes";
        bool shorter = false;
        instrument::shorter_pipeline(best_.passes, [&](const std::string& pipeline) {
            if (!is_left() || !fails(best_.program, pipeline)) return false;
            best_.passes = pipeline;
            return shorter = true;
        });
        return shorter;
    }

    reduction_questions ask_;
    std::size_t max_tries_;
    bool is_typed_;
    bool stopped_ = false;
    ir_module typed_;
    reduction best_;
    plain_vector<std::uint64_t> tried_; // hashes
};

} // namespace detail

/// The smallest program, and the shortest pipeline, that still fail: by delta debugging, big steps first. Dimensions, constants and
/// attributes become smaller, results, functions, operators, lets, ifs, tuples and parameters go, and so do passes, those inside of
/// others too.
///
/// `fails(module, pipeline)` runs the pipeline and says whether what is looked for is still there. It sees programs only that are
/// in order and well-typed; with types, if the one that was given has types. Of the pipeline it must expect any part, such as
/// one that is no pipeline, which does not fail.
/// `watch(reduction)` is told how far it is after each try, and says whether to go on.
///
/// Ensures: what is found depends on nothing but the answers.
/// Cost:    some tries for each operator; each program that is tried is rewritten, and its types are inferred.
/// Throws:  `tutti::error` if the program is not in order.
/// Example:
/// ```
/// const auto found = relay::reduce(m, "FoldConstant,FuseOps", [&](const relay::ir_module& smaller, const std::string& passes) {
///     return is_wrong(run(passes, smaller));
/// });
/// std::cout << found.passes << '\n' << relay::to_text(found.program);
/// ```
template <class Fails, class Watch>
reduction reduce(const ir_module& m, std::string pipeline, Fails&& fails, const reduce_options& options,
                 Watch&& watch) {
    struct questions {
        std::remove_reference_t<Fails>& fails;
        std::remove_reference_t<Watch>& watch;
    } both{fails, watch};
    return detail::reducer{m,
                           std::move(pipeline),
                           options,
                           {&both,
                            [](void* context, const ir_module& program, const std::string& tried) {
                                return static_cast<bool>(static_cast<questions*>(context)->fails(program, tried));
                            },
                            [](void* context, const reduction& so_far) {
                                return static_cast<bool>(static_cast<questions*>(context)->watch(so_far));
                            }}}
        .run();
}
template <class Fails>
reduction reduce(const ir_module& m, std::string pipeline, Fails&& fails, const reduce_options& options = {}) {
    return reduce(m, std::move(pipeline), fails, options, [](const reduction&) { return true; });
}

} // namespace tutti::relay
