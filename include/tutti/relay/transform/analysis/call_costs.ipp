#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/layout.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/attribute_values.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/conv_transpose.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/einsum.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/transform/analysis/call_costs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

using known_count = std::optional<std::uint64_t>;

// A call, with access to its types and attributes.
struct typed_call {
    const graph* g;
    expr_id call;
    const op_def* op;

    type_id argument_type(std::size_t i) const { return g->type(g->arguments(call)[i]); }
    std::span<const dim> argument(std::size_t i) const { return g->types().shape(argument_type(i)); }
    std::span<const dim> result() const { return g->types().shape(g->type(call)); }
    attribute_values attributes() const { return attribute_values(*g, *op, g->call_attributes(call)); }
};

inline known_count count_of(std::span<const dim> shape) {
    const auto count = element_count(shape);
    return count ? known_count(static_cast<std::uint64_t>(*count)) : std::nullopt;
}

// Returns the product. It is unknown if a factor is unknown, or if the product exceeds 64 bits.
inline known_count times(known_count a, known_count b) {
    if (!a || !b || (*b != 0 && *a > std::numeric_limits<std::uint64_t>::max() / *b)) return std::nullopt;
    return *a * *b;
}
inline known_count known(dim d) {
    return d.is_any() ? std::nullopt : known_count(static_cast<std::uint64_t>(d.value()));
}

// Returns the product of the sizes of a weight's spatial axes.
inline known_count window(std::string_view layout, std::span<const dim> weight) {
    const auto parsed = kernel::layout::parse(layout);
    known_count product = 1;
    if (!parsed || !parsed->fits(weight)) return std::nullopt;
    for (std::size_t i = 0; i < weight.size(); ++i)
        if (const char letter = parsed->axes()[i].letter; letter != 'O' && letter != 'I')
            product = times(product, known(weight[i]));
    return product;
}

inline known_count channels(std::string_view layout, std::span<const dim> data) {
    const auto parsed = kernel::layout::parse(layout);
    if (!parsed || !parsed->fits(data) || !parsed->find('C')) return std::nullopt;
    return known(parsed->size(data, 'C'));
}

inline known_count in_group(known_count all, std::int64_t groups) {
    return all ? known_count(*all / static_cast<std::uint64_t>(groups)) : std::nullopt;
}

// Each element of the result sums over the input channels of a group and the window.
inline known_count convolution_products(const typed_call& c, std::size_t weight) {
    const attribute_values a = c.attributes();
    const known_count inputs = in_group(channels(a.text("data_layout"), c.argument(0)), a.integer("groups"));
    return times(times(count_of(c.result()), inputs), window(a.text("kernel_layout"), c.argument(weight)));
}
inline known_count convolution(const typed_call& c) { return convolution_products(c, 1); }
inline known_count deformable_convolution(const typed_call& c) { return convolution_products(c, 2); }

// Each element of the data is added to the output channels of a group, over the window.
inline known_count transposed_convolution(const typed_call& c) {
    const attribute_values a = c.attributes();
    const std::string_view layout = a.text("out_layout").empty() ? a.text("data_layout") : a.text("out_layout");
    const known_count outputs = in_group(channels(layout, c.result()), a.integer("groups"));
    return times(times(count_of(c.argument(0)), outputs), window(a.text("kernel_layout"), c.argument(1)));
}

inline known_count dense_product(const typed_call& c) {
    return times(count_of(c.result()), known(c.argument(0).back()));
}

inline known_count matrix_product(const typed_call& c) {
    const std::span<const dim> data = c.argument(0);
    return times(count_of(c.result()), known(data[data.size() - (c.attributes().flag("transpose_a") ? 2 : 1)]));
}

// Each element of the result sums over the letters that the result lacks.
inline known_count einsum_products(const typed_call& c) {
    const std::string_view equation = c.attributes().text("equation");
    const std::size_t arrow = equation.find("->");
    known_count sizes[128]{};
    unsigned uses[128]{};
    const type_table& types = c.g->types();
    std::size_t at = 0;
    for (const type_id operand : types.fields(c.argument_type(0))) {
        const std::size_t end =
            std::min(equation.find(',', at), arrow == std::string_view::npos ? equation.size() : arrow);
        const std::span<const dim> shape = types.shape(operand);
        std::size_t letters = 0;
        for (std::size_t i = at; i < end; ++i) letters += equation[i] != '.' && equation[i] != ' ';
        std::size_t axis = 0;
        for (std::size_t i = at; i < end; ++i) {
            if (equation[i] == ' ') continue;
            if (equation[i] == '.') { // three dots stand for all axes without a letter
                axis = shape.size() - (letters - axis);
                i += 2;
                continue;
            }
            const auto letter = static_cast<std::size_t>(static_cast<unsigned char>(equation[i]) & 127U);
            ++uses[letter];
            if (const known_count size = known(shape[axis++]); !sizes[letter] || sizes[letter] == 1)
                sizes[letter] = size;
        }
        at = end + 1;
    }
    known_count product = count_of(c.result());
    for (std::size_t letter = 0; letter < 128; ++letter) {
        const bool summed = arrow == std::string_view::npos
                                ? uses[letter] > 1
                                : equation.substr(arrow).find(static_cast<char>(letter)) == std::string_view::npos;
        if (uses[letter] != 0 && summed) product = times(product, sizes[letter]);
    }
    return product;
}

