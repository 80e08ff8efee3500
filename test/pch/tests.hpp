// Headers precompiled for every test program. No include guard is needed, since this header is only compiled directly.
// Tests do not rely on it: they include "support/catch.hpp" themselves.

#include "support/catch.hpp"
