#pragma once

#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::onnx {

namespace detail {

// Sums of products along axes that have letters: of each operand's, those that the result has not are summed over. What an ellipsis
// stands for has digits, the last axis `9`.
class einsum {
public:
    explicit einsum(node_context& c) : c_(&c) {}

    expr operator()(std::string_view equation) {
        std::string text;
        for (const char letter : equation)
            if (letter != ' ') text += letter;
        const std::size_t arrow = text.find("->");
        std::string rest = text.substr(0, arrow);
        std::string all;
        std::optional<expr> product;
        std::string axes; // of the product
        for (std::size_t i = 0; i < c_->input_count(); ++i) {
            const std::size_t comma = rest.find(',');
            if ((comma == std::string::npos) != (i + 1 == c_->input_count()))
                c_->refuse("equation `" + text + "` for " + std::to_string(c_->input_count()) + " inputs",
                           "a part for each");
            std::string own = letters(rest.substr(0, comma), c_->rank(c_->input(i)));
            rest.erase(0, comma == std::string::npos ? rest.size() : comma + 1);
            all += own;
            const expr x = without_repeats(c_->input(i), own);
            product = product ? multiplied(*product, axes, x, own) : x;
            if (axes.empty() && i == 0) axes = own;
        }
        if (!product) c_->refuse("has no inputs", "one or more");
        const std::string wanted =
            arrow == std::string::npos ? implied(all) : result_letters(text.substr(arrow + 2), all);
        return arranged(summed(*product, axes, wanted), axes, wanted);
    }

private:
    std::string letters(const std::string& part, std::size_t rank) {
        const std::size_t dots = part.find("...");
        const std::size_t named = part.size() - (dots == std::string::npos ? 0 : 3);
        if (named > rank || (dots == std::string::npos && named != rank) || rank - named > 10)
            c_->refuse("`" + part + "` for a tensor of rank " + std::to_string(rank), "a letter for each axis");
        std::string made = part;
        if (dots != std::string::npos) made.replace(dots, 3, std::string("0123456789").substr(10 - (rank - named)));
        for (std::size_t i = 0; i < made.size(); ++i)
            if (!is_letter(made[i]) && !(made[i] >= '0' && made[i] <= '9'))
                c_->refuse("`" + part + "`", "letters, and `...` once");
        return made;
    }
    static bool is_letter(char l) { return (l >= 'a' && l <= 'z') || (l >= 'A' && l <= 'Z'); }

    static std::string ellipsis_of(const std::string& all) {
        std::string digits;
        for (char d = '0'; d <= '9'; ++d)
            if (all.find(d) != std::string::npos) digits += d;
        return digits;
    }
    // Without an arrow: what the ellipses stand for, then the letters that are there once, in order.
    static std::string implied(const std::string& all) {
        std::string made = ellipsis_of(all);
        std::string sorted = all;
        std::sort(sorted.begin(), sorted.end());
        for (const char l : sorted)
            if (is_letter(l) && std::count(all.begin(), all.end(), l) == 1) made += l;
        return made;
    }
    std::string result_letters(std::string part, const std::string& all) {
        if (const std::size_t dots = part.find("..."); dots != std::string::npos)
            part.replace(dots, 3, ellipsis_of(all));
        for (std::size_t i = 0; i < part.size(); ++i)
            if (all.find(part[i]) == std::string::npos || part.find(part[i], i + 1) != std::string::npos)
                c_->refuse("a result `" + part + "`", "letters of the operands, each once");
        return part;
    }

    // The diagonal of axes with one letter: they are brought together as the last ones, as one axis of which every (n + 1)-th is taken.
    expr without_repeats(expr x, std::string& axes) {
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const std::size_t j = axes.find(axes[i], i + 1);
            if (j == std::string::npos) continue;
            const std::int64_t n = c_->extent(x, i);
            if (c_->extent(x, j) != n) c_->refuse("a diagonal of axes of different sizes", "equal ones");
            dims order, flat;
            const dims shape = c_->shape(x);
            std::string made;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                if (k == i || k == j) continue;
                order.push_back(static_cast<std::int64_t>(k));
                flat.push_back(0);
                made += axes[k];
            }
            const auto last = static_cast<std::int64_t>(order.size());
            order.push_back(static_cast<std::int64_t>(i));
            order.push_back(static_cast<std::int64_t>(j));
            flat.push_back(n * n);
            x = relay::reshape(relay::transpose(x, {.axes = order}), {.newshape = flat});
            x = relay::strided_slice(
                x, {.begin = dims{0}, .end = dims{n * n}, .strides = dims{n + 1}, .axes = dims{last}});
            axes = made + axes[i];
            --i; // the axis here is another one now
        }
        return x;
    }

    // Both with all axes of either, in one order, of size 1 where one has none.
    expr multiplied(expr a, std::string& axes, expr b, const std::string& other) {
        std::string all = axes;
        for (const char l : other)
            if (all.find(l) == std::string::npos) all += l;
        const expr product = relay::multiply(spread(a, axes, all), spread(b, other, all));
        axes = all;
        return product;
    }
    expr spread(expr x, const std::string& axes, const std::string& all) {
        dims order;
        for (const char l : all)
            if (const std::size_t at = axes.find(l); at != std::string::npos)
                order.push_back(static_cast<std::int64_t>(at));
        if (order.size() > 1) x = relay::transpose(x, {.axes = order});
        for (std::size_t i = 0; i < all.size(); ++i)
            if (axes.find(all[i]) == std::string::npos)
                x = relay::expand_dims(x, {.axis = static_cast<std::int64_t>(i)});
        return x;
    }

    expr summed(expr x, std::string& axes, const std::string& wanted) {
        dims over;
        std::string left;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (wanted.find(axes[i]) == std::string::npos)
                over.push_back(static_cast<std::int64_t>(i));
            else
                left += axes[i];
        }
        axes = left;
        return over.empty() ? x : relay::sum(x, {.axis = over});
    }
    expr arranged(expr x, const std::string& axes, const std::string& wanted) {
        if (axes == wanted) return x;
        dims order;
        for (const char l : wanted) order.push_back(static_cast<std::int64_t>(axes.find(l)));
        return relay::transpose(x, {.axes = order});
    }

    node_context* c_;
};

inline expr import_einsum(node_context& c) { return einsum(c)(c.text("equation", "")); }

} // namespace detail

/// Sums of products in Einstein's notation.
inline constexpr import_rule einsum_rules[]{{"Einsum", detail::import_einsum}};

} // namespace tutti::relay::onnx
