// expect-error: tutti::relay::patterns::call<Op>(p...).where<name>(value): a value must compare with the attribute; give one of the attribute's type
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/transform/rewrite/pattern.hpp>

using namespace tutti::relay::patterns;

constexpr auto softmax = call<tutti::relay::op::nn::softmax>(_x).where<"axis">("last");
