#include <tutti/kernel/suppress.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::sort_key;
using kernel::suppression_options;
using kernel::tensor;
using test::values;

namespace {

using numbers = std::vector<double>;

// Returns dirty memory for kernels with several results.
tensor used() { return {dtype::uint8, {1 << 10}}; }

tensor suppressed(const tensor& data, const tensor& valid, const suppression_options& o, bool to_the_top = false) {
    std::vector<sort_key> room;
    tensor out = used();
    kernel::non_max_suppression(data, valid, o, to_the_top, out, room);
    return out;
}

struct indexed {
    tensor indices = used();
    tensor counts = used();
};
indexed suppressed_indices(const tensor& data, const tensor& valid, const tensor& indices,
                           const suppression_options& o) {
    std::vector<sort_key> room;
    indexed r;
    kernel::non_max_suppression_indices(data, valid, indices, o, r.indices, r.counts, room);
    return r;
}

double overlap(const double* a, const double* b) {
    const auto [al, ar] = std::minmax(a[0], a[2]);
    const auto [at, ab] = std::minmax(a[1], a[3]);
    const auto [bl, br] = std::minmax(b[0], b[2]);
    const auto [bt, bb] = std::minmax(b[1], b[3]);
    const double both =
        std::max(0.0, std::min(ar, br) - std::max(al, bl)) * std::max(0.0, std::min(ab, bb) - std::max(at, bt));
    const double either = (ar - al) * (ab - at) + (br - bl) * (bb - bt) - both;
    return either <= 0 ? 0 : both / either;
}

// Returns the rows of one image in their final order, found by definition. Suppressed and missing rows are -1.
std::vector<int> naive(const double* rows, int valid, int boxes, int width, const suppression_options& o) {
    std::vector<int> order;
    for (int i = 0; i < valid; ++i) order.push_back(i);
    if (o.overlap > 0) {
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            const double of_a = rows[a * width + o.score_index];
            const double of_b = rows[b * width + o.score_index];
            return of_a != of_b ? of_a > of_b : a < b;
        });
        if (o.top_k > 0 && o.top_k < valid) order.resize(static_cast<std::size_t>(o.top_k));
        std::vector<int> left;
        std::int64_t kept = 0;
        for (int& at : order) {
            const double* a = rows + at * width;
            bool keeps = kept != o.most;
            if (keeps && a[o.score_index] > 0) {
                for (const int other : left) {
                    const double* b = rows + other * width;
                    const bool same =
                        o.id_index < 0 || (b[o.id_index] >= 0 && (o.force_suppress || a[o.id_index] == b[o.id_index]));
                    keeps = keeps && !(same && overlap(a + o.coord_start, b + o.coord_start) >= o.overlap);
                }
                kept += keeps ? 1 : 0;
                if (keeps) left.push_back(at);
            }
            if (!keeps) at = -1;
        }
    }
    order.resize(static_cast<std::size_t>(boxes), -1);
    return order;
}

} // namespace

TEST_CASE("get_valid_counts: rows with a score and a class come first, the others are -1", "[kernel][suppress]") {
    const tensor data(
        {2, 3, 3}, {0.F, 0.9F, 7.F, 1.F, 0.1F, 8.F, 2.F, 0.8F, 9.F, -1.F, 0.9F, 7.F, 0.F, 0.5F, 8.F, 0.F, 0.6F, 9.F});
    tensor counts = used();
    tensor rows = used();
    tensor places = used();
    kernel::get_valid_counts(data, 0.5, 0, 1, counts, rows, places);
    CHECK(test::difference(counts, {2}, {2, 1}, 0) == "");
    CHECK(values(rows)[4] == Approx(0.8));
    CHECK(values(rows)[5] == 9);
    CHECK(values(rows)[6] == -1);
    CHECK(values(rows)[11] == 9);
    CHECK(test::difference(places, {2, 3}, {0, 2, -1, 2, -1, -1}, 0) == "");
    kernel::get_valid_counts(data, 0.5, -1, 1, counts, rows, places);
    CHECK(values(counts) == numbers{2, 2});
    kernel::get_valid_counts(test::converted(data, dtype::float16), 0.5, -1, 2, counts, rows, places);
    CHECK(rows.type() == dtype::float16);
    CHECK(values(counts) == numbers{3, 3});
    kernel::get_valid_counts(tensor(dtype::float64, {2, 0, 6}), 0.5, 0, 1, counts, rows, places);
    CHECK(values(counts) == numbers{0, 0});

    const auto error = [&](const tensor& t, std::int64_t id, std::int64_t score) {
        return test::error_of([&] { kernel::get_valid_counts(t, 0, id, score, counts, rows, places); });
    };
    CHECK(error(data, 0, 3) ==
          "kernel::get_valid_counts: score_index is 3, data are (2, 3, 3) float32; expected a column of the data");
    CHECK(error(data, 3, 1).find("id_index is 3") != std::string::npos);
    CHECK(error(data, 0, -1).find("a column of the data") != std::string::npos);
    CHECK(error(tensor(dtype::int32, {2, 3, 3}), 0, 1).find("floating-point") != std::string::npos);
    CHECK(error(tensor(dtype::float32, {2, 3}), 0, 1).find("for each image") != std::string::npos);
}

