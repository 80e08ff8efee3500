#pragma once

#include "../programs.hpp"

namespace tutti::test {

/// Returns the inferred type of the expression `f(builder)`.
template <class F>
std::string type_of(F f) {
    relay::builder b;
    return inferred(b, f(b));
}

/// Returns the inferred type of the expression `f(x)`, where x is a tensor of this shape.
template <class F>
std::string type_of(const relay::dims& shape, F f, relay::dtype element = relay::dtype::float32) {
    return type_of([&](relay::builder& b) { return f(b.variable("x", shape, element)); });
}

/// Returns the error of type inference for the expression `f(builder)`.
template <class F>
std::string refusal_of(F f) {
    relay::builder b;
    return inference_refusal(b, f(b));
}

/// Returns the error of type inference for the expression `f(x)`, where x is a tensor of this shape.
template <class F>
std::string refusal_of(const relay::dims& shape, F f, relay::dtype element = relay::dtype::float32) {
    return refusal_of([&](relay::builder& b) { return f(b.variable("x", shape, element)); });
}

} // namespace tutti::test
