#include <tutti/relay/onnx/ops/recurrent.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::tensor;

namespace {

using numbers = std::vector<double>;

// The inputs and attributes of a recurrent operator.
struct problem {
    std::string op = "LSTM";
    std::int64_t gates = 4, states = 2, steps = 3, batch = 2, width = 2, hidden = 2, directions = 1;
    bool reverse = false, bias = true, initial = true, peepholes = false, by_batch = false, lengths = false;
    bool linear_before_reset = false, input_forget = false;
    double clip = 0;

    // Returns arbitrary numbers.
    static tensor some(std::vector<std::int64_t> shape, int seed) {
        tensor t(kernel::dtype::float32, std::move(shape));
        float* to = t.mutable_data<float>();
        for (std::int64_t i = 0; i < t.size(); ++i)
            to[i] = static_cast<float>(std::sin(static_cast<double>(i * 7 + seed * 31) * 1.3) * 0.8);
        return t;
    }
    tensor x() const { return by_batch ? some({batch, steps, width}, 1) : some({steps, batch, width}, 1); }
    tensor state(int seed) const {
        return by_batch ? some({batch, directions, hidden}, seed) : some({directions, batch, hidden}, seed);
    }
    tensor lens() const { return tensor({2}, {std::int32_t{2}, std::int32_t{3}}); }
    std::vector<tensor> inputs() const {
        std::vector<tensor> all{x(), some({directions, gates * hidden, width}, 2),
                                some({directions, gates * hidden, hidden}, 3)};
        if (bias) all.push_back(some({directions, 2 * gates * hidden}, 4));
        if (lengths) all.push_back(lens());
        if (initial)
            for (int s = 0; s < states; ++s) all.push_back(state(5 + s));
        if (peepholes) all.push_back(some({directions, 3 * hidden}, 8));
        return all;
    }

