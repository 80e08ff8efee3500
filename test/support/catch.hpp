#pragma once

// Hides the difference between Catch2 v2 (a single header) and v3 (a library). Tests include only this header of
// Catch2.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

// If several programs are compiled together (see joined.py), tags each test case with its program.
#ifndef TUTTI_TEST_PROGRAM
#define TUTTI_TEST_PROGRAM ""
#endif
#undef TEST_CASE
#define TEST_CASE(name, ...) INTERNAL_CATCH_TESTCASE(name, TUTTI_TEST_PROGRAM "" __VA_ARGS__)
#undef TEMPLATE_TEST_CASE
#define TEMPLATE_TEST_CASE(name, tags, ...)                                                                            \
    INTERNAL_CATCH_TEMPLATE_TEST_CASE(name, TUTTI_TEST_PROGRAM "" tags, __VA_ARGS__)
