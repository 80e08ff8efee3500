// The runner that all test programs share: with Catch2 v2 it is made here, with v3 the library brings it.
#define CATCH_CONFIG_MAIN
#include "catch.hpp"
