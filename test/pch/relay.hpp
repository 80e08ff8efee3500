// Headers that almost every test of the tensor-graph IR includes, precompiled for each of their programs.

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/printer.hpp>

#include "tests.hpp"
