// expect-error: tutti::relay::match(pattern, g, e)[capture]: a capture must be in the pattern; use one that it contains
#include <tutti/relay/transform/rewrite/pattern.hpp>

using namespace tutti::relay::patterns;

tutti::relay::expr_id factor(const tutti::relay::graph& g, tutti::relay::expr_id e) {
    return match(call<tutti::relay::op::multiply>(_x, scalar(_c)), g, e)[_y];
}
