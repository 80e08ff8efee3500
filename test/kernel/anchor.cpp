#include <tutti/kernel/anchor.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::sort_key;
using kernel::tensor;
using test::values;

namespace {

using numbers = std::vector<double>;

tensor used() { return {dtype::uint8, {1 << 10}}; }

tensor proposed(const tensor& scores, const tensor& moves, const tensor& infos, const kernel::proposal_options& o) {
    std::vector<sort_key> room;
    tensor out = used();
    kernel::proposal(scores, moves, infos, o, out, room);
    return out;
}

double overlap(const double* a, const double* b) {
    const double w = std::max(0.0, std::min(a[2], b[2]) - std::max(a[0], b[0]) + 1);
    const double h = std::max(0.0, std::min(a[3], b[3]) - std::max(a[1], b[1]) + 1);
    const auto area = [](const double* c) { return (c[2] - c[0] + 1) * (c[3] - c[1] + 1); };
    return w * h / (area(a) + area(b) - w * h);
}

} // namespace

TEST_CASE("multibox_prior: a box of each size, and of the first size for each further ratio", "[kernel][anchor]") {
    const numbers sizes{0.5, 0.25};
    const numbers ratios{1, 4};
    const auto boxes = [&](kernel::prior_options o) {
        o.sizes = sizes;
        o.ratios = ratios;
        return test::made([](auto&... a) { kernel::multibox_prior(a...); }, std::int64_t{2}, std::int64_t{3}, o,
                          dtype::float32);
    };
    const auto expected = [&](double down, double right, double row, double column, bool clip) {
        numbers all;
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j)
                for (const auto& [w, h] :
                     {std::pair(0.5 * 2 / 3, 0.5), std::pair(0.25 * 2 / 3, 0.25), std::pair(0.5 * 2 / 3 * 2, 0.25)}) {
                    const double y = (i + row) * down;
                    const double x = (j + column) * right;
                    for (const double at : {x - w / 2, y - h / 2, x + w / 2, y + h / 2})
                        all.push_back(clip ? std::clamp(at, 0.0, 1.0) : at);
                }
        return all;
    };
    CHECK(test::difference(boxes({}), {1, 18, 4}, expected(0.5, 1.0 / 3, 0.5, 0.5, false), 1e-6) == "");
    CHECK(test::difference(boxes({.steps = {0.25, -1}, .offsets = {0, 1}, .clip = true}), {1, 18, 4},
                           expected(0.25, 1.0 / 3, 0, 1, true), 1e-6) == "");
    tensor out;
    kernel::multibox_prior(0, 5, {.sizes = sizes, .ratios = ratios}, dtype::float16, out);
    CHECK(kernel::text(out) == "(1, 0, 4) float16");
    CHECK(test::error_of([&] { kernel::multibox_prior(1, 1, {.sizes = sizes}, dtype::float32, out); }) ==
          "kernel::multibox_prior: 2 sizes and 0 ratios; expected at least one of each");
    CHECK(test::error_of([&] {
              kernel::multibox_prior(std::int64_t{1} << 40, std::int64_t{1} << 40, {.sizes = sizes, .ratios = ratios},
                                     dtype::float32, out);
          }).find("below 2^48") != std::string::npos);
}

