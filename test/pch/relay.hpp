// Headers that almost every test of the tensor-graph IR includes. They are precompiled for each test program of the IR.

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/printer.hpp>

#include "tests.hpp"
