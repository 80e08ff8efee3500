// Runs LLVM's passes over LLVM modules with tutti's pipelines, levels and instruments. Built like LLVM, without
// exceptions and RTTI. Reads a module, prints what `opt -passes='function(sroa,instcombine,gvn)' -S` prints, and
// reports the actions of the passes on standard error.

#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/pass.hpp>
#include <tutti/search/bisect.hpp>

#include <concepts>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

// The parts of a module are its function definitions. Instruments can print both modules and functions.
std::string text_of(const auto& printed) {
    std::string text;
    llvm::raw_string_ostream stream{text};
    printed.print(stream, nullptr);
    return text;
}
template <>
struct tutti::unit_traits<llvm::Module> {
    static constexpr std::string_view name = "module", extension = "ll", comment = ";";
    static std::string to_text(const llvm::Module& m) { return text_of(m); }
    static auto parts(llvm::Module& module) {
        return llvm::make_filter_range(module, [](const llvm::Function& f) { return !f.isDeclaration(); });
    }
};
template <>
struct tutti::unit_traits<llvm::Function> {
    static constexpr std::string_view name = "function", extension = "ll", comment = ";";
    static std::string to_text(const llvm::Function& f) { return text_of(f); }
};

// Wraps LLVM's analysis managers as one analysis of the module, which lives from the first pass to the last.
struct llvm_analyses {
    struct managers {
        llvm::LoopAnalysisManager loops;
        llvm::FunctionAnalysisManager functions;
        llvm::CGSCCAnalysisManager components;
        llvm::ModuleAnalysisManager modules;
        llvm::PassBuilder known;

        managers() {
            known.registerModuleAnalyses(modules);
            known.registerCGSCCAnalyses(components);
            known.registerFunctionAnalyses(functions);
            known.registerLoopAnalyses(loops);
            known.crossRegisterProxies(loops, functions, components, modules);
        }
    };
    std::unique_ptr<managers> operator()(const llvm::Module&) const { return std::make_unique<managers>(); }
};

// Wraps an LLVM function pass as a tutti pass. A run may change the state of an LLVM pass, so the call operator is not
// const.
template <tutti::fixed_string Name, class Pass, auto... Argument>
struct llvm_pass {
    static constexpr tutti::pass_info info{.name = Name.view()};
    using preserves = tutti::analyses<llvm_analyses>; // LLVM's managers invalidate their own results

    Pass pass{Argument...};

    tutti::change operator()(llvm::Function& f, auto& ctx) {
        const auto& managers = ctx.template get<llvm_analyses>(*f.getParent());
        const llvm::PreservedAnalyses kept = pass.run(f, managers->functions);
        managers->functions.invalidate(f, kept);
        return kept.areAllPreserved() ? tutti::unchanged : tutti::changed;
    }
};
using sroa = llvm_pass<"SROA", llvm::SROAPass, llvm::SROAOptions::ModifyCFG>;
using inst_combine = llvm_pass<"InstCombine", llvm::InstCombinePass>;
using gvn = llvm_pass<"GVN", llvm::GVNPass>;
static_assert(!std::copy_constructible<inst_combine>);

// An instrument that observes both levels, each with its own hook.
struct change_counter {
    struct counts {
        unsigned runs = 0, changes = 0;
    };
    std::map<std::string_view, counts> over_functions;
    unsigned instructions = 0;

    void run_before_pass(const llvm::Module& m, const tutti::pass_run& run) {
        if (run.depth == 0) instructions = m.getInstructionCount();
    }
    void run_after_pass(const llvm::Function&, const tutti::pass_info& info, tutti::change what) {
        if (info.kind != tutti::pass_kind::pass) return;
        auto& [runs, changes] = over_functions[info.name];
        ++runs;
        changes += what == tutti::changed;
    }
    void run_after_pass(const llvm::Module& m, const tutti::pass_run& run, tutti::change) {
        if (run.depth > 0) return;
        for (const auto& [name, of_one] : over_functions)
            llvm::errs() << name << ": " << of_one.runs << " functions, " << of_one.changes << " changed\n";
        llvm::errs() << "module: " << instructions << " instructions before, " << m.getInstructionCount() << " after\n";
    }
};

int main(int argc, char** argv) {
    if (argc != 2) {
        llvm::errs() << "usage: llvm_passes FILE.ll\n";
        return EXIT_FAILURE;
    }
    llvm::LLVMContext types;
    llvm::SMDiagnostic mistake;
    const std::unique_ptr<llvm::Module> module = llvm::parseIRFile(argv[1], mistake, types);
    if (!module) {
        mistake.print(argv[0], llvm::errs());
        return EXIT_FAILURE;
    }

    // The same pipeline can be parsed from text at compile time, and written as text again.
    using known = tutti::passes<sroa, inst_combine, gvn, tutti::each_adaptor<llvm::Function>>;
    auto pipeline = tutti::pipeline<"function(SROA,InstCombine,GVN)">(known{});
    static_assert(std::same_as<decltype(pipeline), decltype(tutti::sequential(
                                                       tutti::each<llvm::Function>(sroa{}, inst_combine{}, gvn{})))>);

    const std::unique_ptr<llvm::Module> fresh = llvm::CloneModule(*module);
    change_counter counter;
    tutti::instrument::time_trace trace;
    tutti::instrument::print_changed lines{{.passes = {"GVN"}}, [](std::string_view text) { llvm::errs() << text; }};
    tutti::pass_context ctx{tutti::opt_level<2>, tutti::instruments(counter, lines, trace), tutti::analysis_cache{}};
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, *module); });
    llvm::errs() << (trace.render().find("InstCombine") != std::string::npos ? "traced\n" : "not traced\n");

    // Finds the first pass that leaves at most three quarters of the instructions.
    const tutti::instrument::bisection found = tutti::instrument::bisect([&](tutti::instrument::bisect_limit<>& limit) {
        const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*fresh);
        auto passes = tutti::pipeline<"function(SROA,InstCombine,GVN)">(known{});
        tutti::pass_context first{tutti::instruments(limit), tutti::analysis_cache{}};
        tutti::with(first, [&](auto& scope) { scope.run(passes, *copy); });
        return 4 * copy->getInstructionCount() > 3 * fresh->getInstructionCount();
    });
    llvm::errs() << "pass " << found.number << " of " << found.passes << ": " << found.pass << '\n';

    if (llvm::verifyModule(*module, &llvm::errs())) return EXIT_FAILURE;
    module->print(llvm::outs(), nullptr);
}
