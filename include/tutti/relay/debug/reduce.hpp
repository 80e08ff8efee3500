#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
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
#include <tutti/search/delta_debug.hpp>
#include <tutti/search/shorter_pipeline.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

struct reduce_options {
    /// Limit on the calls of `fails`. At the limit, the best result so far is returned.
    std::size_t max_tries = 20'000;
};

/// The smallest failing program found, with the shortest failing pipeline.
struct reduction {
    ir_module program{};
    std::string passes{};
    program_size before{}, size{};
    std::size_t tries = 0;    ///< number of calls of `fails`
    std::string_view step{};  ///< the current step
    bool failed = false;      ///< true if the given program fails
    bool is_finished = false; ///< true if no step makes the program smaller; false if stopped early
};

namespace detail {

struct named_edit {
    std::string_view name;
    program_edit edit;
};

// The edits in order of use: first those that make tries faster, then those that remove large pieces.
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

// The callbacks of a reducer.
struct reduction_questions {
    void* context;
    bool (*fails)(void*, const ir_module&, const std::string&);
    bool (*goes_on)(void*, const reduction&);
};

/// True if a function of the module has an inferred type.
inline bool has_types(const ir_module& m) {
    for (const auto& [name, f] : m)
        if (f.graph.type(f.root) != type_id::none) return true;
    return false;
}

// Returns the program without unused expressions and inferred types. Unless `declared`, the declared types of lets and
// results are removed, too.
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
        : ask_(ask), max_tries_(options.max_tries) {
        verify(m); // before anything else reads the module
        is_typed_ = has_types(m);
        best_.program = m;
        best_.passes = std::move(pipeline);
        candidate given;
        if (!prepare(m, given)) infer_types(given.typed = m); // throws the error that `prepare` caught
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
                // The pipeline is shortened after the dimensions, because passes over small tensors are faster.
                if (each.edit == program_edits[6].edit) smaller = reduce_passes() || smaller;
            }
        }
        best_.is_finished = is_left();
        return std::move(best_);
    }

private:
    // A program in two forms. Edits start from `typed`, which has types. `fails` receives `shown`, which has types only
    // if the given program has types.
    struct candidate {
        ir_module typed{}, shown{};
        program_size size{};
    };

    bool is_left() const { return !stopped_ && best_.tries < max_tries_; }

    // Stores a candidate for a program in `made`. False if the program is invalid.
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
            } catch (const error&) { // invalid, or a recursive function needs its declared types
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
            if (known == hash) return false; // already tried without failing, or it would be the current program
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
    bool is_typed_ = false;
    bool stopped_ = false;
    ir_module typed_;
    reduction best_;
    plain_vector<std::uint64_t> tried_; // hashes of tried programs and pipelines
};

} // namespace detail

/// Finds the smallest program and shortest pipeline that still fail, by delta debugging in steps of decreasing size.
/// Dimensions, constants and attributes shrink. Results, functions, operators, lets, ifs, tuples, parameters and passes
/// (including nested passes) are removed.
///
/// `fails(module, pipeline)` runs the pipeline and returns true if the failure still occurs. Each module is valid and
/// well-typed, and has types if the given program has types. The pipeline may be any piece of the given pipeline's
/// text, even an invalid text, for which `fails` must return false. `watch(reduction)` is called after each try, and
/// returns false to stop.
///
/// Ensures: the result depends only on the values that `fails` and `watch` return.
/// Cost:    some tries per operator; each rewrites the program and infers its types.
/// Throws:  `tutti::error` if the program is invalid.
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

} // namespace tutti::relay::inline TUTTI_FORM
