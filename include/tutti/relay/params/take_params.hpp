#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/vector.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tutti::relay {

namespace detail {

/// The numbers of names `p0`, `p1`, … that no variable of a function has.
class free_parameter_numbers {
public:
    explicit free_parameter_numbers(const graph& g) : used_(g.size() + 1, 0) {
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            if (g.kind(expr_id{i}) != expr_kind::variable) continue;
            const std::string_view name = g.variable_name(expr_id{i});
            std::size_t number = 0;
            const auto [end, bad] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
            if (!name.starts_with('p') || bad != std::errc() || end != name.data() + name.size()) continue;
            if (number < used_.size()) used_[number] = 1;
        }
    }

    std::size_t next() {
        while (next_ < used_.size() && used_[next_] != 0) ++next_;
        return next_++;
    }

private:
    plain_vector<char> used_;
    std::size_t next_ = 0;
};

} // namespace detail

/// Takes the constants of a function out, but for scalars: each becomes a parameter, behind those that there are, in the order of their
/// values: `p0`, `p1`, …, without those that variables have for names. Gives their values; what `bind_params` makes of the function
/// and these is what it was.
///
/// Constants that share their elements and have one shape are one parameter; those of functions inside of it are taken out, too.
///
/// Cost: linear in the function; the tensors share their elements with the constants. What depends on them has no inferred type
///       afterwards.
inline vector<kernel::named_tensor> take_params(function& f) {
    vector<kernel::named_tensor> taken;
    plain_vector<expr_id> params; // one for each
    intern_index places;
    detail::free_parameter_numbers numbers(f.graph);
    rewriter r(f);
    f = r.rewrite([&](rewriter& into, expr_id e) {
        const graph& from = into.from();
        if (from.kind(e) == expr_kind::constant && from.constant_value(e).rank() != 0) {
            const tensor& value = from.constant_value(e);
            const auto same = [&](std::uint32_t i) {
                return taken[i].value.same_elements(value) && same_elements(taken[i].value.shape(), value.shape());
            };
            return params[places.find_or_add(hash_finish(value.identity()), same, [&] {
                taken.push_back({"p" + std::to_string(numbers.next()), value});
                params.push_back(into.to().variable(taken.back().name, type_of_constant(into.to(), value)));
            })];
        }
        if (e != f.root || taken.empty()) return into.rebuild(e);
        plain_vector<expr_id> all;
        for (const expr_id p : from.params(e)) all.push_back(into[p]);
        all.append(params.all());
        return into.to().function(all.all(), into[from.body(e)], from.result_annotation(e), from.function_attributes(e),
                                  from.type_params(e));
    });
    return taken;
}

} // namespace tutti::relay