    made_model model(std::initializer_list<wire> more = {}) const {
        made_model m;
        std::vector<std::string_view> names{"x", "w", "r", bias ? "b" : "", lengths ? "n" : "", "", "", ""};
        m.input("x", by_batch ? std::initializer_list<std::int64_t>{batch, steps, width}
                              : std::initializer_list<std::int64_t>{steps, batch, width});
        m.input("w", {directions, gates * hidden, width}).input("r", {directions, gates * hidden, hidden});
        if (bias) m.input("b", {directions, 2 * gates * hidden});
        if (lengths) m.input("n", {batch}, 6);
        for (int s = 0; s < states && initial; ++s) {
            names[5 + static_cast<std::size_t>(s)] = s == 0 ? "h" : "c";
            if (by_batch)
                m.input(s == 0 ? "h" : "c", {batch, directions, hidden});
            else
                m.input(s == 0 ? "h" : "c", {directions, batch, hidden});
        }
        if (peepholes) {
            names[7] = "p";
            m.input("p", {directions, 3 * hidden});
        }
        wire n;
        for (const std::string_view name : names) n.text(1, name);
        n.text(2, "y").text(2, "yh");
        if (states == 2) n.text(2, "yc");
        n.text(4, op).message(5, integer_attribute("hidden_size", hidden));
        if (directions == 2) n.message(5, text_attribute("direction", "bidirectional"));
        if (reverse) n.message(5, text_attribute("direction", "reverse"));
        if (by_batch) n.message(5, integer_attribute("layout", 1));
        if (clip > 0) n.message(5, real_attribute("clip", static_cast<float>(clip)));
        if (linear_before_reset) n.message(5, integer_attribute("linear_before_reset", 1));
        if (input_forget) n.message(5, integer_attribute("input_forget", 1));
        for (const wire& a : more) n.message(5, a);
        m.graph.message(1, n);
        m.output("y").output("yh");
        if (states == 2) m.output("yc");
        return m;
    }
};

double at(const tensor& t, std::initializer_list<std::int64_t> place) {
    std::int64_t i = 0;
    std::size_t axis = 0;
    for (const std::int64_t p : place) i = i * t.shape()[axis++] + p;
    return static_cast<double>(t.data<float>()[i]);
}

using function = std::function<double(double)>;
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Computes the expected outputs y, yh and yc by the definitions of the operators. `f` holds the functions of one
// direction.
std::vector<numbers> expected(const problem& p, const std::vector<function>& f) {
    const std::vector<tensor> in = p.inputs();
    std::size_t next = 3;
    const tensor* const b = p.bias ? &in[next++] : nullptr;
    if (p.lengths) ++next;
    const tensor* const h0 = p.initial ? &in[next++] : nullptr;
    const tensor* const c0 = p.initial && p.states == 2 ? &in[next++] : nullptr;
    const tensor* const peep = p.peepholes ? &in[next] : nullptr;
    const auto place = [](std::int64_t a, std::int64_t b_, std::int64_t c, std::int64_t d, std::int64_t n1,
                          std::int64_t n2,
                          std::int64_t n3) { return static_cast<std::size_t>(((a * n1 + b_) * n2 + c) * n3 + d); };
    const auto clipped = [&](double v) { return p.clip > 0 ? std::fmax(-p.clip, std::fmin(p.clip, v)) : v; };
    std::vector<numbers> out{numbers(static_cast<std::size_t>(p.steps * p.directions * p.batch * p.hidden)),
                             numbers(static_cast<std::size_t>(p.directions * p.batch * p.hidden))};
    out.push_back(out[1]);
    for (std::int64_t d = 0; d < p.directions; ++d)
        for (std::int64_t n = 0; n < p.batch; ++n) {
            numbers h(static_cast<std::size_t>(p.hidden)), c = h;
            const auto initial = [&](const tensor* t, std::int64_t k) {
                return t == nullptr ? 0 : p.by_batch ? at(*t, {n, d, k}) : at(*t, {d, n, k});
            };
            for (std::int64_t k = 0; k < p.hidden; ++k) {
                h[static_cast<std::size_t>(k)] = initial(h0, k);
                c[static_cast<std::size_t>(k)] = initial(c0, k);
            }
            const std::int64_t length = p.lengths ? p.lens().data<std::int32_t>()[n] : p.steps;
            for (std::int64_t i = 0; i < length; ++i) {
                const std::int64_t t = p.reverse || d == 1 ? length - 1 - i : i;
                const auto from_input = [&](std::int64_t row) {
                    double sum = b != nullptr ? at(*b, {d, row}) : 0;
                    for (std::int64_t j = 0; j < p.width; ++j)
                        sum += at(in[1], {d, row, j}) * (p.by_batch ? at(in[0], {n, t, j}) : at(in[0], {t, n, j}));
                    return sum;
                };
                const auto from_state = [&](std::int64_t row, const numbers& s) {
                    double sum = b != nullptr ? at(*b, {d, p.gates * p.hidden + row}) : 0;
                    for (std::int64_t j = 0; j < p.hidden; ++j)
                        sum += at(in[2], {d, row, j}) * s[static_cast<std::size_t>(j)];
                    return sum;
                };
                const numbers before = h;
                numbers after = h;
                for (std::int64_t k = 0; k < p.hidden; ++k) {
                    const auto kk = static_cast<std::size_t>(k);
                    const auto gate = [&](std::int64_t g) {
                        return from_input(g * p.hidden + k) + from_state(g * p.hidden + k, before);
                    };
                    const auto look = [&](std::int64_t g) {
                        return peep != nullptr ? at(*peep, {d, g * p.hidden + k}) : 0;
                    };
                    if (p.op == "RNN") {
                        after[kk] = f[0](clipped(gate(0)));
                    } else if (p.op == "GRU") {
                        const double z = f[0](clipped(gate(0)));
                        numbers gated = before;
                        for (std::int64_t j = 0; j < p.hidden; ++j)
                            gated[static_cast<std::size_t>(j)] *=
                                f[0](clipped(from_input(p.hidden + j) + from_state(p.hidden + j, before)));
                        const double r = f[0](clipped(gate(1)));
                        const std::int64_t row = 2 * p.hidden + k;
                        const double inner =
                            p.linear_before_reset ? r * from_state(row, before) : from_state(row, gated);
                        after[kk] = (1 - z) * f[1](clipped(from_input(row) + inner)) + z * before[kk];
                    } else {
                        const double forget = f[0](clipped(gate(2) + look(2) * c[kk]));
                        const double take = p.input_forget ? 1 - forget : f[0](clipped(gate(0) + look(0) * c[kk]));
                        c[kk] = forget * c[kk] + take * f[1](clipped(gate(3)));
                        after[kk] = f[0](clipped(gate(1) + look(1) * c[kk])) * f[2](c[kk]);
                    }
                    const std::size_t y = p.by_batch ? place(n, t, d, k, p.steps, p.directions, p.hidden)
                                                     : place(t, d, n, k, p.directions, p.batch, p.hidden);
                    out[0][y] = after[kk];
                }
                h = after;
            }
            for (std::int64_t k = 0; k < p.hidden; ++k) {
                const std::size_t y = p.by_batch ? place(0, n, d, k, p.batch, p.directions, p.hidden)
                                                 : place(0, d, n, k, p.directions, p.batch, p.hidden);
                out[1][y] = h[static_cast<std::size_t>(k)];
                out[2][y] = c[static_cast<std::size_t>(k)];
            }
        }
    out.resize(p.states == 2 ? 3 : 2);
    return out;
}

// Returns the largest difference between the results of the imported model and the expected ones.
double difference(const problem& p, const std::vector<function>& f, std::initializer_list<wire> more = {}) {
    const std::vector<tensor> in = p.inputs();
    const auto results = relay::evaluate(import_model(model_of(p.model(more))), std::span<const tensor>(in));
    const std::vector<numbers> wanted = expected(p, f);
    if (results.size() != wanted.size()) return 1e9;
    double most = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (static_cast<std::size_t>(results[i].size()) != wanted[i].size()) return 1e9;
        for (std::size_t k = 0; k < wanted[i].size(); ++k)
            most = std::fmax(most, std::fabs(static_cast<double>(results[i].data<float>()[k]) - wanted[i][k]));
    }
    return most;
}

