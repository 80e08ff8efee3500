#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/debug/computed_values.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/debug/rounding.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/kernel_set.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay {

/// How `compare_programs` compares.
struct compare_options {
    /// How far floating-point elements may be apart, by the greater of their magnitude and the root mean square of their tensor; without it
    /// 84 units in the last place of the least precise type of both programs, 1e-5 in float32. Integers are exact.
    std::optional<double> tolerance{};
    /// Both programs come from one text, so that places in it mean the same in both: one is what passes made of the other.
    bool same_text = false;
    /// How many bytes of the first program's values are kept for the second; those beyond are not compared.
    std::uint64_t max_bytes = std::uint64_t{1} << 28;
};

/// What two programs computed for the same inputs.
struct comparison {
    struct difference {
        std::string place{}; ///< in the first program: "result 0", "@main 3:8 %y, exp"
        std::string other{}; ///< in the second, if it is said in other words there
        numeric_difference what{};
    };

    std::vector<difference> results{}; ///< the results that differ
    std::vector<difference>
        inside{}; ///< values on the way that differ, in the order in which the second program computes them
    std::size_t compared_results = 0;
    std::size_t compared_inside = 0;
    std::size_t not_kept = 0; ///< values of the first program that `max_bytes` left no room for

    bool same() const { return results.empty(); }
};

namespace detail {

/// The values of a program by what their texts say of them, for another program to find.
class kept_values {
    struct kept {
        tensor value{};
        std::string place;
        std::string type;
        std::string_view op;
    };
    using numbers = std::map<std::string, std::uint32_t, std::less<>>;

    std::vector<kept> all_;
    numbers by_name_, by_place_; // the first of that name, or place, that has not been found, in all_
    std::vector<std::uint32_t> next_name_, next_place_;
    numbers last_name_, last_place_;
    std::uint64_t left_;
    bool same_text_;
    std::size_t not_kept_ = 0;
    std::size_t in_order_ = 0; // so many of both programs are of the same operators and types
    bool ordered_ = true;

    static std::string name_key(const computed_value& v) {
        return std::string(v.name) + ' ' + std::string(v.op) + ' ' + std::to_string(v.result);
    }
    static std::string place_key(const computed_value& v) {
        return std::to_string(v.where.line) + ':' + std::to_string(v.where.column) + ' ' + std::string(v.op) + ' ' +
               std::to_string(v.result);
    }
    static void add(numbers& first, numbers& last, std::vector<std::uint32_t>& next, std::string key,
                    std::uint32_t number) {
        if (const auto before = last.find(key); before != last.end()) {
            next[before->second] = number;
            before->second = number;
            return;
        }
        first.emplace(key, number);
        last.emplace(std::move(key), number);
    }
    static std::optional<std::uint32_t> take(numbers& first, const std::vector<std::uint32_t>& next,
                                             const std::string& key) {
        const auto found = first.find(key);
        if (found == first.end() || found->second == none) return std::nullopt;
        return std::exchange(found->second, next[found->second]);
    }

    static constexpr std::uint32_t none = 0xFFFFFFFFU;

public:
    kept_values(std::uint64_t max_bytes, bool same_text) : left_(max_bytes), same_text_(same_text) {}

    std::size_t not_kept() const { return not_kept_; }

    void keep(const computed_value& v) {
        const auto bytes = static_cast<std::uint64_t>(v.value->size()) * kernel::bytes(v.value->type());
        kept made{.place = place_of(v), .type = kernel::text(*v.value), .op = v.op};
        if (bytes <= left_) {
            left_ -= bytes;
            made.value.reset(v.value->type(), v.value->shape());
            std::copy_n(static_cast<const unsigned char*>(v.value->memory()), bytes,
                        static_cast<unsigned char*>(made.value.mutable_memory()));
        } else {
            ++not_kept_;
        }
        const auto number = static_cast<std::uint32_t>(all_.size());
        next_name_.push_back(none);
        next_place_.push_back(none);
        if (!v.name.empty()) add(by_name_, last_name_, next_name_, name_key(v), number);
        if (same_text_ && v.where.line != 0) add(by_place_, last_place_, next_place_, place_key(v), number);
        all_.push_back(std::move(made));
    }

    /// The value of the first program that a value of the second should be: of its name; of its place, if both are of one text; or, as long
    /// as both have computed the same operators in the same order, the next. None if there is none, or it was not kept.
    const kept* find(const computed_value& v) {
        std::optional<std::uint32_t> number;
        const std::string type = kernel::text(*v.value);
        if (!v.name.empty()) number = take(by_name_, next_name_, name_key(v));
        if (!number && same_text_ && v.where.line != 0) number = take(by_place_, next_place_, place_key(v));
        const std::size_t here = in_order_++;
        ordered_ = ordered_ && here < all_.size() && all_[here].op == v.op && all_[here].type == type;
        if (!number && ordered_) number = static_cast<std::uint32_t>(here);
        if (!number || all_[*number].type != type || all_[*number].value.shape().size() != v.value->shape().size())
            return nullptr;
        return all_[*number].value.type() == v.value->type() ? &all_[*number] : nullptr;
    }
};

} // namespace detail

/// Evaluates two programs with the same inputs and compares their results, and the values on the way that can be told to be the same: by
/// the names that lets give them, by their places if both are of one text, and by their order as long as both compute the same operators.
///
/// Values on the way are allowed to differ: a pass may move a factor from one operator to another.
///
/// Requires: the inputs are those of both, in order.
/// Throws:   `tutti::error` as `evaluator::run`, or if one gives more results than the other.
/// Cost:     an evaluation of each, and `max_bytes` of memory.
template <kernel_set Kernels>
comparison compare_programs(evaluator<Kernels>& first, std::span<const tensor* const> inputs,
                            evaluator<Kernels>& second, std::span<const tensor* const> second_inputs,
                            const compare_options& options = {}) {
    const double usual = 84 * std::max(coarsest_spacing(first.module()), coarsest_spacing(second.module()));
    const double relative = options.tolerance.value_or(usual);
    comparison found;
    detail::kept_values kept(options.max_bytes, options.same_text);
    computed_values keep(first.module(), [&](const computed_value& v) { kept.keep(v); });
    std::vector<tensor> results;
    for (const tensor& t : first.run(inputs, keep)) results.push_back(t);
    computed_values look(second.module(), [&](const computed_value& v) {
        const auto* const before = kept.find(v);
        if (before == nullptr) return;
        ++found.compared_inside;
        auto what = differ(before->value, *v.value, relative);
        if (!what) return;
        const std::string place = place_of(v);
        found.inside.push_back({before->place, place == before->place ? "" : place, std::move(*what)});
    });
    const auto others = second.run(second_inputs, look);
    found.not_kept = kept.not_kept();
    if (others.size() != results.size())
        throw error("the second program", "has " + std::to_string(others.size()) + " results",
                    std::to_string(results.size()));
    for (std::size_t r = 0; r < results.size(); ++r) {
        ++found.compared_results;
        if (auto what = differ(results[r], others[r], relative))
            found.results.push_back({"result " + std::to_string(r), "", std::move(*what)});
    }
    return found;
}

} // namespace tutti::relay
