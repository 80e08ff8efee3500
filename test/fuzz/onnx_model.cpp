// A fuzz target for ONNX models: any bytes are a model or an error, and a model imports as a valid program or is an
// error. Checking a model needs memory for the file and at most four times the file's size. The same limit applies to
// reading one tensor. A tensor stored as a list of varints may be larger, since its elements are wider. Reading it
// needs at most the sum of its size and the file's size. Importing may need more, as documented at `import_model`: an
// expression is larger than its node, and loops are unrolled.

#include <tutti/base/error.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/instrument/count_allocations.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/op/verify.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace relay = tutti::relay;
namespace onnx = tutti::relay::onnx;

namespace {

using tutti::file::mapped_file;

// Memory for errors and small tensors, independent of the file's size.
constexpr std::int64_t constant = 64 * 1024;

// Returns the peak of the allocated bytes during a call, minus the bytes allocated before the call.
template <class F>
std::int64_t most_bytes(F&& f) {
    auto& counts = tutti::instrument::allocations();
    const std::int64_t before = counts.live;
    counts.peak = before;
    std::forward<F>(f)();
    return counts.peak - before;
}

void expect_at_most(std::int64_t got, std::int64_t most) {
    if (got > most) std::abort();
}

void read_tensors(const onnx::model& m, std::int64_t size) {
    for (const onnx::wire_field& f : m.graph().initializers()) {
        const onnx::tensor_view t{onnx::message(f.payload)};
        if (t.is_external()) continue; // stored in another file
        const std::int64_t wide = t.type() == onnx::dtype::none || t.is_raw()
                                      ? 0
                                      : t.size() * static_cast<std::int64_t>(tutti::kernel::bytes(t.type()));
        const std::int64_t most = most_bytes([&] {
            try {
                t.value(m.file());
            } catch (const tutti::error&) {}
        });
        expect_at_most(most, constant + std::max(4 * size, size + wide));
    }
}

std::optional<relay::ir_module> imported(std::string bytes) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    std::optional<onnx::model> m;
    const std::int64_t most = most_bytes([&] {
        try {
            m.emplace(std::make_shared<const mapped_file>(mapped_file::read_bytes{std::move(bytes)}), "model");
        } catch (const tutti::error&) {}
    });
    expect_at_most(most, constant + 4 * size);
    if (!m) return std::nullopt;
    read_tensors(*m, size);
    std::optional<relay::ir_module> made;
    const onnx::import_options options{.max_bytes = 1 << 20, .max_work = 1 << 15};
    const std::int64_t beside = most_bytes([&] {
        try {
            made.emplace(onnx::import_model(*m, options));
        } catch (const tutti::error&) {}
    });
    expect_at_most(beside, constant + 64 * size + static_cast<std::int64_t>(options.max_bytes + 32 * options.max_work));
    return made;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::optional<relay::ir_module> m = imported(std::string(reinterpret_cast<const char*>(data), size));
    if (m) relay::verify(*m); // an error here is the importer's fault
    return 0;
}
