#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// A visited node, and its fields that have not been read yet.
struct open_node {
    std::uint32_t node;
    file_part rest;
};

} // namespace detail

/// Returns the nodes of a graph or function, sorted so that each node follows the nodes that compute its inputs. Apart
/// from that, nodes keep the order of the file, which should already be sorted like this.
///
/// Cost:   linear in the bytes of the nodes. No recursion.
/// Throws: `tutti::error` that names a node of a cycle.
inline plain_vector<file_part> in_order(const wire_fields& given) {
    plain_vector<file_part> nodes;
    string_table names;
    plain_vector<std::uint32_t> producer; // indexed by name: the index of the node that computes it
    for (const wire_field& f : given) {
        for (const wire_field& output : node_view(f.payload).outputs()) {
            if (output.payload.size == 0) continue;
            const std::uint32_t name = index(names.add(output.payload.text()));
            if (name == producer.size()) producer.push_back(static_cast<std::uint32_t>(nodes.size()));
        }
        nodes.push_back(f.payload);
    }
    enum : char { unseen, open, done };
    plain_vector<char> state(nodes.size(), unseen);
    plain_vector<file_part> order;
    plain_vector<detail::open_node> stack;
    order.reserve(nodes.size());
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        if (state[n] == unseen) stack.push_back({n, nodes[n]});
        while (!stack.empty()) {
            detail::open_node& top = stack.back();
            state[top.node] = open;
            if (top.rest.size == 0) {
                order.push_back(nodes[top.node]);
                state[top.node] = done;
                stack.pop_back();
                continue;
            }
            wire_reader reader(top.rest);
            const wire_field f = reader.field();
            const std::size_t read = reader.offset() - top.rest.offset;
            top.rest = {top.rest.data + read, top.rest.size - read, top.rest.offset + read};
            if (f.number != 1 || f.payload.size == 0) continue;
            const std::uint32_t name = index(names.add(f.payload.text()));
            if (name >= producer.size()) {
                producer.push_back(~std::uint32_t{0});
                continue;
            }
            const std::uint32_t from = producer[name];
            if (from == ~std::uint32_t{0} || state[from] == done) continue;
            if (state[from] == open)
                throw error(node_view(nodes[from]).label(), "depends on its own result", "a graph without cycles");
            stack.push_back({from, nodes[from]});
        }
    }
    return order;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
