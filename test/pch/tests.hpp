// Headers precompiled for every test program. No include guard is needed, since nothing includes this header. Tests do
// not rely on it, but include "support/catch.hpp" themselves.

#include "support/catch.hpp"
