// What every test program precompiles (which is why it guards nothing: it is only ever a main file). Tests don't rely on it:
// they include "catch.hpp" themselves.

#include "../catch.hpp"
