// The cost of a call in tutti and of an operation in MLIR 19, for the same program. It is a chain of alternating
// additions and multiplications of 16 x 16 tensors. Built with `-Dmlir=enabled` if libmlir-19-dev is installed. The
// arguments are the numbers of calls (default: 10,000 and 1,000,000).
//
// MLIR is used as in its own tools: operations of `arith` in a function of `func`, one thread, and MLIR's parser,
// printer, verifier and passes. FoldConstant is compared with the canonicaliser, which does more but finds nothing to
// do either. The verifier of tutti infers types again, and that of MLIR checks types. Both sides keep freed memory,
// which excludes page faults.

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>

#include "../cpu_time.hpp"
#include "../freed_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/Verifier.h>
#include <mlir/Parser/Parser.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Transforms/Passes.h>

namespace relay = tutti::relay;

namespace {

relay::ir_module build_ours(std::size_t calls) {
    relay::builder b;
    const relay::expr x = b.variable("x", {16, 16});
    const relay::expr y = b.variable("y", {16, 16});
    relay::expr last = x;
    for (std::size_t i = 0; i < calls; ++i) last = i % 2 == 0 ? relay::add(last, y) : relay::multiply(last, y);
    relay::ir_module m(b.function({x, y}, last));
    relay::infer_types(m); // the operations of MLIR are created with types
    return m;
}

mlir::OwningOpRef<mlir::ModuleOp> build_theirs(mlir::MLIRContext& context, std::size_t calls) {
    mlir::OpBuilder b(&context);
    const mlir::Location where = b.getUnknownLoc();
    mlir::OwningOpRef<mlir::ModuleOp> m = mlir::ModuleOp::create(where);
    const auto type = mlir::RankedTensorType::get({16, 16}, b.getF32Type());
    b.setInsertionPointToEnd(m->getBody());
    auto f = b.create<mlir::func::FuncOp>(where, "main", b.getFunctionType({type, type}, {type}));
    mlir::Block* const body = f.addEntryBlock();
    b.setInsertionPointToEnd(body);
    mlir::Value last = body->getArgument(0);
    const mlir::Value y = body->getArgument(1);
    for (std::size_t i = 0; i < calls; ++i)
        last = i % 2 == 0 ? b.create<mlir::arith::AddFOp>(where, last, y).getResult()
                          : b.create<mlir::arith::MulFOp>(where, last, y).getResult();
    b.create<mlir::func::ReturnOp>(where, last);
    return m;
}

std::string text_of(mlir::ModuleOp m) {
    std::string text;
    llvm::raw_string_ostream out(text);
    m.print(out);
    out.flush();
    return text;
}

template <class Pass>
int apply(const Pass& pass, relay::ir_module& m) {
    tutti::pass_context ctx{tutti::opt_level<3>};
    tutti::with(ctx, [&](auto& scope) { scope.run(pass, m); });
    return 0;
}

int apply(std::unique_ptr<mlir::Pass> pass, mlir::ModuleOp m) {
    mlir::PassManager manager(m.getContext());
    manager.enableVerifier(false);
    manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
    return manager.run(m).succeeded() ? 0 : 1;
}

void row(const char* stage, double ours, double theirs) {
    std::printf("%-44s %9.1f %9.1f %9.1f\n", stage, ours, theirs, theirs / ours);
    std::fflush(stdout);
}

void table(mlir::MLIRContext& context, std::size_t n) {
    std::printf("%zu calls, ns each%*s %9s %9s %9s\n", n, 27, "", "here", "MLIR", "times");
    const auto nothing = [] { return 0; };
    const relay::ir_module ours = build_ours(n);
    mlir::OwningOpRef<mlir::ModuleOp> theirs = build_theirs(context, n);
    const std::string our_text = relay::to_text(ours), their_text = text_of(*theirs);

    row("build, with types", ns(n, nothing, [&](int) { return build_ours(n); }),
        ns(n, nothing, [&](int) { return build_theirs(context, n); }));
    row("parse, with types", ns(n, nothing, [&](int) { return relay::parse(our_text); }),
        ns(n, nothing, [&](int) { return mlir::parseSourceString<mlir::ModuleOp>(their_text, &context); }));
    row("print, with types", ns(n, nothing, [&](int) { return relay::to_text(ours); }),
        ns(n, nothing, [&](int) { return text_of(*theirs); }));
    const auto verify = [&](int) {
        relay::verify(ours);
        return 0;
    };
    const auto verify_structure = [&](int) {
        relay::verify_structure(ours);
        return 0;
    };
    const double their_verify = ns(n, nothing, [&](int) { return mlir::verify(*theirs).succeeded(); });
    row("verify, with types", ns(n, nothing, verify), their_verify);
    row("verify_structure", ns(n, nothing, verify_structure), their_verify);
    row("clone", ns(n, nothing, [&](int) { return ours; }),
        ns(n, nothing, [&](int) { return mlir::OwningOpRef<mlir::ModuleOp>(theirs->clone()); }));
    const auto our_copy = [&] { return ours; };
    const auto their_copy = [&] { return mlir::OwningOpRef<mlir::ModuleOp>(theirs->clone()); };
    using copied = mlir::OwningOpRef<mlir::ModuleOp>;
    row("EliminateCommonSubexpr, CSE",
        ns(n, our_copy, [](relay::ir_module& m) { return apply(relay::eliminate_common_subexpr{}, m); }),
        ns(n, their_copy, [](copied& m) { return apply(mlir::createCSEPass(), *m); }));
    row("FoldConstant, canonicalize",
        ns(n, our_copy, [](relay::ir_module& m) { return apply(relay::fold_constant{}, m); }),
        ns(n, their_copy, [](copied& m) { return apply(mlir::createCanonicalizerPass(), *m); }));
    std::printf("\n");
}

} // namespace

int main(int count, char** given) {
    keep_freed_memory();
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
    std::vector<std::size_t> sizes{10'000, 1'000'000};
    if (count > 1) sizes.clear();
    for (int i = 1; i < count; ++i) sizes.push_back(std::strtoull(given[i], nullptr, 10));
    for (const std::size_t n : sizes) table(context, n);
}