TEST_CASE("multibox_transform_loc: anchors that are no background are moved, the rows behind them are -1",
          "[kernel][anchor]") {
    const tensor scores({1, 3, 3}, {0.1, 0.2, 0.3, 0.2, 0.3, 0.001, 0.7, 0.5, 0.005});
    const tensor moves({1, 12}, {0.1, -0.2, 0.3, 0.4, 0., 0., 0., 0., 1., 1., 1., 1.});
    const tensor anchors({1, 3, 4}, {0.1, 0.2, 0.5, 0.8, 0.7, 0.6, 1.2, 1.4, 0., 0., 1., 1.});
    tensor out = used();
    tensor counts = used();
    kernel::transform_loc_options o;
    kernel::multibox_transform_loc(scores, moves, anchors, o, out, counts);
    const auto moved = [](const double* a, const double* p, bool clip) {
        const double w = a[2] - a[0];
        const double h = a[3] - a[1];
        const double x = p[0] * 0.1 * w + (a[0] + a[2]) / 2;
        const double y = p[1] * 0.1 * h + (a[1] + a[3]) / 2;
        numbers box{x - std::exp(p[2] * 0.2) * w / 2, y - std::exp(p[3] * 0.2) * h / 2,
                    x + std::exp(p[2] * 0.2) * w / 2, y + std::exp(p[3] * 0.2) * h / 2};
        for (double& at : box) at = clip ? std::clamp(at, 0.0, 1.0) : at;
        return box;
    };
    for (const bool clip : {true, false}) {
        o.clip = clip;
        kernel::multibox_transform_loc(scores, moves, anchors, o, out, counts);
        numbers expected;
        for (int j = 0; j < 2; ++j) { // the third box has scores below the threshold
            expected.push_back(1);
            expected.push_back(j == 0 ? 0.7 : 0.5);
            for (const double at : moved(anchors.data<double>() + j * 4, moves.data<double>() + j * 4, clip))
                expected.push_back(at);
        }
        expected.resize(18, -1);
        CHECK(test::difference(out, {1, 3, 6}, expected, 1e-6) == "");
        CHECK(test::difference(counts, {1}, {2}, 0) == "");
    }
    const auto error = [&](const tensor& m, const tensor& a) {
        return test::error_of([&] { kernel::multibox_transform_loc(scores, m, a, o, out, counts); });
    };
    CHECK(error(tensor(dtype::float64, {1, 11}), anchors).find("moves (images, 4 anchors)") != std::string::npos);
    CHECK(error(moves, tensor(dtype::float64, {0, 3, 4})).find("anchors (1, anchors, 4)") != std::string::npos);
}

