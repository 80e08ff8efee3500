// expect-error: tutti::relay::patterns::call_any<Ops...>(p...): a pattern must have as many arguments as each operator takes; write _ for those that do not matter
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/transform/rewrite/pattern.hpp>

using namespace tutti::relay::patterns;

constexpr auto either = call_any<tutti::relay::op::exp, tutti::relay::op::add>(_x);
