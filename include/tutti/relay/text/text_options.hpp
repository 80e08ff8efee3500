#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace tutti::relay {

/// What of a program is not in its text.
struct text_omissions {
    std::size_t constants = 0; ///< those whose values are in the metadata section, which is not there
    std::size_t numbers = 0;   ///< floating-point numbers that have more than the six digits which are written
};

/// The attributes of a call that stand in the metadata section, under the name that the operator says.
struct kept_attributes {
    const graph* program = nullptr;
    const op_def* op = nullptr;
    attrs_id attributes = attrs_id::none;
};

/// What is written around a program's text.
struct text_options {
    bool version_line = true;  ///< `#[version = "0.0.5"]`
    bool type_comments = true; ///< inferred types, as `/* ty=T */`
    bool source_names = false; ///< names of what expressions were made of, such as a model's nodes, as `/* conv1 */`
    bool metadata_note = true; ///< the comment that constants were left out, if there are any

    /// Writes what follows `#[metadata]`, where constants that are no literals have their values, and some operators their
    /// attributes: `relay::write_metadata` of <tutti/relay/text/write_metadata.hpp>. With it nothing is lost:
    /// floating-point numbers have all digits that they need.
    std::string (*metadata)(std::span<const tensor> constants, std::span<const kept_attributes> attributes) = nullptr;
    /// Floating-point numbers keep six significant digits though there is a metadata section, as the reference writes them.
    bool six_digits = false;

    /// Writes functions of a module at the same time. The text is the same with any.
    executor_ref executor{};

    /// Is told what is left out, if it is not null.
    text_omissions* omitted = nullptr;
};

} // namespace tutti::relay