struct product_rule {
    const op_def* op;
    known_count (*count)(const typed_call&);
};

inline std::span<const product_rule> product_rules() {
    static const product_rule rules[]{
        {&definition<op::nn::conv1d>, convolution},
        {&definition<op::nn::conv2d>, convolution},
        {&definition<op::nn::conv3d>, convolution},
        {&definition<op::nn::contrib_conv2d_nchwc>, convolution},
        {&definition<op::nn::contrib_depthwise_conv2d_nchwc>, convolution},
        {&definition<op::qnn::conv2d>, convolution},
        {&definition<op::nn::deformable_conv2d>, deformable_convolution},
        {&definition<op::nn::conv1d_transpose>, transposed_convolution},
        {&definition<op::nn::conv2d_transpose>, transposed_convolution},
        {&definition<op::nn::conv3d_transpose>, transposed_convolution},
        {&definition<op::qnn::conv2d_transpose>, transposed_convolution},
        {&definition<op::nn::dense>, dense_product},
        {&definition<op::qnn::dense>, dense_product},
        {&definition<op::nn::matmul>, matrix_product},
        {&definition<op::nn::batch_matmul>, matrix_product},
        {&definition<op::qnn::batch_matmul>, matrix_product},
        {&definition<op::einsum>, einsum_products},
    };
    return rules;
}

// Returns the size of a value in bytes, 0 for functions and references.
inline known_count bytes_of_value(const type_table& types, type_id type) {
    if (type == type_id::none) return std::nullopt;
    if (types.is_tensor(type)) return times(count_of(types.shape(type)), kernel::bytes(types.element(type)));
    known_count sum = 0;
    if (types.kind(type) == type_kind::tuple)
        for (const type_id field : types.fields(type)) {
            const known_count bytes = bytes_of_value(types, field);
            sum = sum && bytes ? known_count(*sum + *bytes) : std::nullopt;
        }
    return sum;
}

class cost_collector {
    const ir_module* m_;
    vector<call_cost> costs_;

public:
    explicit cost_collector(const ir_module& m) : m_(&m) {}

    vector<call_cost> of(std::string_view name) {
        vector<std::string_view> left{name};
        std::unordered_set<std::string_view> seen{name};
        while (!left.empty()) {
            const std::string_view next = left.back();
            left.pop_back();
            const function* const f = m_->find(next);
            if (f == nullptr || f->root == expr_id::none) continue;
            for (const std::string_view called : add(next, *f))
                if (seen.insert(called).second) left.push_back(called);
        }
        return std::move(costs_);
    }

private:
    // Adds the costs of a function's calls. Returns the names of the functions that the function refers to.
    vector<std::string_view> add(std::string_view name, const function& f) {
        const graph& g = f.graph;
        vector<std::string_view> called;
        each_once first_use(g.size());
        vector<char> fixed(g.size(), 0);
        for (const expr_id e : post_order(g, f.root)) {
            if (g.kind(e) == expr_kind::global) called.push_back(g.global_name(e));
            fixed[index(e)] = is_fixed(g, e, fixed);
            if (const op_def* const op = g.kind(e) == expr_kind::call ? g.called_op(e) : nullptr;
                op && !fixed[index(e)])
                costs_.push_back(cost_of(name, {&g, e, op}, fixed, first_use));
        }
        return called;
    }

    // True if a value depends on constants only.
    static bool is_fixed(const graph& g, expr_id e, const vector<char>& fixed) {
        switch (g.kind(e)) {
        case expr_kind::constant:
            return true;
        case expr_kind::tuple:
        case expr_kind::projection:
            return std::ranges::all_of(g.operands(e), [&](expr_id operand) { return fixed[index(operand)] != 0; });
        case expr_kind::call: {
            const op_def* const op = g.called_op(e);
            return op != nullptr && !op->stateful &&
                   std::ranges::all_of(g.arguments(e), [&](expr_id operand) { return fixed[index(operand)] != 0; });
        }
        default:
            return false;
        }
    }

    static call_cost cost_of(std::string_view name, const typed_call& c, const vector<char>& fixed,
                             each_once& first_use) {
        call_cost cost{.function = name, .call = c.call, .op = c.op};
        known_count products = 0;
        for (const product_rule& rule : product_rules())
            if (rule.op == c.op) products = rule.count(c);
        const type_table& types = c.g->types();
        const known_count bytes = bytes_of_value(types, c.g->type(c.call));
        cost.is_known = products && bytes;
        cost.multiply_accumulates = products.value_or(0);
        cost.result_bytes = bytes.value_or(0);
        for (const expr_id argument : c.g->arguments(c.call))
            if (fixed[index(argument)] && first_use(argument)) add_parameters(cost, types, c.g->type(argument));
        return cost;
    }

    static void add_parameters(call_cost& cost, const type_table& types, type_id type) {
        if (types.kind(type) == type_kind::tuple) {
            for (const type_id field : types.fields(type)) add_parameters(cost, types, field);
        } else if (types.is_tensor(type) && !types.shape(type).empty()) {
            const std::uint64_t elements = count_of(types.shape(type)).value_or(0);
            cost.parameters += elements;
            cost.parameter_bytes += elements * kernel::bytes(types.element(type));
        }
    }
};

} // namespace detail

TUTTI_INLINE vector<call_cost> call_costs(const ir_module& m) { return detail::cost_collector(m).of("main"); }

} // namespace tutti::relay::inline TUTTI_FORM
