#include <tutti/relay/transform/passes/combine_parallel_op.hpp>

#include <tutti/relay/op/dense.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;

namespace {

/// Combines dense layers into the first one, regardless of their weights.
struct first_for_all : relay::detail::along_one_axis {
    using op = relay::op::nn::dense;
    static constexpr bool supports(const graph&, expr_id) { return true; }
    static constexpr std::uint64_t key(const graph&, expr_id) { return 0; }
    static constexpr bool together(const graph&, expr_id, expr_id) { return true; }
    static constexpr expr_id combine(graph&, const relay::detail::parallel_branches& branches) {
        return branches[0][0];
    }
    static constexpr std::size_t axis(const graph&, expr_id) { return 1; }
    static constexpr bool fits(const graph&, expr_id, expr_id, std::size_t, std::size_t) { return false; }
    static constexpr expr_id follow(graph&, const relay::detail::parallel_branches&, std::size_t, std::size_t,
                                    std::size_t) {
        return expr_id::none;
    }
    static constexpr std::vector<expr_id>
    parts(graph& g, expr_id combined, const relay::detail::parallel_branches& branches, std::size_t, std::size_t) {
        std::vector<expr_id> all;
        for (std::size_t i = 0; i < branches.size(); ++i)
            all.push_back(relay::detail::slice_of(g, combined, 1, 2, 0, 2));
        return all;
    }
};

std::string combined(std::string_view lines, std::size_t least = 2) {
    const ir_module m = test::typed("def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) {\n" +
                                    std::string(lines) + "\n}\n");
    const ir_module after(relay::detail::parallel_combiner(*m.find("main"), first_for_all{}, least, {}).run());
    const std::string all = test::bare_text(after);
    return all.substr(all.find('\n') + 1);
}

} // namespace

TEST_CASE("parallel_combiner: branches with the same first argument are replaced by parts of one",
          "[relay][transform][combine]") {
    // The first call is itself the end of a branch, so the combined call would depend on its own result. Such a group
    // is skipped.
    const std::string lines = "  %0 = nn.dense(%x, %w, units=4);\n  %1 = nn.dense(%x, %w, units=4);\n  add(%0, %1)";
    CHECK(combined(lines) == lines + "\n}\n");
    // If each layer is followed by an operator without other arguments, the branches are combined.
    CHECK(combined("  %0 = nn.dense(%x, %w, units=4);\n  %1 = exp(%0);\n  %2 = nn.dense(%x, %w, units=4);\n  "
                   "%3 = exp(%2);\n"
                   "  add(%1, %3)") == "  %0 = nn.dense(%x, %w, units=4);\n  %1 = exp(%0);\n"
                                       "  %2 = strided_slice(%1, begin=[0, 0], end=[-1, 2], strides=[1, 1], "
                                       "slice_mode=\"size\", axes=None);\n"
                                       "  %3 = strided_slice(%1, begin=[0, 0], end=[-1, 2], strides=[1, 1], "
                                       "slice_mode=\"size\", axes=None);\n"
                                       "  add(%2, %3)\n}\n");
}

TEST_CASE("parallel_combiner: skips nested functions", "[relay][transform][combine]") {
    const std::string lines =
        "  %3 = fn (%y: Tensor[(2, 3), float32]) {\n    %0 = nn.dense(%x, %w, units=4);\n    %1 = exp(%0);\n"
        "    %2 = nn.dense(%x, %w, units=4);\n    %4 = exp(%2);\n    add(%1, %4)\n  };\n  %3(%x)";
    CHECK(combined(lines).find("strided_slice") == std::string::npos);
}

TEST_CASE("parallel_combiner: skips groups with too few branches", "[relay][transform][combine]") {
    CHECK(relay::detail::least_branches(-5) == 1);
    const std::string lines = "  %0 = nn.dense(%x, %w, units=4);\n  %1 = nn.dense(%x, %w, units=4);\n  %2 = "
                              "exp(%0);\n  %3 = exp(%1);\n"
                              "  add(%2, %3)";
    CHECK(combined(lines, 3).find("strided_slice") == std::string::npos);
    CHECK(combined(lines, 2).find("strided_slice") != std::string::npos);
}
