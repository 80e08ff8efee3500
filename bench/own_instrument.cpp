// The overhead of a custom instrument over a custom IR: `own_instrument --benchmark_filter=static`.

#include <tutti/pass.hpp>

#include "measure_instrument.hpp"

#include <string>
#include <string_view>

struct query { // the custom IR, which can be any type
    std::string plan;
};
struct longest_plan { // the custom instrument
    std::size_t characters = 0;
    std::string_view after;
    void run_after_pass(const query& q, const tutti::pass_info& info) {
        if (q.plan.size() <= characters) return;
        characters = q.plan.size();
        after = info.name;
    }
};

int main(int argc, char** argv) {
    tutti::bench::measure_instrument<query>("longest_plan", [] { return longest_plan{}; });
    return tutti::bench::run_benchmarks(argc, argv);
}
