// The runner of all test programs: generated here with Catch2 v2, part of the library with v3.
#define CATCH_CONFIG_MAIN
#include "catch.hpp"
