#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/suppress.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/topk.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Kernels of object detectors. They move and rank anchors, which are boxes at fixed positions in an image.

namespace tutti::kernel {

/// Sizes, ratios and positions of the anchors in an image. Lengths are fractions of the image size.
struct prior_options {
    std::span<const double> sizes{};
    std::span<const double> ratios{};        ///< Width / height. Ratios after the first use the first size.
    std::array<double, 2> steps{-1, -1};     ///< Row and column distance; 1 / rows and 1 / columns if not positive.
    std::array<double, 2> offsets{0.5, 0.5}; ///< Position of the first row and column, in steps.
    bool clip = false;                       ///< Clamps boxes to the image.
};

/// Computes the anchors (left, top, right, bottom) for each cell of a grid of `height` by `width` cells. The result has
/// shape (1, boxes, 4) and is computed in float.
///
/// Throws: tutti::error if there is no size or no ratio, or if the result would be too large.
/// Source: Liu and others, "SSD: Single Shot MultiBox Detector", 2016.
constexpr void multibox_prior(std::int64_t height, std::int64_t width, const prior_options& o, dtype type, tensor& out,
                              scratch space = {}) {
    constexpr std::string_view kernel = "multibox_prior";
    if (o.sizes.empty() || o.ratios.empty())
        detail::fail(kernel, {o.sizes.size(), " sizes and ", o.ratios.size(), " ratios"}, "at least one of each");
    const std::int64_t places = detail::checked_product(kernel, height, width);
    const std::size_t each = o.sizes.size() + o.ratios.size() - 1;
    const std::int64_t shape[]{1, detail::checked_product(kernel, places, static_cast<std::int64_t>(each)), 4};
    detail::with_result_as(kernel, type, dtype::float32, shape, space->result, out, [&](tensor& result) {
        if (result.size() == 0) return;
        const auto rows = static_cast<float>(height);
        const auto columns = static_cast<float>(width);
        const float down = o.steps[0] > 0 ? static_cast<float>(o.steps[0]) : 1 / rows;
        const float right = o.steps[1] > 0 ? static_cast<float>(o.steps[1]) : 1 / columns;
        float* to = result.mutable_data<float>();
        for (std::int64_t i = 0; i < height; ++i)
            for (std::int64_t j = 0; j < width; ++j) {
                const float y = (static_cast<float>(i) + static_cast<float>(o.offsets[0])) * down;
                const float x = (static_cast<float>(j) + static_cast<float>(o.offsets[1])) * right;
                for (std::size_t k = 0; k < each; ++k) {
                    const bool sized = k < o.sizes.size();
                    const auto size = static_cast<float>(sized ? o.sizes[k] : o.sizes[0]);
                    const float root =
                        sized ? 1 : element::sqrt{}(static_cast<float>(o.ratios[k - o.sizes.size() + 1]));
                    const float w = size * rows / columns * root / 2;
                    const float h = size / root / 2;
                    for (const float at : {x - w, y - h, x + w, y + h}) *to++ = o.clip ? std::clamp(at, 0.F, 1.F) : at;
                }
            }
    });
}

/// Options of `multibox_transform_loc`.
struct transform_loc_options {
    bool clip = true;
    double threshold = 0.01; ///< Anchors with a lower score are background.
    std::array<double, 4> variances{0.1F, 0.1F, 0.2F, 0.2F};
};

/// Decodes the detections of each image. A detection is a row (class, score, left, top, right, bottom) for an anchor.
/// Its class is the most likely one except class 0, the background. Anchors whose score is below `threshold` are left
/// out. Detections number classes from 0, without the background. `counts` holds the number of detections of each
/// image; the rows after them are -1.
///
/// `scores` has shape (images, classes, anchors), `moves` (images, 4 * anchors) and `anchors` (1, anchors, 4). Computed
/// in float.
///
/// Requires: the results are neither arguments nor in `space`.
/// Throws:   tutti::error if an operand is not floating-point, or if the shapes do not fit.
constexpr void multibox_transform_loc(const tensor& scores, const tensor& moves, const tensor& anchors,
                                      const transform_loc_options& o, tensor& out, tensor& counts, scratch space = {}) {
    constexpr std::string_view kernel = "multibox_transform_loc";
    bool fits = scores.rank() == 3 && moves.rank() == 2 && anchors.rank() == 3 && is_floating(scores.type()) &&
                is_floating(moves.type()) && is_floating(anchors.type());
    fits = fits && moves.shape()[0] == scores.shape()[0] && anchors.shape()[0] >= 1 && anchors.shape()[2] == 4 &&
           anchors.shape()[1] == scores.shape()[2] && moves.shape()[1] % 4 == 0 &&
           moves.shape()[1] / 4 == scores.shape()[2];
    if (!fits)
        detail::fail(
            kernel, {"scores are ", scores, ", moves ", moves, ", anchors ", anchors},
            "floating-point scores (images, classes, anchors), moves (images, 4 anchors) and anchors (1, anchors, 4)");
    const std::int64_t images = scores.shape()[0];
    const std::int64_t classes = scores.shape()[1];
    const std::int64_t count = scores.shape()[2];
    const std::int64_t shape[]{images, count, 6};
    full(std::int64_t{0}, dtype::int32, scores.shape().first(1), counts);
    detail::with_result_as(kernel, scores.type(), dtype::float32, shape, space->result, out, [&](tensor& result) {
        if (result.size() == 0) return;
        std::fill_n(result.mutable_data<float>(), result.size(), -1.F);
        const float* score = detail::as_type(scores, dtype::float32, space->data).data<float>();
        const float* move = detail::as_type(moves, dtype::float32, space->weight).data<float>();
        const float* anchor = detail::as_type(anchors, dtype::float32, space->offset).data<float>();
        std::array<float, 4> v{};
        for (std::size_t i = 0; i < 4; ++i) v[i] = static_cast<float>(o.variances[i]);
        for (std::int64_t n = 0; n < images; ++n) {
            float* to = result.mutable_data<float>() + n * count * 6;
            for (std::int64_t j = 0; j < count; ++j) {
                float best = -1;
                std::int64_t id = 0;
                for (std::int64_t k = 1; k < classes; ++k) {
                    const float s = score[(n * classes + k) * count + j];
                    if (!(s > best)) continue;
                    best = s;
                    id = k;
                }
                if (id == 0 || best < static_cast<float>(o.threshold)) continue;
                const float* a = anchor + j * 4;
                const float* p = move + (n * count + j) * 4;
                const float width = a[2] - a[0];
                const float height = a[3] - a[1];
                const float x = p[0] * v[0] * width + (a[0] + a[2]) / 2;
                const float y = p[1] * v[1] * height + (a[1] + a[3]) / 2;
                const float w = element::exp{}(p[2] * v[2]) * width / 2;
                const float h = element::exp{}(p[3] * v[3]) * height / 2;
                *to++ = static_cast<float>(id - 1);
                *to++ = best;
                for (const float at : {x - w, y - h, x + w, y + h}) *to++ = o.clip ? std::clamp(at, 0.F, 1.F) : at;
                ++counts.mutable_data<std::int32_t>()[n];
            }
        }
    });
}

/// Options of `proposal`.
struct proposal_options {
    std::span<const double> scales{};
    std::span<const double> ratios{};
    std::int64_t feature_stride = 16; ///< Distance between neighbouring places, in pixels of the image.
    double threshold = 0.7;           ///< Maximum overlap of two boxes that are both kept.
    std::int64_t pre_nms = 6000;      ///< Number of boxes considered, best first; all if not positive.
    std::int64_t post_nms = 300;      ///< Regions per image; regions repeat if fewer are found.
    std::int64_t min_size = 16;
    bool iou_loss = false; ///< True if moves apply to corners, not to centre and size.
};

namespace detail {

/// A proposed box and its score. The pixels at the corners belong to the box.
struct proposed {
    std::array<float, 4> corner{};
    float score = 0;

