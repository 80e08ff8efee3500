#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/op_set.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Limits on the cost of parsing. The parser refuses larger texts before it allocates memory for them.
struct parse_limits {
    std::size_t characters = std::size_t{1} << 30;     ///< length of the text; never more than 2^31
    std::size_t nesting = std::size_t{1} << 22;        ///< number of expressions, or of types, open at a time
    std::size_t operands = (std::size_t{1} << 24) - 2; ///< of one call, tuple or function; the default is the maximum
    std::size_t diagnostics = 20;                      ///< number of errors at which the parser stops
};

/// An attribute in a metadata section. `value` is the value as written. If it may be the index of another node, `node`
/// is that node in the syntax of attributes.
struct kept_value {
    std::string name;
    std::string value;
    std::string node{};
};

/// The attributes that a metadata section holds under one name. `calls[i]` holds those of `meta[name][i]`.
struct kept_values {
    std::string name;
    vector<vector<kept_value>> calls{};
};

/// The contents of a metadata section.
struct metadata_content {
    vector<kernel::tensor> constants{}; ///< `constants[i]` is `meta[relay.Constant][i]`
    vector<kept_values> attributes{};
};

/// Options of the parser.
struct parse_options {
    /// Name of the text in messages, such as a file name.
    std::string_view source = "<text>";
    /// The operators that the text may use.
    op_set operators = default_operators();
    /// Reads the section after `#[metadata]`, which holds some attributes and the values of constants that are not
    /// literals. Set it to `relay::read_metadata` of <tutti/relay/text/metadata.hpp>. If it is null, the parser refuses
    /// texts with such constants or attributes.
    metadata_content (*metadata)(std::string_view section) = nullptr;
    parse_limits limits{};
    /// Parses the functions of a long text in parallel. Results and errors do not depend on the executor.
    executor_ref executor{};
};

} // namespace tutti::relay::inline TUTTI_FORM
