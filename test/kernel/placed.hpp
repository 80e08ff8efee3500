#pragma once

// Access to tensors in layouts such as NCHW16c, independent of the kernels' layout code.

#include "support.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace test {

/// A position or a size along N, C, D, H, W (for weights O, I, D, H, W).
using coords = std::array<std::int64_t, 5>;

/// The layout and the sizes of a tensor. Maps positions to the offsets of their elements. Axes missing from the layout
/// have size 1.
class placed {
public:
    placed(std::string_view letters, std::string_view layout, const coords& sizes) {
        struct digit {
            std::size_t axis;
            std::int64_t block;
        };
        std::vector<digit> digits;
        for (std::size_t i = 0; i < layout.size(); ++i) {
            std::int64_t number = 0;
            while (layout[i] >= '0' && layout[i] <= '9') number = number * 10 + (layout[i++] - '0');
            const char capital = number == 0 ? layout[i] : static_cast<char>(layout[i] - 32);
            digits.push_back({letters.find(capital), number});
        }
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const auto [axis, block] = digits[i];
            std::int64_t below = 1; // product of the axis's inner blocks
            for (std::size_t j = block == 0 ? 0 : i + 1; j < digits.size(); ++j)
                if (digits[j].axis == axis && digits[j].block != 0) below *= digits[j].block;
            shape_.push_back(block == 0 ? sizes[axis] / below : block);
            parts_.push_back({axis, below, shape_.back()});
        }
    }

    const shape_t& shape() const { return shape_; }

    std::size_t at(const coords& place) const {
        std::int64_t offset = 0;
        for (const part& p : parts_) offset = offset * p.length + place[p.axis] / p.below % p.length;
        return static_cast<std::size_t>(offset);
    }

private:
    struct part {
        std::size_t axis;
        std::int64_t below;
        std::int64_t length;
    };
    shape_t shape_;
    std::vector<part> parts_;
};

inline placed data_in(std::string_view layout, const coords& sizes) { return {"NCDHW", layout, sizes}; }
inline placed weight_in(std::string_view layout, const coords& sizes) { return {"OIDHW", layout, sizes}; }

/// Calls `f(place)` for each position in a tensor of these sizes.
template <class F>
void for_each_place(const coords& sizes, F f) {
    for_each_index(shape_t(sizes.begin(), sizes.end()),
                   [&](const shape_t& i) { f(coords{i[0], i[1], i[2], i[3], i[4]}); });
}

/// Returns a random element of `values`.
template <std::size_t N>
std::string_view any_of(random_source& random, const std::array<std::string_view, N>& values) {
    return values[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(N) - 1))];
}

/// Returns a random data layout with `rank` spatial axes. Blocks hold 2 or 4 channels.
inline std::string_view any_data_layout(random_source& random, std::size_t rank) {
    static constexpr std::array<std::string_view, 4> one{"NCW", "NWC", "NCW4c", "WNC"};
    static constexpr std::array<std::string_view, 6> two{"NCHW", "NHWC", "CNHW", "NCHW4c", "NHWC2c", "NCHW2c2c"};
    static constexpr std::array<std::string_view, 3> three{"NCDHW", "NDHWC", "NCDHW2c"};
    return rank == 1 ? any_of(random, one) : rank == 2 ? any_of(random, two) : any_of(random, three);
}

/// Returns a random weight layout with `rank` spatial axes. Blocks hold 1, 2 or 4 channels.
inline std::string_view any_weight_layout(random_source& random, std::size_t rank) {
    static constexpr std::array<std::string_view, 4> one{"OIW", "WIO", "OWI", "IOW"};
    static constexpr std::array<std::string_view, 8> two{"OIHW",     "HWIO",       "OHWI",     "HWOI",
                                                         "OIHW2i4o", "OHWI2i4o2i", "HWIO1i2o", "IOHW"};
    static constexpr std::array<std::string_view, 3> three{"OIDHW", "DHWIO", "OIDHW4i2o"};
    return rank == 1 ? any_of(random, one) : rank == 2 ? any_of(random, two) : any_of(random, three);
}

} // namespace test
