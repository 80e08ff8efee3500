#pragma once

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/annotation.hpp>

#include <array>

namespace tutti::relay::kernels {

/// The operators that say something about their argument, which outside training is their result.
inline constexpr std::array annotation_kernels{
    kernel_entry{op::annotation::stop_fusion::name, [](const invocation& c) {
        c.result().share(c.input(0), c.input(0).shape());
        return true;
    }},
};

} // namespace tutti::relay::kernels
