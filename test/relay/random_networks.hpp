#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace tutti::test {

/// Generates the text of a small convolutional network from a seed. Two images of 4 or 8 channels, in NCHW or NHWC,
/// pass through operators, some of which propagate layouts.
class random_network {
public:
    explicit random_network(std::uint32_t seed) : random_(seed), channels_last_(pick(3) == 0) {
        const value first{"", 4 + 4 * pick(2), 6, 6};
        values_.push_back({param("x", shape_text(first)), first.channels, first.height, first.width});
        convolve();
        const std::uint32_t steps = 2 + pick(9);
        for (std::uint32_t i = 0; i < steps; ++i) step();
        std::string params;
        for (const std::string& p : params_) params += (params.empty() ? "" : ", ") + p;
        text_ = "#[version = \"0.0.5\"]\ndef @main(" + params + ") {\n" + body_;
        text_ += pick(3) == 0 ? "  (" + last().name + ", " + any().name + ")\n}\n" : "  " + last().name + "\n}\n";
    }

    const std::string& text() const { return text_; }

private:
    struct value {
        std::string name;
        std::uint32_t channels, height, width;
    };

    std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
    const value& last() const { return values_.back(); }
    const value& any() { return values_[pick(static_cast<std::uint32_t>(values_.size()))]; }

    static std::string tensor(std::initializer_list<std::uint32_t> shape) {
        std::string text;
        for (const std::uint32_t d : shape) text += (text.empty() ? "" : ", ") + std::to_string(d);
        return "Tensor[(" + text + "), float32]";
    }
    std::string shape_text(const value& v) const {
        return channels_last_ ? tensor({2, v.height, v.width, v.channels}) : tensor({2, v.channels, v.height, v.width});
    }
    std::string axis() const { return channels_last_ ? "3" : "1"; }
    std::string layout() const { return channels_last_ ? ", layout=\"NHWC\"" : ""; }
    // Returns a list of these elements, one per axis, in the order of the layout.
    std::string list(const std::string& batch, const std::string& channels, const std::string& height,
                     const std::string& width) const {
        return channels_last_ ? '[' + batch + ", " + height + ", " + width + ", " + channels + ']'
                              : '[' + batch + ", " + channels + ", " + height + ", " + width + ']';
    }

    std::string param(const std::string& name, const std::string& type) {
        const std::string numbered = "%p" + std::to_string(params_.size()) + '_' + name;
        params_.push_back(numbered + ": " + type);
        return numbered;
    }
    std::string vector(const std::string& name, std::uint32_t length) { return param(name, tensor({length})); }
    std::string number(const std::string& expression) {
        const std::string name = '%' + std::to_string(numbers_++);
        body_ += "  " + name + " = " + expression + ";\n";
        return name;
    }
    void make(const std::string& expression, std::uint32_t channels, std::uint32_t height, std::uint32_t width) {
        values_.push_back({number(expression), channels, height, width});
    }
    // Adds an expression with the shape of `v` to the values.
    void make_like(const value& v, const std::string& expression) {
        const value like = v;
        make(expression, like.channels, like.height, like.width);
    }

    void convolve() {
        const value v = last();
        const std::uint32_t kind = pick(4); // depthwise, two groups, or one group
        const std::uint32_t groups = kind == 0 ? v.channels : kind == 1 ? 2 : 1;
        const std::uint32_t out = kind == 0 ? v.channels : 4 + 4 * pick(3);
        make(convolution(v, pick(2) == 0 ? 1 : 3, groups, out), out, v.height, v.width);
    }
    std::string convolution(const value& v, std::uint32_t size, std::uint32_t groups, std::uint32_t out) {
        const std::uint32_t in = v.channels / groups;
        const bool outputs_first = !channels_last_ || (groups == v.channels && out == groups);
        const std::string weight = !channels_last_ ? tensor({out, in, size, size})
                                   : outputs_first ? tensor({size, size, out, in})
                                                   : tensor({size, size, in, out});
        const std::string pad = size == 3 ? "1, 1, 1, 1" : "0, 0, 0, 0";
        const std::string window = std::to_string(size) + ", " + std::to_string(size);
        std::string call = "nn.conv2d(" + v.name + ", " + param("weight", weight) + ", padding=[" + pad +
                           "], groups=" + std::to_string(groups) + ", channels=" + std::to_string(out) +
                           ", kernel_size=[" + window + ']';
        if (channels_last_)
            call += ", data_layout=\"NHWC\", kernel_layout=\"" + std::string(outputs_first ? "HWOI" : "HWIO") + '"';
        return call + ')';
    }

