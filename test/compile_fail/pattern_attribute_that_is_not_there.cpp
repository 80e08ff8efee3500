// expect-error: tutti::relay::patterns::call<Op>(p...).where<name>(value): a name must be that of an attribute of the operator; spell it as its attributes structure does
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/transform/rewrite/pattern.hpp>

using namespace tutti::relay::patterns;

constexpr auto softmax = call<tutti::relay::op::nn::softmax>(_x).where<"axes">(1);