    constexpr float area() const { return (corner[2] - corner[0] + 1) * (corner[3] - corner[1] + 1); }
    constexpr float overlap(const proposed& b) const {
        const float w = std::max(0.F, std::min(corner[2], b.corner[2]) - std::max(corner[0], b.corner[0]) + 1);
        const float h = std::max(0.F, std::min(corner[3], b.corner[3]) - std::max(corner[1], b.corner[1]) + 1);
        return w * h / (area() + b.area() - w * h);
    }
};

/// Returns the anchor for a ratio and a scale at the first place of the grid.
constexpr std::array<float, 4> proposal_anchor(double ratio, double scale, double base) {
    const double centre = 0.5 * (base - 1);
    const double wide = element::floor{}(element::sqrt{}(element::floor{}(base * base / ratio)) + 0.5);
    const double width = wide * scale;
    const double height = element::floor{}(wide * ratio + 0.5) * scale;
    return {static_cast<float>(centre - 0.5 * (width - 1)), static_cast<float>(centre - 0.5 * (height - 1)),
            static_cast<float>(centre + 0.5 * (width - 1)), static_cast<float>(centre + 0.5 * (height - 1))};
}

/// Moves an anchor and clips it to the image. `image` holds the height, width and scale of the image. A box smaller
/// than `min_size` times the scale gets score -1.
constexpr proposed propose(const proposal_options& o, std::array<float, 4> a, const std::array<float, 4>& move,
                           const float* image, float score) {
    proposed p{a, score};
    if (o.iou_loss) {
        for (std::size_t i = 0; i < 4; ++i) p.corner[i] += move[i];
    } else {
        for (std::size_t i = 0; i < 2; ++i) {
            const float size = a[i + 2] - a[i] + 1;
            const float centre = move[i] * size + (a[i] + 0.5F * (size - 1));
            const float reach = 0.5F * (element::exp{}(move[i + 2]) * size - 1);
            p.corner[i] = centre - reach;
            p.corner[i + 2] = centre + reach;
        }
    }
    for (std::size_t i = 0; i < 4; ++i)
        p.corner[i] = std::max(std::min(p.corner[i], image[i % 2 == 0 ? 1 : 0] - 1), 0.F);
    const float least = image[2] * static_cast<float>(o.min_size);
    if (p.corner[2] - p.corner[0] + 1 < least || p.corner[3] - p.corner[1] + 1 < least) {
        for (std::size_t i = 0; i < 4; ++i) p.corner[i] += i < 2 ? -least / 2 : least / 2;
        p.score = -1;
    }
    return p;
}

} // namespace detail

/// Proposes regions of images that may contain an object: `post_nms` rows (image, left, top, right, bottom) for each
/// image.
///
/// `scores` has shape (images, 2 * anchors, height, width), with the background scores first, and `moves` has shape
/// (images, 4 * anchors, height, width). `infos` holds the height, width and scale of each image. `sorted` is memory to
/// reuse. Computed in float.
///
/// Requires: the result is neither an argument nor in `space`.
/// Throws:   tutti::error if an operand is not floating-point, or if the shapes do not fit one another or the numbers
///           of scales and ratios.
/// Cost:     quadratic in the number of boxes considered.
/// Source:   Ren and others, "Faster R-CNN", 2015.
constexpr void proposal(const tensor& scores, const tensor& moves, const tensor& infos, const proposal_options& o,
                        tensor& out, vector<sort_key>& sorted, scratch space = {}) {
    constexpr std::string_view kernel = "proposal";
    const auto anchors = static_cast<std::int64_t>(o.scales.size() * o.ratios.size());
    bool fits = scores.rank() == 4 && moves.rank() == 4 && infos.rank() == 2 && is_floating(scores.type()) &&
                is_floating(moves.type()) && is_floating(infos.type());
    fits = fits && scores.shape()[1] == 2 * anchors && moves.shape()[1] == 4 * anchors && infos.shape()[1] == 3;
    for (const std::size_t axis : {0U, 2U, 3U}) fits = fits && scores.shape()[axis] == moves.shape()[axis];
    if (!fits || infos.shape()[0] != scores.shape()[0])
        detail::fail(kernel, {"scores are ", scores, ", moves ", moves, ", image infos ", infos},
                     {"floating-point numbers for ", anchors, " anchors at each place, and three for each image"});
    bool positive = o.feature_stride > 0 && o.post_nms >= 0;
    for (const double ratio : o.ratios) positive = positive && ratio > 0;
    if (!positive)
        detail::fail(kernel, {"a stride of ", o.feature_stride, " and ", o.post_nms, " regions"},
                     "a positive stride, positive ratios, and a non-negative number of regions");
    const std::int64_t images = scores.shape()[0];
    const std::int64_t height = scores.shape()[2];
    const std::int64_t width = scores.shape()[3];
    const std::int64_t places = detail::checked_product(kernel, height, width);
    const std::int64_t boxes = detail::checked_product(kernel, places, anchors);
    const std::int64_t shape[]{detail::checked_product(kernel, images, o.post_nms), 5};
    if (boxes == 0 && shape[0] != 0) detail::fail(kernel, {"scores are ", scores}, "at least one box");
    const std::int64_t looked_at = o.pre_nms > 0 ? std::min(o.pre_nms, boxes) : boxes;
    detail::with_result_as(kernel, scores.type(), dtype::float32, shape, space->result, out, [&](tensor& result) {
        if (result.size() == 0) return;
        const float* score = detail::as_type(scores, dtype::float32, space->data).data<float>();
        const float* move = detail::as_type(moves, dtype::float32, space->weight).data<float>();
        const float* info = detail::as_type(infos, dtype::float32, space->offset).data<float>();
        const auto proposed_box = [&](std::int64_t n,
                                      std::int64_t box) { // boxes are ordered by place, then by anchor
            const std::int64_t k = box % anchors;
            const std::int64_t place = box / anchors;
            const std::size_t scale = static_cast<std::size_t>(k) % o.scales.size();
            const std::size_t ratio = static_cast<std::size_t>(k) / o.scales.size();
            std::array<float, 4> a =
                detail::proposal_anchor(o.ratios[ratio], o.scales[scale], static_cast<double>(o.feature_stride));
            const std::int64_t at[]{place % width, place / width};
            std::array<float, 4> moved{};
            for (std::size_t i = 0; i < 4; ++i) {
                a[i] += static_cast<float>(at[i % 2]) * static_cast<float>(o.feature_stride);
                moved[i] = move[((n * anchors + k) * 4 + static_cast<std::int64_t>(i)) * places + place];
            }
            const float* image = info + n * 3;
            const auto stride = static_cast<float>(o.feature_stride);
            const bool beyond = static_cast<float>(at[1]) >= element::trunc{}(image[0] / stride) ||
                                static_cast<float>(at[0]) >= element::trunc{}(image[1] / stride);
            return detail::propose(o, a, moved, image,
                                   beyond ? -1 : score[((n * 2 + 1) * anchors + k) * places + place]);
        };
        tensor& kept = space->rows; // regions of one image that are kept
        const std::int64_t kept_shape[]{looked_at, 4};
        float* to = result.mutable_data<float>();
        for (std::int64_t n = 0; n < images; ++n) {
            sorted.resize(static_cast<std::size_t>(boxes));
            for (std::int64_t i = 0; i < boxes; ++i)
                sorted[static_cast<std::size_t>(i)] = {~detail::key_of(proposed_box(n, i).score), i};
            std::sort(sorted.begin(), sorted.end());
            detail::make_result(kernel, dtype::float32, kept_shape, kept);
            float* left = kept.mutable_data<float>();
            std::int64_t count = 0;
            for (std::int64_t i = 0; i < looked_at; ++i) {
                const detail::proposed p = proposed_box(n, sorted[static_cast<std::size_t>(i)].index);
                bool keeps = true;
                for (std::int64_t k = 0; k < count && keeps; ++k) {
                    detail::proposed other;
                    std::copy_n(left + k * 4, 4, other.corner.begin());
                    keeps = !(p.overlap(other) > static_cast<float>(o.threshold));
                }
                if (keeps) std::copy_n(p.corner.begin(), 4, left + count++ * 4);
            }
            for (std::int64_t i = 0; i < o.post_nms; ++i) {
                *to++ = static_cast<float>(n);
                to = std::copy_n(left + i % count * 4, 4, to);
            }
        }
    });
}

} // namespace tutti::kernel
