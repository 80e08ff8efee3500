#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/topk.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Kernels that select boxes in images: those with a sufficient score, or the best of overlapping boxes.

namespace tutti::kernel {

/// Options for the selection of boxes. The row of a box contains a score, four consecutive coordinates and, optionally,
/// a class.
struct suppression_options {
    std::int64_t most = -1; ///< Maximum number of boxes kept in an image; all if negative.
    double overlap = 0.5;   ///< Least intersection over union at which the box with the lower score is removed.
    bool force_suppress = false;
    std::int64_t top_k = -1; ///< Number of best boxes considered; all if not positive.
    std::int64_t coord_start = 2;
    std::int64_t score_index = 1;
    /// Column of the class; negative if there is none. Boxes suppress only boxes of their own class unless
    /// `force_suppress` is true.
    std::int64_t id_index = 0;
};

namespace detail {

template <class T>
struct box {
    T left, top, right, bottom;

    /// Returns the box with the given opposite corners.
    static constexpr box of(const T* c) {
        return {std::min(c[0], c[2]), std::min(c[1], c[3]), std::max(c[0], c[2]), std::max(c[1], c[3])};
    }
    constexpr T area() const { return (right - left) * (bottom - top); }

    /// Returns the intersection over union; 0 if the union is empty.
    constexpr T overlap(const box& b) const {
        const T width = std::max(T{0}, std::min(right, b.right) - std::max(left, b.left));
        const T height = std::max(T{0}, std::min(bottom, b.bottom) - std::max(top, b.top));
        const T both = width * height;
        const T either = area() + b.area() - both;
        return either <= 0 ? T{0} : both / either;
    }
};

/// Checks that the data has rows of boxes for each image.
constexpr void check_boxes(std::string_view kernel, const tensor& data) {
    if (data.rank() != 3 || !is_floating(data.type()))
        fail(kernel, {"data are ", data}, "rows of floating-point numbers for each image");
}

/// Checks that the data has `count` columns from `column` on.
constexpr void check_column(std::string_view kernel, std::string_view what, std::int64_t column, std::int64_t count,
                            const tensor& data) {
    if (column < 0 || column > data.shape()[2] - count)
        fail(kernel, {what, " is ", column, ", data are ", data}, "a column of the data");
}

/// Returns the number of valid rows of an image.
///
/// Throws: tutti::error if the number is negative or greater than the number of rows.
constexpr std::int64_t valid_rows(std::string_view kernel, const tensor& counts, std::int64_t image,
                                  const tensor& data) {
    std::int64_t valid = 0;
    read_integers(kernel, "valid_count", counts, image, {&valid, 1});
    if (valid < 0 || valid > data.shape()[1])
        fail(kernel, {"a count of ", valid, " boxes in image ", image, " of data ", data},
             "at most as many as the data has");
    return valid;
}

/// Calls `f(rows)` with a pointer to the data's floating-point elements, as float or double.
template <class F>
constexpr void with_rows(const tensor& data, tensor& spare, F f) {
    if (data.type() == dtype::float64)
        f(data.data<double>());
    else
        f(as_type(data, dtype::float32, spare).template data<float>());
}

/// Sorts the indices of the first `count` rows of a matrix of `width` columns by the score in `column`, in descending
/// order. Rows of equal score keep their order.
template <class T>
constexpr void sort_rows(const T* rows, std::int64_t count, std::int64_t width, std::int64_t column,
                         vector<sort_key>& sorted) {
    sorted.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        sorted[static_cast<std::size_t>(i)] = {~key_of(rows[i * width + column]), i};
    std::sort(sorted.begin(), sorted.end());
}

/// Stores the indices of an image's rows, in the order of the result, in `chosen`. Each removed row becomes -1. Rows
/// with a score that is not positive are kept, but do not count toward the maximum.
template <class T>
constexpr void suppress(const suppression_options& o, const T* rows, std::int64_t valid, std::int64_t width,
                        std::span<std::int64_t> chosen, vector<sort_key>& sorted) {
    std::fill(chosen.begin(), chosen.end(), -1);
    if (!(o.overlap > 0)) {
        for (std::int64_t i = 0; i < valid; ++i) chosen[static_cast<std::size_t>(i)] = i;
        return;
    }
    sort_rows(rows, valid, width, o.score_index, sorted);
    const std::int64_t looked_at = o.top_k > 0 ? std::min(o.top_k, valid) : valid;
    std::int64_t kept = 0;
    for (std::int64_t j = 0; j < looked_at; ++j) {
        if (kept == o.most) break;
        const std::int64_t at = sorted[static_cast<std::size_t>(j)].index;
        const T* row = rows + at * width;
        if (row[o.score_index] > 0) {
            const auto mine = box<T>::of(row + o.coord_start);
            bool keeps = true;
            for (std::int64_t k = 0; k < j && keeps; ++k) {
                const std::int64_t other = chosen[static_cast<std::size_t>(k)];
                if (other < 0) continue;
                const T* b = rows + other * width;
                if (!(b[o.score_index] > 0) || (o.id_index >= 0 && !(b[o.id_index] >= 0))) continue;
                if (!o.force_suppress && o.id_index >= 0 && row[o.id_index] != b[o.id_index]) continue;
                keeps = !(mine.overlap(box<T>::of(b + o.coord_start)) >= static_cast<T>(o.overlap));
            }
            if (!keeps) continue;
            ++kept;
        }
        chosen[static_cast<std::size_t>(j)] = at;
    }
}

/// Throws: tutti::error if the operands or the options of a suppression do not fit.
constexpr void check_suppression(std::string_view kernel, const tensor& data, const tensor& valid_count,
                                 const suppression_options& o) {
    check_boxes(kernel, data);
    check_column(kernel, "coord_start", o.coord_start, 4, data);
    check_column(kernel, "score_index", o.score_index, 1, data);
    if (o.id_index >= 0) check_column(kernel, "id_index", o.id_index, 1, data);
    check_indices(kernel, valid_count);
    if (valid_count.rank() != 1 || valid_count.size() != data.shape()[0])
        fail_pair(kernel, "data", data, "valid_count", valid_count, "a count for each image");
}

/// Calls `f(image, chosen)` for each image. For each row of the result, `chosen` holds the index of a kept row of the
/// data, or -1.
template <class T, class F>
constexpr void for_each_suppressed(std::string_view kernel, const T* rows, const tensor& data,
                                   const tensor& valid_count, const suppression_options& o, tensor& spare,
                                   vector<sort_key>& sorted, F f) {
    const std::int64_t boxes = data.shape()[1];
    const std::int64_t width = data.shape()[2];
    spare.reset(dtype::int64, data.shape().subspan(1, 1));
    const std::span<std::int64_t> chosen = spare.mutable_elements<std::int64_t>();
    for (std::int64_t n = 0; n < data.shape()[0]; ++n) {
        suppress(o, rows + n * boxes * width, valid_rows(kernel, valid_count, n, data), width, chosen, sorted);
        f(n, std::span<const std::int64_t>(chosen));
    }
}

/// Calls `keep(index)` for each kept box of a class, in sorted order. Skips boxes with a score of -1 or less, as the
/// reference does.
template <class F>
constexpr void keep_apart(const float* corners, const float* score, std::int64_t most, float overlap, float threshold,
                          vector<sort_key>& sorted, F keep) {
    std::size_t count = 0;
    while (count < sorted.size() && score[sorted[count].index] > threshold) ++count;
    constexpr std::int64_t gone = -1;
    std::int64_t kept = 0;
    for (std::size_t j = 0; j < count && (most <= 0 || kept < most); ++j) {
        const std::int64_t at = sorted[j].index;
        if (at == gone || !(score[at] > -1)) continue;
        keep(at);
        ++kept;
        const auto mine = box<float>::of(corners + at * 4);
        for (std::size_t k = j + 1; k < count; ++k) {
            const std::int64_t other = sorted[k].index;
            if (other == gone || !(score[other] > 0)) continue;
            if (mine.overlap(box<float>::of(corners + other * 4)) >= overlap) sorted[k].index = gone;
        }
    }
}

} // namespace detail

/// Moves the valid rows of each image to the front: those with a score above a threshold and a class that is not
/// negative. Stores the number of valid rows, the rows, and their original indices. Fills the remainder with -1.
///
/// Requires: the results are neither arguments nor in `space`.
/// Throws:   tutti::error if the data does not have rows of floating-point numbers, or lacks a column.
constexpr void get_valid_counts(const tensor& data, double threshold, std::int64_t id_index, std::int64_t score_index,
                                tensor& counts, tensor& rows, tensor& places, scratch space = {}) {
    constexpr std::string_view kernel = "get_valid_counts";
    detail::check_boxes(kernel, data);
    detail::check_column(kernel, "score_index", score_index, 1, data);
    if (id_index >= 0) detail::check_column(kernel, "id_index", id_index, 1, data);
    const std::int64_t images = data.shape()[0];
    const std::int64_t boxes = data.shape()[1];
    const std::int64_t width = data.shape()[2];
    full(std::int64_t{-1}, data.type(), data.shape(), rows);
    full(std::int64_t{-1}, dtype::int32, data.shape().first(2), places);
    full(std::int64_t{0}, dtype::int32, data.shape().first(1), counts);
    if (data.size() == 0) return;
    detail::with_rows(data, space->data, [&]<class T>(const T* row) {
        detail::run_copier copier(width, data, rows);
        for (std::int64_t n = 0; n < images; ++n) {
            std::int32_t& count = counts.mutable_data<std::int32_t>()[n];
            for (std::int64_t i = 0; i < boxes; ++i, row += width) {
                if (!(row[score_index] > static_cast<T>(threshold)) || (id_index >= 0 && !(row[id_index] >= 0)))
                    continue;
                copier.add((n * boxes + i) * width, (n * boxes + count) * width);
                places.mutable_data<std::int32_t>()[n * boxes + count++] = static_cast<std::int32_t>(i);
            }
        }
        copier.flush();
    });
}

/// Non-maximum suppression: of overlapping boxes in an image, keeps the box with the greatest score.
///
/// Considers the first `valid_count` rows of each image. The result contains these rows in the order of their scores,
/// with -1 for removed rows. If `to_the_top` is true, also removes the rows whose first column is negative, and moves
/// all kept rows to the front. If the overlap in the options is not positive, keeps all rows in their order.
///
/// Requires: the result is neither an argument nor in `space`; `sorted` is memory to reuse.
/// Throws:   tutti::error if the data does not have rows of floating-point numbers, if it lacks a column, or if the
///           counts do not fit.
/// Cost:     quadratic in the number of boxes of an image.
constexpr void non_max_suppression(const tensor& data, const tensor& valid_count, const suppression_options& o,
                                   bool to_the_top, tensor& out, vector<sort_key>& sorted, scratch space = {}) {
    constexpr std::string_view kernel = "non_max_suppression";
    detail::check_suppression(kernel, data, valid_count, o);
    full(std::int64_t{-1}, data.type(), data.shape(), out);
    if (data.size() == 0) return;
    const std::int64_t boxes = data.shape()[1];
    const std::int64_t width = data.shape()[2];
    detail::with_rows(data, space->data, [&]<class T>(const T* rows) {
        detail::run_copier copier(width, data, out);
        detail::for_each_suppressed(kernel, rows, data, valid_count, o, space->rows, sorted,
                                    [&](std::int64_t n, std::span<const std::int64_t> chosen) {
                                        std::int64_t place = 0;
                                        for (const std::int64_t row : chosen) {
                                            const std::int64_t from = (n * boxes + row) * width;
                                            if (row >= 0 && (!to_the_top || rows[from] >= 0))
                                                copier.add(from, (n * boxes + place++) * width);
                                            else if (!to_the_top)
                                                ++place;
                                        }
                                    });
        copier.flush();
    });
}

/// Non-maximum suppression that stores the indices of the kept rows.
///
/// For each image, `out` receives the elements of `indices` for the kept rows, except negative ones, and then -1.
/// `counts` receives the number of these elements.
///
/// Throws: as `non_max_suppression`, and if `indices` does not have one integer for each row.
constexpr void non_max_suppression_indices(const tensor& data, const tensor& valid_count, const tensor& indices,
                                           const suppression_options& o, tensor& out, tensor& counts,
                                           vector<sort_key>& sorted, scratch space = {}) {
    constexpr std::string_view kernel = "non_max_suppression";
    detail::check_suppression(kernel, data, valid_count, o);
    detail::check_indices(kernel, indices);
    if (!same_shape(indices.shape(), data.shape().first(2)))
        detail::fail_pair(kernel, "data", data, "a tensor of indices", indices, "an index for each row");
    full(std::int64_t{-1}, dtype::int32, indices.shape(), out);
    const std::int64_t counted[]{data.shape()[0], 1};
    full(std::int64_t{0}, dtype::int32, counted, counts);
    if (data.size() == 0) return;
    const std::int64_t boxes = data.shape()[1];
    detail::with_rows(data, space->data, [&]<class T>(const T* rows) {
        detail::for_each_suppressed(kernel, rows, data, valid_count, o, space->rows, sorted,
                                    [&](std::int64_t n, std::span<const std::int64_t> chosen) {
                                        std::int32_t& count = counts.mutable_data<std::int32_t>()[n];
                                        std::int32_t* to = out.mutable_data<std::int32_t>() + n * boxes;
                                        for (const std::int64_t row : chosen) {
                                            if (row < 0) continue;
                                            std::int64_t index = 0;
                                            detail::read_integers(kernel, "a tensor of indices", indices,
                                                                  n * boxes + row, {&index, 1});
                                            if (index >= 0) to[count++] = static_cast<std::int32_t>(index);
                                        }
                                    });
    });
}

/// Non-maximum suppression for each class of each image: keeps at most `most` boxes with a score above the threshold.
///
/// `boxes` has shape (images, boxes, 4) and `scores` has shape (images, classes, boxes). Writes a row (image, class,
/// box) for each kept box to `indices`, and the total number of kept boxes to `counts`. If `scores_left` is not null,
/// writes rows (class, box), scores and a count for each image instead. Remaining rows are zero. If `most` is not
/// positive, the number of boxes is not limited. An overlap that is not positive keeps no box, as in the reference.
///
/// Requires: the results are neither arguments nor in `space`; `sorted` is memory to reuse.
/// Throws:   tutti::error if boxes and scores are not of floating point, or do not fit one another.
/// Cost:     quadratic in the number of boxes of a class.
constexpr void all_class_non_max_suppression(const tensor& boxes, const tensor& scores, std::int64_t most,
                                             double overlap, double threshold, tensor& indices, tensor* scores_left,
                                             tensor& counts, vector<sort_key>& sorted, scratch space = {}) {
    constexpr std::string_view kernel = "all_class_non_max_suppression";
    if (boxes.rank() != 3 || scores.rank() != 3 || boxes.shape()[2] != 4 || boxes.shape()[0] != scores.shape()[0] ||
        boxes.shape()[1] != scores.shape()[2] || !is_floating(boxes.type()) || !is_floating(scores.type()))
        detail::fail_pair(kernel, "a tensor of boxes", boxes, "the scores", scores,
                          "four floating-point numbers for each box, and a score for each class and box");
    const std::int64_t images = scores.shape()[0];
    const std::int64_t classes = scores.shape()[1];
    const std::int64_t count = scores.shape()[2];
    const std::int64_t each = detail::checked_product(kernel, classes, count);
    const std::int64_t all[]{detail::checked_product(kernel, images, each), 3};
    const std::int64_t of_images[]{images, each, 2};
    if (scores_left == nullptr) {
        full(std::int64_t{0}, dtype::int64, all, indices);
        const std::int64_t one[]{1};
        full(std::int64_t{0}, dtype::int64, one, counts);
    } else {
        full(std::int64_t{0}, dtype::int64, of_images, indices);
        full(0.0, dtype::float32, {of_images, 2}, *scores_left);
        full(std::int64_t{0}, dtype::int64, {of_images, 1}, counts);
    }
    if (all[0] == 0 || !(overlap > 0)) return;
    const float* corners = detail::as_type(boxes, dtype::float32, space->data).data<float>();
    const float* score = detail::as_type(scores, dtype::float32, space->weight).data<float>();
    std::int64_t* to = indices.mutable_data<std::int64_t>();
    std::int64_t* found = counts.mutable_data<std::int64_t>();
    for (std::int64_t n = 0; n < images; ++n, corners += count * 4) {
        float* scored = scores_left == nullptr ? nullptr : scores_left->mutable_data<float>() + n * each;
        if (scored != nullptr) to = indices.mutable_data<std::int64_t>() + n * each * 2;
        for (std::int64_t c = 0; c < classes; ++c, score += count) {
            detail::sort_rows(score, count, 1, 0, sorted);
            detail::keep_apart(corners, score, most, static_cast<float>(overlap), static_cast<float>(threshold), sorted,
                               [&](std::int64_t box) {
                                   if (scored == nullptr) *to++ = n;
                                   *to++ = c;
                                   *to++ = box;
                                   if (scored != nullptr) *scored++ = score[box];
                                   ++*found;
                               });
        }
        if (scored != nullptr) ++found;
    }
}

} // namespace tutti::kernel
