#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/print/names.hpp>
#include <tutti/relay/text/text_options.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// The names, numbers and constants shared by the definitions of a text.
class naming {
public:
    std::string next_name(std::string_view hint) { return names_.next(hint); }
    /// Takes `count` numbers and returns the first.
    std::uint32_t take_numbers(std::uint32_t count) { return std::exchange(numbers_, numbers_ + count); }

    /// Returns the number of a constant. Constants with the same elements and shape share a number.
    std::uint32_t number_of(const kernel::tensor& constant) {
        const auto same = [&](std::uint32_t number) {
            return constants_[number].same_elements(constant) &&
                   same_elements(constants_[number].shape(), constant.shape());
        };
        return numbered_.find_or_add(hash_finish(constant.identity()), same, [&] { constants_.push_back(constant); });
    }
    /// Keeps a call's attributes. Returns their index among those kept under the same name.
    std::uint32_t keep(const kept_attributes& attributes) {
        std::size_t of_name = 0;
        while (of_name < kept_names_.size() && kept_names_[of_name] != attributes.op->kept_as) ++of_name;
        if (of_name == kept_names_.size()) {
            kept_names_.push_back(attributes.op->kept_as);
            kept_counts_.push_back(0);
        }
        kept_.push_back(attributes);
        return kept_counts_[of_name]++;
    }
    /// Returns the kept attributes in the order of their references in the text.
    std::span<const kept_attributes> kept() const { return kept_.all(); }

    /// Returns the constants in the order of their numbers.
    const vector<kernel::tensor>& constants() const { return constants_; }

private:
    unique_names names_;
    std::uint32_t numbers_ = 0;
    intern_index numbered_; // finds constants by the address of their elements
    vector<kernel::tensor> constants_;
    plain_vector<kept_attributes> kept_;
    plain_vector<std::string_view> kept_names_;
    plain_vector<std::uint32_t> kept_counts_;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
