// The choice between the blocked kernels for the processors of the build and those for wider vectors.

#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernel_set.hpp>

#include <cstddef>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM::kernels {

// Each is blocked_kernels.cpp, compiled for these processors.
#ifdef TUTTI_X86_64_V3
const kernel_set& blocked_x86_64_v3();
#endif
#ifdef TUTTI_X86_64_V4
const kernel_set& blocked_x86_64_v4();
#endif
#ifdef TUTTI_X86_64_V4_VNNI
const kernel_set& blocked_x86_64_v4_vnni();
#endif

namespace {

/// The blocked kernels for wider vectors, as a set whose rows have this library's operators.
class wide_set {
    std::deque<block_step_entry> on_blocks_; // rows refer to them
    std::vector<kernel_row> rows_[2];
    kernel_set sets_[2];

public:
    explicit wide_set(const kernel_set& wide) {
        const kernel_set* const here[]{&detail::blocked_set<void>::value, detail::blocked_set<void>::value.next()};
        const kernel_set* const there[]{&wide, wide.next()};
        for (std::size_t part = 2; part-- != 0;) {
            // The wide kernels were compiled apart, with their own descriptions of operators, so rows pair by place.
            const std::span<const kernel_row> own = here[part]->rows(), other = there[part]->rows();
            for (std::size_t i = 0; i < own.size(); ++i) {
                kernel_row row = other[i];
                row.op = own[i].op;
                if (row.on_blocks != nullptr) {
                    on_blocks_.push_back(*row.on_blocks);
                    on_blocks_.back().op = own[i].op;
                    row.on_blocks = &on_blocks_.back();
                }
                rows_[part].push_back(row);
            }
            sets_[part] = kernel_set::of_sorted(rows_[part], part == 0 ? sets_[1] : *here[1]->next());
        }
    }
    wide_set(const wide_set&) = delete;
    wide_set& operator=(const wide_set&) = delete;

    const kernel_set& value() const { return sets_[0]; }
};

/// Kernels for wider vectors, and the processors that run them.
struct wide_kernels {
    std::string_view processors;
    bool (*supported)();
    const kernel_set& (*set)();
};

template <const kernel_set& (*Wide)()>
const kernel_set& wide_set_of() {
    static const wide_set made{Wide()};
    return made.value();
}

// The narrowest first.
const std::vector<wide_kernels>& all_wide_kernels() {
    static const std::vector<wide_kernels> all{
#ifdef TUTTI_X86_64_V3
        {"x86-64-v3", [] { return __builtin_cpu_supports("x86-64-v3") != 0; }, &wide_set_of<blocked_x86_64_v3>},
#endif
#ifdef TUTTI_X86_64_V4
        {"x86-64-v4", [] { return __builtin_cpu_supports("x86-64-v4") != 0; }, &wide_set_of<blocked_x86_64_v4>},
#endif
#ifdef TUTTI_X86_64_V4_VNNI
        {"x86-64-v4+vnni",
         [] { return __builtin_cpu_supports("x86-64-v4") != 0 && __builtin_cpu_supports("avx512vnni") != 0; },
         &wide_set_of<blocked_x86_64_v4_vnni>},
#endif
    };
    return all;
}

} // namespace

std::vector<blocked_choice> blocked_choices() {
    std::vector<blocked_choice> all{{"build", &detail::blocked_set<void>::value}};
    for (const wide_kernels& each : all_wide_kernels())
        if (each.supported()) all.push_back({each.processors, &each.set()});
    return all;
}

const kernel_set& detail::widest_blocked() {
    static const kernel_set& widest = *blocked_choices().back().kernels;
    return widest;
}

} // namespace tutti::relay::inline TUTTI_FORM::kernels
