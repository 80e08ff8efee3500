// Opens a file of 500 MB of weights: how long that takes, and how much memory at most. Target: 1.1 times the size of the file.
//
//     bench_open_weights [FOLDER]    where there is room for it; /tmp

#include <tutti/file/npz_writer.hpp>
#include <tutti/file/output_file.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/params/params_file.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;

namespace {

constexpr int arrays = 100;
constexpr std::int64_t rows = 1250, columns = 1000; // of each: 5 MB

std::string name_of(int i) { return "w" + std::to_string(i); }

void write(const std::string& name) {
    tutti::file::output_file to(name);
    tutti::file::npz_writer<tutti::file::output_file> writer(to);
    kernel::tensor t(kernel::dtype::float32, {rows, columns});
    for (int i = 0; i < arrays; ++i) {
        std::ranges::fill(t.mutable_elements<float>(), static_cast<float>(i));
        writer.add(name_of(i), t);
    }
    writer.done();
    to.done();
}

double most_megabytes() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) * 1024 / 1e6;
}

void open(const std::string& name) {
    relay::builder b;
    std::vector<relay::expr> params;
    for (int i = 0; i < arrays; ++i) params.push_back(b.variable(name_of(i), {rows, columns}));
    relay::ir_module m(b.function(params, params[0]));
    const auto begin = std::chrono::steady_clock::now();
    relay::read_params(m, name);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("500 MB of weights: opened in %.0f ms, %.0f MB at most\n", took.count(), most_megabytes());
}

} // namespace

int main(int count, char** arguments) {
    const std::string name = std::string(count > 1 ? arguments[1] : "/tmp") + "/tutti-weights.npz";
    if (const pid_t child = fork(); child == 0) { // whose memory does not count
        write(name);
        _exit(0);
    } else {
        waitpid(child, nullptr, 0);
    }
    open(name);
    std::remove(name.c_str());
}
