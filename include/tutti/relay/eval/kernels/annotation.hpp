#pragma once

#include <tutti/kernel/create.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/annotation.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::kernels {

/// The operators that say something about their argument, which is their result: nothing is trained here, so that dropout keeps
/// every element, and says so with ones.
inline constexpr std::array annotation_kernels{
    kernel_entry{op::annotation::stop_fusion::name,
                 [](const invocation& c) {
                     c.result().share(c.input(0), c.input(0).shape());
                     return true;
                 }},
    kernel_entry{op::nn::dropout::name,
                 [](const invocation& c) {
                     c.result(0).share(c.input(0), c.input(0).shape());
                     kernel::full(std::int64_t{1}, c.input(0).type(), c.input(0).shape(), c.result(1));
                     return true;
                 }},
};

} // namespace tutti::relay::kernels
