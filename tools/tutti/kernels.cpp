#include "kernels.hpp"

#include <tutti/base/diagnostic.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/reference.hpp>

#include "plugins.hpp"

#ifdef TUTTI_ONEDNN
#include <tutti/relay/eval/onednn.hpp>

#include <dlfcn.h>
#endif

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace kernels = tutti::relay::kernels;

const std::vector<kernel_choice>& all_choices() {
    static const std::vector<kernel_choice> all = [] {
        std::vector<kernel_choice> made{
#ifdef TUTTI_ONEDNN
            {"onednn", "oneDNN; blocked computes the other operators", &kernels::onednn()},
#endif
            {"blocked", "blocked for caches and vector units; reference computes the other operators",
             &kernels::blocked()},
            {"reference", "plain loops for all operators", &kernels::reference()},
        };
        for (const kernels::blocked_choice& each : kernels::blocked_choices())
            made.push_back({"blocked-" + std::string{each.processors},
                            each.processors == "build" ? "blocked for the processors that the library is built for"
                                                       : "blocked for the vectors of these processors",
                            each.kernels});
        return made;
    }();
    return all;
}

const tutti::relay::kernel_set* selected_kernels = nullptr; // the first, unless an option selects another

} // namespace

std::span<const kernel_choice> kernel_choices() { return all_choices(); }

void add_kernels_option(CLI::App& command) {
    command
        .add_option_function<std::string>(
            "--kernels", [](const std::string& name) { selected_kernels = extensions().find_kernels(name)->kernels; },
            "The kernels that compute the operators")
        ->type_name("SET")
        ->default_str(std::string{all_choices().front().name})
        ->check([](const std::string& given) -> std::string {
            std::vector<std::string> names;
            for (const tutti::relay::named_kernels& each : extensions().kernels) {
                if (each.name == given) return {};
                names.push_back(each.name);
            }
            return tutti::input_error{tutti::internal::unknown_name("set of kernels", given, std::move(names))}.what();
        });
}

const tutti::relay::kernel_set& chosen_kernels() {
    return *(selected_kernels != nullptr ? selected_kernels : all_choices().front().kernels);
}

evaluation_threads::evaluation_threads(unsigned count) : pool_(count) {
#ifdef TUTTI_ONEDNN
    // Looked up by name, because oneDNN may use another OpenMP library than this compiler, or none.
    using set_count = void (*)(int);
    const auto set = reinterpret_cast<set_count>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
    if (set != nullptr) set(static_cast<int>(count));
#endif
}

} // namespace program
