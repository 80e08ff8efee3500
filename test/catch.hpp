#pragma once

// The one place that knows Catch2 v2 (a single header) from v3 (a library). Tests include this and nothing of Catch2.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
