#pragma once

#include <cstddef>

// Hides the difference between Catch2 v2 (a single header) and v3 (a library). Tests include only this header of
// Catch2.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

// If several test programs are compiled together (see joined.py), each test case is tagged with its program.
#ifndef TUTTI_TEST_PROGRAM
#define TUTTI_TEST_PROGRAM ""
#endif
#undef TEST_CASE
#define TEST_CASE(name, ...) INTERNAL_CATCH_TESTCASE(name, TUTTI_TEST_PROGRAM "" __VA_ARGS__)
#undef TEMPLATE_TEST_CASE
#define TEMPLATE_TEST_CASE(name, tags, ...)                                                                            \
    INTERNAL_CATCH_TEMPLATE_TEST_CASE(name, TUTTI_TEST_PROGRAM "" tags, __VA_ARGS__)

// These versions of CHECK and CHECK_FALSE have less code around each expression than Catch2's macros, which took up to
// a quarter of the tests' compile time. The expression is evaluated first, and then reported by a function that is not
// a template. If an expression throws, its test case ends with an error that names the line of the previous check.

namespace test_support {

// The location and the text of a check, as string literals.
struct checked_expression {
    char const* macro;
    char const* text;
    char const* file;
    std::size_t line;
    bool is_false;
};

// Reports the outcome of a check to Catch2.
void check(Catch::ITransientExpression const& outcome, checked_expression const& expression);

template <typename T>
void check(Catch::ExprLhs<T> outcome, checked_expression const& expression) {
    check(outcome.makeUnaryExpr(), expression);
}

} // namespace test_support

#define TUTTI_TEST_CHECK(macro, is_false, ...)                                                                         \
    do {                                                                                                               \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wparentheses\"")::test_support::check(       \
            ::Catch::Decomposer() <= __VA_ARGS__, {macro, #__VA_ARGS__, __FILE__, __LINE__, is_false});                \
        _Pragma("GCC diagnostic pop")                                                                                  \
    } while (false)
#undef CHECK
#define CHECK(...) TUTTI_TEST_CHECK("CHECK", false, __VA_ARGS__)
#undef CHECK_FALSE
#define CHECK_FALSE(...) TUTTI_TEST_CHECK("CHECK_FALSE", true, __VA_ARGS__)
