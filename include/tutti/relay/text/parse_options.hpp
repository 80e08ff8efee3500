#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace tutti::relay {

/// What a text may cost to read. Beyond these it is refused, before memory is taken for more.
struct parse_limits {
    std::size_t characters = std::size_t{1} << 30;     ///< of the text; never more than 2^31
    std::size_t nesting = std::size_t{1} << 22;        ///< expressions, or types, that are open at a time
    std::size_t operands = (std::size_t{1} << 24) - 2; ///< of one call, tuple or function; never more than that
    std::size_t diagnostics = 20;                      ///< after which the rest is not read
};

/// How a text is read.
struct parse_options {
    /// What messages call the text: a file's name.
    std::string_view source = "<text>";
    /// The operators that the text may name.
    op_set operators = standard_ops;
    /// Reads the section behind `#[metadata]`, where constants that are no literals have their values:
    /// `relay::read_metadata` of <tutti/relay/text/metadata.hpp>. Without it, text that has such constants is
    /// refused.
    std::vector<kernel::tensor> (*metadata)(std::string_view section) = nullptr;
    parse_limits limits{};
};

} // namespace tutti::relay