const function tanh_of = [](double x) { return std::tanh(x); };
const std::vector<function> lstm{sigmoid, tanh_of, tanh_of}, gru{sigmoid, tanh_of}, rnn{tanh_of};
constexpr double near = 1e-5;

wire texts_attribute(std::string_view name, std::initializer_list<std::string_view> values) {
    wire a = wire().text(1, name);
    for (const std::string_view v : values) a.text(9, v);
    return a.number(20, 8);
}
wire reals_attribute(std::string_view name, std::initializer_list<float> values) {
    wire a = wire().text(1, name);
    for (const float v : values) a.real(7, v);
    return a.number(20, 6);
}

} // namespace

TEST_CASE("recurrent: an LSTM matches its definition, in all directions", "[relay][onnx][recurrent]") {
    CHECK(difference({}, lstm) < near);
    CHECK(difference({.reverse = true}, lstm) < near);
    CHECK(difference({.directions = 2}, lstm) < near);
    CHECK(difference({.bias = false, .initial = false}, lstm) < near);
    CHECK(difference({.steps = 1}, lstm) < near);
}

TEST_CASE("recurrent: an LSTM with all that it may have", "[relay][onnx][recurrent]") {
    CHECK(difference({.peepholes = true}, lstm) < near);
    CHECK(difference({.input_forget = true}, lstm) < near);
    CHECK(difference({.clip = 0.3}, lstm) < near);
    CHECK(difference({.directions = 2, .by_batch = true}, lstm) < near);
    CHECK(difference({.lengths = true}, lstm) < near);
    CHECK(difference({.directions = 2, .peepholes = true, .by_batch = true, .lengths = true, .clip = 0.5}, lstm) <
          near);
}

TEST_CASE("recurrent: a GRU, whose reset comes before the product or behind it", "[relay][onnx][recurrent]") {
    const problem p{.op = "GRU", .gates = 3, .states = 1};
    CHECK(difference(p, gru) < near);
    for (const bool before : {false, true}) {
        problem all = p;
        all.linear_before_reset = before;
        all.directions = 2;
        CHECK(difference(all, gru) < near);
        all.lengths = true;
        all.by_batch = true;
        CHECK(difference(all, gru) < near);
        all.bias = false;
        all.clip = 0.4;
        CHECK(difference(all, gru) < near);
    }
}