    // Returns a factor or addend with one element, or one per channel.
    std::string along_channels(std::uint32_t channels) {
        switch (pick(4)) {
        case 0:
            return "0.5f";
        case 1:
            return param("b", tensor({1}));
        case 2:
            return param("b", channels_last_ ? tensor({channels}) : tensor({channels, 1, 1}));
        default:
            return param("b", channels_last_ ? tensor({1, 1, 1, channels}) : tensor({1, channels, 1, 1}));
        }
    }

    void step() {
        static const char* const unary[]{"nn.relu", "sigmoid", "tanh", "negative", "copy", "abs"};
        static const char* const binary[]{"add", "subtract", "multiply", "maximum"};
        static const char* const reductions[]{"sum", "mean", "max"};
        const value v = last();
        const std::string binary_op = binary[pick(std::size(binary))];
        switch (pick(28)) {
        case 0:
        case 1:
        case 2:
        case 3:
            convolve();
            break;
        case 4:
            make_like(v, std::string(unary[pick(std::size(unary))]) + '(' + v.name + ')');
            break;
        case 5:
        case 6: {
            const value other = any();
            const bool same = other.channels == v.channels && other.height == v.height && other.width == v.width;
            make_like(v, binary_op + '(' + v.name + ", " + (same ? other.name : along_channels(v.channels)) + ')');
            break;
        }
        case 7:
            make_like(v, binary_op + '(' + along_channels(v.channels) + ", " + v.name + ')');
            break;
        case 8:
            make_like(v, "nn.bias_add(" + v.name + ", " + vector("bias", v.channels) + ", axis=" + axis() + ')');
            break;
        case 9: {
            std::string call = "nn.batch_norm(" + v.name;
            for (const char* name : {"bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var"})
                call += ", " + vector(name, v.channels);
            make_like(v, number(call + ", axis=" + axis() + ')') + ".0");
            break;
        }
        case 10:
            make_like(v, std::string(pick(2) == 0 ? "nn.max_pool2d(" : "nn.avg_pool2d(") + v.name +
                             ", pool_size=[3, 3], padding=[1, 1, 1, 1]" + layout() + ')');
            break;
        case 11: { // scales the image by a function of its mean
            const std::string mean =
                pick(2) == 0
                    ? "nn.global_avg_pool2d(" + v.name + layout() + ')'
                    : "mean(" + v.name + ", axis=" + (channels_last_ ? "[1, 2]" : "[2, 3]") + ", keepdims=True)";
            make_like(v, "multiply(" + v.name + ", " + number("sigmoid(" + number(mean) + ')') + ')');
            break;
        }
        case 12: {
            if (v.channels < 8) return convolve();
            const bool halves = v.channels % 8 == 0 && pick(2) == 0;
            const std::string parts = number("split(" + v.name + ", indices_or_sections=" + (halves ? "2" : "[4]") +
                                             ", axis=" + axis() + ')');
            const std::string a = number(parts + ".0");
            const std::string b = number(parts + ".1");
            const std::string both = number('(' + b + ", " + a + ')');
            if (pick(2) == 0)
                make_like(v, "concatenate(" + both + ", axis=" + axis() + ')');
            else
                values_.push_back({a, halves ? v.channels / 2 : 4, v.height, v.width});
            break;
        }
        case 13: {
            const value other = any();
            const bool joins = other.height == v.height && other.width == v.width && other.channels + v.channels <= 24;
            if (!joins) return convolve();
            const std::string both = number('(' + v.name + ", " + other.name + ')');
            make("concatenate(" + both + ", axis=" +
                     (pick(2) == 0     ? axis()
                      : channels_last_ ? "-1"
                                       : "-3") +
                     ')',
                 v.channels + other.channels, v.height, v.width);
            break;
        }
        case 14:
            if (v.height < 4) return convolve();
            make("strided_slice(" + v.name + ", begin=" + list("0", "0", "1", "0") +
                     ", end=" + list("2", "4", std::to_string(v.height), std::to_string(v.width)) +
                     ", strides=[1, 1, 1, 1], axes=None)",
                 4, v.height - 1, v.width);
            break;
        case 15:
            make("strided_slice(" + v.name + ", begin=[0], end=[4], strides=[1], axes=[" + axis() + "])", 4, v.height,
                 v.width);
            break;
        case 16:
            if (v.height > 12) return convolve();
            make("nn.pad(" + v.name + ", 0.5f, pad_width=" + list("[0, 0]", "[0, 0]", "[1, 0]", "[0, 2]") + ')',
                 v.channels, v.height + 1, v.width + 2);
            break;
        case 17: {
            const std::string other =
                number("transpose(" + v.name + ", axes=" + (channels_last_ ? "[0, 3, 1, 2]" : "[0, 2, 3, 1]") + ')');
            make_like(v, "transpose(" + number(std::string(unary[pick(std::size(unary))]) + '(' + other + ')') +
                             ", axes=" + (channels_last_ ? "[0, 2, 3, 1]" : "[0, 3, 1, 2]") + ')');
            break;
        }
        case 18:
            if (v.height > 8) return convolve();
            if (pick(2) == 0)
                make("nn.upsampling(" + v.name + ", scale_h=2f, scale_w=2f" + layout() + ')', v.channels, 2 * v.height,
                     2 * v.width);
            else
                make("image.resize2d(" + v.name + ", size=[5, 7], roi=[0f, 0f, 0f, 0f]" + layout() + ')', v.channels, 5,
                     7);
            break;
        case 19:
            make_like(v, pick(2) == 0 ? "nn.softmax(" + v.name + ", axis=" + axis() + ')'
                                      : "nn.l2_normalize(" + v.name + ", eps=0.001f, axis=[" + axis() + "])");
            break;
        case 20: { // subtracts a reduction of the image from it
            const std::string r = reductions[pick(std::size(reductions))];
            const std::string flat = number(r + '(' + v.name + ", axis=[" + axis() +
                                            "], keepdims=True, exclude=" + (pick(2) == 0 ? "True)" : "False)"));
            make_like(v, "subtract(" + v.name + ", " + number("tanh(" + flat + ')') + ')');
            break;
        }
        case 21:
        case 22: // a scale before a convolution
            make_like(v, "multiply(" + v.name + ", " + along_channels(v.channels) + ')');
            if (pick(2) == 0) make_like(v, "add(" + last().name + ", " + along_channels(v.channels) + ')');
            if (pick(3) == 0) make_like(v, "nn.relu(" + last().name + ')');
            convolve();
            break;
        case 23:
        case 24: { // a scale after a convolution
            convolve();
            const value made = last();
            if (pick(2) == 0)
                make_like(made,
                          "nn.bias_add(" + made.name + ", " + vector("bias", made.channels) + ", axis=" + axis() + ')');
            if (pick(3) == 0) make_like(made, "nn.relu(" + last().name + ')');
            make_like(made, "multiply(" + last().name + ", " + along_channels(made.channels) + ')');
            break;
        }
        case 25: { // parallel convolutions
            const std::uint32_t size = pick(2) == 0 ? 1 : 3;
            const std::uint32_t second = 4 + 4 * pick(2);
            const std::string a = number("nn.relu(" + number(convolution(v, size, 1, 8)) + ')');
            const std::string b = number("nn.relu(" + number(convolution(v, size, 1, second)) + ')');
            const std::string both = number('(' + a + ", " + b + ", " + v.name + ')');
            make("concatenate(" + both + ", axis=" + axis() + ')', 8 + second + v.channels, v.height, v.width);
            break;
        }
        default: {
            const std::string r = reductions[pick(std::size(reductions))];
            const std::string pixels = channels_last_ ? "[1, 2]" : "[2, 3]";
            const std::string small = number(r + '(' + v.name + ", axis=" + pixels + ", keepdims=True)");
            const std::string flat = number("squeeze(" + small + ", axis=" +
                                            (channels_last_ ? "[1, 2]"
                                             : pick(2) == 0 ? "[2, 3]"
                                                            : "[-2, -1]") +
                                            ')');
            const std::string wide = number("nn.relu(" + flat + ')');
            const std::string back =
                number("expand_dims(" + wide + ", axis=" + (channels_last_ ? "1" : "2") + ", num_newaxis=2)");
            make_like(v, "add(" + v.name + ", " + back + ')');
            break;
        }
        }
    }

    std::mt19937 random_;
    bool channels_last_;
    std::vector<std::string> params_;
    std::vector<value> values_; // images that can be operands
    std::string body_;
    std::string text_;
    std::uint32_t numbers_ = 0;
};

} // namespace tutti::test
