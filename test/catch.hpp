#pragma once

// The one place that knows Catch2 v2 (a single header) from v3 (a library). Tests include this and nothing of Catch2.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

// Of several programs that are compiled in one go (see joined.py) a test case has that as a tag which it belongs to.
#ifndef TUTTI_TEST_PROGRAM
#define TUTTI_TEST_PROGRAM ""
#endif
#undef TEST_CASE
#define TEST_CASE(name, ...) INTERNAL_CATCH_TESTCASE(name, TUTTI_TEST_PROGRAM "" __VA_ARGS__)
#undef TEMPLATE_TEST_CASE
#define TEMPLATE_TEST_CASE(name, tags, ...)                                                                            \
    INTERNAL_CATCH_TEMPLATE_TEST_CASE(name, TUTTI_TEST_PROGRAM "" tags, __VA_ARGS__)
