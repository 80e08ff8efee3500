#pragma once

#include <tutti/kernel/conv_plan.hpp>

#include "placed.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace test {

/// The sizes of data and weights, and the options of a convolution. The last `rank` axes are spatial.
struct conv_problem {
    std::size_t rank = 2;
    coords data{};
    coords weight{};
    tutti::kernel::conv_options options;

    /// Returns the sizes of the result.
    coords out() const {
        coords size{data[0], weight[0], 1, 1, 1};
        for (std::size_t i = 0; i < rank; ++i) {
            const std::size_t axis = 5 - rank + i;
            const std::int64_t room =
                data[axis] + options.before[i] + options.after[i] - (weight[axis] - 1) * options.dilation[i] - 1;
            size[axis] = room / options.strides[i] + 1;
        }
        return size;
    }
};

/// Returns a random valid convolution: usually small, sometimes with blocked layouts, many channels or no channels.
inline conv_problem any_conv(random_source& random) {
    conv_problem p;
    tutti::kernel::conv_options& o = p.options;
    p.rank = static_cast<std::size_t>(random.integer(1, 3));
    o.data_layout = any_data_layout(random, p.rank);
    o.weight_layout = any_weight_layout(random, p.rank);
    o.out_layout = any_data_layout(random, p.rank);
    // In blocked layouts, the numbers of channels are multiples of 4, which fill whole blocks.
    const bool whole = (std::string(o.data_layout) + std::string(o.weight_layout) + std::string(o.out_layout))
                           .find_first_of("0123456789") != std::string::npos;
    const std::int64_t unit = whole ? 4 : 1;
    o.groups = random.integer(0, 2) == 0 ? random.integer(1, 4) : 1;
    p.weight = {1, 1, 1, 1, 1};
    p.data = {random.integer(random.integer(0, 9) == 0 ? 0 : 1, 2), 1, 1, 1, 1};
    const bool large = p.rank == 2 && random.integer(0, 59) == 0;
    p.weight[1] = random.integer(random.integer(0, 9) == 0 ? 0 : 1, large ? 20 : 3) * unit;
    p.data[1] = p.weight[1] * o.groups;
    p.weight[0] = random.integer(random.integer(0, 9) == 0 ? 0 : 1, large ? 75 : 6) * unit * o.groups;
    for (std::size_t i = 0; i < p.rank; ++i) {
        const std::size_t axis = 5 - p.rank + i;
        p.weight[axis] = random.integer(1, 3);
        o.strides[i] = random.integer(1, 3);
        o.dilation[i] = random.integer(1, 2);
        o.before[i] = random.integer(0, 3);
        o.after[i] = random.integer(0, 3);
        const std::int64_t least = (p.weight[axis] - 1) * o.dilation[i] + 1 - o.before[i] - o.after[i];
        const std::int64_t most = p.rank == 3 ? 5 : large ? 11 : 8;
        p.data[axis] = random.integer(std::max<std::int64_t>(0, least), most);
    }
    return p;
}

/// Formats the problem for failure messages.
inline std::string text(const conv_problem& p) {
    std::string s = "data " + std::string(p.options.data_layout) + " " + tutti::kernel::text(p.data) + ", weight " +
                    std::string(p.options.weight_layout) + " " + tutti::kernel::text(p.weight) + ", out " +
                    std::string(p.options.out_layout) + ", groups " + std::to_string(p.options.groups);
    for (std::size_t i = 0; i < p.rank; ++i)
        s += ", axis " + std::to_string(i) + ": stride " + std::to_string(p.options.strides[i]) + " dilation " +
             std::to_string(p.options.dilation[i]) + " padding " + std::to_string(p.options.before[i]) + " " +
             std::to_string(p.options.after[i]);
    return s;
}

} // namespace test