TEST_CASE("non_max_suppression: agrees with the definition", "[kernel][suppress]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(200); ++round) {
        const std::int64_t images = random.integer(1, 2);
        const std::int64_t boxes = random.integer(0, 12);
        const bool classes = random.integer(0, 1) == 0;
        const std::int64_t width = classes ? 6 : 5;
        suppression_options o;
        o.most = random.integer(-1, 4);
        o.overlap = random.integer(0, 7) == 0 ? 0 : random.real(0.1, 0.8);
        o.force_suppress = random.integer(0, 1) == 0;
        o.top_k = random.integer(-1, 8);
        o.id_index = classes ? 0 : -1;
        o.score_index = classes ? 1 : 0;
        o.coord_start = classes ? 2 : 1;
        tensor data = random.filled<double>({images, boxes, width});
        double* d = data.mutable_data<double>();
        for (std::int64_t i = 0; i < images * boxes; ++i) {
            if (classes) d[i * width] = static_cast<double>(random.integer(-1, 2));
            // Steps of 0.1 make equal scores likely. Rows with equal scores keep their order. Rows with a score of 0 or
            // less neither suppress others nor are suppressed.
            d[i * width + o.score_index] = static_cast<double>(random.integer(-2, 9)) / 10;
        }
        tensor valid(dtype::int32, {images});
        for (std::int32_t& n : valid.mutable_elements<std::int32_t>())
            n = static_cast<std::int32_t>(random.integer(0, boxes));
        tensor indices(dtype::int32, {images, boxes});
        for (std::int64_t i = 0; i < images * boxes; ++i)
            indices.mutable_elements<std::int32_t>()[static_cast<std::size_t>(i)] =
                static_cast<std::int32_t>(i % 3 == 2 ? -1 : 100 + i);
        numbers in_place;
        numbers on_top;
        numbers left;
        numbers counts;
        for (std::int64_t n = 0; n < images; ++n) {
            const double* rows = d + n * boxes * width;
            const auto places =
                naive(rows, valid.data<std::int32_t>()[n], static_cast<int>(boxes), static_cast<int>(width), o);
            numbers top;
            numbers index;
            for (const int at : places) {
                for (std::int64_t k = 0; k < width; ++k) in_place.push_back(at < 0 ? -1 : rows[at * width + k]);
                if (at < 0) continue;
                if (rows[at * width] >= 0) top.insert(top.end(), rows + at * width, rows + (at + 1) * width);
                const std::int32_t mapped = indices.data<std::int32_t>()[n * boxes + at];
                if (mapped >= 0) index.push_back(mapped);
            }
            counts.push_back(static_cast<double>(index.size()));
            top.resize(static_cast<std::size_t>(boxes * width), -1);
            index.resize(static_cast<std::size_t>(boxes), -1);
            on_top.insert(on_top.end(), top.begin(), top.end());
            left.insert(left.end(), index.begin(), index.end());
        }
        INFO("boxes " << boxes << ", most " << o.most << ", overlap " << o.overlap << ", top_k " << o.top_k);
        CHECK(test::difference(suppressed(data, valid, o), {images, boxes, width}, in_place, 0) == "");
        CHECK(test::difference(suppressed(data, valid, o, true), {images, boxes, width}, on_top, 0) == "");
        const indexed r = suppressed_indices(data, valid, indices, o);
        CHECK(test::difference(r.indices, {images, boxes}, left, 0) == "");
        CHECK(test::difference(r.counts, {images, 1}, counts, 0) == "");
    }
}

TEST_CASE("non_max_suppression: an error names mismatched operands", "[kernel][suppress]") {
    const tensor data(dtype::float32, {2, 3, 6});
    const auto error = [&](const tensor& valid, const suppression_options& o) {
        return test::error_of([&] { suppressed(data, valid, o); });
    };
    CHECK(error(tensor({2}, {3, 4}), {}) ==
          "kernel::non_max_suppression: a count of 4 boxes in image 1 of data (2, 3, 6) float32; expected at most as "
          "many as the data has");
    CHECK(error(tensor({2}, {-1, 3}), {}).find("at most as many as the data has") != std::string::npos);
    CHECK(error(tensor({3}, {1, 1, 1}), {}).find("a count for each image") != std::string::npos);
    CHECK(error(tensor({2}, {1, 1}), {.coord_start = 3}).find("coord_start is 3") != std::string::npos);
    CHECK(error(tensor({2}, {1, 1}), {.coord_start = INT64_MAX}).find("a column of the data") != std::string::npos);
    CHECK(error(tensor({2}, {1, 1}), {.score_index = 6}).find("score_index is 6") != std::string::npos);
    CHECK(test::error_of([&] {
              suppressed_indices(data, tensor({2}, {1, 1}), tensor(dtype::int32, {2, 2}), {});
          }).find("an index for each row") != std::string::npos);
}