TEST_CASE("proposal: agrees with the definition", "[kernel][anchor]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(100); ++round) {
        const numbers scales = random.integer(0, 1) == 0 ? numbers{0.5} : numbers{1, 2};
        const numbers ratios = random.integer(0, 1) == 0 ? numbers{0.5} : numbers{1, 2};
        kernel::proposal_options o{.scales = scales, .ratios = ratios};
        o.pre_nms = random.integer(0, 9) - 1;
        o.post_nms = random.integer(0, 6);
        o.threshold = random.real(0.2, 0.8);
        o.min_size = random.integer(4, 24);
        o.iou_loss = random.integer(0, 1) == 0;
        const auto anchors = static_cast<std::int64_t>(scales.size() * ratios.size());
        const std::int64_t images = random.integer(1, 2);
        const std::int64_t height = random.integer(1, 3);
        const std::int64_t width = random.integer(1, 3);
        const tensor scores = random.filled<double>({images, 2 * anchors, height, width}, 0, 1);
        const tensor moves = random.filled<double>({images, 4 * anchors, height, width});
        tensor infos(dtype::float64, {images, 3});
        numbers expected;
        for (std::int64_t n = 0; n < images; ++n) {
            double* info = infos.mutable_data<double>() + n * 3;
            info[0] = static_cast<double>(random.integer(8, 60));
            info[1] = static_cast<double>(random.integer(8, 60));
            info[2] = 1;
            struct found {
                double score;
                std::array<double, 4> c;
                std::size_t order;
            };
            std::vector<found> all;
            for (std::int64_t i = 0; i < height; ++i)
                for (std::int64_t j = 0; j < width; ++j)
                    for (std::int64_t k = 0; k < anchors; ++k) {
                        const double ratio = ratios[static_cast<std::size_t>(k) / scales.size()];
                        const double scale = scales[static_cast<std::size_t>(k) % scales.size()];
                        const double wide = std::floor(std::sqrt(std::floor(256 / ratio)) + 0.5);
                        const double size[]{wide * scale, std::floor(wide * ratio + 0.5) * scale};
                        const double centre[]{7.5 + 16 * static_cast<double>(j), 7.5 + 16 * static_cast<double>(i)};
                        double d[4];
                        for (std::int64_t m = 0; m < 4; ++m)
                            d[m] = moves.data<double>()[(((n * anchors + k) * 4 + m) * height + i) * width + j];
                        found f{scores.data<double>()[((n * 2 * anchors + anchors + k) * height + i) * width + j],
                                {},
                                all.size()};
                        for (std::size_t a = 0; a < 2; ++a) {
                            const double low = centre[a] - 0.5 * (size[a] - 1);
                            const double high = centre[a] + 0.5 * (size[a] - 1);
                            const double to = d[a] * size[a] + centre[a];
                            const double reach = 0.5 * (std::exp(d[a + 2]) * size[a] - 1);
                            const double last = info[1 - a] - 1;
                            f.c[a] = std::max(0.0, std::min(last, o.iou_loss ? low + d[a] : to - reach));
                            f.c[a + 2] = std::max(0.0, std::min(last, o.iou_loss ? high + d[a + 2] : to + reach));
                        }
                        if (static_cast<double>(i) >= std::trunc(info[0] / 16) ||
                            static_cast<double>(j) >= std::trunc(info[1] / 16))
                            f.score = -1;
                        const auto least = static_cast<double>(o.min_size);
                        if (f.c[2] - f.c[0] + 1 < least || f.c[3] - f.c[1] + 1 < least) {
                            for (std::size_t a = 0; a < 4; ++a) f.c[a] += a < 2 ? -least / 2 : least / 2;
                            f.score = -1;
                        }
                        all.push_back(f);
                    }
            std::sort(all.begin(), all.end(), [](const found& a, const found& b) {
                return a.score != b.score ? a.score > b.score : a.order < b.order;
            });
            if (o.pre_nms > 0 && o.pre_nms < static_cast<std::int64_t>(all.size()))
                all.resize(static_cast<std::size_t>(o.pre_nms));
            std::vector<found> left;
            for (const found& f : all)
                if (std::none_of(left.begin(), left.end(),
                                 [&](const found& other) { return overlap(f.c.data(), other.c.data()) > o.threshold; }))
                    left.push_back(f);
            for (std::size_t i = 0; i < static_cast<std::size_t>(o.post_nms); ++i) {
                expected.push_back(static_cast<double>(n));
                for (const double at : left[i % left.size()].c) expected.push_back(at);
            }
        }
        CHECK(test::difference(proposed(scores, moves, infos, o), {images * o.post_nms, 5}, expected, 1e-5) == "");
    }
}

TEST_CASE("proposal: an error names mismatched operands", "[kernel][anchor]") {
    const numbers one{1};
    const numbers none;
    const numbers negative{-1};
    const tensor scores(dtype::float32, {1, 2, 2, 2});
    const tensor moves(dtype::float32, {1, 4, 2, 2});
    const tensor infos(dtype::float32, {1, 3});
    const auto error = [&](const tensor& m, const tensor& i, const kernel::proposal_options& o) {
        return test::error_of([&] { proposed(scores, m, i, o); });
    };
    CHECK(error(tensor(dtype::float32, {1, 8, 2, 2}), infos, {.scales = one, .ratios = one})
              .find("for 1 anchors at each place") != std::string::npos);
    CHECK(error(moves, tensor(dtype::float32, {2, 3}), {.scales = one, .ratios = one}).find("three for each image") !=
          std::string::npos);
    CHECK(error(moves, infos, {.scales = none, .ratios = one}).find("for 0 anchors") != std::string::npos);
    CHECK(error(moves, infos, {.scales = one, .ratios = negative}).find("positive ratios") != std::string::npos);
    CHECK(error(moves, infos, {.scales = one, .ratios = one, .feature_stride = 0}).find("a positive stride") !=
          std::string::npos);
    CHECK(error(moves, infos, {.scales = one, .ratios = one, .post_nms = INT64_MAX}).find("2^48") != std::string::npos);
    // Extreme values do not crash.
    const double huge =
        proposed(scores, moves, infos,
                 {.scales = one, .ratios = one, .feature_stride = INT64_MAX, .post_nms = 1, .min_size = INT64_MAX})
            .elements<float>()[0];
    CHECK(huge == 0);
}
