// Finds faces in a picture with BlazeFace, MediaPipe's face detector, which is read from an ONNX file.
//
//     find_faces NETWORK.onnx PICTURE [OUT]
//
// The network takes 128 x 128 pixels. For each of 896 anchors, it returns a score and the position of the face relative
// to the anchor. The program imports the network, optimises it with a pipeline that is known at compile time, and
// evaluates it. It prints one line per face, and writes the picture with boxes to OUT.

#include <tutti/pass.hpp>
#include <tutti/relay.hpp>
#include <tutti/relay/onnx/import.hpp>

#include "picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace relay = tutti::relay;
using tutti::kernel::tensor;

constexpr std::size_t side = 128; // size of the network's input in pixels

// The box of a face, and its score from 0 to 1. The box is in fractions of the network's square, from the top left
// corner.
struct face {
    float x = 0, y = 0, width = 0, height = 0, score = 0;
};

// Returns a black square with the picture in its centre.
picture squared(picture& p) {
    picture square{.width = std::max(p.width, p.height), .height = std::max(p.width, p.height)};
    square.pixels.resize(3 * square.width * square.height);
    const std::size_t left = (square.width - p.width) / 2, top = (square.height - p.height) / 2;
    for (std::size_t y = 0; y < p.height; ++y) std::copy_n(p.at(0, y), 3 * p.width, square.at(left, top + y));
    return square;
}

// Returns the input of the network, (1, 128, 128, 3) from -1 to 1. Each element is the mean of the pixels that it
// covers.
tensor network_input(picture& square) {
    const std::size_t n = square.width;
    tensor input(tutti::kernel::dtype::float32, {1, side, side, 3});
    float* next = input.mutable_data<float>();
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x) {
            const std::size_t left = x * n / side, right = std::max((x + 1) * n / side, left + 1);
            const std::size_t top = y * n / side, bottom = std::max((y + 1) * n / side, top + 1);
            for (std::size_t colour = 0; colour < 3; ++colour) {
                double sum = 0;
                for (std::size_t v = top; v < bottom; ++v)
                    for (std::size_t u = left; u < right; ++u) sum += square.at(u, v)[colour];
                *next++ = static_cast<float>(sum / static_cast<double>((right - left) * (bottom - top)) / 127.5 - 1);
            }
        }
    return input;
}

// Adds the faces with a score of at least one half. Each cell of a grid has `per_cell` anchors at its origin. `scores`
// has the shape (1, anchors, 1), and holds the values before the sigmoid. `boxes` has the shape (1, anchors, 16), with
// the centre, width and height in pixels, then landmarks of the face.
void add_faces(const tensor& scores, const tensor& boxes, std::size_t cells, std::size_t per_cell,
               std::vector<face>& found) {
    const auto score = scores.elements<float>(), box = boxes.elements<float>();
    for (std::size_t i = 0; i < score.size(); ++i) {
        const float sure = 1 / (1 + std::exp(-score[i]));
        if (sure < 0.5F) continue;
        const std::size_t cell = i / per_cell;
        const auto middle = [&](std::size_t at) { return (static_cast<float>(at) + 0.5F) / static_cast<float>(cells); };
        const auto in_square = [&](std::size_t k) { return box[16 * i + k] / static_cast<float>(side); };
        const float width = in_square(2), height = in_square(3);
        found.push_back({middle(cell % cells) + in_square(0) - width / 2,
                         middle(cell / cells) + in_square(1) - height / 2, width, height, sure});
    }
}

// Returns the intersection over union of two boxes.
float overlap(const face& a, const face& b) {
    const float w = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
    const float h = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
    if (w <= 0 || h <= 0) return 0;
    return w * h / (a.width * a.height + b.width * b.height - w * h);
}

// Returns one box per face. It is the mean of the best box and the boxes that overlap it, weighted by score.
std::vector<face> merged(std::vector<face> all) {
    std::ranges::sort(all, std::greater{}, &face::score);
    std::vector<face> faces;
    while (!all.empty()) {
        face sum{.score = all.front().score};
        float weights = 0;
        std::vector<face> others;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const face& f = all[i];
            if (i != 0 && overlap(all.front(), f) <= 0.3F) {
                others.push_back(f);
                continue;
            }
            sum.x += f.score * f.x, sum.y += f.score * f.y;
            sum.width += f.score * f.width, sum.height += f.score * f.height;
            weights += f.score;
        }
        for (float* const each : {&sum.x, &sum.y, &sum.width, &sum.height}) *each /= weights;
        faces.push_back(sum);
        all = std::move(others);
    }
    return faces;
}

void draw_box(picture& p, double left, double top, double right, double bottom) {
    const auto clamped = [](double v, std::size_t end) {
        return static_cast<std::size_t>(std::lround(std::clamp(v, 0.0, static_cast<double>(end - 1))));
    };
    const std::size_t x0 = clamped(left, p.width), x1 = clamped(right, p.width);
    const std::size_t y0 = clamped(top, p.height), y1 = clamped(bottom, p.height);
    const std::size_t line = std::max<std::size_t>(1, std::min(p.width, p.height) / 150);
    for (std::size_t y = y0; y <= y1; ++y)
        for (std::size_t x = x0; x <= x1; ++x)
            if (x - x0 < line || x1 - x < line || y - y0 < line || y1 - y < line)
                std::copy_n(std::array<std::uint8_t, 3>{0, 255, 64}.data(), 3, p.at(x, y));
}

int main(int count, char** words) try {
    if (count != 3 && count != 4) {
        std::fputs("usage: find_faces NETWORK.onnx PICTURE [OUT]\n"
                   "PICTURE is a PPM or PNG file; OUT gets it with a box around each face.\n",
                   stderr);
        return 2;
    }
    picture shown = read_picture(words[2]);

    relay::ir_module network = relay::onnx::import_model(relay::onnx::open_model(words[1]));
    tutti::pass_context ctx{tutti::opt_level<3>};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(relay::simplify_inference{}, relay::fold_constant{}, relay::fold_scale_axis{}),
                  network);
    });
    relay::evaluator evaluate(network);

    picture square = squared(shown);
    const tensor inputs[]{network_input(square)};
    const auto outputs = evaluate.run(std::span<const tensor>(inputs));
    if (outputs.size() != 4 || outputs[0].size() != 512 || outputs[3].size() != 384 * 16)
        throw tutti::error(words[1], "is not BlazeFace's front model",
                           "four results: the scores and boxes of 512 and of 384 anchors");
    std::vector<face> found;
    add_faces(outputs[0], outputs[2], 16, 2, found);
    add_faces(outputs[1], outputs[3], 8, 6, found);

    const auto pixels = static_cast<double>(square.width);
    const double left = (pixels - static_cast<double>(shown.width)) / 2,
                 top = (pixels - static_cast<double>(shown.height)) / 2;
    for (const face& f : merged(std::move(found))) {
        const double x = f.x * pixels - left, y = f.y * pixels - top, width = f.width * pixels,
                     height = f.height * pixels;
        std::printf("a face at %.0f, %.0f, %.0f x %.0f pixels, %.0f %%\n", x, y, width, height, 100.0 * f.score);
        draw_box(shown, x, y, x + width, y + height);
    }
    if (count == 4) write_picture(words[3], shown);
} catch (const std::exception& e) {
    std::fprintf(stderr, "find_faces: error: %s\n", e.what());
    return 1;
}