TEST_CASE("all_class_non_max_suppression: each class by itself", "[kernel][suppress]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(100); ++round) {
        const std::int64_t images = random.integer(1, 2);
        const std::int64_t classes = random.integer(1, 3);
        const std::int64_t count = random.integer(0, 8);
        const std::int64_t most = random.integer(-1, 3);
        const double limit = random.real(0.1, 0.7);
        const tensor boxes = random.filled<float>({images, count, 4});
        tensor scores(dtype::float32, {images, classes, count});
        for (float& s : scores.mutable_elements<float>()) s = static_cast<float>(random.integer(0, 9)) / 10;
        const numbers corners = values(boxes);
        numbers rows;
        std::vector<numbers> by_image(static_cast<std::size_t>(images));
        std::vector<numbers> scored(static_cast<std::size_t>(images));
        for (std::int64_t n = 0; n < images; ++n)
            for (std::int64_t c = 0; c < classes; ++c) {
                // The rows of one class of an image in the format of non_max_suppression: a score and a box's corners.
                numbers made;
                for (std::int64_t i = 0; i < count; ++i) {
                    made.push_back(static_cast<double>(scores.data<float>()[(n * classes + c) * count + i]));
                    for (int k = 0; k < 4; ++k)
                        made.push_back(corners[static_cast<std::size_t>((n * count + i) * 4 + k)]);
                }
                std::vector<int> above;
                numbers some;
                for (int i = 0; i < count; ++i)
                    if (made[static_cast<std::size_t>(i * 5)] > static_cast<double>(0.2F)) {
                        above.push_back(i);
                        some.insert(some.end(), made.begin() + i * 5, made.begin() + i * 5 + 5);
                    }
                const auto size = static_cast<int>(above.size());
                for (const int at : naive(some.data(), size, size, 5,
                                          {.most = most > 0 ? most : -1,
                                           .overlap = static_cast<double>(static_cast<float>(limit)),
                                           .coord_start = 1,
                                           .score_index = 0,
                                           .id_index = -1})) {
                    if (at < 0) continue;
                    const double box = above[static_cast<std::size_t>(at)];
                    for (const double x : {static_cast<double>(n), static_cast<double>(c), box}) rows.push_back(x);
                    by_image[static_cast<std::size_t>(n)].push_back(static_cast<double>(c));
                    by_image[static_cast<std::size_t>(n)].push_back(box);
                    scored[static_cast<std::size_t>(n)].push_back(some[static_cast<std::size_t>(at * 5)]);
                }
            }
        std::vector<sort_key> room;
        tensor indices = used();
        tensor left = used();
        tensor counts = used();
        kernel::all_class_non_max_suppression(boxes, scores, most, limit, static_cast<double>(0.2F), indices, nullptr,
                                              counts, room);
        CHECK(test::difference(counts, {1}, {static_cast<double>(rows.size() / 3)}, 0) == "");
        rows.resize(static_cast<std::size_t>(images * classes * count * 3));
        CHECK(test::difference(indices, {images * classes * count, 3}, rows, 0) == "");
        kernel::all_class_non_max_suppression(boxes, scores, most, limit, static_cast<double>(0.2F), indices, &left,
                                              counts, room);
        numbers all;
        numbers all_scores;
        numbers found;
        for (std::size_t n = 0; n < by_image.size(); ++n) {
            found.push_back(static_cast<double>(scored[n].size()));
            by_image[n].resize(static_cast<std::size_t>(classes * count * 2));
            scored[n].resize(static_cast<std::size_t>(classes * count));
            all.insert(all.end(), by_image[n].begin(), by_image[n].end());
            all_scores.insert(all_scores.end(), scored[n].begin(), scored[n].end());
        }
        CHECK(test::difference(indices, {images, classes * count, 2}, all, 0) == "");
        CHECK(test::difference(left, {images, classes * count}, all_scores, 1e-7) == "");
        CHECK(test::difference(counts, {images}, found, 0) == "");
    }
    std::vector<sort_key> room;
    tensor indices;
    tensor counts;
    // With an overlap limit of 0 or less, no box is kept, as in the reference.
    kernel::all_class_non_max_suppression(tensor(dtype::float32, {1, 2, 4}), tensor({1, 1, 2}, {1.F, 1.F}), -1, 0, -1,
                                          indices, nullptr, counts, room);
    CHECK(values(counts) == numbers{0});
    CHECK(test::error_of([&] {
              kernel::all_class_non_max_suppression(tensor(dtype::float32, {1, 2, 4}),
                                                    tensor(dtype::float32, {1, 1, 3}), -1, 0, -1, indices, nullptr,
                                                    counts, room);
          }).find("a score for each class and box") != std::string::npos);
}
