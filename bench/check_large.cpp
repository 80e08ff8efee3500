// Checks a long text of many functions as `tutti check` does. It maps, parses and verifies the text and infers types,
// with one thread and with several. The arguments are the megabytes of text (default 1,000) and the calls per function
// (default 100). The text is in an unnamed file.
//
// A virtual machine may allocate memory on the first write, which takes seconds per GiB, and may release it after some
// idle time. The bench therefore first writes to memory of twice the size of the text, in two rounds. It prints the
// difference between the rounds, which is the cost of the machine.

#include <tutti/file/mapped_file.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/parser.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include <sys/resource.h>

namespace relay = tutti::relay;

namespace {

void write_functions(std::FILE* to, std::size_t bytes, std::size_t calls) {
    std::size_t written = 0;
    for (std::size_t f = 0; written < bytes; ++f) {
        std::string text =
            "def @f" + std::to_string(f) + "(%x: Tensor[(16, 16), float32], %y: Tensor[(16, 16), float32]) {\n";
        std::string last = "%x";
        for (std::size_t i = 0; i + 1 < calls; ++i) {
            const std::string name = "%" + std::to_string(i);
            text += "  " + name + (i % 2 == 0 ? " = add(" : " = multiply(") + last + ", %y);\n";
            last = name;
        }
        text += "  subtract(" + last + ", %y)\n}\n\n";
        std::fwrite(text.data(), 1, text.size(), to);
        written += text.size();
    }
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

// Writes to each page of newly allocated memory.
void touch(std::size_t bytes, const char* when) {
    const double start = seconds();
    auto* const memory = static_cast<volatile char*>(std::malloc(bytes));
    if (memory == nullptr) return;
    for (std::size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
    std::free(const_cast<char*>(memory));
    std::printf("%.1f GiB written %s: %.2f s\n", static_cast<double>(bytes) / (1 << 30), when, seconds() - start);
}

void check(std::string_view text, unsigned threads) {
    tutti::thread_pool pool(threads);
    const tutti::executor_ref on(pool);
    const double start = seconds(), used_before = processor_seconds();
    relay::ir_module m = relay::parse(text, {.executor = on});
    const double parsed = seconds();
    relay::verify(m, {}, on);
    const double verified = seconds();
    relay::infer_types(m, on);
    const double inferred = seconds();
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    std::printf("%7u %9zu %9.2f %9.2f %9.2f %9.2f %9.2f %9.1f %9.2f\n", threads, m.size(), parsed - start,
                verified - parsed, inferred - verified, inferred - start, processor_seconds() - used_before,
                static_cast<double>(text.size()) / (inferred - start) / 1e6,
                static_cast<double>(used.ru_maxrss) / (1 << 20));
}

} // namespace

int main(int count, char** given) {
    const std::size_t megabytes = count > 1 ? std::strtoull(given[1], nullptr, 10) : 1000;
    const std::size_t calls = count > 2 ? std::strtoull(given[2], nullptr, 10) : 100;
    const std::string name = std::string(P_tmpdir) + "/tutti_check_large.relay";
    std::FILE* const file = std::fopen(name.c_str(), "wb");
    if (file == nullptr) return 1;
    write_functions(file, megabytes * 1'000'000, calls);
    std::fclose(file);
    const tutti::file::mapped_file text(name);
    std::remove(name.c_str());
    touch(2 * text.bytes().size(), "for the first time");
    touch(2 * text.bytes().size(), "again");
    std::printf("%7s %9s %9s %9s %9s %9s %9s %9s %9s\n", "threads", "functions", "parse, s", "verify", "infer", "all",
                "CPU, s", "MB/s", "peak, GiB");
    for (unsigned threads = tutti::thread_pool::hardware_threads(); threads != 0; threads /= 2)
        check(text.bytes(), threads);
}
