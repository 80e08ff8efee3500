#pragma once

#include "../programs.hpp"

namespace tutti::test {

/// The inferred type of what `f(builder)` gives.
template <class F>
std::string type_of(F f) {
    relay::builder b;
    return inferred(b, f(b));
}

/// The same of `f(x)`, where x is a tensor of that shape.
template <class F>
std::string type_of(const relay::dims& shape, F f, relay::dtype element = relay::dtype::float32) {
    return type_of([&](relay::builder& b) { return f(b.variable("x", shape, element)); });
}

/// What type inference says against what `f(builder)` gives.
template <class F>
std::string refusal_of(F f) {
    relay::builder b;
    return inference_refusal(b, f(b));
}

/// The same of `f(x)`, where x is a tensor of that shape.
template <class F>
std::string refusal_of(const relay::dims& shape, F f, relay::dtype element = relay::dtype::float32) {
    return refusal_of([&](relay::builder& b) { return f(b.variable("x", shape, element)); });
}

} // namespace tutti::test
