#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/text/names.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tutti::relay::text {

/// What several definitions of one text share: the names, the numbers, the constants that are no literals.
class naming {
public:
    std::string next_name(std::string_view hint) { return names_.next(hint); }
    std::uint32_t next_number() { return numbers_++; }
    /// How many numbers were given.
    std::uint32_t numbers() const { return numbers_; }
    void number_again_from(std::uint32_t number) { numbers_ = number; }

    /// The number of a constant; one of the same elements and shape has the same.
    std::uint32_t number_of(const tensor& constant) {
        const void* place = nullptr;
        if (!constant.empty())
            place = kernel::with_element_type(constant.type(), [&]<class T>(std::type_identity<T>) {
                return static_cast<const void*>(constant.elements<T>().data());
            });
        const auto [begin, end] = numbered_.equal_range(place);
        for (auto it = begin; it != end; ++it)
            if (std::ranges::equal(constants_[it->second].shape(), constant.shape())) return it->second;
        const auto number = static_cast<std::uint32_t>(constants_.size());
        numbered_.emplace(place, number);
        constants_.push_back(constant);
        return number;
    }
    /// The constants, in the order of their numbers.
    const std::vector<tensor>& constants() const { return constants_; }

private:
    unique_names names_;
    std::uint32_t numbers_ = 0;
    std::multimap<const void*, std::uint32_t> numbered_; // by where the elements are
    std::vector<tensor> constants_;
};

} // namespace tutti::relay::text
