#pragma once

#include <tutti/relay/ir/builder.hpp>

#include <initializer_list>
#include <utility>

namespace tutti::test {

/// Builds a function that may have free variables, unlike `builder::function`.
constexpr relay::function open_function(relay::builder& b, std::initializer_list<relay::expr> params,
                                        relay::expr body) {
    relay::plain_vector<relay::expr_id> ids;
    for (const relay::expr& p : params) ids.push_back(p.id);
    const relay::expr_id root = b.graph().function(ids.all(), body.id);
    return {std::exchange(b.graph(), {}), root};
}

} // namespace tutti::test
