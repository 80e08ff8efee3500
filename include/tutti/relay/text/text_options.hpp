#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace tutti::relay::inline TUTTI_FORM {

/// Counts of constants and numbers whose values a text does not contain in full.
struct text_omissions {
    std::size_t constants = 0; ///< constants whose values belong in the missing metadata section
    std::size_t numbers = 0;   ///< floating-point numbers that need more than the six written digits
};

/// Attributes of a call that the metadata section holds under the name `op->kept_as`.
struct kept_attributes {
    const graph* program = nullptr;
    const op_def* op = nullptr;
    attrs_id attributes = attrs_id::none;
};

/// Options of the printer.
struct text_options {
    bool version_line = true;  ///< `#[version = "0.0.5"]`
    bool type_comments = true; ///< inferred types, as `/* ty=T */`
    bool source_names = false; ///< source names of expressions, such as names of a model's nodes, as `/* conv1 */`
    bool metadata_note = true; ///< a comment that constants were omitted, if any were

    /// Writes the section after `#[metadata]`, which holds some attributes and the values of constants that are not
    /// literals. Set it to `relay::write_metadata` of <tutti/relay/text/write_metadata.hpp>. Nothing is then lost,
    /// because floating-point numbers have all digits that they need.
    std::string (*metadata)(std::span<const tensor> constants, std::span<const kept_attributes> attributes) = nullptr;
    /// Writes six significant digits even with a metadata section, as the reference does.
    bool six_digits = false;

    /// Prints the functions of a module in parallel. The text does not depend on the executor.
    executor_ref executor{};

    /// Receives the omissions, if not null.
    text_omissions* omitted = nullptr;
};

} // namespace tutti::relay::inline TUTTI_FORM
