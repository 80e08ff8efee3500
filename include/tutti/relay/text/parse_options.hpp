#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/vector.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::relay {

/// What a text may cost to read. Beyond these it is refused, before memory is taken for more.
struct parse_limits {
    std::size_t characters = std::size_t{1} << 30;     ///< of the text; never more than 2^31
    std::size_t nesting = std::size_t{1} << 22;        ///< expressions, or types, that are open at a time
    std::size_t operands = (std::size_t{1} << 24) - 2; ///< of one call, tuple or function; never more than that
    std::size_t diagnostics = 20;                      ///< after which the rest is not read
};

/// An attribute in a metadata section: its value as it stands there, and if that may be another node's place, what that node is,
/// as the text writes attributes.
struct kept_value {
    std::string name;
    std::string value;
    std::string node{};
};

/// The attributes that the section has under one name, by number.
struct kept_values {
    std::string name;
    vector<vector<kept_value>> calls{};
};

/// What the metadata section of a text has.
struct metadata_content {
    vector<kernel::tensor> constants{}; ///< by number
    vector<kept_values> attributes{};
};

/// How a text is read.
struct parse_options {
    /// What messages call the text: a file's name.
    std::string_view source = "<text>";
    /// The operators that the text may name.
    op_set operators = standard_ops;
    /// Reads the section behind `#[metadata]`, where constants that are no literals have their values, and some operators their
    /// attributes: `relay::read_metadata` of <tutti/relay/text/metadata.hpp>. Without it, text that has such constants or
    /// attributes is refused.
    metadata_content (*metadata)(std::string_view section) = nullptr;
    parse_limits limits{};
    /// Reads functions of a long text at the same time. What is read, and what is thrown, is the same with any.
    executor_ref executor{};
};

} // namespace tutti::relay
