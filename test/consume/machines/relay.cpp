// Prints results that must be the same on every machine: texts after passes, hashes, the bytes of files, and integers.
// Floating-point results have lines of their own, which the test compares within a bound.
//
//     relay make FOLDER COUNT     writes random programs and their inputs, N.relay and N.npz
//     relay check FOLDER COUNT    reads them and prints results; writes model.onnx and inputs.npz
//
// The same seed gives other programs on other machines, since compilers evaluate arguments in different orders.

#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/pass.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/write_model.hpp>
#include <tutti/relay/params/params_file.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;

namespace {

const char* const pipelines[]{"SimplifyExpr,FoldConstant,EliminateCommonSubexpr,DeadCodeElimination,FuseOps",
                              "ToANormalForm,FoldConstant,SimplifyInference,FoldScaleAxis,CombineParallelDense",
                              "ToBasicBlockNormalForm,CanonicalizeOps,CanonicalizeCast,FastMath,AlterOpLayout",
                              "ToGraphNormalForm,FoldExplicitPadding,DynamicToStatic,SplitArgs,Inline"};

std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return hash;
}

void print_hash(const char* of, std::string_view bytes) { std::printf("%s %016" PRIx64 "\n", of, hash_of(bytes)); }

// Files are read and written with C's functions, since streams need parts of libc++ that do not link with musl.
std::string contents(const std::string& path) {
    std::string bytes;
    if (std::FILE* const file = std::fopen(path.c_str(), "rb")) {
        char block[4096];
        for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, file)) != 0;) bytes.append(block, n);
        std::fclose(file);
    }
    return bytes;
}

void write(const std::string& path, std::string_view bytes) {
    if (std::FILE* const file = std::fopen(path.c_str(), "wb")) {
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
    }
}

bool is_exact(kernel::dtype type) {
    bool exact = false;
    kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) { exact = std::is_integral_v<T>; });
    return exact;
}

void print_tensor(const kernel::tensor& t) {
    const bool exact = is_exact(t.type());
    kernel::tensor wide;
    kernel::cast(t, exact ? kernel::dtype::int64 : kernel::dtype::float64, wide);
    std::printf("%s %s", exact ? "integers" : "floats", std::string(kernel::name(t.type())).c_str());
    for (std::int64_t i = 0; i < wide.size(); ++i)
        if (exact)
            std::printf(" %" PRId64, wide.data<std::int64_t>()[i]);
        else
            std::printf(" %.17g", wide.data<double>()[i]);
    std::printf("\n");
}

void write_arrays(const std::string& path, const tutti::vector<kernel::tensor>& arrays) {
    tutti::vector<kernel::named_tensor> named;
    for (const kernel::tensor& t : arrays) named.push_back({"input" + std::to_string(named.size()), t});
    relay::write_params(path, named);
}

tutti::vector<kernel::tensor> read_arrays(const std::string& path, const relay::function& f) {
    const tutti::file::npz_reader file(std::make_shared<const tutti::file::mapped_file>(path));
    tutti::vector<kernel::tensor> arrays;
    for (std::size_t i = 0; i < file.entries().size(); ++i)
        arrays.push_back(
            relay::read_array(file, file.entries()[i], f.graph.types(), f.graph.type(f.graph.params(f.root)[i])));
    return arrays;
}

void print_run(const relay::ir_module& m, const tutti::vector<kernel::tensor>& inputs) {
    try {
        relay::evaluator e(m);
        for (const kernel::tensor& t : e.run(inputs)) print_tensor(t);
    } catch (const tutti::error& e) {
        std::printf("refused: %s\n", e.what());
    }
}

std::string text_of(const relay::ir_module& m) { return relay::to_text(m, {.metadata = relay::write_metadata}); }

std::string path_of(const std::string& folder, int number, const char* end) {
    return folder + "/" + std::to_string(number) + end;
}

void make_program(const std::string& folder, int number) {
    relay::testing::random_module made = relay::testing::make_random_module(static_cast<std::uint64_t>(number));
    relay::infer_types(made.program);
    write(path_of(folder, number, ".relay"), text_of(made.program));
    write_arrays(path_of(folder, number, ".npz"), made.inputs);
}

void check_program(const std::string& folder, int number) {
    const std::string text = contents(path_of(folder, number, ".relay"));
    const relay::ir_module m = relay::parse(text, {.metadata = relay::read_metadata});
    const tutti::vector<kernel::tensor> inputs = read_arrays(path_of(folder, number, ".npz"), *m.find("main"));
    std::printf("program %d\nprinted %s\n", number, text_of(m) == text ? "the same" : "another");
    std::printf("structural_hash %016" PRIx64 "\n", relay::structural_hash(m));
    std::printf("fingerprint %016" PRIx64 "\n", relay::fingerprint_of(m));
    print_run(m, inputs);

    std::string bytes;
    try {
        bytes = relay::onnx::model_bytes(m);
    } catch (const tutti::error& e) {
        std::printf("not written: %s\n", e.what());
    }
    if (!bytes.empty()) {
        print_hash("onnx", bytes);
        const std::string path = folder + "/model.onnx";
        write(path, bytes);
        print_hash("imported", text_of(relay::onnx::import_model(relay::onnx::open_model(path))));
    }

    const std::string path = folder + "/inputs.npz";
    write_arrays(path, inputs);
    print_hash("npz", contents(path));

    static const auto registry = relay::registered_passes();
    for (const char* const pipeline : pipelines) {
        relay::ir_module changed = m;
        try {
            const auto passes = tutti::runtime::parse_pipeline(pipeline, registry);
            tutti::runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
            tutti::with(ctx, [&](auto& scope) { scope.run(passes, changed); });
        } catch (const tutti::error& e) {
            std::printf("failed: %s\n", e.what());
            continue;
        }
        print_hash("changed", relay::to_text(changed));
        print_run(changed, inputs);
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const std::string_view what = argv[1];
    for (int i = 1; i <= std::atoi(argv[3]); ++i) {
        if (what == "make") make_program(argv[2], i);
        if (what == "check") check_program(argv[2], i);
    }
    return 0;
}
