#include <tutti/kernel/support/groups.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::axis_set;
using kernel::extents;
using kernel::detail::groups;
using test::shape_t;

namespace {

// The elements of each set and the matching elements of the second operand, in the order of the visits.
struct visited {
    std::vector<std::vector<std::int64_t>> elements;
    std::vector<std::vector<std::int64_t>> others;
    std::int64_t sets = 0;
    bool in_order = true;
};

visited visit(const shape_t& shape, const axis_set& reduced, const extents& other, std::size_t sets) {
    visited v{std::vector<std::vector<std::int64_t>>(sets), std::vector<std::vector<std::int64_t>>(sets), 0, true};
    for (groups g(shape, reduced, other); !g.done(); g.next()) {
        v.in_order = v.in_order && g.first() == v.sets;
        v.sets += g.count();
        for (auto p = g.pieces(); !p.done(); p.next())
            for (std::int64_t i = 0; i < p.length(); ++i) {
                const auto set = static_cast<std::size_t>(g.first() + i * g.step());
                v.in_order = v.in_order && p.index() + (g.step() == 0 ? i : 0) ==
                                               static_cast<std::int64_t>(v.elements.at(set).size());
                v.elements.at(set).push_back(p.first() + i);
                v.others.at(set).push_back(p.other() + i * p.other_step());
            }
    }
    return v;
}

visited by_definition(const shape_t& shape, const axis_set& reduced, const extents& other, std::size_t sets) {
    visited v{std::vector<std::vector<std::int64_t>>(sets), std::vector<std::vector<std::int64_t>>(sets), 0, true};
    test::for_each_index(shape, [&](const shape_t& index) {
        shape_t kept_shape;
        shape_t kept;
        std::int64_t at = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            at += index[d] * other[d];
            if (reduced[d]) continue;
            kept_shape.push_back(shape[d]);
            kept.push_back(index[d]);
        }
        const std::size_t set = test::offset(kept_shape, kept);
        v.elements[set].push_back(static_cast<std::int64_t>(test::offset(shape, index)));
        v.others[set].push_back(at);
    });
    return v;
}

} // namespace

TEST_CASE("groups: each set gets its own elements, in order, whichever axes are reduced", "[kernel][groups]") {
    for (const shape_t& shape : {shape_t{},
                                 {1},
                                 {3},
                                 {1, 1},
                                 {2, 3},
                                 {2, 1},
                                 {1, 3},
                                 {2, 3, 4},
                                 {2, 1, 4, 1},
                                 {3, 2, 2, 2},
                                 {2, 600},
                                 {600, 2},
                                 {1025},
                                 {2, 0, 3},
                                 {0}})
        for (unsigned mask = 0; mask < 1U << shape.size(); ++mask)
            for (unsigned broadcast = 0; broadcast < 1U << shape.size(); ++broadcast) {
                axis_set reduced{};
                std::int64_t sets = 1;
                std::int64_t size = 1;
                shape_t other_shape = shape;
                for (std::size_t d = 0; d < shape.size(); ++d) {
                    reduced[d] = (mask >> d & 1U) != 0;
                    (reduced[d] ? size : sets) *= shape[d];
                    if ((broadcast >> d & 1U) != 0) other_shape[d] = 1;
                }
                extents other = kernel::row_major_strides(other_shape);
                for (std::size_t d = 0; d < shape.size(); ++d)
                    if (other_shape[d] == 1) other[d] = 0;
                const visited got = visit(shape, reduced, other, static_cast<std::size_t>(sets));
                const visited expected = by_definition(shape, reduced, other, static_cast<std::size_t>(sets));
                INFO(kernel::text(shape) << ", reduced " << mask << ", broadcast " << broadcast);
                CHECK(got.elements == expected.elements);
                CHECK(got.others == expected.others);
                CHECK(got.in_order);
                CHECK(got.sets == sets);
                CHECK(groups(shape, reduced).set_size() == size);
            }
}
