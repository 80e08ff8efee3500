// expect-error: tutti::relay::patterns::call<Op>(p...): a pattern must have as many arguments as the operator takes; write _ for those that do not matter
#include <tutti/relay/transform/rewrite/pattern.hpp>

using namespace tutti::relay::patterns;

constexpr auto negated = call<tutti::relay::op::subtract>(_x);
