#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/print/names.hpp>

#include <cstdint>
#include <string>
#include <string_view>
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
    std::uint32_t number_of(const kernel::tensor& constant) {
        const auto same = [&](std::uint32_t number) {
            return constants_[number].same_elements(constant) &&
                   same_elements(constants_[number].shape(), constant.shape());
        };
        return numbered_.find_or_add(hash_finish(constant.identity()), same, [&] { constants_.push_back(constant); });
    }
    /// The constants, in the order of their numbers.
    const std::vector<kernel::tensor>& constants() const { return constants_; }

private:
    unique_names names_;
    std::uint32_t numbers_ = 0;
    intern_index numbered_; // by where the elements are
    std::vector<kernel::tensor> constants_;
};

} // namespace tutti::relay::text
