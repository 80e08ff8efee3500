// Headers precompiled for every test program. No include guard is needed, since this is only used as a main file.
// Tests do not rely on it: they include "support/catch.hpp" themselves.

#include "support/catch.hpp"
