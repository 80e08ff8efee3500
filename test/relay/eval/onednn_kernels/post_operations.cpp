#include <tutti/relay/eval/onednn_kernels/post_operations.hpp>

#include <tutti/kernel/support/element.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
namespace block = kernel::block;
namespace element = kernel::element;
using kernel::extents;
using tutti::relay::kernels::detail::channels_along;
using tutti::relay::kernels::detail::onednn_post_operations;

namespace {

extents listed(std::initializer_list<std::int64_t> numbers) {
    extents e;
    for (const std::int64_t n : numbers) e.push_back(n);
    return e;
}

// Two images whose channels are the second axis.
const extents shape = listed({2, 4, 3, 3});
const dnnl::memory::desc images({2, 4, 3, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nchw);

using tensors = onednn_post_operations::tensors;

onednn_post_operations taken(const std::vector<kernel::epilogue_step>& steps, bool bias = true,
                             tensors alike = tensors::read) {
    return {steps, shape, channels_along(4, 1), images, bias, alike};
}

} // namespace

TEST_CASE("onednn: steps behind a primitive become its bias and post-operations", "[relay][eval]") {
    const kernel::block_source by_channel(shape, listed({0, 1, 0, 0}));
    const kernel::block_source single(shape, listed({0, 0, 0, 0}));
    const kernel::block_source by_row(shape, listed({0, 0, 1, 0}));
    const kernel::block_source like{};
    const kernel::epilogue_step bias{.what = block::two<element::add>, .source = &by_channel};
    const kernel::epilogue_step residual{.what = block::two<element::add>, .source = &like};
    const kernel::epilogue_step relu{.what = {.one = kernel::blocked::relu_loop}};
    // relu hides NaN, so it is fused only if NaN can be detected.
    using tutti::relay::kernels::detail::nan_watch;
    constexpr int with_relu = nan_watch::available ? 1 : 0;
    const onednn_post_operations all = taken({bias, residual, relu});
    CHECK(all.count() == 2 + with_relu);
    CHECK(all.hides_nan() == nan_watch::available);
    CHECK_FALSE(taken({bias, residual}).hides_nan());
    CHECK(all.has_bias());
    CHECK(all.ops().len() == 1 + with_relu);
    REQUIRE(all.operands().size() == 2);
    CHECK(all.operands()[0].argument == DNNL_ARG_BIAS);
    CHECK(all.operands()[1].step == 1);
    CHECK(taken({bias, residual, relu}, false).ops().len() == 2 + with_relu);
    CHECK(taken({bias, residual, relu}, true, tensors::none).count() == 1);
    CHECK(all.could_sum());
    CHECK(!taken({bias, relu}).could_sum());
    const onednn_post_operations sums = taken({bias, residual, residual}, true, tensors::sum);
    CHECK(sums.summed() == 1U);
    CHECK(sums.count() == 3);
    REQUIRE(sums.operands().size() == 2); // the bias and the second residual
    CHECK(sums.operands()[1].step == 2);
    CHECK(taken({residual, bias}).has_bias() == false); // only the first step can be a bias
    CHECK(taken({{.what = block::two<element::multiply>, .source = &single}}).count() == 1);
    CHECK(taken({{.what = block::two<element::subtract>, .source = &single}}).count() == 1);
    CHECK(taken({{.what = block::two<element::subtract>, .source = &single, .other_first = true}}).count() == 0);
    CHECK(taken({{.what = block::two<element::add>, .source = &by_row}, relu}).count() == 0);
    CHECK(taken({relu, {.what = block::one<element::floor>}, relu}).count() == with_relu);
}
