#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tutti::test {

/// Generates the text of a small program of random operators from a seed. The values are images of 4 channels and 4 x 4
/// pixels. The program has branches that join, values with several uses, lets, functions and ifs.
class random_program {
public:
    explicit random_program(std::uint32_t seed) : random_(seed) {
        values_.push_back(param("x", image));
        const std::uint32_t steps = 2 + pick(9);
        for (std::uint32_t i = 0; i < steps; ++i) step();
        std::string params;
        for (const std::string& p : params_) params += (params.empty() ? "" : ", ") + p;
        text_ = "#[version = \"0.0.5\"]\ndef @main(" + params + ") {\n" + body_;
        const std::string last = values_.back();
        text_ += pick(4) == 0 ? "  (" + last + ", " + any() + ")\n}\n" : "  " + last + "\n}\n";
    }

    const std::string& text() const { return text_; }

private:
    static constexpr const char* image = "Tensor[(1, 4, 4, 4), float32]";

    std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

    std::string any() { return values_[pick(static_cast<std::uint32_t>(values_.size()))]; }

    std::string param(const std::string& name, const std::string& type) {
        const std::string numbered = "%p" + std::to_string(params_.size()) + '_' + name;
        params_.push_back(numbered + ": " + type);
        return numbered;
    }

    // Binds an expression to a new name, with or without a let.
    std::string bind(const std::string& expression) {
        if (pick(4) == 0) {
            const std::string name = "%v" + std::to_string(count_++);
            body_ += "  let " + name + " = " + expression + ";\n";
            return name;
        }
        return number(expression);
    }
    std::string number(const std::string& expression) {
        const std::string name = '%' + std::to_string(numbers_++);
        body_ += "  " + name + " = " + expression + ";\n";
        return name;
    }

    std::string constant() {
        static const char* const values[]{"0f", "1f", "0.5f", "2f", "-1f", "0.25f"};
        return values[pick(6)];
    }