TEST_CASE("recurrent: an RNN, with each of the functions there are", "[relay][onnx][recurrent]") {
    const problem p{.op = "RNN", .gates = 1, .states = 1};
    CHECK(difference(p, rnn) < near);
    struct {
        const char* name;
        function f;
    } const known[]{{"Sigmoid", sigmoid},
                    {"tanh", tanh_of},
                    {"Relu", [](double x) { return std::fmax(x, 0.0); }},
                    {"Affine", [](double x) { return 0.5 * x + 0.25; }},
                    {"LeakyRelu", [](double x) { return x < 0 ? 0.5 * x : x; }},
                    {"ThresholdedRelu", [](double x) { return x > 0.5 ? x : 0; }},
                    {"ScaledTanh", [](double x) { return 0.5 * std::tanh(0.25 * x); }},
                    {"HardSigmoid", [](double x) { return std::fmax(0.0, std::fmin(1.0, 0.5 * x + 0.25)); }},
                    {"Elu", [](double x) { return x < 0 ? 0.5 * (std::exp(x) - 1) : x; }},
                    {"Softsign", [](double x) { return x / (1 + std::fabs(x)); }},
                    {"Softplus", [](double x) { return std::log(1 + std::exp(x)); }}};
    for (const auto& [name, f] : known) {
        INFO(name);
        CHECK(difference(p, {f},
                         {texts_attribute("activations", {name}), reals_attribute("activation_alpha", {0.5F}),
                          reals_attribute("activation_beta", {0.25F})}) < near);
    }
    CHECK(difference(p, {[](double x) { return std::fmax(0.0, std::fmin(1.0, 0.2 * x + 0.5)); }},
                     {texts_attribute("activations", {"HardSigmoid"})}) < near);
}

TEST_CASE("recurrent: reports unsupported nodes", "[relay][onnx][recurrent]") {
    const problem p{.op = "RNN", .gates = 1, .states = 1};
    const auto said = [&](const wire& a) { return import_refused(p.model({a})); };
    CHECK(said(texts_attribute("activations", {"Tanh", "Tanh"})).find("2 activations; expected 1") !=
          std::string::npos);
    CHECK(said(texts_attribute("activations", {"Cosine"})).find("activation `Cosine`; expected one of Sigmoid, Tanh") !=
          std::string::npos);
    CHECK(said(text_attribute("direction", "up")).find("direction `up`; expected forward, reverse or bidirectional") !=
          std::string::npos);
    made_model unknown;
    unknown.input("x", {-1, 1, 2}).input("w", {1, 2, 2}).input("r", {1, 2, 2});
    unknown.node("RNN", {"x", "w", "r"}, {"y"}).output("y");
    CHECK(import_refused(unknown).find("the size of axis 0 is not known") != std::string::npos);
    CHECK(relay::to_text(import_model(model_of(unknown), {.dims = {{"a", 2}}})).find("nn.dense") != std::string::npos);
    made_model long_one;
    long_one.input("x", {1 << 20, 1, 2}).input("w", {1, 2, 2}).input("r", {1, 2, 2});
    long_one.node("RNN", {"x", "w", "r"}, {"y"}).output("y");
    CHECK(import_refused(long_one).find("more than 16,384 steps of a recurrent operator") != std::string::npos);
    made_model empty;
    empty.input("x", {0, 1, 2}).input("w", {1, 2, 2}).input("r", {1, 2, 2});
    empty.node("RNN", {"x", "w", "r"}, {"y"}).output("y");
    CHECK(import_refused(empty).find("without steps") != std::string::npos);
    made_model batch; // the batch size is unknown
    batch.input("x", {2, -1, 2}).input("w", {1, 2, 2}).input("r", {1, 2, 2});
    batch.node("RNN", {"x", "w", "r"}, {"y"}).output("y");
    const std::vector<tensor> in{problem::some({2, 3, 2}, 1), problem::some({1, 2, 2}, 2), problem::some({1, 2, 2}, 3)};
    CHECK(relay::evaluate(import_model(model_of(batch)), std::span<const tensor>(in))[0].size() == 12);
}