    void step() {
        static const char* const unary[]{"nn.relu", "sigmoid", "tanh", "exp", "negative", "abs", "copy"};
        static const char* const binary[]{"add", "subtract", "multiply", "maximum", "minimum"};
        const std::string x = values_[values_.size() - 1 - pick(values_.size() > 1 ? 2 : 1)];
        std::string made;
        switch (pick(25)) {
        case 0:
        case 1:
        case 2:
            made = bind(std::string(unary[pick(7)]) + '(' + x + ')');
            break;
        case 3:
        case 4:
            made = bind(std::string(binary[pick(5)]) + '(' + x + ", " + any() + ')');
            break;
        case 5:
            made = bind(std::string(binary[pick(5)]) + '(' + x + ", " + constant() + ')');
            break;
        case 6:
            made = bind("divide(" + x + ", 4f)");
            break;
        case 7:
            made = bind("nn.conv2d(" + x + ", " + param("weight", "Tensor[(4, 4, 3, 3), float32]") +
                        ", padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3])");
            break;
        case 8:
            made = bind("nn.conv2d(" + x + ", " + param("weight", "Tensor[(4, 4, 1, 1), float32]") +
                        ", padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1])");
            break;
        case 9:
            made = bind("nn.bias_add(" + x + ", " + param("bias", "Tensor[(4), float32]") + ')');
            break;
        case 10: {
            std::string call = "nn.batch_norm(" + x;
            for (const char* name : {"gamma", "beta", "moving_mean", "moving_var"})
                call += ", " + param(std::string("bn_") + name, "Tensor[(4), float32]");
            made = bind(number(call + ')') + ".0");
            break;
        }
        case 11:
            made = bind("nn.max_pool2d(" + x + ", pool_size=[3, 3], padding=[1, 1, 1, 1])");
            break;
        case 12: {
            const std::string halves = number("split(" + x + ", indices_or_sections=2, axis=1)");
            const std::string first = number(halves + ".0");
            const std::string second = number(halves + ".1");
            const std::string both = number('(' + second + ", " + first + ')');
            made = bind("concatenate(" + both + ", axis=1)");
            break;
        }
        case 13:
            made = bind("transpose(" + number("transpose(" + x + ", axes=[0, 2, 3, 1])") + ", axes=[0, 3, 1, 2])");
            break;
        case 14: {
            const std::string flat = number("nn.batch_flatten(" + x + ')');
            const std::string product =
                number("nn.dense(" + flat + ", " + param("weight", "Tensor[(64, 64), float32]") + ", units=None)");
            made = bind("reshape(" + (pick(2) == 0 ? number("nn.softmax(" + product + ')') : product) +
                        ", newshape=[1, 4, 4, 4])");
            break;
        }
        case 15: {
            const std::string n = std::to_string(count_++);
            made = bind("fn (%a" + n + ": " + image + ", %b" + n + ": " + image + ") { multiply(exp(negative(abs(%a" +
                        n + "))), %b" + n + ") }");
            made = number(made + '(' + x + ", " + any() + ')');
            break;
        }
        case 16: {
            const std::string flat = number("nn.batch_flatten(" + x + ')');
            const std::string axis = pick(3) == 0 ? "-1" : "1";
            std::string sides[2];
            for (std::string& side : sides) {
                side = number("nn.dense(" + flat + ", " + param("weight", "Tensor[(64, 64), float32]") + ", units=64)");
                side = number("nn.bias_add(" + side + ", " + param("bias", "Tensor[(64), float32]") + ", axis=" + axis +
                              ')');
            }
            made = bind("reshape(" + number("add(" + sides[0] + ", " + sides[1] + ')') + ", newshape=[0, 4, -1, 4])");
            break;
        }
        case 17: {
            const std::string inner = number('(' + x + ", " + any() + ')');
            const std::string outer = number('(' + inner + ", " + x + ')');
            made = bind(number(outer + ".0") + (pick(2) == 0 ? ".0" : ".1"));
            break;
        }
        case 18: {
            static const char* const shapes[]{"Tensor[(4, 1, 1), float32]", "Tensor[(1, 4, 1, 1), float32]",
                                              "Tensor[(4), float32]", "Tensor[(1, 1, 1), float32]", "float32"};
            made = bind("multiply(" + x + ", " + param("scale", shapes[pick(5)]) + ')');
            break;
        }
        case 19:
            made = number("nn.pad(" + x + ", " + (pick(3) == 0 ? "1f" : "0f") +
                          ", pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]])");
            made = bind("nn.conv2d(" + made + ", " + param("weight", "Tensor[(4, 4, 3, 3), float32]") +
                        ", padding=[0, 0, 0, 0], channels=4, kernel_size=[3, 3])");
            break;
        case 20: {
            static const char* const types[]{"float64", "float32", "bool"};
            made = bind("cast(" + number("cast(" + x + ", dtype=\"" + types[pick(3)] + "\")") + ", dtype=\"float32\")");
            break;
        }
        case 21: {
            const bool counted = pick(2) == 0; // `end` holds sizes instead of ends
            const std::string first = number("strided_slice(" + x + ", begin=[0, 0], end=[1, 2], strides=[1, 1], " +
                                             (counted ? "slice_mode=\"size\", " : "") + "axes=[0, 1])");
            const std::string second = number("strided_slice(" + x + ", begin=[-1], end=[1], strides=[-1], axes=[-3])");
            made = bind("concatenate(" + number('(' + second + ", " + first + ')') + ", axis=-3)");
            break;
        }
        case 22:
            made = bind("subtract(" + x + ", " +
                        number("mean(" + x + ", axis=[" + std::to_string(pick(4)) + "], keepdims=True)") + ')');
            break;
        case 23:
            made = bind("where(" + number("less(" + x + ", " + any() + ')') + ", " + any() + ", " + x + ')');
            break;
        default: {
            const std::string c = number("less(" + number("sum(" + x + ')') + ", " + constant() + ')');
            made = bind("if (" + c + ") { add(" + x + ", " + any() + ") } else { nn.relu(" + any() + ") }");
            break;
        }
        }
        values_.push_back(made);
    }

    std::mt19937 random_;
    std::vector<std::string> params_;
    std::vector<std::string> values_; // images that can be operands
    std::string body_;
    std::string text_;
    std::uint32_t numbers_ = 0;
    std::uint32_t count_ = 0;
};

} // namespace tutti::test
